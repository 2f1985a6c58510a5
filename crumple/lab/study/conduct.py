"""Conducts a study: plans its runs, does those that are not done, and enters each into the database."""

import os
import shlex
import shutil
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from crumple.lab.applications import applications
from crumple.lab.applications.application import Application, Figures, PreparationError
from crumple.lab.profile.library import Mpi, beside, profiler_of
from crumple.lab.profile.profile import gather, write_profile
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.study.cases import Case, LeftOut, case_key, plan_cases, varied_axes
from crumple.lab.study.database import Database, Outcome, now
from crumple.lab.study.energy import add_energy_and_cost
from crumple.lab.study.launcher import Launcher, cores_of_job, environment, launcher, mpirun
from crumple.lab.study.places import line_of, places
from crumple.lab.study.processes import Ended, Job, run_jobs
from crumple.lab.study.provenance import provenance
from crumple.lab.study.study_file import StudyError, StudyFile, complaint, nearest, read_study

LOG_END = 4000  #: characters kept of what a failed run printed


@dataclass(frozen=True)
class Run:
    """One repeat of a case."""

    case: Case
    key: str
    repeat: int


@dataclass
class Plan:
    """All that a study would do."""

    path: Path
    study: StudyFile
    application: Application
    runs: list[Run]
    left_out: list[LeftOut]
    launchers: dict[str, Launcher]

    def varied(self) -> tuple[str, ...]:
        """Axes with several values."""
        return varied_axes(self.study)


def make_application(path: Path, study: StudyFile) -> Application:
    """The application of a study, its settings checked.

    Raises:
        StudyError: there is no such application, or it does not take the settings; with the line.
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


def axis_error(path: Path, axis: str, error: StudyError) -> StudyError:
    """An error that an axis' value leads to, with its line."""
    lines = places(path.read_text())
    return StudyError(f"{path}:{line_of(('axes', axis), lines) or line_of(('axes',), lines) or 1}: {error}")


def make_plan(path: Path) -> Plan:
    """Read a study and find out all that could be wrong with it before anything runs.

    Raises:
        StudyError: one line with the place.
    """
    study = read_study(path)
    application = make_application(path, study)
    base = path.parent
    versions = {name: (base / file.expanduser()).resolve() for name, file in study.versions.items()}
    study = study.model_copy(update={"versions": versions})
    cases, left_out = plan_cases(study, application.axes)
    launchers = {}
    for name in study.axes.mpi:
        try:
            launchers[name] = launcher(name, study, base)
        except StudyError as error:
            raise axis_error(path, "mpi", error) from None
    for version in study.axes.version:
        if version not in versions:
            wrong = StudyError(
                f"there is no version '{version}'{nearest(version, list(versions) or ['none'])}"
            )
            raise axis_error(path, "version", wrong)
    fitting = []
    for case in cases:
        if why := application.obstacle(case):
            left_out.append(LeftOut(case, why))
            continue
        executable = application.executable(case, versions)
        if not os.access(executable, os.X_OK):
            raise axis_error(path, "version", StudyError(f"there is no executable {executable}"))
        try:
            for job in range(case.jobs):
                if case.binding != "none":
                    cores_of_job(case, job)
        except StudyError as error:
            left_out.append(LeftOut(case, str(error)))
            continue
        fitting.append(case)
    # All cases once, then all again: what changes on the machine meanwhile meets all of them.
    runs = [Run(case, case_key(case, study), k) for k in range(study.study.repeats) for case in fitting]
    return Plan(path, study, application, runs, left_out, launchers)


def estimate(database: Database, runs: list[Run]) -> float | None:
    """Seconds that runs will take, by those of the same case, else by the mean of all; None at first."""
    known = {run.key: statistics.median(t) for run in runs if (t := database.elapsed(run.key))}
    if not known:
        return None
    mean = statistics.fmean(known.values())
    return sum(known.get(run.key, mean) for run in runs)


def open_runs(database: Database, runs: list[Run]) -> list[Run]:
    """Runs that have not ended well yet."""
    done = {run.key: database.done(run.key) for run in runs}
    return [run for run in runs if run.repeat not in done[run.key]]


