"""Starts the solver under mpirun."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crumple.mpi import (
    FAMILIES,
    environment,
    family_of_launcher,
    family_of_program,
    mismatch,
    options,
    with_own,
)

SIGNALLED = 128  #: mpirun's exit status when a signal ended a rank, less the signal's number
LARGEST_STATUS = 4  #: of the solver's own


def solver_path() -> Path:
    """The solver's executable: what CRUMPLE_SOLVER names, else beside the command, else on PATH.

    Raises:
        FileNotFoundError: it has not been built.
    """
    if chosen := os.environ.get("CRUMPLE_SOLVER"):
        if not Path(chosen).exists():
            raise FileNotFoundError(f"CRUMPLE_SOLVER names {chosen}, which is not there")
        return Path(chosen).resolve()
    beside = Path(__file__).resolve().parent.parent / "bin" / "crumple-solver"
    if beside.exists():
        return beside
    found = shutil.which("crumple-solver")
    if found:
        return Path(found)
    raise FileNotFoundError("crumple-solver is not built: run `make build` in the checkout")


def solver_for(mpi: str) -> Path:
    """The executable built for an MPI library: openmpi, mpich, or a name that a study gives one.

    Raises:
        FileNotFoundError: it has not been built.
    """
    if mpi == "openmpi":
        path = solver_path()
        linked = family_of_program(path)
        if linked and linked[0] != mpi:
            raise FileNotFoundError(
                f"{path} is built for {FAMILIES[linked[0]]}, not Open MPI: run `make build` in the checkout"
            )
        return path
    path = solver_path().parent / f"crumple-solver-{mpi}"
    how = "run `make solver-mpich` in the checkout" if mpi == "mpich" else f"there is no {path}"
    if not path.exists():
        raise FileNotFoundError(f"the solver is not built for {mpi}: {how}")
    linked = family_of_program(path)
    if mpi in FAMILIES and linked and linked[0] != mpi:
        raise FileNotFoundError(f"{path} is built for {FAMILIES[linked[0]]}, not {FAMILIES[mpi]}: {how}")
    return path


def launcher_of(mpi: str) -> str:
    """The mpirun of an MPI library, openmpi or mpich.

    Raises:
        FileNotFoundError: it is not installed.
    """
    found = shutil.which(f"mpirun.{mpi}") or shutil.which("mpirun")
    if not found or family_of_launcher(Path(found)) != mpi:
        make = "make solver-mpich" if mpi == "mpich" else "make build"
        raise FileNotFoundError(
            f"{FAMILIES[mpi]} is not installed: there is no mpirun.{mpi} on the PATH; run `{make}` (Debian)"
        )
    return found


def mpirun(
    ranks: int, arguments: list[str], threads: int = 1, mpi: str = "", own: list[str] | None = None
) -> list[str]:
    """Command line of the solver on `ranks` ranks.

    More ranks than cores are allowed; MPI then yields the core while it waits.

    Args:
        mpi: openmpi or mpich; without it the mpirun on the PATH, of Open MPI
        own: options that the user gives the launcher

    Raises:
        FileNotFoundError: the solver or the launcher is not there, or they are of different MPI libraries.
    """
    program, launcher = (solver_for(mpi), launcher_of(mpi)) if mpi else (solver_path(), "mpirun")
    family = mpi or "openmpi"
    if ranks > 1 and (found := shutil.which(launcher)) and (why := mismatch(program, Path(found))):
        raise FileNotFoundError(f"{why}; name the library with --mpi, or its solver with CRUMPLE_SOLVER")
    # Quiet: the solver says itself why it ends, and mpirun would add twenty lines.
    command = [launcher, *(["--quiet"] if family == "openmpi" else []), "-np", str(ranks)]
    cores = os.cpu_count() or 1
    found = options(family, share=ranks * threads > cores, unbound=threads > 1 or ranks > cores)
    command += with_own(found, own or [])
    return [*command, str(program), *arguments]


def run(
    ranks: int,
    arguments: list[str],
    threads: int = 1,
    directory: Path | None = None,
    mpi: str = "",
    own: list[str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run the solver in the foreground; its output goes to the terminal.

    SIGTERM asks it to end with a last state.

    Args:
        own: options that the user gives the launcher

    Raises:
        FileNotFoundError: the solver or the launcher is not there.
    """
    command = mpirun(ranks, arguments, threads, mpi, own)
    with (
        subprocess.Popen(command, env=environment(threads, ranks), cwd=directory) as launched,
        termination_passed_on(launched),
    ):
        launched.wait()
    done = subprocess.CompletedProcess[bytes](command, launched.returncode)
    if mpi == "mpich" and LARGEST_STATUS < done.returncode <= signal.NSIG:
        done.returncode += SIGNALLED  # MPICH gives the signal's number as it is
    if done.returncode > SIGNALLED:
        print(f"error CR-S003: {killed_by(done.returncode - SIGNALLED)}", file=sys.stderr)
    return done


@contextmanager
def termination_passed_on(launched: subprocess.Popen[bytes]) -> Iterator[None]:
    """While this lasts, SIGTERM to this process is a request to the run: else it would go on without us."""
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers are the main thread's
        return
    before = signal.signal(signal.SIGTERM, lambda *_: ask_to_stop(launched))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def ask_to_stop(launched: subprocess.Popen[bytes]) -> None:
    """SIGTERM to a rank: all end in order. Where none is here to mpirun, which reports a failure then."""
    import psutil

    try:
        below = psutil.Process(launched.pid).children(recursive=True)
        ranks = [p for p in below if p.name().startswith("crumple-solver")]
        (ranks[0] if ranks else launched).send_signal(signal.SIGTERM)
    except psutil.Error:
        launched.send_signal(signal.SIGTERM)


def killed_by(number: int) -> str:
    """What to say of a rank that a signal ended."""
    name = signal.Signals(number).name if number in set(signal.Signals) else "unknown"
    why = ": most often the system ran out of memory" if number == signal.SIGKILL else ""
    return f"a rank was ended by signal {number} ({name}){why}"
