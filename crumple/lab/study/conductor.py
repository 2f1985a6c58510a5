"""Conducts a study: plans its runs, does those that are open, and enters each into the database."""

import os
import shlex
import statistics
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from crumple.lab.applications import applications
from crumple.lab.applications.application import Application, Figures, PreparationError
from crumple.lab.applications.case import StudyCase, StudyError, is_path
from crumple.lab.processes import Job
from crumple.lab.profile.launch import preloaded
from crumple.lab.profile.library import profiler_of
from crumple.lab.profile.profile import gather, text_of
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.provenance import provenance
from crumple.lab.study.cases import LeftOut, case_key, plan_cases, varied_axes, with_full_paths
from crumple.lab.study.chart_names import check_names
from crumple.lab.study.database import Database, RunOutcome
from crumple.lab.study.file_system import MADE
from crumple.lab.study.file_system.mounted_on import file_system_of
from crumple.lab.study.launcher import environment, launcher
from crumple.lab.study.run_energy import add_energy_and_cost, with_power
from crumple.lab.study.study_file import StudyFile, complaint, read_study
from crumple.lab.study.where import system_of
from crumple.lab.study.where.system import Ended, Prepared, Run, RunSystem, Say
from crumple.lab.study.worlds import serial, why_unchecked, world_library, wrong_world
from crumple.lab.toml_places import line_of, places
from crumple.lab.toml_table import nearest
from crumple.mpi import FAMILIES, Mpi, mismatch

UNREADABLE = (ValueError, ArithmeticError, LookupError, OSError)  #: errors in reading output
WORLDS = "worlds"  #: subfolder of a job's folder
LOG_END = 4000  #: characters of a failed run's output that are kept


@dataclass
class StudyPlan:
    """All runs of a study, and the cases that are left out."""

    path: Path
    study: StudyFile
    application: Application
    runs: list[Run]
    left_out: list[LeftOut]
    launchers: dict[str, Mpi]
    system: RunSystem

    def varied(self) -> tuple[str, ...]:
        """Axes with several values."""
        return varied_axes(self.study)


def make_application(path: Path, study: StudyFile) -> Application:
    """The application of a study, its settings checked.

    Raises:
        StudyError: there is no such application, or its settings are wrong; with the line.
    """
    lines = places(path.read_text())

    def at(*key: str) -> str:
        return f"{path}:{line_of(('workload', *key), lines) or 1}"

    known = applications()
    name = study.workload.application
    if name not in known:
        raise StudyError(f"{at('application')}: there is no application '{name}'{nearest(name, list(known))}")
    kind = known[name]
    try:
        settings = kind.Settings.model_validate(study.workload.model_dump())
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])
        keys = tuple(str(k) for k in first["loc"])
        if first["type"] == "extra_forbidden":
            valid = [k for k in kind.Settings.model_fields if k != "application"]
            raise StudyError(f"{at(*keys)}: {name} takes no '{keys[-1]}'{nearest(keys[-1], valid)}") from None
        raise StudyError(f"{at(*keys)}: {complaint(first)}") from None
    try:
        return kind(settings, path.parent)
    except StudyError as error:
        raise StudyError(f"{at()}: {error}") from None


def error_at(path: Path, error: StudyError, table: str, key: str) -> StudyError:
    """An error due to the value of a key, with its line."""
    lines = places(path.read_text())
    return StudyError(f"{path}:{line_of((table, key), lines) or 1}: {error}")


def make_plan(path: Path) -> StudyPlan:
    """Read a study, and check everything before anything runs.

    Raises:
        StudyError: one line with the place.
    """
    study = read_study(path)
    application = make_application(path, study)
    base = path.parent
    study = with_full_paths(study, base)
    versions = study.versions
    if study.energy:
        try:
            study = study.model_copy(update={"energy": with_power(study.energy)})
        except StudyError as error:
            raise error_at(path, error, "energy", "node") from None
    if (figures := application.known_figures()) is not None:
        priced = [f"cost [{study.cost.currency}]"] if study.cost else []
        try:
            check_names(study.study.charts, figures + priced)
        except StudyError as error:
            raise error_at(path, error, "study", "charts") from None
    try:
        system = system_of(study, base)
    except StudyError as error:
        raise error_at(path, error, "where", "partition") from None
    cases, left_out = plan_cases(study, application.axes, system.obstacle)
    for name in study.axes.file_system:
        if not is_path(name) and name not in (valid := ["local", *MADE]):
            wrong = StudyError(f"there is no file system '{name}'{nearest(name, valid)}")
            raise error_at(path, wrong, "axes", "file_system")
    launchers = {}
    for name in study.axes.mpi:
        try:
            launchers[name] = launcher(name, study, base)
        except StudyError as error:
            raise error_at(path, error, "axes", "mpi") from None
    for version in study.axes.version:
        if version not in versions:
            wrong = StudyError(
                f"there is no version '{version}'{nearest(version, list(versions) or ['none'])}"
            )
            raise error_at(path, wrong, "axes", "version")
    fitting = []
    for case in cases:
        if why := application.obstacle(case):
            left_out.append(LeftOut(case, why))
            continue
        try:
            executable = application.executable(case, versions)
        except (StudyError, FileNotFoundError) as error:
            raise error_at(path, StudyError(str(error)), "workload", "program") from None
        if not os.access(executable, os.X_OK):
            missing = StudyError(f"there is no executable {executable}")
            raise error_at(path, missing, "axes", "version")
        if why := mismatch(executable, launchers[case.mpi].mpirun):
            left_out.append(LeftOut(case, why))
            continue
        fitting.append(case)
    # All cases once, then all again, so that a change of the machine meets all cases.
    runs = [Run(case, case_key(case, study), k) for k in range(study.study.repeats) for case in fitting]
    return StudyPlan(path, study, application, runs, left_out, launchers, system)


