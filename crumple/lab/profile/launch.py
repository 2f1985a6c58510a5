"""Runs a program under MPI with the profiler loaded."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from crumple.lab.profile.library import Mpi, mpi_of, profiler_of
from crumple.lab.profile.profile import Profile, gather
from crumple.lab.profile.rank_file import ProfileError
from crumple.solver import environment


def launcher_options(mpi: Mpi, ranks: int) -> list[str]:
    """Options of mpirun: where ranks outnumber cores they must yield while they wait."""
    if mpi.family != "openmpi" or ranks <= (os.cpu_count() or 1):
        return []
    return ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]


def run_profiled(
    command: list[str], ranks: int, mpirun: Path | None = None, collective_wait: bool = True
) -> Profile:
    """Run a command on some ranks; its output goes to the terminal.

    Args:
        command: program and arguments
        mpirun: launcher, instead of that of the program's MPI library
        collective_wait: measure the waiting for late ranks in collectives, by a barrier before each

    Raises:
        ProfileError: program, launcher or profiler are not there, or no rank left a record.
    """
    program = shutil.which(command[0])
    if not program:
        raise ProfileError(f"there is no program '{command[0]}'")
    mpi = mpi_of(Path(program), mpirun)
    library = profiler_of(mpi)
    records = Path(tempfile.mkdtemp(prefix=".crumple-profile-", dir="."))
    settings = [
        f"LD_PRELOAD={library}",
        f"CRUMPLE_PROFILE={records.resolve()}",
        f"CRUMPLE_PROFILE_COLLECTIVE_WAIT={int(collective_wait)}",
    ]
    try:
        done = subprocess.run(
            [
                str(mpi.mpirun),
                *launcher_options(mpi, ranks),
                "-n",
                str(ranks),
                "env",
                *settings,
                program,
                *command[1:],
            ],
            env=environment(1, ranks) | {"OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")},
            check=False,
        )
        return gather(records, command, done.returncode)
    finally:
        shutil.rmtree(records, ignore_errors=True)
