"""Our C programs and libraries, built for an MPI library the first time they are asked for."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from crumple.mpi import Mpi

MESSAGE_LINES = 8  #: of the compiler, that are shown


class BuildError(RuntimeError):
    """It cannot be built; the text says with what and why."""


def folder_of(sources: Path, builds: Path, mpi: Mpi, mpicc: Path) -> Path:
    """Where a build belongs: another compiler or another source is another folder."""
    digest = hashlib.sha256(str(mpicc.resolve()).encode())
    for source in sorted(sources.iterdir()):
        digest.update(source.read_bytes())
    return builds / f"{mpi.family}-{digest.hexdigest()[:12]}"


def build_for_mpi(what: str, sources: Path, builds: Path, mpi: Mpi) -> Path:
    """The folder of what the Makefile of some sources builds; built if it is not there.

    Args:
        what: its name in messages: the profiler
        sources: folder whose Makefile takes MPICC and OUT

    Raises:
        BuildError: the library has no compiler, or the build failed.
    """
    if mpi.mpicc is None:
        raise BuildError(f"no mpicc belongs to {mpi.mpirun}: {what} cannot be built for it")
    folder = folder_of(sources, builds, mpi, mpi.mpicc)
    if folder.exists():
        return folder
    temporary = folder.with_name(f"{folder.name}.{os.getpid()}")
    command = ["make", "-s", "-C", str(sources), f"MPICC={mpi.mpicc}", f"OUT={temporary}"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        shutil.rmtree(temporary, ignore_errors=True)
        lines = built.stderr.strip().splitlines()[:MESSAGE_LINES]
        raise BuildError(f"{what} cannot be built with {mpi.mpicc}:\n" + "\n".join(lines))
    try:
        temporary.rename(folder)
    except OSError:  # another process was faster
        shutil.rmtree(temporary)
        if not folder.exists():
            raise
    return folder
