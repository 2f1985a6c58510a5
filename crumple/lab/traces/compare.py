"""Differences of two traces with the same number of ranks: messages, bytes, collectives, work."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.contents import RankContents, contents_of, cycles_of
from crumple.lab.traces.factor_lines import TAG_NAMES


@dataclass(frozen=True)
class ComparedFigure:
    """One figure of both traces, per cycle."""

    what: str
    first: float
    second: float

    @property
    def relative(self) -> float:
        """Second over first, minus 1."""
        if self.first == self.second:
            return 0.0
        return self.second / self.first - 1.0 if self.first else float("inf")


@dataclass(frozen=True)
class TraceComparison:
    """The whole comparison."""

    rows: list[ComparedFigure]  #: figures of all ranks together
    median_work: float  #: median over ranks of the absolute relative difference of work
    worst_work: float
    worst_rank: int
    balance: tuple[float, float]  #: largest work over mean
    other_peers: int  #: ranks that send to other ranks than in the first trace

    def row(self, what: str) -> ComparedFigure:
        """One row; empty if neither trace has it."""
        return next((r for r in self.rows if r.what == what), ComparedFigure(what, 0.0, 0.0))


def compare(a: Trace, b: Trace) -> TraceComparison:
    """Compare rank by rank.

    Raises:
        TraceError: they have different numbers of ranks, or one cannot be read.
    """
    if a.ranks != b.ranks:
        raise TraceError(f"{a.folder} is of {a.ranks} ranks and {b.folder} of {b.ranks}: nothing to compare")
    first, second = contents_of(a), contents_of(b)
    n, m = cycles_of(a, first), cycles_of(b, second)
    rows = [
        ComparedFigure("messages", total(first, "messages") / n, total(second, "messages") / m),
        ComparedFigure("bytes", total(first, "bytes") / n, total(second, "bytes") / m),
    ]
    for tag in sorted({t for r in (*first, *second) for t in r.messages}):
        for what in ("messages", "bytes"):
            rows.append(
                ComparedFigure(
                    f"{what} of tag {tag}{named(tag)}", of(first, what, tag) / n, of(second, what, tag) / m
                )
            )
    for name in sorted({c for r in (*first, *second) for c in r.collectives}):
        rows.append(ComparedFigure(name, first[0].collectives[name] / n, second[0].collectives[name] / m))
        rows.append(
            ComparedFigure(
                f"bytes of {name}", of(first, "contributed", name) / n, of(second, "contributed", name) / m
            )
        )
    for phase in sorted({p for r in (*first, *second) for p in r.phases}):
        what = f"ms in {'no phase' if phase == '-' else phase}"
        rows.append(
            ComparedFigure(what, of(first, "phases", phase) / n / 1e6, of(second, "phases", phase) / m / 1e6)
        )
    work_a = np.array([r.operations for r in first]) / n
    work_b = np.array([r.operations for r in second]) / m
    rows.append(ComparedFigure("ms of work", work_a.sum() / 1e6, work_b.sum() / 1e6))
    relative = work_b / np.maximum(work_a, 1.0) - 1.0
    worst = int(np.abs(relative).argmax())
    return TraceComparison(
        rows,
        float(np.median(np.abs(relative))),
        float(relative[worst]),
        worst,
        (balance(work_a), balance(work_b)),
        sum(x.peers != y.peers for x, y in zip(first, second, strict=True)),
    )


def named(tag: int) -> str:
    """What a tag of an implicit run is for, in brackets; "" of others."""
    return f" ({TAG_NAMES[tag]})" if tag in TAG_NAMES else ""


def balance(work: np.ndarray) -> float:
    """Largest over mean; 1 without work."""
    return float(work.max() / work.mean()) if work.sum() else 1.0


def total(ranks: list[RankContents], what: str) -> int:
    """A count over all ranks and tags."""
    return sum(sum(getattr(r, what).values()) for r in ranks)


def of(ranks: list[RankContents], what: str, key: int | str) -> int:
    """A count of one tag, operation or phase over all ranks."""
    counters: list[Counter] = [getattr(r, what) for r in ranks]
    return sum(counter[key] for counter in counters)
