"""Runs of the solver from Python: started, watched, stopped; their results or their errors."""

import os
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, TextIO, TypedDict, Unpack

from crumple import solver
from crumple.api.input_deck import DeckSource, placed_deck
from crumple.api.results_folder import Results
from crumple.api.run_failed import failed
from crumple.api.run_progress import ProgressLines, RunProgress
from crumple.at_work import kept_places
from crumple.choices import DecompositionMethod, Precision
from crumple.current_folder import settings_that_mpi_would_read
from crumple.deck_cases import cases_of
from crumple.implicit_deck import ranks_for
from crumple.mpi import environment, launcher_words
from crumple.pinning import place
from crumple.restart.attempts import AUTO, Folder, part_of
from crumple.restart.dumps import Dump
from crumple.restart.run_command import add, new_record
from crumple.results.d3hsp import end_time_in
from crumple.results.run_files import RunFiles
from crumple.results.run_record import NAME, read_record, write_record
from crumple.run_options import DumpLayout, RunOptions

#: told at each line of progress; False asks the run to stop with a last state
OnProgress = Callable[[RunProgress], object]
INTERVAL = 2.0  #: s between lines of progress
SWITCHES = ("d3kil", "D3KIL")
SYSTEM = 4  #: exit status where the system failed


class RunSettings(TypedDict, total=False):
    """The options of a run; `crumple run --help` describes them."""

    ranks: int
    threads: int
    precision: Literal["single", "double"]
    end_time: float
    decomposition: Literal["rcb", "metis"]
    pfile: str | os.PathLike[str]
    costs: str  #: file of `crumple tune`; default: the built-in costs
    mpi: Literal["openmpi", "mpich"]
    launcher: str
    memory: str
    memory2: str
    units: str
    vtkhdf: bool
    allow_unsupported: bool
    overwrite: bool
    restart: str
    dump_cycles: int
    walltime: str
    listen: int | str  #: [ADDRESS:]PORT where `crumple watch --socket` may connect; 0: any free port
    listen_interval: float  #: s between states sent besides the plot states; 0: none; default: 5
    double_files: bool  #: 8-byte words in d3plot and binout
    pin: bool  #: pin ranks to cores; default: where there are several ranks or threads
    progress_interval: float  #: s between lines of progress; 0: at start and end only


def run_options(deck: Path | None, folder: Path, settings: RunSettings) -> RunOptions:
    """The options of `crumple run`."""
    chosen = ranks_for(deck, settings.get("ranks"), settings.get("threads"), os.cpu_count() or 1)
    pfile, costs = settings.get("pfile"), settings.get("costs", "")
    return RunOptions(
        deck=deck,
        ranks=chosen.ranks,
        threads=chosen.threads,
        output=folder,
        end_time=settings.get("end_time"),
        precision=Precision(settings.get("precision", "double")),
        decomposition=DecompositionMethod(settings.get("decomposition", "rcb")),
        pfile=Path(pfile).resolve() if pfile else None,
        costs=["--costs", costs] if costs else [],
        mpi=settings.get("mpi", ""),
        launcher=settings.get("launcher", ""),
        memory=settings.get("memory", ""),
        memory2=settings.get("memory2", ""),
        units=settings.get("units", ""),
        vtkhdf=settings.get("vtkhdf", False),
        vtkhdf_compression=0,
        allow_unsupported=settings.get("allow_unsupported", False),
        overwrite=settings.get("overwrite", False),
        restart=settings.get("restart", ""),
        auto_restart=0,
        dump_cycles=settings.get("dump_cycles"),
        error_dump=None,
        dump_layout=DumpLayout.files,
        walltime=settings.get("walltime", ""),
        listen=str(settings.get("listen", "")),
        listen_interval=settings.get("listen_interval"),
    )


def solver_words(options: RunOptions, settings: RunSettings) -> list[str]:
    """The words of the solver's command line."""
    words = options.words()
    words += ["--progress", f"{settings.get('progress_interval', INTERVAL):g}"]
    words += ["--restart", options.restart] if options.restart else []
    words += ["--overwrite"] if options.overwrite and not options.restart else []
    words += ["--walltime", options.walltime] if options.walltime else []
    words += ["--double-files"] if settings.get("double_files") else []
    return words


