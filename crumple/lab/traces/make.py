"""Makes a synthetic trace of a deck, from its decomposition and the pattern and costs of recordings."""

import dataclasses
import shutil
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace, open_trace
from crumple.lab.profile.trace.trace_writer import rank_name, rank_writer, write_summary
from crumple.lab.traces.decomposition import FILE, at_state, decompose, read_decomposition
from crumple.lab.traces.displacements import OF_SOLVER, kept
from crumple.lab.traces.pattern import PatternCycle, pattern_of
from crumple.lab.traces.record import RecordingWish, Say, deck_meta, measured_in, put_in_place, record, to_be
from crumple.lab.traces.synthetic import Maker, not_in, summary_of
from crumple.lab.traces.work import Costs, unit_costs

RECORDED = (2, 8)  #: ranks of the default recordings for pattern and costs


@dataclass(frozen=True)
class Made:
    """A trace that was made, and the time for it."""

    trace: Trace
    seconds: float  #: for decomposition and writing, without recordings


@dataclass(frozen=True)
class Recordings:
    """Pattern and costs from recordings of a deck, for traces at any number of ranks."""

    traces: tuple[Trace, ...]
    pattern: list[PatternCycle] = field(repr=False)  #: of the last recording
    costs: Costs = field(repr=False)


def make(wish: RecordingWish, sources: list[Path], folder: Path, say: Say) -> Made:
    """Write a synthetic trace.

    Args:
        sources: recorded traces of the deck; the last gives the pattern, all give the costs

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck is wrong, or a source is of another deck or other cycles.
    """
    with to_be(folder) as scratch:
        if not sources:
            sources = [scratch / f"of-{ranks}-ranks" for ranks in RECORDED]
            for source, ranks in zip(sources, RECORDED, strict=True):
                record(replace(wish, ranks=ranks, work="cpu"), source, say)
        start = time.monotonic()
        write_from(wish, recordings(wish, sources), scratch, folder, say)
        seconds = time.monotonic() - start
    return Made(open_trace(folder), seconds)


def recordings(wish: RecordingWish, sources: list[Path]) -> Recordings:
    """Read recorded traces of a deck.

    Raises:
        TraceError: one is of another deck or other cycles.
    """
    traces = tuple(check_cycles(wish, source) for source in sources)
    measured = [measured_in(wish, source) for source in sources]
    return Recordings(traces, pattern_of(traces[-1], measured[-1][1]), unit_costs(measured))


def quiet(_text: str) -> None:
    """Print nothing."""


def write_from(wish: RecordingWish, known: Recordings, scratch: Path, folder: Path, say: Say = quiet) -> None:
    """Write a trace from recordings.

    Args:
        scratch: folder to work in

    Raises:
        TraceError: ranks have messages that the recorded ranks did not have.
    """
    last = known.traces[-1]
    ranks, name, states = scratch / "ranks", FILE, ()
    if moved := kept(last.folder, last.meta):
        name, states = at_state(1), (moved.write_for_solver(scratch / OF_SOLVER),)
    decompose(wish.deck, wish.ranks, wish.method, wish.pfile, ranks, states)
    decomposition = read_decomposition(ranks / name)
    if missing := not_in(known.pattern, decomposition):
        raise TraceError(
            f"{last.folder}: on {last.ranks} ranks there are no messages of {missing}, and on "
            f"{wish.ranks} there are: record on more ranks, or others, and give that --from"
        )
    maker = Maker(known.pattern, decomposition, known.costs)
    out = scratch / "out"
    out.mkdir()
    written = []
    for rank in range(wish.ranks):
        with rank_writer(out, rank) as text:
            written.append(maker.write(rank, text.write))
    shutil.copy(ranks / name, out / FILE)
    meta = summary_of(wish.ranks, written, last.meta["window"]) | {
        "job_cycles": last.job_cycles,
        "reference": last.meta.get("reference", {}),
        "sources": [{"ranks": t.ranks, "digest": t.digest} for t in known.traces],
        "costs": {f"{kind} | {phase}": dataclasses.asdict(c) for (kind, phase), c in known.costs.items()},
        **deck_meta(wish),
    }
    write_summary(out, [rank_name(r) for r in range(wish.ranks)], meta)
    put_in_place(out, folder, say)


def check_cycles(wish: RecordingWish, folder: Path) -> Trace:
    """Check the trace from which a pattern is taken.

    Raises:
        TraceError: it has other cycles than those asked for.
    """
    trace = open_trace(folder)
    if trace.cycles != (wish.first, wish.end):
        found = ":".join(map(str, trace.cycles or ()))
        raise TraceError(f"{folder}: it is of cycles {found}, and {wish.first}:{wish.end} are asked for")
    return trace
