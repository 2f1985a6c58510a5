"""Records a trace of an implicit run, and makes one from the division of its factor and recorded traces."""

import shutil
import time
from dataclasses import asdict, replace
from pathlib import Path

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace, open_trace
from crumple.lab.profile.trace.trace_writer import rank_name, rank_writer, write_summary
from crumple.lab.traces.factor_division import DIVISION, divide, division_beside
from crumple.lab.traces.implicit_synthetic import lines_of_rank, pattern_of_implicit, write_lines
from crumple.lab.traces.record import (
    Recorded,
    RecordingWish,
    Say,
    check_same_deck,
    deck_meta,
    put_in_place,
    run_solver,
    to_be,
)
from crumple.lab.traces.reference import reference_of
from crumple.lab.traces.synthetic import summary_of
from crumple.lab.traces.work import rank_steps

FIRST_STEP = (0, 1)  #: window if none is asked for
RECORDED = (2,)  #: ranks of the default recording for pattern and rates


def windowed(wish: RecordingWish) -> RecordingWish:
    """The wish for the first step, if it has no window."""
    return wish if wish.windowed else replace(wish, first=FIRST_STEP[0], end=FIRST_STEP[1], windowed=True)


def record_implicit(wish: RecordingWish, folder: Path, say: Say) -> Recorded:
    """Run the solver up to the end of the window of steps and write the trace.

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck is wrong, the run failed, or work by counts is asked for.
        ProfileError: MPI or the profiler is missing.
    """
    if wish.work != "cpu":
        raise TraceError("the work of implicit runs by counts is that of --synthetic")
    wish = windowed(wish)
    start = time.monotonic()
    with to_be(folder) as scratch:
        out = scratch / "out"
        out.mkdir()
        divide(wish.deck, wish.ranks, scratch / "ranks", wish.precision)
        reference = reference_of(wish.precision, wish.platform, wish.ranks)
        say(f"running {wish.deck} on {wish.ranks} ranks to step {wish.end}")
        plain, _ = run_solver(wish, scratch)
        seconds = []
        for rank in range(wish.ranks):
            with rank_writer(out, rank) as text:
                text.writelines(f"{line}\n" for line in plain.marked_lines(rank))
            seconds.append(round(sum(step.compute for step in rank_steps(plain, rank)) * 1e-9, 9))
        shutil.copy(scratch / "ranks" / DIVISION, out / DIVISION)
        meta = plain.meta | {
            "origin": "recorded",
            "work": "cpu",
            "implicit": True,
            "seconds": seconds,
            "reference": reference,
            **deck_meta(wish),
        }
        write_summary(out, [rank_name(r) for r in range(wish.ranks)], meta)
        put_in_place(out, folder, say)
    return Recorded(open_trace(folder), None, None, None, 1.0, time.monotonic() - start)


def make_implicit(wish: RecordingWish, sources: list[Path], folder: Path, say: Say) -> tuple[Trace, float]:
    """Write a trace without a run on its ranks; with the seconds for it, without recordings.

    Args:
        sources: recorded traces of the deck; the last gives the order of requests, all give the rates

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck is wrong, or a source is of another deck or other steps.
    """
    wish = windowed(wish)
    with to_be(folder) as scratch:
        if not sources:
            sources = [scratch / f"of-{ranks}-ranks" for ranks in RECORDED]
            for source, ranks in zip(sources, RECORDED, strict=True):
                record_implicit(replace(wish, ranks=ranks, work="cpu"), source, say)
        start = time.monotonic()
        traces = [source_of(wish, source) for source in sources]
        pattern = pattern_of_implicit(traces)
        division = divide(wish.deck, wish.ranks, scratch / "ranks", wish.precision)
        out = scratch / "out"
        out.mkdir()
        written = []
        for rank in range(wish.ranks):
            lines = lines_of_rank(pattern, division, rank, division.of_rank[rank].out_of_core)
            with rank_writer(out, rank) as text:
                written.append(write_lines(lines, text.write))
        shutil.copy(scratch / "ranks" / DIVISION, out / DIVISION)
        last = traces[-1]
        meta = summary_of(wish.ranks, written, last.meta["window"]) | {
            "implicit": True,
            "job_cycles": last.job_cycles,
            "reference": last.meta.get("reference", {}),
            "sources": [{"ranks": t.ranks, "digest": t.digest} for t in traces],
            "costs": asdict(pattern.rates),
            **deck_meta(wish),
        }
        write_summary(out, [rank_name(r) for r in range(wish.ranks)], meta)
        put_in_place(out, folder, say)
        seconds = time.monotonic() - start
    return open_trace(folder), seconds


def source_of(wish: RecordingWish, folder: Path) -> Trace:
    """A recorded trace of the same deck and steps.

    Raises:
        TraceError: it is not one.
    """
    trace = open_trace(folder)
    check_same_deck(wish, trace)
    if trace.cycles != (wish.first, wish.end):
        found = ":".join(map(str, trace.cycles or ()))
        raise TraceError(f"{folder}: it is of steps {found}, and {wish.first}:{wish.end} are asked for")
    if division_beside(trace) is None:
        raise TraceError(f"{folder}: it has no {DIVISION}: record it with `crumple trace`")
    return trace
