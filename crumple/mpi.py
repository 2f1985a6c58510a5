"""MPI libraries: which one a launcher or a program belongs to, and how each is told what to do."""

import os
import re
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
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
    placed = any(word in PLACING or ":pe=" in word.lower() for word in words)
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
