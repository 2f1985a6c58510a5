"""Runs a program under MPI with the profiler loaded."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from crumple.cache_folder import cache_folder
from crumple.lab.profile.library import mpi_of, profiler_of, why_no_record
from crumple.lab.profile.profile import Profile, gather
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.profile.trace.convert import TraceSummary, convert
from crumple.lab.profile.trace.events import TraceError
from crumple.mpi import FAMILIES, Mpi, environment, options, with_options


@dataclass
class TraceWish:
    """The request for a trace, and its result."""

    folder: Path
    window: str = ""  #: 200:400 in cycles, 2s:5s in seconds; "": all
    limit: int = 0  #: largest bytes of events of each rank; 0: no limit
    marks: bool = False  #: with comments where cycles and phases begin
    summary: TraceSummary | None = None
    error: str = ""  #: why there is no trace

    def settings(self) -> dict[str, str]:
        """Environment variables for the profiler."""
        return {
            "CRUMPLE_TRACE": "1",
            "CRUMPLE_TRACE_WINDOW": self.window,
            "CRUMPLE_TRACE_LIMIT": str(self.limit),
        }

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
    launcher: list[str] | None = None,
) -> Profile:
    """Run a command on some ranks; its output goes to the terminal, or to a file.

    Args:
        command: program and arguments
        mpirun: launcher, instead of that of the program's MPI library
        collective_wait: measure the waiting for late ranks in collectives, by a barrier before each
        trace: also write a trace
        log: file for its output; None: the terminal
        launcher: further options for mpirun

    Raises:
        ProfileError: program, launcher or profiler do not exist, no rank left a record, or the ranks were
            not one world.
    """
    program = shutil.which(command[0])
    if not program:
        raise ProfileError(f"there is no program '{command[0]}'")
    mpi = mpi_of(Path(program), mpirun)
    library = profiler_of(mpi)
    more = ranks > (os.cpu_count() or 1)
    records = Path(tempfile.mkdtemp(prefix="crumple-profile-", dir=folder_for_ranks()))
    settings = {
        "LD_PRELOAD": preloaded([library], records),
        "CRUMPLE_PROFILE": str(records),
        "CRUMPLE_PROFILE_COLLECTIVE_WAIT": str(int(collective_wait)),
        **(trace.settings() if trace else {}),
    }
    usual = options(mpi.family, share=more, unbound=more)
    words, behind = passed_on(settings, mpi)
    try:
        done = subprocess.run(
            [
                str(mpi.mpirun),
                *with_options(usual, launcher or []),
                *words,
                "-n",
                str(ranks),
                *behind,
                program,
                *command[1:],
            ],
            env=environment(1, ranks) | {"OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")},
            stdout=log,
            stderr=subprocess.STDOUT if log else None,
            check=False,
        )
        if not any(records.glob("rank.*")):
            raise ProfileError(f"no rank left a record: {why_no_record(Path(program), mpi)}")
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


def folder_for_ranks() -> Path:
    """The folder for ranks' records during a run: the temporary folder, or one that several nodes share."""
    if int(os.environ.get("SLURM_JOB_NUM_NODES") or 1) < 2:
        return Path(tempfile.gettempdir())
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def preloaded(libraries: Sequence[Path], records: Path, given: str | None = None) -> str:
    """LD_PRELOAD with our libraries before those of the user: wrappers call those that come later.

    Args:
        records: folder for a copy of a library, if the loader would split its path
        given: the user's LD_PRELOAD; default: that of the environment
    """
    ours = [
        Path(shutil.copy(library, records)) if re.search(r"[\s:]", str(library)) else library
        for library in libraries
    ]
    given = os.environ.get("LD_PRELOAD", "") if given is None else given
    names = {library.name for library in ours}
    others = [other for other in re.split(r"[\s:]+", given) if other and Path(other).name not in names]
    return ":".join([*map(str, ours), *others])


def passed_on(settings: dict[str, str], mpi: Mpi) -> tuple[list[str], list[str]]:
    """Arguments before the number of ranks, and before the program, that set the ranks' environment.

    Open MPI's own option also reaches spawned processes. mpirun itself must not load the profiler.
    """
    assigned = [f"{name}={value}" for name, value in settings.items()]
    if mpi.family == "openmpi":
        return [word for one in assigned for word in ("-x", one)], []
    return [], [shutil.which("env") or "env", *assigned]
