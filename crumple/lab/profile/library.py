"""Which MPI library a program uses, its launcher, and the profiler built for it."""

import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from crumple.lab.profile.rank_file import ProfileError

SOURCES = Path(__file__).resolve().parents[3] / "profiler"
BUILDS = SOURCES.parent / "build" / "profiler"
FAMILIES = {"openmpi": "Open MPI", "mpich": "MPICH"}


@dataclass(frozen=True)
class Mpi:
    """An MPI library on this machine."""

    family: str  #: openmpi or mpich (and what has its ABI)
    mpirun: Path
    mpicc: Path | None


def family_of_program(program: Path) -> tuple[str, Path] | None:
    """Family of the MPI library that a program is linked with, and the library; None where it is not."""
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    for name, path in re.findall(r"(lib(?:mpi|mpich)\.so\.\d+)\S* => (\S+)", listed):
        # The MPICH ABI initiative numbers libmpi.so.12; Open MPI has been at 40 since version 3.
        family = "openmpi" if name.startswith("libmpi.so.") and int(name.rsplit(".", 1)[1]) >= 20 else "mpich"
        return family, Path(path)
    return None


def family_of_launcher(mpirun: Path) -> str:
    """Family by what the launcher says of itself."""
    said = subprocess.run([str(mpirun), "--version"], capture_output=True, text=True, check=False)
    return "openmpi" if "Open MPI" in said.stdout + said.stderr or "OpenRTE" in said.stdout else "mpich"


def beside(launcher: Path, family: str) -> Path | None:
    """The compiler that belongs to a launcher."""
    for name in (launcher.name.replace("mpirun", "mpicc"), f"mpicc.{family}", "mpicc"):
        if (found := launcher.parent / name).exists():
            return found
    return None


def mpi_of(program: Path, mpirun: Path | None = None) -> Mpi:
    """The MPI library of a program.

    Args:
        mpirun: launcher to use, instead of the one that belongs to the library

    Raises:
        ProfileError: there is no launcher of that library.
    """
    if mpirun:
        family = family_of_launcher(mpirun)
        return Mpi(family, mpirun, beside(mpirun, family))
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
                return Mpi(family, launcher, beside(launcher, family))
    found = shutil.which(f"mpirun.{family}") or shutil.which("mpirun")
    if not found or family_of_launcher(Path(found)) != family:
        raise ProfileError(
            f"{program} uses {FAMILIES[family]}, and its mpirun was not found; name it with --mpirun"
        )
    return Mpi(family, Path(found), beside(Path(found), family))


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