def first_dump(options: RunOptions) -> Dump | None:
    """The dump from which a run starts; None for the beginning, and if it cannot be read."""
    if not options.restart:
        return None
    of_run = Folder(options.restart, options.output)
    return of_run.newest() if options.restart == AUTO else of_run.named


class SolverRun:
    """A run that is on its way: `crumple.start` begins one."""

    def __init__(
        self, options: RunOptions, settings: RunSettings, on_progress: OnProgress | None = None
    ) -> None:
        """Start the solver. Errors are those of `crumple.start`."""
        if why := settings_that_mpi_would_read():
            raise OSError(why)
        if options.deck and not options.restart and (cases := cases_of(options.deck)):
            raise ValueError(
                f"{options.deck} has {len(cases)} cases (*CASE), which `crumple run` runs one by one"
            )
        launcher = launcher_words(options.launcher)
        pin = settings.get("pin", options.ranks * options.threads > 1)
        pinned = place(options.ranks, options.threads, launcher).pinned if pin else []
        words, dump = solver_words(options, settings), first_dump(options)
        words += [f"jobid={dump.prefix.removesuffix('.')}"] if dump and dump.prefix else []
        command = solver.mpirun(options.ranks, words, options.threads, options.mpi, launcher, pinned)
        self.options = options
        self.folder = options.output
        self.progress: RunProgress | None = None  #: the last line of progress
        self.stopped = False  #: whether it was asked to stop
        self.record_ = new_record(options)
        self.record_.pinned = pinned
        self.dump_ = dump
        if options.restart and (before := read_record(RunFiles(options.output))):
            self.record_.parts = before.parts
        self.lines_: list[str] = []
        self.told_, self.end_time_ = on_progress, options.end_time
        self.problem_: BaseException | None = None
        self.ended_: tuple[int, list[str]] | None = None
        self.lock_, self.since_, self.begin_ = threading.Lock(), time.time(), time.monotonic()
        self.remove_switches()
        self.stack_ = ExitStack()
        self.places_ = self.stack_.enter_context(kept_places())
        self.process_ = subprocess.Popen(
            command,
            env=environment(options.threads, options.ranks) | self.places_,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            process_group=0,  # Ctrl-C is for Python, which asks the run to stop
        )
        self.reader_ = threading.Thread(target=self.read_lines, args=(self.process_.stdout,), daemon=True)
        self.reader_.start()

    def __repr__(self) -> str:
        what = "running" if self.running else "ended"
        return f"<SolverRun in {self.folder}, {what}, {self.progress}>"

    @property
    def running(self) -> bool:
        """Whether it is still on its way."""
        return self.process_.poll() is None

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return "".join(self.lines_)

    def stop(self, dump: bool = False) -> None:
        """Ask it to end with a last plot state; with `dump` also with a dump to go on from."""
        self.stopped = True
        self.switch("sw1" if dump else "stop")

    def dump(self) -> None:
        """Ask for a dump to go on from; the run goes on."""
        self.switch("sw3")

    def plot(self) -> None:
        """Ask for a plot state now."""
        self.switch("sw4")

    def kill(self) -> None:
        """End all ranks at once, without last results."""
        solver.kill(self.process_)

    def wait(self, timeout: float | None = None) -> Results:
        """Wait for the end, and return the results; also those of a run that was asked to stop.

        Args:
            timeout: s; default: none

        Raises:
            DeckRefused, ComputationFailed, SystemFailed: the run failed.
            TimeoutError: it is still running.
            Exception: what the callback raised; the run was stopped then.
        """
        self.reader_.join(timeout)
        if self.reader_.is_alive():
            raise TimeoutError(f"the run in {self.folder} is still going on after {timeout:g} s")
        status = self.status()
        if self.problem_ is not None:
            raise self.problem_
        if status:
            raise failed(status, self.output, self.folder)
        return Results(self.folder)

    def status(self) -> int:
        """The exit status, when the run has ended; the first call writes run.json."""
        with self.lock_:
            if self.ended_ is None:
                returncode = self.process_.wait()
                self.ended_ = solver.ending(returncode, self.places_, self.options.mpi)
                self.stack_.close()
                self.lines_ += [f"{line}\n" for line in self.ended_[1]]
                self.remove_switches()
                seconds = time.monotonic() - self.begin_
                part = part_of(self.dump_, self.options.restart, self.ended_[0], seconds)
                add(self.record_, part, self.dump_)
                try:
                    write_record(self.record_, self.folder, self.since_)
                except OSError as error:
                    self.lines_.append(f"error CR-O107: cannot write {NAME}: {error.strerror}\n")
                    self.ended_ = (self.ended_[0] or SYSTEM, self.ended_[1])
        return self.ended_[0]

    def switch(self, word: str) -> None:
        """Write a sense switch, complete at once, where the solver looks for it."""
        if not self.running:
            return
        waiting = self.folder / f".{SWITCHES[0]}.{os.getpid()}"
        waiting.write_text(f"{word}\n")
        waiting.replace(self.folder / SWITCHES[0])

    def remove_switches(self) -> None:
        """Take away switches that no run has read: they would stop the next one."""
        for name in SWITCHES:
            (self.folder / name).unlink(missing_ok=True)

    def read_lines(self, output: TextIO) -> None:
        """Read the output to its end, and keep how the run ended."""
        lines = ProgressLines()
        for line in output:
            self.lines_.append(line)
            if found := lines.read(line.rstrip("\n"), self.end_time()):
                self.progress = found
                self.tell(found)
        output.close()
        self.status()

    def tell(self, found: RunProgress) -> None:
        """Call the callback; the run stops on False, and on an exception, which `wait` raises."""
        if self.told_ is None or self.problem_ is not None:
            return
        try:
            if self.told_(found) is False:
                self.stop()
        except BaseException as error:
            self.problem_ = error
            self.stop()

    def end_time(self) -> float | None:
        """The end time of the run, from its options or its d3hsp."""
        if self.end_time_ is None:
            self.end_time_ = end_time_in(self.folder / "d3hsp")
        return self.end_time_