def estimate(database: Database, runs: list[Run], planned: list[Run]) -> float | None:
    """Expected seconds of runs, by those of the same case, otherwise by the mean of all; None at first.

    Args:
        planned: all runs of the study
    """
    keys = dict.fromkeys(run.key for run in [*planned, *runs])
    known = {key: statistics.median(t) for key in keys if (t := database.elapsed(key))}
    if not known:
        return None
    mean = statistics.fmean(known.values())
    return sum(known.get(run.key, mean) for run in runs)


def open_runs(database: Database, runs: list[Run]) -> list[Run]:
    """Runs that have not succeeded yet."""
    done = {run.key: database.done(run.key) for run in runs}
    return [run for run in runs if run.repeat not in done[run.key]]


class Conductor:
    """Does the runs of a plan."""

    def __init__(self, plan: StudyPlan, database: Database) -> None:
        self.plan = plan
        self.database = database
        self.id = database.study(plan.study.study.name, plan.path.resolve(), plan.path.read_text())

    def conduct(self, progress: Callable[[Run, RunOutcome], None], say: Say) -> list[RunOutcome]:
        """Do all open runs, and enter each when it has ended.

        Args:
            progress: called after each run
            say: called with messages about submitted and found runs
        """
        outcomes = []
        runs = open_runs(self.database, self.plan.runs)
        if any(run.case.ranks > 1 for run in runs) and (why := why_unchecked()):
            say(f"note: it is not checked whether the ranks find each other: {why}")
        with closing(self.plan.system.conduct(runs, self.prepare, say)) as several:
            for prepared, ended in several:
                outcomes.append(self.enter(prepared, ended))
                progress(prepared.run, outcomes[-1])
        return outcomes

    def prepare(self, run: Run, folder: Path) -> Prepared:
        """Prepare the folders of a run: one for each of its jobs side by side."""
        case = run.case
        mpi = self.plan.launchers[case.mpi]
        executable = self.plan.application.executable(case, self.plan.study.versions)
        source = provenance(executable, self.plan.application.inputs(), mpi.mpirun)
        if under := file_system_of(folder):
            source["file_system"] = under
        prepared = Prepared(run, folder, [], source)
        try:
            for number in range(case.jobs):
                prepared.jobs.append(self.job(case, mpi, executable, folder / f"job{number}", number))
        except PreparationError as error:
            prepared.failure = str(error)
        return prepared

    def job(self, case: StudyCase, mpi: Mpi, executable: Path, folder: Path, number: int) -> Job:
        """Prepare one of the jobs side by side."""
        folder.mkdir()
        self.plan.application.prepare(case, folder)
        command = self.plan.system.command(case, mpi, number)
        variables = self.plan.application.environment(case)
        libraries: list[Path] = []
        if case.ranks > 1 and not why_unchecked():
            libraries.append(world_library())
            (folder / WORLDS).mkdir()
            variables |= {"CRUMPLE_WORLDS": str(folder / WORLDS)}
        if self.plan.study.study.profile:
            try:
                libraries.append(profiler_of(mpi))
            except ProfileError as error:
                raise StudyError(str(error)) from None
            variables |= {"CRUMPLE_PROFILE": str(folder / "profile")}
        if libraries:
            given = self.plan.study.where.environment.get("LD_PRELOAD", os.environ.get("LD_PRELOAD", ""))
            variables["LD_PRELOAD"] = preloaded(libraries, folder, variables.get("LD_PRELOAD", given))
        if variables:  # after mpirun, which passes them on to other nodes
            command += ["env", *(f"{name}={value}" for name, value in variables.items())]
        command += [str(executable), *self.plan.application.arguments(case)]
        return Job(command, folder, environment(case, mpi) | self.plan.study.where.environment)

    def enter(self, prepared: Prepared, ended: Ended) -> RunOutcome:
        """Enter a run that has ended."""
        run = prepared.run
        outcome = self.outcome(prepared, ended)
        add_energy_and_cost(outcome, run.case, self.plan.study, ended)
        source = prepared.source | ({"machine": ended.machine} if ended.machine else {})
        case_id = self.database.case(run.key, run.case)
        self.database.add(self.id, case_id, run.repeat, self.database.provenance(source), outcome)
        return outcome

    def figures(self, case: StudyCase, directory: Path, log: str) -> Figures:
        """The figures of a run; if they cannot be read or are not finite, the run has failed."""
        try:
            found = self.plan.application.figures(case, directory, log)
        except UNREADABLE as error:
            return Figures(failure=f"its results cannot be read: {type(error).__name__}: {error}")
        found.failure = found.failure or found.not_finite()
        return found

    def worlds(self, prepared: Prepared) -> tuple[str, str]:
        """Why a run was not one job of so many ranks, or a remark if this is not certain."""
        case = prepared.run.case
        folders = [job.directory / WORLDS for job in prepared.jobs]
        if case.ranks == 1 or not all(folder.is_dir() for folder in folders):
            return "", ""
        family = FAMILIES[self.plan.launchers[case.mpi].family]
        program = Path(prepared.source["executable"]["path"])
        for folder in folders:
            if why := wrong_world(folder, case.ranks, family):
                return why, ""
            if any(found := serial(folder, case.ranks, program)):
                return found
        return "", ""

    def outcome(self, prepared: Prepared, ended: Ended) -> RunOutcome:
        """The outcome of a run, to be entered."""
        case, jobs = prepared.run.case, prepared.jobs
        logs = [log_of(job) for job in jobs]  # empty if the run could not be prepared
        outcome = RunOutcome(
            state=ended.state,
            elapsed=ended.elapsed,
            cpu=ended.cpu,
            load=ended.load,
            status=max(ended.statuses, key=abs, default=0),
            command=shlex.join(jobs[0].command) if jobs else "",
            started=ended.started,
        )
        if outcome.state == "done":
            outcome.figures = [
                self.figures(case, job.directory, log) for job, log in zip(jobs, logs, strict=True)
            ]
            alone, doubt = self.worlds(prepared)
            failures = (f.failure for f in outcome.figures if f.failure)
            if failure := alone or next(failures, ""):
                outcome.state, outcome.figures, outcome.reason = "failed", [], failure
        if outcome.state != "done":
            bad = next((k for k, status in enumerate(ended.statuses) if status), 0)
            told = outcome.reason or ended.note.strip() or why_failed(outcome, ended.statuses)
            outcome.reason = told.partition("\n")[0]
            outcome.log = f"{told}\n" + (logs[bad][-LOG_END:] if logs else "")
        else:
            # A case may print fewer figures than another: those it has count, the missing ones are reported.
            missing = dict.fromkeys(line for figures in outcome.figures for line in figures.missing)
            missing |= dict.fromkeys(filter(None, [doubt]))
            outcome.reason = outcome.log = "\n".join(missing)
            add_rates(outcome, case, ended.memory)
            for figures in outcome.figures:
                figures.texts |= ended.texts
        if self.plan.study.study.profile:
            outcome.profiles = profiles_of(jobs)
        return outcome


