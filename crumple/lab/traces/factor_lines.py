"""The lines of a rank for an analysis, factor or solution of an implicit run, by the factor's division.

The order of messages is that of solver/implicit/linear: workers.cpp, rank_factor.cpp, top_factor.cpp.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from crumple.lab.traces.factor_division import FactorDivision, TopFront

#: tags: solver/parallel/tags.hpp
LINEAR, UPDATES, HEAD, PANEL, PASSED, UP, TAKEN, DOWN, SOLUTION = range(81, 90)
TAG_NAMES = {
    LINEAR: "matrix",
    UPDATES: "updates",
    HEAD: "heads",
    PANEL: "panels",
    PASSED: "passed",
    UP: "up",
    TAKEN: "taken",
    DOWN: "down",
    SOLUTION: "solution",
}
REQUEST = (8, 24)  #: bytes of the broadcasts of a request: their number, then the request
HEAD_BYTES = 8 + 20 * 256  #: PanelHead of top_factor.cpp
NEEDS_BYTES, OPTIONS_BYTES = 57, 19  #: packed RankNeeds, and SharedOptions without the folder's name
SENT_VALUES = 1 << 22  #: values of the matrix in a message
LARGEST = 1 << 30  #: bytes of a message
BLOCK = 1 << 25  #: bytes that are written or read at once of fronts that a rank makes alone
WORD = 8


@dataclass(frozen=True)
class FactorRates:
    """Operations of a trace (ns) of one core for the work of a factor."""

    flop: float  #: per floating-point operation
    value: float = 0.0  #: per value of a front that is cleared, assembled, or taken from a child
    solved: float = 0.0  #: per value of the factor and solution, up and down together
    sent: float = 0.0  #: per value of the matrix that rank 0 sends
    received: float = 0.0  #: per value that another rank receives
    analysed: float = 0.0  #: per byte of a part of the symbolic factor, on either side


class FactorLines:
    """Writes the lines of a rank; without its number at their begin."""

    def __init__(self, division: FactorDivision, rank: int, rates: FactorRates, in_files: bool) -> None:
        self.of = division
        self.rank = rank
        self.rates = rates
        self.in_files = in_files
        self.mine = division.of_rank[rank]
        self.open: list[tuple[int, int, int]] = []  #: messages: source, destination, tag
        self.rest = 0.0  #: of an operation

    # ---- actions -------------------------------------------------------------------------------

    def compute(self, operations: float) -> Iterator[str]:
        """Compute, as whole operations."""
        self.rest += operations
        if (whole := int(self.rest)) > 0:
            self.rest -= whole
            yield f"compute {whole}"

    def send(self, to: int, tag: int, size: int) -> Iterator[str]:
        """A message that is on its way until `wait_all`."""
        for at in range(0, max(size, 1), LARGEST):
            self.open.append((self.rank, to, tag))
            yield f"isend {to} {tag} {min(LARGEST, size - at)} 6"

    def ask(self, source: int, tag: int, size: int) -> Iterator[str]:
        """A receive that is open until `wait_for`."""
        self.open.append((source, self.rank, tag))
        yield f"irecv {source} {tag} {size} 6"

    def wait_for(self, source: int, *tags: int) -> Iterator[str]:
        """Wait for receives."""
        for tag in tags:
            self.open.remove((source, self.rank, tag))
            yield f"wait {source} {self.rank} {tag}"

    def receive(self, source: int, tag: int, size: int) -> Iterator[str]:
        """A receive, and the wait for it."""
        for at in range(0, max(size, 1), LARGEST):
            yield from self.ask(source, tag, min(LARGEST, size - at))
            yield from self.wait_for(source, tag)

    def wait_all(self) -> Iterator[str]:
        """Wait for all messages that are on their way."""
        if self.open:
            yield f"waitall {len(self.open)}"
        self.open.clear()

    def request(self) -> Iterator[str]:
        """What rank 0 asks of all."""
        for size in REQUEST:
            yield f"bcast {size} 0 6"

    # ---- symbolic ------------------------------------------------------------------------------

    def analysis(self) -> Iterator[str]:
        """Rank 0 sends parts of the symbolic factor; the others answer what they need."""
        yield from self.request()
        if self.rank > 0:
            for size in (WORD, OPTIONS_BYTES, WORD, self.mine.part_bytes):
                yield from self.receive(0, LINEAR, size)
            yield from self.compute(self.rates.analysed * self.mine.part_bytes)
            yield from self.send(0, LINEAR, WORD)
            yield from self.send(0, LINEAR, NEEDS_BYTES)
            yield from self.wait_all()
            return
        for other in range(1, self.of.ranks):
            of = self.of.of_rank[other]
            for size in (OPTIONS_BYTES, of.part_bytes):
                yield from self.compute(self.rates.analysed * size)
                yield from self.send(other, LINEAR, WORD)
                yield from self.send(other, LINEAR, size)
                yield from self.wait_all()
        for other in range(1, self.of.ranks):
            for size in (WORD, NEEDS_BYTES):
                yield from self.receive(other, LINEAR, size)

    # ---- factor --------------------------------------------------------------------------------

    def factor(self) -> Iterator[str]:
        """Cholesky's factor of a matrix."""
        yield from self.request()
        yield from self.matrix()
        yield from self.own_fronts()
        yield f"allreduce {WORD} 0 6"
        for t in range(len(self.of.tops)):
            yield from self.top_front(t)
        if self.in_files:
            yield "flush"
        yield f"allreduce {WORD} 0 6"
        yield f"allreduce {WORD} 0 6"  # of the most memory

    def matrix(self) -> Iterator[str]:
        """Values of the matrix from rank 0 to the others."""
        for other in [self.rank] if self.rank else range(1, self.of.ranks):
            of = self.of.of_rank[other]
            scales = WORD * (of.equations + self.of.top_pivots)
            if self.rank:
                yield from self.receive(0, LINEAR, scales)
            else:
                yield from self.send(other, LINEAR, scales)
            for n in pieces(of.matrix_values, SENT_VALUES):
                if self.rank:
                    yield from self.receive(0, LINEAR, WORD)
                    yield from self.receive(0, LINEAR, WORD * n)
                    yield from self.compute(self.rates.received * n)
                    continue
                yield from self.compute(self.rates.sent * n)
                yield from self.wait_all()
                yield from self.send(other, LINEAR, WORD)
                yield from self.send(other, LINEAR, WORD * n)
            yield from self.wait_all()

    def own_fronts(self) -> Iterator[str]:
        """Fronts that the rank makes alone; finished columns go to its file meanwhile."""
        of = self.mine
        spent = self.rates.flop * of.flops + self.rates.value * of.values
        if not self.in_files:
            yield from self.compute(spent)
            return
        blocks = pieces(self.of.value_bytes * of.factor_values, BLOCK)
        for size in blocks:
            yield from self.compute(spent / len(blocks))
            yield f"write {size}"
        yield "flush"

    def top_front(self, t: int) -> Iterator[str]:
        """One of the fronts above."""
        top, me, rates = self.of.tops[t], self.rank, self.rates
        here = [j for j, rank in enumerate(top.ranks) if rank == me]
        cleared = sum(self.values(top, j) for j in here)
        yield from self.compute(rates.value * cleared)
        yield from self.children(top)
        if here:
            yield from self.panels(top, here)
        yield from self.wait_all()
        if self.in_files:
            for j in here:
                if j < self.pivot_panels(top):
                    yield f"write {self.of.value_bytes * self.values(top, j)}"

    def children(self, top: TopFront) -> Iterator[str]:
        """Update matrices of children."""
        me, size = self.rank, self.of.value_bytes
        coming = [piece for piece in top.pieces if piece[3] == me != piece[2]]
        asked = iter(coming)
        for _, values, source, to in top.pieces:
            if source == me != to:
                yield from self.send(to, UPDATES, size * values)
        following = next(asked, None)
        if following:
            yield from self.ask(following[2], UPDATES, size * following[1])
        for _, values, source, to in top.pieces:
            if to != me:
                continue
            if source != me:
                yield from self.wait_for(source, UPDATES)
                if following := next(asked, None):
                    yield from self.ask(following[2], UPDATES, size * following[1])
            yield from self.compute(self.rates.value * values)

    def panels(self, top: TopFront, here: list[int]) -> Iterator[str]:
        """Panels in their order: each is made here or comes, and is subtracted from those behind."""
        me, last = self.rank, self.pivot_panels(top)

        def prepare(k: int) -> Iterator[str]:
            if k >= last:
                return
            if top.ranks[k] != me:
                if here[-1] > k:
                    yield from self.ask(top.ranks[k], HEAD, HEAD_BYTES)
                    yield from self.ask(top.ranks[k], PANEL, self.of.value_bytes * self.values(top, k))
                return
            yield from self.compute(self.rates.flop * self.factor_flops(top, k))
            for to in sorted(set(top.ranks[k + 1 :])):
                if to != me:
                    yield from self.send(to, HEAD, HEAD_BYTES)
                    yield from self.send(to, PANEL, self.of.value_bytes * self.values(top, k))

        yield from prepare(0)
        for k in range(min(last, here[-1])):
            if top.ranks[k] != me:
                yield from self.wait_for(top.ranks[k], HEAD, PANEL)
            rest = [j for j in here if j > k]
            if k + 1 < last and rest[0] == k + 1:
                yield from self.compute(self.rates.flop * self.subtract_flops(top, k, rest[0]))
                rest = rest[1:]
            yield from prepare(k + 1)
            yield from self.compute(self.rates.flop * sum(self.subtract_flops(top, k, j) for j in rest))

    def pivot_panels(self, top: TopFront) -> int:
        """Number of panels of pivots."""
        return -(-top.pivots // self.of.tile)

    def extent(self, top: TopFront, j: int) -> tuple[int, int]:
        """First column of a panel, and the one behind it."""
        n, tile = self.pivot_panels(top), self.of.tile
        if j < n:
            return j * tile, min(top.pivots, (j + 1) * tile)
        begin = top.pivots + (j - n) * tile
        return begin, min(top.order, begin + tile)

    def values(self, top: TopFront, j: int) -> int:
        """Values of a panel."""
        begin, end = self.extent(top, j)
        return (end - begin) * (top.order - begin)

    def factor_flops(self, top: TopFront, k: int) -> float:
        """Operations of a panel's factor: Cholesky's of its square, and a triangular solution below."""
        begin, end = self.extent(top, k)
        width = float(end - begin)
        return width**3 / 3.0 + width**2 * (top.order - end)

    def subtract_flops(self, top: TopFront, k: int, j: int) -> float:
        """Operations that bring panel j up to date with panel k, of the lower triangle."""
        first, last = self.extent(top, k)
        begin, end = self.extent(top, j)
        width = float(end - begin)
        return (last - first) * (width * (width + 1.0) + 2.0 * (top.order - end) * width)

    def top_flops(self) -> float:
        """All operations of the rank in top fronts."""
        flops = 0.0
        for top in self.of.tops:
            here = [j for j, rank in enumerate(top.ranks) if rank == self.rank]
            last = self.pivot_panels(top)
            for j in here:
                flops += self.factor_flops(top, j) if j < last else 0.0
                flops += sum(self.subtract_flops(top, k, j) for k in range(min(last, j)))
        return flops

    def top_moved(self) -> int:
        """Values that the rank clears, and takes from children, in top fronts."""
        return sum(
            sum(self.values(top, j) for j, rank in enumerate(top.ranks) if rank == self.rank)
            + sum(piece[1] for piece in top.pieces if piece[3] == self.rank)
            for top in self.of.tops
        )

    # ---- solution ------------------------------------------------------------------------------

    def solution(self) -> Iterator[str]:
        """A solution for one right hand side, up and down the tree."""
        yield from self.request()
        size = self.of.value_bytes
        if self.rank:
            yield from self.receive(0, SOLUTION, size * self.mine.all_equations)
        for other in range(1, self.of.ranks if self.rank == 0 else 0):
            yield from self.send(other, SOLUTION, size * self.of.of_rank[other].all_equations)
        sent = self.open  # rank 0 waits for these at the end only
        self.open = []
        yield from self.own_solution()
        for t in range(len(self.of.tops)):
            yield from self.up(t)
        for t in reversed(range(len(self.of.tops))):
            yield from self.down(t)
        if self.open:
            yield from self.end_of(sent)
        yield from self.own_solution()
        self.open += sent
        if self.rank:
            yield from self.send(0, SOLUTION, size * self.mine.all_equations)
        yield from self.wait_all()
        for other in range(1, self.of.ranks if self.rank == 0 else 0):
            yield from self.receive(other, SOLUTION, size * self.of.of_rank[other].all_equations)

    def end_of(self, sent: list[tuple[int, int, int]]) -> Iterator[str]:
        """Wait for the messages of the way, beside others that stay on theirs."""
        if not sent:
            yield from self.wait_all()
            return
        for source, to, tag in self.open:
            yield f"wait {source} {to} {tag}"
        self.open.clear()

    def own_solution(self) -> Iterator[str]:
        """One way through the rank's own fronts."""
        spent = 0.5 * self.rates.solved * self.mine.factor_values
        blocks = pieces(self.of.value_bytes * self.mine.factor_values, BLOCK) if self.in_files else []
        for size in blocks:
            yield f"read {size}"
            yield from self.compute(spent / len(blocks))
        if not blocks:
            yield from self.compute(spent)

    def panel_solution(self, top: TopFront, k: int) -> Iterator[str]:
        """One panel of a way."""
        values = self.values(top, k)
        if self.in_files:
            yield f"read {self.of.value_bytes * values}"
        yield from self.compute(0.5 * self.rates.solved * values)

    def ends(self, child: tuple[int, int, int]) -> int:
        """The rank that has what a child passes."""
        number, rank, _ = child
        if number < 0:
            return rank
        front = self.of.tops[number]
        return front.ranks[self.pivot_panels(front) - 1]

    def up(self, t: int) -> Iterator[str]:
        """A solution's way up through a top front."""
        top, me, size = self.of.tops[t], self.rank, self.of.value_bytes
        first = top.ranks[0]
        for child in top.children:
            source = self.ends(child)
            if me not in (source, first) or source == first:
                continue
            if source == me:
                yield from self.send(first, PASSED, size * child[2])
            else:
                yield from self.receive(source, PASSED, size * child[2])
        last = self.pivot_panels(top)
        for k in range(last):
            if top.ranks[k] != me:
                continue
            if k > 0 and top.ranks[k - 1] != me:
                yield from self.receive(top.ranks[k - 1], UP, size * top.order)
            yield from self.panel_solution(top, k)
            if k + 1 < last and top.ranks[k + 1] != me:
                yield from self.send(top.ranks[k + 1], UP, size * top.order)

    def down(self, t: int) -> Iterator[str]:
        """A solution's way down through a top front."""
        top, me, size = self.of.tops[t], self.rank, self.of.value_bytes
        last, first = self.pivot_panels(top), top.ranks[0]
        for k in reversed(range(last)):
            if top.ranks[k] != me:
                continue
            if k + 1 < last and top.ranks[k + 1] != me:
                yield from self.receive(top.ranks[k + 1], DOWN, size * top.order)
            yield from self.panel_solution(top, k)
            if k > 0 and top.ranks[k - 1] != me:
                yield from self.send(top.ranks[k - 1], DOWN, size * top.order)
        for child in top.children:
            to = self.ends(child)
            if me not in (to, first) or to == first:
                continue
            if first == me:
                yield from self.send(to, TAKEN, size * child[2])
            else:
                yield from self.receive(first, TAKEN, size * child[2])


def pieces(whole: int, most: int) -> list[int]:
    """A number in parts of the same size, the last one smaller."""
    return [min(most, whole - at) for at in range(0, whole, most)]
