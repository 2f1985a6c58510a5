"""Predicts all findings of published studies, for our solver and for the stand-in."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median

from crumple.lab.applications.case import StudyError
from crumple.lab.catalogue.cluster import CatalogueError
from crumple.lab.published.finding_rows import FindingRow, compared, row_of
from crumple.lab.published.model_sharing import ModelSharing, share_out
from crumple.lab.published.predict import SHIPPED, Predictor, cluster_of, sharing_of
from crumple.lab.published.programs import OURS, Program, PublishedProfile, read_profile
from crumple.lab.published.published_file import (
    COMPARED,
    DECKS,
    Finding,
    PublishedCase,
    PublishedFile,
    cases_of,
    read_published,
)
from crumple.lab.published.simulated import Simulated
from crumple.lab.simulate.simulator_program import SimulationError
from crumple.models import find_model

WITHOUT_CASES = ("connections", "not predicted")
SIMULATED = "simulated"  #: name of answers beside those of the programs: ours by simulation
Say = Callable[[str], None]


@dataclass(frozen=True)
class PublishedStudy:
    """A file of a published study, and its folders."""

    path: Path
    file: PublishedFile

    @property
    def clusters(self) -> Path:
        """Folder of cluster files."""
        return self.path.parent / self.file.published.clusters

    def cases(self) -> Iterable[tuple[Finding, PublishedCase]]:
        """All cases, with their findings."""
        for finding in self.file.finding:
            if finding.measure not in WITHOUT_CASES:
                for pair in cases_of(self.file, finding):
                    yield from ((finding, case) for case in pair)

    def runs(self, finding: Finding, program: Program) -> bool:
        """Whether a program runs the finding's cases; a factorisation is the same for both and shown once."""
        cases = [case for pair in cases_of(self.file, finding) for case in pair]
        return program is OURS or all(case.model != "factorisation" for case in cases)


@dataclass(frozen=True)
class PublishedOutcome:
    """All rows, and the stand-in of the published program."""

    studies: list[PublishedStudy]
    rows: list[FindingRow]
    stand_in: Program
    profile: PublishedProfile
    cycles: int = 0  #: simulated cycles of each case; 0: none

    def errors(self, program: str) -> list[float]:
        """Absolute errors of a program's ratios, for rows with a published figure or a missed bound."""
        answers = (row.answers.get(program) for row in self.rows)
        return [abs(a.error) for a in answers if a and a.error is not None and a.counts]

    def median_error(self, program: str) -> float:
        """Median of these errors."""
        return median(self.errors(program)) if self.errors(program) else 0.0

    def directions(self, program: str) -> tuple[int, int]:
        """Number of right directions, and number of rows with a direction."""
        answers = [a for row in self.rows if (a := row.answers.get(program)) and a.counts and a.directed]
        return sum(a.right for a in answers), len(answers)

    def not_counted(self, program: str) -> tuple[int, int]:
        """Number of rows that are inputs, and of rows where nothing changes in the model."""
        answers = [a for row in self.rows if (a := row.answers.get(program))]
        return sum(a.fitted for a in answers), sum(a.idle and not a.fitted for a in answers)


def sharing_in(study: PublishedStudy, finding: Finding, case: PublishedCase) -> ModelSharing:
    """The decomposition of a case; its cluster is read first.

    Raises:
        StudyError: the cluster or the pfile is missing, or wrong; with the finding.
    """
    try:
        sharing = sharing_of(case, cluster_of(case, study.clusters), study.path.parent)
    except (CatalogueError, StudyError, ValueError) as error:
        raise StudyError(f"{study.path}: finding {finding.number}: {error}") from None
    if sharing.pfile and not sharing.pfile.is_file():
        raise StudyError(f"{study.path}: finding {finding.number}: there is no pfile {sharing.pfile}")
    if sharing.model in DECKS and sharing.elements < (least := find_model(sharing.model).least):
        few = f"{sharing.elements} elements are too few for {sharing.model}; it has {least} or more"
        raise StudyError(f"{study.path}: finding {finding.number}: {few}")
    if sharing.ranks < 1:
        raise StudyError(f"{study.path}: finding {finding.number}: a job without a rank: {case.jobs} jobs")
    return sharing


def simulated_rows(
    study: PublishedStudy, rows: list[FindingRow], predictor: Predictor, cycles: int, say: Say
) -> list[FindingRow]:
    """Rows of a study with simulated answers, if all cases of a finding are simulated.

    Raises:
        SimulationError: SimGrid is missing, or a simulation fails.
    """
    by_simulation, pairs = Simulated(predictor, cycles), {}
    for number, finding in enumerate(study.file.finding):
        if finding.measure in COMPARED:
            found = cases_of(study.file, finding)
            if all(by_simulation.can(case) for pair in found for case in pair):
                pairs[number] = found
    by_simulation.simulate([case for found in pairs.values() for pair in found for case in pair], say)
    for number, found in pairs.items():
        finding = study.file.finding[number]
        answer = compared(finding, found, by_simulation.predict)
        answer = replace(answer, fitted=OURS.name in finding.input_of)
        over = sorted(by_simulation.over_model[case] for pair in found for case in pair)
        answers = rows[number].answers | {SIMULATED: answer}
        rows[number] = replace(rows[number], answers=answers, over_model=tuple(over))
    return rows


def predict_all(paths: list[Path], say: Say, cycles: int = 0) -> PublishedOutcome:
    """Predict every finding of some files.

    Args:
        cycles: number of cycles of each case to simulate as well; 0: none

    Raises:
        StudyError, CatalogueError, TraceError: there is a mistake in them, or in a file that they name.
        SimulationError: SimGrid is missing, or a simulation fails.
        FileNotFoundError: the solver is not built, and decompositions are not stored.
    """
    studies = [PublishedStudy(path, read_published(path)) for path in paths]
    profile = read_profile()
    wanted = [sharing_in(study, *of) for study in studies for of in study.cases()]
    wanted = [sharing for sharing in wanted if sharing.model in DECKS]
    fit = PublishedCase(model=profile.model, cluster=profile.cluster, nodes=profile.nodes)
    wanted.append(sharing_of(fit, cluster_of(fit, SHIPPED), SHIPPED))
    shared = share_out(wanted, say)
    rows: list[FindingRow] = []
    stand_in = Predictor(SHIPPED, SHIPPED, shared).stand_in(profile)
    for study in studies:
        predictor = Predictor(study.path.parent, study.clusters, shared)
        of_study: list[FindingRow] = []
        for finding in study.file.finding:
            both = (p for p in (OURS, stand_in) if study.runs(finding, p))
            programs = {p.name: partial(predictor.predict, p) for p in both}
            try:
                of_study.append(row_of(study.file, finding, programs))
            except (SimulationError, StudyError) as error:
                raise StudyError(f"{study.path}: finding {finding.number}: {error}") from None
        rows += simulated_rows(study, of_study, predictor, cycles, say) if cycles else of_study
    return PublishedOutcome(studies, rows, stand_in, profile, cycles)
