"""Runs on this machine, one after another."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.energy import meter_of
from crumple.lab.energy.meter import MeterError
from crumple.lab.processes import run_jobs
from crumple.lab.study.database import now
from crumple.lab.study.file_system import MADE, place_of
from crumple.lab.study.file_system import obstacle as file_system_obstacle
from crumple.lab.study.file_system.made import FileSystemError
from crumple.lab.study.file_system.own_mounts import own_mounts
from crumple.lab.study.launcher import cores_of_job, mpirun
from crumple.lab.study.study_file import StudyFile
from crumple.lab.study.where.system import Ended, Prepare, Prepared, Run, Say, not_started
from crumple.mpi import Mpi
from crumple.other_load import cores_at_work


class Local:
    """This machine."""

    def __init__(self, study: StudyFile, base: Path) -> None:
        self.study = study
        try:
            self.meter = meter_of(study.energy.meter if study.energy else "auto")
        except MeterError as error:
            raise StudyError(f"energy cannot be measured: {error}") from None

    def obstacle(self, case: StudyCase) -> str:
        """Too few cores or sockets, or several nodes."""
        cores = os.cpu_count() or 1
        if case.cores() > cores and not self.study.study.oversubscribe:
            return f"needs {case.cores()} cores, and there are {cores}"
        if case.ranks_per_node and case.ranks_per_node != case.ranks:
            return f"{case.ranks_per_node} of {case.ranks} ranks a node need several nodes, and this is one"
        try:
            for job in range(case.jobs if case.binding != "none" else 0):
                cores_of_job(case, job)
        except StudyError as error:
            return str(error)
        return file_system_obstacle(case, here=True)

    def command(self, case: StudyCase, mpi: Mpi, job: int) -> list[str]:
        """The MPI library's mpirun."""
        own = self.study.where.options_of(case.mpi)
        return mpirun(case, mpi, job, self.study.study.oversubscribe, own)

    def folder(self, where: Path | None) -> Path:
        """A folder for a run: a temporary one, or one in the folder of the case."""
        if where:
            where.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="crumple-study-", dir=where))

    def conduct(self, runs: list[Run], prepare: Prepare, say: Say) -> Iterator[tuple[Prepared, Ended]]:
        """One run after another, each in its own folder, which is removed after the run."""
        with ExitStack() as stack:
            makes = any(run.case.file_system in MADE for run in runs)
            try:
                work = stack.enter_context(own_mounts()) if makes else None
            except FileSystemError as error:
                raise StudyError(str(error)) from None
            for run in runs:
                with self.place(run, work) as (folder, failure):
                    prepared = prepare(run, folder)
                    prepared.failure = failure or prepared.failure
                    yield prepared, self.do(prepared)
                    if self.meter.failure:
                        say(f"its energy was not measured: {self.meter.failure}")

    @contextmanager
    def place(self, run: Run, work: Path | None) -> Iterator[tuple[Path, str]]:
        """The folder of a run, and why its file system could not be made; the folder is then elsewhere.

        Args:
            work: folder for file systems that are made
        """
        with ExitStack() as stack:
            where, failure = None, ""
            try:
                where = stack.enter_context(place_of(run.case, work))
            except FileSystemError as error:
                failure = f"its file system could not be made: {error}"
            folder = self.folder(where)
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            yield folder, failure

    def do(self, prepared: Prepared) -> Ended:
        """Do one run."""
        if prepared.failure:
            return not_started(prepared)
        started, load = now(), cores_at_work()
        with self.meter:
            times = run_jobs(prepared.jobs, self.study.study.time_limit)
        state = "timeout" if times.timed_out else "failed" if any(times.statuses) else "done"
        ended = Ended(state, times.statuses, times.elapsed, times.cpu, started, load)
        ended.memory, ended.joules, ended.meter = times.memory, self.meter.joules, self.meter.name
        return ended
