"""Starts the solver under mpirun."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from crumple.mpi import environment, options

SIGNALLED = 128  #: mpirun's exit status when a signal ended a rank, less the signal's number


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


def mpirun(ranks: int, arguments: list[str], threads: int = 1) -> list[str]:
    """Command line of the solver on `ranks` ranks.

    More ranks than cores are allowed; MPI then yields the core while it waits.
    """
    # Quiet: the solver says itself why it ends, and mpirun would add twenty lines.
    command = ["mpirun", "--quiet", "-np", str(ranks)]
    cores = os.cpu_count() or 1
    command += options("openmpi", share=ranks * threads > cores, unbound=threads > 1 or ranks > cores)
    return [*command, str(solver_path()), *arguments]


def run(
    ranks: int, arguments: list[str], threads: int = 1, directory: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the solver in the foreground; its output goes to the terminal."""
    done = subprocess.run(
        mpirun(ranks, arguments, threads), env=environment(threads, ranks), cwd=directory, check=False
    )
    if done.returncode > SIGNALLED:
        print(f"error CR-S003: {killed_by(done.returncode - SIGNALLED)}", file=sys.stderr)
    return done


def killed_by(number: int) -> str:
    """What to say of a rank that a signal ended."""
    name = signal.Signals(number).name if number in set(signal.Signals) else "unknown"
    why = ": most often the system ran out of memory" if number == signal.SIGKILL else ""
    return f"a rank was ended by signal {number} ({name}){why}"
