"""`crumple run`: all attempts of a run, and its record."""

import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

from crumple import solver
from crumple.deck_cases import DeckCase
from crumple.mpi import launcher_words
from crumple.pinning import place, tell_of
from crumple.progress_line import ProgressLine, shows_one_line
from crumple.restart.attempts import AUTO, attempts
from crumple.restart.dumps import Dump, read_dump
from crumple.restart.walltime import left_of
from crumple.results.d3hsp import end_time_in
from crumple.results.run_files import RunFiles
from crumple.results.run_record import NAME, RunPart, RunRecord, read_record, this_host, write_record
from crumple.run_options import RunOptions
from crumple.solver import SolverEnd
from crumple.stop import SYSTEM


def new_record(options: RunOptions) -> RunRecord:
    """What is known before the run."""
    return RunRecord(
        deck=str(options.deck or ""),
        ranks=options.ranks,
        threads=options.threads,
        precision=options.precision.value,
        decomposition=options.decomposition.value,
        mpi=options.mpi,
        **this_host(),
    )


def add(record: RunRecord, part: RunPart, dump: Dump | None) -> None:
    """An attempt has ended. A run that goes on has the deck and the precision of its dump."""
    record.status = part.status
    record.seconds += part.seconds
    record.parts.append(part.model_copy(update={"ranks": record.ranks, "threads": record.threads}))
    if dump:
        record.deck = record.deck or str(dump.deck)
        record.precision = dump.precision


def outlive_requests_for_dumps() -> None:
    """SIGUSR1 between two attempts must not end this process; within one it goes to the run."""
    here = threading.current_thread() is threading.main_thread()
    if here and signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL:
        signal.signal(
            signal.SIGUSR1, lambda *_: None
        )  # unlike SIG_IGN, a started program does not inherit it


def run_and_record(options: RunOptions) -> SolverEnd:
    """Run the solver, again if that is asked for, and write run.json after each attempt.

    Returns:
        the end of the last attempt.

    Raises:
        FileNotFoundError: the solver or the launcher is missing.
        LauncherOptionError: an option of --launcher has its own option here.
    """
    words, record = options.words(), new_record(options)
    launcher = launcher_words(options.launcher)
    pinning = place(options.ranks, options.threads, launcher)
    tell_of(pinning)
    record.pinned, record.other_load = pinning.pinned, round(pinning.other_load, 2)
    since, begin = time.time(), time.monotonic()
    if options.auto_restart:
        outlive_requests_for_dumps()
    named = options.restart not in ("", AUTO)
    folder = Path(options.restart).parent if named else options.output
    prefix = options.prefix
    if named and (dump := read_dump(Path(options.restart))) and dump.prefix:
        prefix = dump.prefix
        words.append(f"jobid={prefix.removesuffix('.')}")
    if options.restart and (before := read_record(RunFiles(folder, prefix))):
        record.parts = before.parts

    ends: list[SolverEnd] = []

    def end_time() -> float | None:
        return options.end_time or end_time_in(RunFiles(folder, prefix).path("d3hsp"))

    def solve(start: str) -> SolverEnd:
        more = ["--restart", start] if start else []
        more += ["--overwrite"] if options.overwrite and not start else []
        more += left_of(options.walltime, time.monotonic() - begin)
        ends.append(
            solver.run(
                options.ranks,
                [*words, *more],
                options.threads,
                mpi=options.mpi,
                launcher=launcher,
                pinned=pinning.pinned,
                progress=ProgressLine(end_time) if shows_one_line() else None,
            )
        )
        return ends[-1]

    for part, dump in attempts(solve, options.restart, folder, options.auto_restart, prefix):
        add(record, part, dump)
        try:
            write_record(record, folder, since, prefix)
        except OSError as error:
            path = RunFiles(folder, prefix).path(NAME)
            print(f"error CR-O107: cannot write {path}: {error.strerror}", file=sys.stderr)
            record.status = record.status or SYSTEM
    return SolverEnd(record.status, bool(ends) and ends[-1].asked)


def run_cases(options: RunOptions, cases: list[DeckCase]) -> int:
    """Run a deck, or its cases one after another; a request to end also ends those that follow.

    Returns:
        the exit status, of several cases the largest.

    Raises: as `run_and_record`.
    """
    if not cases:
        return run_and_record(options).returncode
    statuses: list[int] = []
    for case in cases:
        ended = run_and_record(replace(options, case=case.number, prefix=case.prefix))
        statuses.append(ended.returncode)
        if ended.asked:
            break
    for case, status in zip(cases, statuses, strict=False):
        print(f"case {case.number} ({case.job_id}): {'ended' if status == 0 else f'failed, status {status}'}")
    for case in cases[len(statuses) :]:
        print(f"case {case.number} ({case.job_id}): not run")
    return max(statuses)
