"""Runs a program under MPI with the profiler loaded."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from crumple.lab.profile.library import mpi_of, profiler_of
from crumple.lab.profile.profile import Profile, gather
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.profile.trace.convert import TraceSummary, convert
from crumple.lab.profile.trace.events import TraceError
from crumple.mpi import FAMILIES, environment, options, with_own


@dataclass
class TraceWish:
    """That a trace is wanted, of what, and what became of it."""

    folder: Path
    window: str = ""  #: 200:400 in cycles, 2s:5s in seconds; "": all
    limit: int = 0  #: bytes of events of each rank; 0: none
    marks: bool = False  #: comments where cycles and phases begin
    summary: TraceSummary | None = None
    error: str = ""  #: why there is none

    def settings(self) -> list[str]:
        """What the profiler reads from the environment."""
        return [
            "CRUMPLE_TRACE=1",
            f"CRUMPLE_TRACE_WINDOW={self.window}",
            f"CRUMPLE_TRACE_LIMIT={self.limit}",
        ]

    def convert(self, records: Path, command: list[str]) -> None:
        """Write the trace of a run that has ended."""
        try:
            self.summary = convert(records, self.folder, command, self.window, self.marks)
        except TraceError as error:
            self.error = str(error)


def run_profiled(
    command: list[str],
    ranks: int,
    mpirun: Path | None = None,
    collective_wait: bool = True,
    trace: TraceWish | None = None,
    log: TextIO | None = None,
    own: list[str] | None = None,
) -> Profile:
    """Run a command on some ranks; its output goes to the terminal, or to a file.

    Args:
        command: program and arguments
        mpirun: launcher, instead of that of the program's MPI library
        collective_wait: measure the waiting for late ranks in collectives, by a barrier before each
        trace: write one too
        log: where its output goes
        own: options that the user gives the launcher

    Raises:
        ProfileError: program, launcher or profiler are not there, no rank left a record, or the ranks were
            not one world.
    """
    program = shutil.which(command[0])
    if not program:
        raise ProfileError(f"there is no program '{command[0]}'")
    mpi = mpi_of(Path(program), mpirun)
    library = profiler_of(mpi)
    more = ranks > (os.cpu_count() or 1)
    records = Path(tempfile.mkdtemp(prefix=".crumple-profile-", dir="."))
    settings = [
        f"LD_PRELOAD={library}",
        f"CRUMPLE_PROFILE={records.resolve()}",
        f"CRUMPLE_PROFILE_COLLECTIVE_WAIT={int(collective_wait)}",
        *(trace.settings() if trace else []),
    ]
    try:
        done = subprocess.run(
            [
                str(mpi.mpirun),
                *with_own(options(mpi.family, share=more, unbound=more), own or []),
                "-n",
                str(ranks),
                "env",
                *settings,
                program,
                *command[1:],
            ],
            env=environment(1, ranks) | {"OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")},
            stdout=log,
            stderr=subprocess.STDOUT if log else None,
            check=False,
        )
        profile = gather(records, command, done.returncode)
        if profile.size < ranks:
            raise ProfileError(
                f"the program ran as worlds of {profile.size} rank{'s' * (profile.size > 1)}, not as one of "
                f"{ranks}: it is not built for the {FAMILIES[mpi.family]} of {mpi.mpirun}"
            )
        if trace:
            trace.convert(records, command)
        return profile
    finally:
        shutil.rmtree(records, ignore_errors=True)
