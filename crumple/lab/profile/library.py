"""The launcher of the MPI library that a program uses, and the profiler built for it."""

import shutil
import struct
import sys
from functools import cache
from pathlib import Path

from crumple.lab.build_for_mpi import BuildError, build_for_mpi
from crumple.lab.profile.rank_file import ProfileError
from crumple.mpi import FAMILIES, Mpi, family_of_launcher, family_of_program, mismatch, mpi_of_launcher
from crumple.places import builds, shipped

SOURCES = shipped("profiler")
BUILDS = builds("profiler")
INTERPRETER = 3  #: PT_INTERP of ELF: the program header that names the loader


def is_static(program: Path) -> bool:
    """Whether a program is linked statically; then no library can be loaded before it."""
    try:
        data = program.read_bytes()[: 1 << 16]
        if data[:5] != b"\x7fELF\x02":  # a script, or a program of 32 bits
            return False
        first, (size, count) = int.from_bytes(data[32:40], sys.byteorder), struct.unpack("=HH", data[54:58])
        kinds = [struct.unpack_from("=I", data, first + k * size)[0] for k in range(count)]
    except (OSError, struct.error):
        return False
    return INTERPRETER not in kinds


def why_no_record(program: Path, mpi: Mpi) -> str:
    """Why the profiler was not loaded when a program started MPI, as far as the program shows it."""
    if is_static(program):
        return (
            f"{program} is linked statically, so that no profiler can be loaded before it; "
            "link it with the shared library of MPI"
        )
    linked = family_of_program(program)
    if not linked:
        return (
            f"{program} is not linked with an MPI library; if it starts or loads what is, does that call "
            f"MPI_Init, and of {FAMILIES[mpi.family]}, which {mpi.mpirun} belongs to?"
        )
    if linked[0] != mpi.family:
        return f"{program} uses {FAMILIES[linked[0]]}, and {mpi.mpirun} belongs to {FAMILIES[mpi.family]}"
    return (
        f"{program} did not call MPI_Init, or its ranks could not write where this process reads: on several "
        "nodes TMPDIR has to name a folder that they share"
    )


def mpi_of(program: Path, mpirun: Path | None = None) -> Mpi:
    """The MPI library of a program.

    Args:
        mpirun: launcher to use, instead of the one that belongs to the library

    Raises:
        ProfileError: there is no launcher of that library, or `mpirun` belongs to another.
    """
    if mpirun:
        if why := mismatch(program, mpirun):
            raise ProfileError(why)
        return mpi_of_launcher(mpirun)
    linked = family_of_program(program)
    if not linked:  # a script, or a program that loads MPI later
        found = shutil.which("mpirun")
        if not found:
            raise ProfileError("there is no mpirun on the PATH; name it with --mpirun")
        return mpi_of(program, Path(found))
    family, library = linked
    prefix = library.parent.resolve().parent
    beside = (prefix / "bin", prefix.parent / "bin") if library.is_absolute() else ()  # "not found", says ldd
    for folder in beside:
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
    try:
        return build_for_mpi("the profiler", SOURCES, BUILDS, mpi) / "libcrumple-profiler.so"
    except BuildError as error:
        raise ProfileError(str(error)) from error
