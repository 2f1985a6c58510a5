"""Messages of plot states: which rank sends how many rows to which writer, by round.

The solver deals the rows of each kind in pieces. A rank that writes has a share of consecutive pieces of each
kind, and writes one of them in a round; see solver/output/row_exchange.hpp. All ranks are taken as writers,
as where all of them see the file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from crumple.lab.traces.decomposition import Decomposition

COUNT_BYTES = 4  #: of a number of rows


@dataclass(frozen=True)
class PlotFile:
    """A file of plot states that all ranks write."""

    name: str
    counts: int  #: tag of the numbers of rows: solver/parallel/tags.hpp
    rows: int  #: tag of the rows
    kinds: tuple[str, ...]  #: of rows, in the order in which they are sent


D3PLOT = PlotFile("d3plot", 72, 73, ("node", "solid", "beam", "shell"))
VTKHDF = PlotFile("results.vtkhdf", 75, 76, ("point", "cell"))
PLOT_FILES = (D3PLOT, VTKHDF)


def file_of_tag(tag: int) -> PlotFile | None:
    """The file of which a message has rows or numbers of rows."""
    return next((file for file in PLOT_FILES if tag in (file.counts, file.rows)), None)


@dataclass
class Round:
    """Rows that a rank gets from others and sends to others, by rank."""

    kind: str
    received: dict[int, int] = field(default_factory=dict)
    sent: dict[int, int] = field(default_factory=dict)


def share(writer: int, ranks: int, pieces: int) -> range:
    """The pieces of a writer."""
    return range(pieces * writer // ranks, pieces * (writer + 1) // ranks)


def writer_of(piece: int, ranks: int, pieces: int) -> int:
    """The rank that writes a piece."""
    return ((piece + 1) * ranks - 1) // pieces


class PlotMessages:
    """The messages of one state of a file at the ranks of a decomposition."""

    def __init__(self, decomposition: Decomposition, file: PlotFile = D3PLOT) -> None:
        self.ranks = decomposition.ranks
        self.pieces = {kind: decomposition.pieces.get(kind, 0) for kind in file.kinds}
        self.known = all(kind in decomposition.pieces for kind in file.kinds)
        self.rows = [{kind: s.rows.get(kind, {}) for kind in file.kinds} for s in decomposition.shares]
        self.senders: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for rank, of_kinds in enumerate(self.rows):
            for kind, of_pieces in of_kinds.items():
                for piece, rows in of_pieces.items():
                    self.senders.setdefault((kind, piece), []).append((rank, rows))

    def rounds(self, rank: int) -> Iterator[Round]:
        """The rounds in which a rank sends or receives, in order."""
        for kind, pieces in self.pieces.items():
            found: dict[int, Round] = {}
            mine = share(rank, self.ranks, pieces)
            for number, piece in enumerate(mine):
                for sender, rows in self.senders.get((kind, piece), []):
                    if sender != rank:
                        found.setdefault(number, Round(kind)).received[sender] = rows
            for piece, rows in self.rows[rank].get(kind, {}).items():
                writer = writer_of(piece, self.ranks, pieces)
                if writer != rank:
                    number = piece - share(writer, self.ranks, pieces).start
                    found.setdefault(number, Round(kind)).sent[writer] = rows
            yield from (found[number] for number in sorted(found))

    def kinds_sent(self) -> set[str]:
        """The kinds of which rows are sent."""
        return {r.kind for rank in range(self.ranks) for r in self.rounds(rank) if r.sent}

    def counts(self, rank: int) -> tuple[dict[int, int], dict[int, int]]:
        """Bytes that a rank receives and sends before the first state of a file, by rank."""

        def of_writer(writer: int) -> int:
            return COUNT_BYTES * sum(len(share(writer, self.ranks, n)) for n in self.pieces.values())

        mine = of_writer(rank)
        others = [r for r in range(self.ranks) if r != rank]
        sent = {r: size for r in others if (size := of_writer(r))}
        return ({r: mine for r in others} if mine else {}), sent