def why_failed(outcome: RunOutcome, statuses: list[int]) -> str:
    """The reason for a failed run for which no other reason is known."""
    if outcome.state == "timeout":
        return f"it did not end within {outcome.elapsed:.0f} s"
    bad = sorted({status for status in statuses if status})
    return f"exit status {', '.join(map(str, bad))}" if bad else f"it ended as {outcome.state}"


def log_of(job: Job) -> str:
    """The output of a job; empty if it never began."""
    try:
        return (job.directory / "log.txt").read_text(errors="replace")
    except FileNotFoundError:
        return ""


def add_rates(outcome: RunOutcome, case: StudyCase, memory: float | None) -> None:
    """Add the rating and jobs a day, as in published studies, and the memory of the largest process."""
    for figures in outcome.figures:
        figures.values["elapsed [s]"] = outcome.elapsed
        figures.values["rating"] = 86400.0 / outcome.elapsed
        figures.values["jobs a day"] = case.jobs * 86400.0 / outcome.elapsed
        figures.values["cpu [s]"] = outcome.cpu
        if memory is not None:
            figures.values["memory [MiB]"] = memory


def profiles_of(jobs: list[Job]) -> list[str]:
    """The profiles of jobs as JSON; none if a rank left no record."""
    texts = []
    for job in jobs:
        try:
            texts.append(text_of(gather(job.directory / "profile", job.command)))
        except ProfileError:
            continue
    return texts
