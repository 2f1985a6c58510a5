"""MPI libraries: which one a launcher or a program belongs to, and how each is told what to do."""

import os
import re
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

FAMILIES = {"openmpi": "Open MPI", "mpich": "MPICH"}
RANK_OPTIONS = ("-n", "--n", "-np", "--np", "-c")
#: options by which users say where ranks go
PLACING = ("--bind-to", "-bind-to", "--bind-to-core", "--bind-to-socket", "--cpu-set", "--rankfile", "-rf")


@dataclass(frozen=True)
class Mpi:
    """An MPI library on this machine."""

    family: str  #: openmpi or mpich (and what has its ABI)
    mpirun: Path
    mpicc: Path | None


def mpi_of_launcher(mpirun: Path, family: str = "") -> Mpi:
    """The library that a launcher belongs to, with its compiler.

    Args:
        family: where it is known
    """
    family = family or family_of_launcher(mpirun)
    return Mpi(family, mpirun, beside(mpirun, family))


def family_of_program(program: Path) -> tuple[str, Path] | None:
    """Family of the MPI library that a program is linked with, and the library; None where it is not.

    Of a program that has the library inside, the file is the program itself.
    """
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    for name, number, path in re.findall(r"(lib(?:mpi|mpich))\.so\.(\d+)\S* => (\S+)", listed):
        # The MPICH ABI initiative numbers libmpi.so.12, as Open MPI 1.10 did, which has a library of its own
        # below; Open MPI has been at 20 since version 2.
        of_open_mpi = int(number) >= 20 or "libopen-pal.so" in listed
        return "openmpi" if name == "libmpi" and of_open_mpi else "mpich", Path(path)
    for family, word in {"openmpi": b"ompi_mpi_init", "mpich": b"MPIR_CVAR_"}.items():
        if holds(program, b"MPI_Init", word):
            return family, program
    return None


def is_static(program: Path) -> bool:
    """Whether a file is a program that loads no libraries."""
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
    said = listed.stdout + listed.stderr
    return holds(program) and ("statically linked" in said or "not a dynamic executable" in said)


def holds(program: Path, *words: bytes) -> bool:
    """Whether a file is a compiled program (ELF) that holds all of some words."""
    try:
        with program.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            return content[:4] == b"\x7fELF" and all(content.find(word) >= 0 for word in words)
    except (OSError, ValueError):  # not there, or empty
        return False


def family_of_launcher(mpirun: Path) -> str:
    """Family by what the launcher says of itself; MPICH's where it says nothing that we know."""
    return known_family_of_launcher(mpirun) or "mpich"


@cache
def known_family_of_launcher(mpirun: Path) -> str:
    """Family by what the launcher says of itself; empty where it says nothing that we know."""
    try:
        done = subprocess.run([str(mpirun), "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    said = done.stdout + done.stderr
    if "Open MPI" in said or "OpenRTE" in said:
        return "openmpi"
    return "mpich" if re.search("HYDRA|MPICH|MVAPICH|Intel.* MPI", said, re.I) else ""


def mismatch(program: Path, mpirun: Path) -> str:
    """That a program is built for another MPI library than the launcher's, in words; empty where it is not.

    Each of its ranks would be a world of its own. Nothing is said where one of the libraries is not known: of
    scripts, or of programs that load MPI later.
    """
    linked, launcher = family_of_program(program), known_family_of_launcher(mpirun)
    if not linked or not launcher or linked[0] == launcher:
        return ""
    return (
        f"{program.name} is built for {FAMILIES[linked[0]]}, and {mpirun.name} is of {FAMILIES[launcher]}: "
        "each of its ranks would run alone"
    )


def beside(launcher: Path, family: str) -> Path | None:
    """The compiler that belongs to a launcher."""
    for name in (launcher.name.replace("mpirun", "mpicc"), f"mpicc.{family}", "mpicc"):
        if (found := launcher.parent / name).exists():
            return found
    return None


def options(family: str, *, share: bool = False, unbound: bool = False, device: str = "default") -> list[str]:
    """Options of mpirun.

    Args:
        share: more ranks than cores: a rank that waits must yield its core
        unbound: ranks may use any core; MPICH's always may
        device: default, shared-memory or tcp; MPICH takes it from `variables`
    """
    if family != "openmpi":
        return []
    found = ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"] if share else []
    found += ["--bind-to", "none"] if unbound else []
    if device != "default":
        transport = {"shared-memory": "vader", "tcp": "tcp"}[device]
        found += ["--mca", "pml", "ob1", "--mca", "btl", f"self,{transport}"]
    return found


def variables(family: str, device: str) -> dict[str, str]:
    """What the environment must say for a communication device."""
    if family == "openmpi" or device == "default":
        return {}
    return {"UCX_TLS": {"shared-memory": "self,sm", "tcp": "self,tcp"}[device]}


class LauncherOptionError(ValueError):
    """An option of mpirun that is given otherwise, or cannot be read."""


def launcher_words(text: str) -> list[str]:
    """The words of --launcher: more options of mpirun, quoted as for a shell.

    Raises:
        LauncherOptionError: a quote is open, or it is the number of ranks.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise LauncherOptionError(f"--launcher {text}: {error}") from None
    for word in words:
        if word in RANK_OPTIONS:
            raise LauncherOptionError(
                f"--launcher: the number of ranks is given by -n before it, not by {word}"
            )
    return words


def with_options(usual: list[str], words: Sequence[str]) -> list[str]:
    """Our options of mpirun and the user's behind them; without our binding where the user's say it."""
    placed = any(word.split("=")[0] in PLACING or ":pe=" in word.lower() for word in words)
    if placed and "--bind-to" in usual:
        at = usual.index("--bind-to")
        usual = usual[:at] + usual[at + 2 :]
    return [*usual, *words]


def environment(threads: int = 1, ranks: int = 1, cores: int | None = None) -> dict[str, str]:
    """Environment of a run: threads, and leave for root to use mpirun (containers).

    Where there are more threads than cores (without a number: those of the machine), a waiting thread must
    leave its core to the others.
    """
    env = dict(os.environ)
    env["OMP_NUM_THREADS"] = str(threads)
    if ranks * threads > (cores or os.cpu_count() or 1):
        env.setdefault("OMP_WAIT_POLICY", "passive")
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    return env
