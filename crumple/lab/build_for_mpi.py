"""Our C programs and libraries, built for an MPI library on first use."""

from pathlib import Path

from crumple.lab.build_once import BuildError, build_once, digest_of
from crumple.mpi import Mpi, mismatch


def build_for_mpi(what: str, sources: Path, builds: Path, mpi: Mpi) -> Path:
    """The folder with the build of some sources by their Makefile; built if it is missing.

    Args:
        what: its name in messages, such as "the profiler"
        sources: folder whose Makefile takes MPICC and OUT

    Raises:
        BuildError: the library has no compiler, or one of another library, or the build failed.
    """
    if mpi.mpicc is None:
        raise BuildError(f"no mpicc belongs to {mpi.mpirun}: {what} cannot be built for it")
    folder = builds / f"{mpi.family}-{digest_of(sources, str(mpi.mpicc.resolve()))[:12]}"
    try:
        built = build_once(sources, folder, f"MPICC={mpi.mpicc}")
    except BuildError as error:
        raise BuildError(f"{what} cannot be built with {mpi.mpicc}:\n{error}") from None
    for file in built.iterdir():
        if why := mismatch(file, mpi.mpirun):
            raise BuildError(f"{what} cannot be built: {mpi.mpicc} is of another library: {why}")
    return built
