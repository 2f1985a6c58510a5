"""Sums over the work and messages of a trace: the whole input of the analytic model, read in one pass."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from crumple.lab.profile.trace.trace_folder import Trace

COLLECTIVES = (
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "reduce",
    "reducescatter",
    "scan",
    "exscan",
    "scatter",
    "scatterv",
)


@dataclass(frozen=True)
class Volume:
    """Sums for all ranks of a trace."""

    ranks: int
    critical: float  #: sum over the parts between two collectives of the largest operations of a rank
    compute: np.ndarray = field(repr=False)  #: operations of each rank
    segments: np.ndarray = field(repr=False)  #: operations of each rank between two collectives
    pieces: float  #: mean number of compute blocks of a rank between two collectives
    pairs: np.ndarray = field(repr=False)  #: rows of source, destination, messages, bytes
    copied: np.ndarray = field(repr=False)  #: for each pair: bytes of messages, each counted up to 64 KiB
    rounds: float  #: mean number of a rank's waits for messages
    collectives: dict[tuple[str, int], int]  #: calls by operation and bytes of one rank


@dataclass
class Reader:
    """Reads the actions of one rank."""

    segments: list[float] = field(default_factory=lambda: [0.0])
    pieces: int = 0
    rounds: int = 0
    sent: Counter = field(default_factory=Counter)
    sent_bytes: Counter = field(default_factory=Counter)
    copied: Counter = field(default_factory=Counter)
    collectives: Counter = field(default_factory=Counter)

    def read(self, line: str) -> None:
        """Add one action."""
        words = line.split()
        name = words[1]
        if name == "compute":
            self.segments[-1] += float(words[2])
            self.pieces += 1
        elif name in ("send", "isend"):
            to, size = int(words[2]), int(float(words[4]))
            self.sent[to] += 1
            self.sent_bytes[to] += size
            self.copied[to] += min(size, 65536)
        elif name in ("recv", "wait", "waitall"):
            self.rounds += 1
        elif name in COLLECTIVES:
            self.collectives[name, bytes_of(name, words)] += 1
            self.segments.append(0.0)


def bytes_of(name: str, words: list[str]) -> int:
    """Bytes that one rank contributes to a collective."""
    if name == "barrier":
        return 0
    if name in ("reducescatter", "scatterv"):
        return sum(int(w) for w in words[2:-2])
    size = int(float(words[2]))
    return size * 8 if name == "allreduce" and len(words) > 4 and words[4] != "6" else size


def volume_of(trace: Trace) -> Volume:
    """Read a trace.

    Raises:
        TraceError: it is cut off.
    """
    return volume_of_lines(trace.lines(rank) for rank in range(trace.ranks))


def volume_of_lines(ranks: Iterable[Iterable[str]]) -> Volume:
    """Add up the lines of each rank, in order, as SimGrid's replay reads them."""
    readers = []
    for lines in ranks:
        reader = Reader()
        for line in lines:
            reader.read(line)
        readers.append(reader)
    segments = max(len(r.segments) for r in readers)
    between = np.zeros((len(readers), segments))
    for rank, reader in enumerate(readers):
        between[rank, : len(reader.segments)] = reader.segments
    rows = [
        (rank, to, count, r.sent_bytes[to], r.copied[to])
        for rank, r in enumerate(readers)
        for to, count in sorted(r.sent.items())
    ]
    table = np.array(rows, dtype=float).reshape(-1, 5)
    most = max(readers, key=lambda r: sum(r.collectives.values()))
    return Volume(
        len(readers),
        float(between.max(axis=0).sum()),
        np.array([sum(r.segments) for r in readers]),
        between,
        sum(r.pieces for r in readers) / len(readers) / segments,
        table[:, :4],
        table[:, 4],
        sum(r.rounds for r in readers) / len(readers),
        dict(most.collectives),
    )