class Conductor:
    """Does the runs of a plan."""

    def __init__(self, plan: Plan, database: Database) -> None:
        self.plan = plan
        self.database = database
        self.id = database.study(plan.study.study.name, plan.path.resolve(), plan.path.read_text())

    def conduct(self, progress: Callable[[Run, Outcome | None], None]) -> list[Outcome]:
        """Do all runs that are open.

        Args:
            progress: called before each run, with None, and behind it
        """
        outcomes = []
        for run in open_runs(self.database, self.plan.runs):
            progress(run, None)
            outcome = self.do(run)
            outcomes.append(outcome)
            progress(run, outcome)
        return outcomes

    def do(self, run: Run) -> Outcome:
        """Do one run in folders of its own, enter it, and remove the folders."""
        case, study = run.case, self.plan.study
        mpi = self.plan.launchers[case.mpi]
        where = Path(case.directory).expanduser() if case.directory else None
        if where:
            where.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="crumple-study-", dir=where))
        executable = self.plan.application.executable(case, study.versions)
        try:
            started, load = now(), os.getloadavg()[0]
            jobs = [self.job(case, mpi, executable, folder / f"job{j}", j) for j in range(case.jobs)]
            ended = run_jobs(jobs, study.study.time_limit)
            outcome = self.outcome(case, jobs, ended, started, load)
        except PreparationError as error:
            outcome = Outcome("failed", 0.0, 0.0, load, None, "", started, log=str(error)[-LOG_END:])
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        add_energy_and_cost(outcome, case, study)
        source = provenance(executable, self.plan.application.inputs(), mpi.path)
        case_id = self.database.case(run.key, case)
        self.database.add(self.id, case_id, run.repeat, self.database.provenance(source), outcome)
        return outcome

    def job(self, case: Case, mpi: Launcher, executable: Path, folder: Path, number: int) -> Job:
        """One of the jobs side by side."""
        folder.mkdir()
        self.plan.application.prepare(case, folder)
        command = mpirun(case, mpi, number, self.plan.study.study.oversubscribe)
        variables = self.plan.application.environment(case)
        if self.plan.study.study.profile:
            try:
                library = profiler_of(Mpi(mpi.family, mpi.path, beside(mpi.path, mpi.family)))
            except ProfileError as error:
                raise StudyError(str(error)) from None
            variables |= {"LD_PRELOAD": str(library), "CRUMPLE_PROFILE": str(folder / "profile")}
        if variables:  # behind mpirun, which passes them on to other nodes
            command += ["env", *(f"{name}={value}" for name, value in variables.items())]
        command += [str(executable), *self.plan.application.arguments(case)]
        return Job(command, folder, environment(case, mpi))

    def outcome(self, case: Case, jobs: list[Job], ended: Ended, started: str, load: float) -> Outcome:
        """What is entered of a run."""
        logs = [(job.directory / "log.txt").read_text(errors="replace") for job in jobs]
        outcome = Outcome(
            state="timeout" if ended.timed_out else "done",
            elapsed=ended.elapsed,
            cpu=ended.cpu,
            load=load,
            status=max(ended.statuses, key=abs, default=0),
            command=shlex.join(jobs[0].command),
            started=started,
        )
        if not ended.timed_out and any(ended.statuses):
            outcome.state = "failed"
        if outcome.state == "done":
            outcome.figures = [
                self.plan.application.figures(case, job.directory, log)
                for job, log in zip(jobs, logs, strict=True)
            ]
            if failure := next((f.failure for f in outcome.figures if f.failure), ""):
                outcome.state, outcome.figures = "failed", []
                outcome.log = failure + "\n"
        if outcome.state != "done":
            bad = next((k for k, status in enumerate(ended.statuses) if status), 0)
            outcome.log += logs[bad][-LOG_END:]
        else:
            add_rates(outcome, case, ended.memory)
        if self.plan.study.study.profile:
            outcome.profiles = profiles_of(jobs)
        return outcome


def add_rates(outcome: Outcome, case: Case, memory: float) -> None:
    """Rating and jobs a day, as the published studies have them; memory of the largest process."""
    for figures in outcome.figures:
        figures.values["elapsed [s]"] = outcome.elapsed
        figures.values["rating"] = 86400.0 / outcome.elapsed
        figures.values["jobs a day"] = case.jobs * 86400.0 / outcome.elapsed
        figures.values["cpu [s]"] = outcome.cpu
        figures.values["memory [MiB]"] = memory


def profiles_of(jobs: list[Job]) -> list[str]:
    """The profiles of jobs, as JSON; none where a rank left no record."""
    texts = []
    for job in jobs:
        try:
            profile = gather(job.directory / "profile", job.command)
        except ProfileError:
            continue
        file = job.directory / "profile.json"
        write_profile(profile, file)
        texts.append(file.read_text())
    return texts


__all__ = ["Conductor", "Figures", "Plan", "Run", "estimate", "make_plan", "open_runs"]
