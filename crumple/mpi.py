"""MPI libraries: the library of a launcher or a program, and the options of each."""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from crumple.mpich_name import with_name_of_abi

FAMILIES = {"openmpi": "Open MPI", "mpich": "MPICH"}
RANK_OPTIONS = ("-n", "--n", "-np", "--np", "-c")
#: options for the placement of ranks
PLACING = ("--bind-to", "-bind-to", "--bind-to-core", "--bind-to-socket", "--cpu-set", "--rankfile", "-rf")

#: options of mpirun, and variables of batch systems, by which ranks go to other machines
HOSTS = ("-H", "--host", "-host", "-hosts", "--hostfile", "-hostfile", "--machinefile", "-machinefile", "-f")
ALLOCATIONS = ("SLURM_JOB_ID", "PBS_NODEFILE", "LSB_HOSTS", "PE_HOSTFILE")
#: variables by which the user places threads
THREADS_PLACED = ("OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY")


@dataclass(frozen=True)
class Mpi:
    """An MPI library on this machine."""

    family: str  #: openmpi or mpich (and what has its ABI)
    mpirun: Path
    mpicc: Path | None


def mpi_of_launcher(mpirun: Path, family: str = "") -> Mpi:
    """The library of a launcher, with its compiler.

    Args:
        family: the family, if it is known
    """
    family = family or family_of_launcher(mpirun)
    return Mpi(family, mpirun, beside(mpirun, family))


def family_of_program(program: Path) -> tuple[str, Path] | None:
    """Family of the MPI library that a program is linked with, and the library; None if there is none.

    If a program contains the library, the file is the program itself.
    """
    environment = with_name_of_abi(os.environ)
    line = ["ldd", str(program)]
    listed = subprocess.run(line, env=environment, capture_output=True, text=True, check=False).stdout
    for name, number, path in re.findall(r"(lib(?:mpi|mpich))\.so\.(\d+)\S* => (\S+)", listed):
        # The MPICH ABI initiative uses libmpi.so.12. So did Open MPI 1.10, which has a library of its own
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
    """Whether a file is a compiled program (ELF) that contains all of some words."""
    try:
        with program.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            return content[:4] == b"\x7fELF" and all(content.find(word) >= 0 for word in words)
    except (OSError, ValueError):  # missing, or empty
        return False


def family_of_launcher(mpirun: Path) -> str:
    """Family by the launcher's version text; MPICH if the text is not known."""
    return known_family_of_launcher(mpirun) or "mpich"


@cache
def known_family_of_launcher(mpirun: Path) -> str:
    """Family by the launcher's version text; empty if the text is not known."""
    try:
        done = subprocess.run([str(mpirun), "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    said = done.stdout + done.stderr
    if "Open MPI" in said or "OpenRTE" in said:
        return "openmpi"
    return "mpich" if re.search("HYDRA|MPICH|MVAPICH|Intel.* MPI", said, re.I) else ""


def mismatch(program: Path, mpirun: Path) -> str:
    """A sentence that a program is built for another MPI library than the launcher's; empty if it is not.

    Each of its ranks would be a world of its own. It is also empty if one of the libraries is not known, as
    for scripts and programs that load MPI later.
    """
    linked, launcher = family_of_program(program), known_family_of_launcher(mpirun)
    if not linked or not launcher or linked[0] == launcher:
        return ""
    return (
        f"{program.name} is built for {FAMILIES[linked[0]]}, and {mpirun.name} is of {FAMILIES[launcher]}: "
        "each of its ranks would run alone"
    )


def beside(launcher: Path, family: str) -> Path | None:
    """The compiler of a launcher's MPI library."""
    for name in (launcher.name.replace("mpirun", "mpicc"), f"mpicc.{family}", "mpicc"):
        if (found := launcher.parent / name).exists():
            return found
    return None


def options(family: str, *, share: bool = False, unbound: bool = False, device: str = "default") -> list[str]:
    """Options of mpirun.

    Args:
        share: there are more ranks than cores, so a waiting rank must yield its core
        unbound: ranks may use any core (always so with MPICH)
        device: default, shared-memory or tcp; for MPICH it is set by `variables`
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
    """Environment variables for a communication device."""
    if family == "openmpi" or device == "default":
        return {}
    return {"UCX_TLS": {"shared-memory": "self,sm", "tcp": "self,tcp"}[device]}


class LauncherOptionError(ValueError):
    """An option for mpirun that cannot be read, or that has its own option here."""


def launcher_words(text: str) -> list[str]:
    """The words of --launcher: further options for mpirun, quoted as for a shell.

    Raises:
        LauncherOptionError: a quote is not closed, or an option is the number of ranks.
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
    """Our options for mpirun followed by the user's; without our binding if the user's options bind."""
    placed = any(word.split("=")[0] in PLACING or ":pe=" in word.lower() for word in words)
    if placed and "--bind-to" in usual:
        at = usual.index("--bind-to")
        usual = usual[:at] + usual[at + 2 :]
    return [*usual, *words]


def placed_by_user(launcher: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether the user, or a batch system, decides where ranks and threads go."""
    words = [word.split("=")[0] for word in launcher]
    maps = any("map-by" in word for word in words)
    return (
        maps
        or any(word in (*PLACING, *HOSTS) for word in words)
        or any(environment.get(name) for name in (*ALLOCATIONS, *THREADS_PLACED))
    )


def environment(threads: int = 1, ranks: int = 1, cores: int | None = None) -> dict[str, str]:
    """Environment of a run: threads, and permission for root to use mpirun (in containers).

    If there are more threads than cores (default: those of the machine), a waiting thread must leave its core
    to the others.
    """
    env = dict(os.environ)
    env["OMP_NUM_THREADS"] = str(threads)
    if ranks * threads > (cores or os.cpu_count() or 1):
        env.setdefault("OMP_WAIT_POLICY", "passive")
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    return with_name_of_abi(env)