def start(
    deck: DeckSource | None,
    folder: str | os.PathLike[str],
    on_progress: OnProgress | None = None,
    **settings: Unpack[RunSettings],
) -> SolverRun:
    """Start a run, and return at once.

    Args:
        deck: a file; a Deck, text, or keywords of ansys-dyna-core, which are written to deck.k in the folder;
            None with `restart`
        folder: of the results; earlier ones there are moved to previous-1, unless `overwrite` is given
        on_progress: called in a thread at each line of progress; returns False to stop the run
        settings: options of `crumple run`, by default one rank a core and double precision

    Raises:
        FileNotFoundError: the deck, the solver or mpirun is missing.
        LauncherOptionError: `launcher` is wrong.
        OSError: the folder cannot be made.
    """
    place_, named = Path(folder), settings.get("restart", "")
    if named and named != AUTO:
        place_ = Path(named).parent
        settings["restart"] = str(Path(named).resolve())
    place_.mkdir(parents=True, exist_ok=True)
    if deck is None and not named:
        raise FileNotFoundError("there is no deck: give one, or restart a run")
    path = None if deck is None else placed_deck(deck, place_)
    return SolverRun(run_options(path, place_.resolve(), settings), settings, on_progress)


def run(
    deck: DeckSource | None,
    folder: str | os.PathLike[str],
    on_progress: OnProgress | None = None,
    **settings: Unpack[RunSettings],
) -> Results:
    """Run a deck to its end, and return its results. Ctrl-C stops it with a last state.

    Arguments and errors are those of `start` and of `SolverRun.wait`.
    """
    going = start(deck, folder, on_progress, **settings)
    try:
        return going.wait()
    except KeyboardInterrupt:
        going.stop()
        going.reader_.join()
        going.status()
        raise
