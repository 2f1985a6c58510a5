"""The launcher of the MPI library that a program uses, and the profiler built for it."""

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from crumple.lab.profile.rank_file import ProfileError
from crumple.mpi import FAMILIES, Mpi, family_of_launcher, family_of_program, mpi_of_launcher

SOURCES = Path(__file__).resolve().parents[3] / "profiler"
BUILDS = SOURCES.parent / "build" / "profiler"


def mpi_of(program: Path, mpirun: Path | None = None) -> Mpi:
    """The MPI library of a program.

    Args:
        mpirun: launcher to use, instead of the one that belongs to the library

    Raises:
        ProfileError: there is no launcher of that library.
    """
    if mpirun:
        return mpi_of_launcher(mpirun)
    linked = family_of_program(program)
    if not linked:  # a script, or a program that loads MPI later
        found = shutil.which("mpirun")
        if not found:
            raise ProfileError("there is no mpirun on the PATH; name it with --mpirun")
        return mpi_of(program, Path(found))
    family, library = linked
    prefix = library.parent.resolve().parent
    for folder in (prefix / "bin", prefix.parent / "bin"):
        for name in (f"mpirun.{family}", "mpirun"):
            if (launcher := folder / name).exists():
                return mpi_of_launcher(launcher, family)
    found = shutil.which(f"mpirun.{family}") or shutil.which("mpirun")
    if not found or family_of_launcher(Path(found)) != family:
        raise ProfileError(
            f"{program} uses {FAMILIES[family]}, and its mpirun was not found; name it with --mpirun"
        )
    return mpi_of_launcher(Path(found), family)


@cache
def profiler_of(mpi: Mpi) -> Path:
    """The profiler's library for an MPI library; built on first use.

    Raises:
        ProfileError: it cannot be built.
    """
    if mpi.mpicc is None:
        raise ProfileError(f"no mpicc belongs to {mpi.mpirun}: the profiler cannot be built for it")
    digest = hashlib.sha256(str(mpi.mpicc.resolve()).encode())
    for source in sorted(SOURCES.iterdir()):
        digest.update(source.read_bytes())
    folder = BUILDS / f"{mpi.family}-{digest.hexdigest()[:12]}"
    library = folder / "libcrumple-profiler.so"
    if not library.exists():
        temporary = folder.with_name(f"{folder.name}.{os.getpid()}")
        built = subprocess.run(
            ["make", "-s", "-C", str(SOURCES), f"MPICC={mpi.mpicc}", f"OUT={temporary}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if built.returncode:
            shutil.rmtree(temporary, ignore_errors=True)
            lines = built.stderr.strip().splitlines()
            raise ProfileError(f"the profiler cannot be built with {mpi.mpicc}:\n" + "\n".join(lines[:8]))
        if folder.exists():  # another run was faster
            shutil.rmtree(temporary)
        else:
            temporary.rename(folder)
    return library
