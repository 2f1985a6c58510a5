"""Starts the solver under mpirun."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from crumple.at_work import VARIABLE, LastWork, kept_places, lost, own_status, read_places
from crumple.mpi import (
    FAMILIES,
    environment,
    family_of_launcher,
    family_of_program,
    holds,
    known_family_of_launcher,
    mismatch,
    options,
    placed_by_user,
    with_options,
)
from crumple.places import CHECKOUT, PROGRAMS, installed
from crumple.progress_line import ProgressLine

SIGNALLED = 128  #: mpirun's exit status when a signal ended a rank, minus the signal's number
LARGEST_STATUS = 4  #: largest exit status of the solver itself
TERMINATED = 1  #: of Open MPI's mpirun after SIGTERM, which batch systems send to it, too; no run ends with 1
CRASHES = (signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS, signal.SIGILL, signal.SIGABRT)


def solver_path() -> Path:
    """The solver's executable: in CRUMPLE_SOLVER, otherwise beside the command, otherwise on the PATH.

    Raises:
        FileNotFoundError: it has not been built.
    """
    if chosen := os.environ.get("CRUMPLE_SOLVER"):
        if not Path(chosen).exists():
            raise FileNotFoundError(f"CRUMPLE_SOLVER names {chosen}, which does not exist")
        return Path(chosen).resolve()
    for folder in (PROGRAMS, CHECKOUT / "bin"):
        if (beside := folder / "crumple-solver").exists():
            return beside
    found = shutil.which("crumple-solver")
    if found and (holds(Path(found)) or not installed()):  # the package's own command would look here again
        return Path(found)
    raise FileNotFoundError(f"crumple-solver is not built: {way_to('openmpi')}")


def way_to(mpi: str) -> str:
    """What makes the solver for an MPI library, in messages."""
    if installed():
        return f"install Crumple with the solver for {FAMILIES[mpi]} (docs/install.md)"
    return f"run `make {'solver-mpich' if mpi == 'mpich' else 'build'}` in the checkout"


def solver_for(mpi: str) -> Path:
    """The executable built for an MPI library: openmpi, mpich, or a name from a study.

    Raises:
        FileNotFoundError: it has not been built.
    """
    if mpi == "openmpi":
        path = solver_path()
        linked = family_of_program(path)
        if linked and linked[0] != mpi:
            raise FileNotFoundError(f"{path} is built for {FAMILIES[linked[0]]}, not Open MPI: {way_to(mpi)}")
        return path
    path = solver_path().parent / f"crumple-solver-{mpi}"
    how = way_to(mpi) if mpi in FAMILIES else f"there is no {path}"
    if not path.exists():
        if mpi in FAMILIES and built_for(solver_path()) == mpi:  # the only one of this installation
            return solver_path()
        raise FileNotFoundError(f"the solver is not built for {mpi}: {how}")
    linked = family_of_program(path)
    if mpi in FAMILIES and linked and linked[0] != mpi:
        raise FileNotFoundError(f"{path} is built for {FAMILIES[linked[0]]}, not {FAMILIES[mpi]}: {how}")
    return path


def built_for(program: Path) -> str:
    """Family of the MPI library that a solver is built for; "" if it does not show."""
    linked = family_of_program(program)
    return linked[0] if linked else ""


def solver_of_launcher(launcher: str) -> tuple[Path, str]:
    """The solver for the mpirun on the PATH, and the family of its MPI library.

    If the solver is built for another library, and there is one for the launcher's beside it, it is that one.

    Raises:
        FileNotFoundError: it has not been built.
    """
    program, found = solver_path(), shutil.which(launcher)
    linked, starts = built_for(program), known_family_of_launcher(Path(found)) if found else ""
    other = program.parent / f"crumple-solver-{starts}"
    if starts and linked and linked != starts and other.exists() and not os.environ.get("CRUMPLE_SOLVER"):
        return other, starts
    return program, linked or starts or "openmpi"


def launcher_of(mpi: str) -> str:
    """The mpirun of an MPI library, openmpi or mpich.

    Raises:
        FileNotFoundError: it is not installed.
    """
    found = shutil.which(f"mpirun.{mpi}") or shutil.which("mpirun")
    if not found or family_of_launcher(Path(found)) != mpi:
        make = "make solver-mpich" if mpi == "mpich" else "make build"
        how = "" if installed() else f"; run `{make}` (Debian)"
        raise FileNotFoundError(
            f"{FAMILIES[mpi]} is not installed: there is no mpirun.{mpi} on the PATH{how}"
        )
    return found


def mpirun(
    ranks: int,
    arguments: list[str],
    threads: int = 1,
    mpi: str = "",
    launcher: Sequence[str] = (),
    pinned: Sequence[Sequence[int]] = (),
) -> list[str]:
    """Command line of the solver on `ranks` ranks.

    More ranks than cores are allowed; a waiting rank then yields its core. mpirun itself binds ranks only
    where the user or a batch system places them: it would bind those of two runs to the same cores.

    Args:
        mpi: openmpi or mpich; default: the mpirun on the PATH
        launcher: more options of mpirun
        pinned: cores of each rank, to which the solver pins its threads; without them it pins none

    Raises:
        FileNotFoundError: the solver or the launcher is missing, or they are of different MPI libraries.
    """
    if mpi:
        program, start, family = solver_for(mpi), launcher_of(mpi), mpi
    else:
        start = "mpirun"
        program, family = solver_of_launcher(start)
    if ranks > 1 and (found := shutil.which(start)) and (why := mismatch(program, Path(found))):
        raise FileNotFoundError(f"{why}; name the library with --mpi, or its solver with CRUMPLE_SOLVER")
    # Quiet: the solver itself prints why it ends, and mpirun would add twenty lines. But with user options
    # mpirun must be able to report what is wrong with them.
    quiet = family == "openmpi" and not launcher
    command = [start, *(["--quiet"] if quiet else []), "-np", str(ranks)]
    cores = os.cpu_count() or 1
    placed = placed_by_user(launcher, os.environ)
    unbound = threads > 1 or ranks > cores or not placed
    usual = options(family, share=ranks * threads > cores, unbound=unbound)
    command += with_options(usual, launcher)
    pins = ["--cores", "/".join(",".join(map(str, of_rank)) for of_rank in pinned)] if pinned else []
    return [*command, str(program), *arguments, *pins]


@dataclass(frozen=True)
class SolverEnd:
    """How a run of the solver ended."""

    returncode: int  #: the solver's status, or 128 and a signal's number
    asked: bool = False  #: by a signal to this process


def run(
    ranks: int,
    arguments: list[str],
    threads: int = 1,
    directory: Path | None = None,
    mpi: str = "",
    launcher: Sequence[str] = (),
    pinned: Sequence[Sequence[int]] = (),
    progress: ProgressLine | None = None,
) -> SolverEnd:
    """Run the solver in the foreground; its output goes to the terminal.

    SIGTERM, SIGHUP and Ctrl-C ask it to end with a dump and a last state; a second Ctrl-C ends it at once.
    SIGUSR1 asks for a dump.

    Args:
        launcher: more options of mpirun
        pinned: cores of each rank, of `pinning`
        progress: writes the output, with progress in one line

    Raises:
        FileNotFoundError: the solver or the launcher is missing.
    """
    command = mpirun(ranks, arguments, threads, mpi, launcher, pinned)
    family = mpi or solver_of_launcher("mpirun")[1]
    with kept_places() as places:
        # A process group of its own: otherwise Ctrl-C would end mpirun and the ranks before they can write.
        with (
            subprocess.Popen(
                command,
                env=environment(threads, ranks) | places,
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if progress else None,
                stderr=subprocess.STDOUT if progress and sys.stderr.isatty() else None,
                process_group=0,
            ) as launched,
            requests_passed_on(launched) as requests,
            progress.of(launched) if progress else nullcontext(),
        ):
            launched.wait()
        if requests.killed:
            return SolverEnd(SIGNALLED + signal.SIGINT, asked=True)
        status, said = ending(launched.returncode, places, family, requests.asked)
        for line in said:
            print(line, file=sys.stderr)
    return SolverEnd(status, requests.asked)


def ending(
    returncode: int, places: dict[str, str], mpi: str = "", asked: bool = False
) -> tuple[int, list[str]]:
    """The status of a run whose mpirun has ended, and what to tell of it. Ranks that outlived it are ended.

    Args:
        returncode: mpirun's, negative for a signal
        places: of `kept_places`
        mpi: openmpi or mpich; default: Open MPI
        asked: whether the run was asked to end
    """
    status, lost_launcher = returncode, returncode < 0
    if lost_launcher:
        status = SIGNALLED - status
    elif mpi == "mpich" and LARGEST_STATUS < status <= signal.NSIG:
        status += SIGNALLED  # MPICH returns the signal's number itself
    if asked and status == TERMINATED:
        own = own_status(read_places(places))
        status = status if own is None else own
    said: list[str] = []
    if status > SIGNALLED and asked:
        said = ["ended before the first cycle"]
    elif status > SIGNALLED:
        what = "mpirun" if lost_launcher else "a rank"
        said = told_of_signal(status - SIGNALLED, lost(read_places(places)), what)
    if status > LARGEST_STATUS:
        end_those_left(places)
    return status, said


def end_those_left(places: dict[str, str]) -> None:
    """End ranks on this machine that outlived their mpirun: nothing else would, and they use the folder."""
    import psutil

    left = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if places and process.environ().get(VARIABLE) == places[VARIABLE]:
                process.kill()
                left.append(process)
    psutil.wait_procs(left)


@dataclass
class Requests:
    """Requests to the run by signals to this process."""

    asked: bool = False
    killed: bool = False


@contextmanager
def requests_passed_on(launched: subprocess.Popen[bytes]) -> Iterator[Requests]:
    """Pass signals that end a process on to the run as requests; otherwise it would go on without us."""
    requests = Requests()
    if threading.current_thread() is not threading.main_thread():
        yield requests  # only the main thread can have handlers
        return

    def handle(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT and requests.asked:
            requests.killed = True
            kill(launched)
            return
        if number == signal.SIGINT:
            print("\nending with a last state; Ctrl-C again: at once", file=sys.stderr, flush=True)
        requests.asked = True
        ask(launched, signal.SIGTERM)

    def handle_dump(number: int, _frame: FrameType | None) -> None:
        ask(launched, signal.Signals(number))

    before = {}
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
        if signal.getsignal(number) is not signal.SIG_IGN:  # set by nohup, or for a background job
            before[number] = signal.signal(number, handle_dump if number == signal.SIGUSR1 else handle)
    try:
        yield requests
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def kill(launched: subprocess.Popen) -> None:
    """End all ranks at once; mpirun then ends by itself, and cleans up."""
    found = ranks_of(launched)
    for rank in found:
        with suppress(ProcessLookupError):
            os.kill(rank, signal.SIGKILL)
    if not found:
        launched.kill()


def ask(launched: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """SIGTERM or SIGUSR1 to a rank, which tells the others. Without a rank here, to mpirun.

    mpirun passes SIGUSR1 on. That of Open MPI reports a failure after SIGTERM.
    """
    found = ranks_of(launched)
    with suppress(ProcessLookupError):
        os.kill(found[0] if found else launched.pid, number)


def ranks_of(launched: subprocess.Popen) -> list[int]:
    """Process ids of the solver below mpirun on this machine."""
    import psutil  # only here, because the import takes time

    try:
        below = psutil.Process(launched.pid).children(recursive=True)
        return [process.pid for process in below if process.name().startswith("crumple-solver")]
    except psutil.Error:
        return []


def killed_by(number: int, what: str = "a rank") -> str:
    """The message about a rank, or the launcher, that a signal ended."""
    name = signal.Signals(number).name if number in set(signal.Signals) else "unknown"
    why = ": most often the system ran out of memory" if number == signal.SIGKILL else ""
    return f"{what} was ended by signal {number} ({name}){why}"


def told_of_signal(number: int, places: list[LastWork], what: str = "a rank") -> list[str]:
    """Lines on what ended the run, and where the ended ranks were; crashed ranks print this themselves."""
    where = [f"    {place}" for place in places] if number not in CRASHES else []
    return [f"error CR-S003: {killed_by(number, what)}", *where]
