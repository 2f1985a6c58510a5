"""The pattern of the solver's cycles in terms of a decomposition, from a trace at a few ranks.

Collectives and the order of actions are the same at any number of ranks. The size of a message follows from
its contents: bytes for each node that two ranks share, or that one needs from another for contact.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import by_cycle
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.cycle_parts import (
    Collective,
    Computing,
    Exchange,
    Part,
    Rounds,
    parts_of,
    rounds_joined,
    split_at_collectives,
)
from crumple.lab.traces.decomposition import Decomposition, RankShare
from crumple.lab.traces.plot_messages import D3PLOT, PLOT_FILES, PlotFile, PlotMessages, file_of_tag
from crumple.lab.traces.work import kind_of, rank_steps

#: tags: solver/parallel/tags.hpp
HALO_TAGS = (11, 12)
MOTION, FORCES = 31, 32
PIECES = 71
DUMP = 74
WORD = 8  #: bytes of a summand
TIED_BYTES = 9 * WORD  #: per node: force, moment and mass from ties; solver/contact/tied/ties.cpp
MOTION_BYTES, FORCE_BYTES, REQUEST_BYTES = 48, 24, 4  #: per node; motion without masses


@dataclass(frozen=True)
class Compute:
    """A fraction of the compute of a rank in a phase of the cycle."""

    phase: str
    fraction: float


@dataclass(frozen=True)
class Halo:
    """Sums or maxima over copies of nodes."""

    phase: str
    tag: int
    of: str  #: shared or tied
    bytes: int  #: a node
    waits: bool = True  #: for its messages at once; else Wait does


@dataclass(frozen=True)
class Motion:
    """Contact: motion of nodes to the ranks that need it; with `back`, forces to the nodes' home ranks."""

    phase: str
    tag: int
    bytes: int  #: a node
    scale: float  #: number of needed nodes, over that before the first cycle
    back: bool
    filled: float = 1.0  #: share of the bytes that is sent: messages are empty where nothing touches
    waits: bool = True  #: for its messages at once; else Wait does


@dataclass(frozen=True)
class RowCounts:
    """Numbers of rows to the ranks that write plot states, before the first state of a file."""

    phase: str
    file: PlotFile = D3PLOT


@dataclass(frozen=True)
class PlotRows:
    """The rows of a plot state to the ranks that write them, in as many rounds as there are pieces."""

    phase: str
    bytes: tuple[tuple[str, int], ...]  #: of a row, by kind
    within: tuple[Compute, ...] = ()  #: distributed evenly over the rounds
    file: PlotFile = D3PLOT


@dataclass(frozen=True)
class Wait:
    """The wait for the messages of the previous exchange."""

    phase: str


@dataclass(frozen=True)
class Blocks:
    """A collective with blocks of different sizes."""

    phase: str
    operation: str
    root: int  #: -1: no root
    of: str  #: what a rank's block is proportional to: one, owned, bodies, elements of a kind, or cost
    bytes: float  #: per unit


@dataclass(frozen=True)
class Same:
    """A collective that is the same at any number of ranks."""

    phase: str
    action: str


@dataclass(frozen=True)
class Agreement:
    """The one reduction of a cycle; its size depends on the rigid bodies that all ranks advance."""

    phase: str


PatternStep = Compute | Halo | Motion | RowCounts | PlotRows | Wait | Blocks | Same | Agreement


@dataclass(frozen=True)
class PatternCycle:
    """One cycle."""

    cycle: int
    kind: str
    steps: tuple[PatternStep, ...]


def pattern_of(trace: Trace, decomposition: Decomposition) -> list[PatternCycle]:
    """The pattern of a recorded trace.

    Raises:
        TraceError: it has messages that do not follow from the decomposition.
    """
    if trace.ranks < 2:
        raise TraceError(f"{trace.folder}: a trace of one rank has no messages from which to make others")
    names = [str(trace.folder / name) for name in trace.files]
    streams = [by_cycle(rank_steps(trace, r)) for r in range(trace.ranks)]
    cycles, scale, plots = [], 1.0, messages_of_files(decomposition)
    for of_ranks in zip_longest(*streams, fillvalue=(-1, [])):  # one cycle of all ranks at a time
        cycle, steps = of_ranks[0]
        if any(other != cycle for other, _ in of_ranks):
            raise TraceError(f"{trace.folder}: cycle {cycle}: its ranks do not have the same cycles")
        parts = [parts_of(mine, name) for (_, mine), name in zip(of_ranks, names, strict=True)]
        reader = CycleReader(parts, decomposition, scale, f"{trace.folder}: cycle {cycle}", plots)
        kind = kind_of((s.action for s in steps if s.action), decomposition.agreement_bytes)
        cycles.append(PatternCycle(cycle, kind, tuple(reader.steps())))
        scale = reader.scale
    return cycles


def messages_of_files(decomposition: Decomposition) -> dict[PlotFile, PlotMessages]:
    """The messages of a plot state of each file."""
    return {file: PlotMessages(decomposition, file) for file in PLOT_FILES}


class CycleReader:
    """Converts the parts of one cycle of all ranks into steps."""

    def __init__(
        self,
        parts: list[list[Part]],
        decomposition: Decomposition,
        scale: float,
        where: str,
        plots: dict[PlotFile, PlotMessages] | None = None,
    ) -> None:
        self.plots = plots or messages_of_files(decomposition)
        for file in PLOT_FILES:
            parts = [rounds_joined(of, file.rows) for of in parts]
        split = [split_at_collectives(of) for of in parts]
        if len({len(collectives) for _, collectives in split}) > 1:
            raise TraceError(f"{where}: the ranks do not have the same collectives")
        self.stretches = [stretches for stretches, _ in split]
        self.collectives = [collectives for _, collectives in split]
        self.decomposition = decomposition
        self.where = where
        self.motion_bytes = self.find_motion_bytes()
        self.scale = self.new_scale(scale)
        self.totals = self.phase_totals(parts)

    def find_motion_bytes(self) -> int:
        """Bytes of a node's motion, and its mass where that may change: each node also has a force posted."""
        sent = sum(sum(e.sent.values()) for e in self.exchanges() if e.tag == MOTION)
        posted = sum(sum(e.received.values()) for e in self.exchanges() if e.tag == FORCES)
        return round(FORCE_BYTES * sent / posted) if posted else MOTION_BYTES

    def new_scale(self, before: float) -> float:
        """Number of nodes whose motion is sent in this cycle, over that before the first cycle."""
        motion = [e for e in self.exchanges() if e.tag == MOTION]
        needed = sum(sum(share.copies[0].values()) for share in self.decomposition.shares if share.copies)
        if motion and not needed:
            raise TraceError(
                f"{self.where}: contact between ranks began after the first cycle, and a decomposition knows "
                "that of the first cycle only"
            )
        if not motion:
            return before
        return sum(sum(e.sent.values()) for e in motion) / (self.motion_bytes * needed)

    def exchanges(self) -> list[Exchange]:
        """All exchanges of the cycle."""
        return [p for of in self.stretches for stretch in of for p in stretch if isinstance(p, Exchange)]

    @staticmethod
    def phase_totals(parts: list[list[Part]]) -> dict[str, float]:
        """Operations of all ranks in each phase."""
        totals: dict[str, float] = {}
        for of in parts:
            for part in of:
                inside = part.meanwhile if isinstance(part, Exchange) else [part]
                for c in inside:
                    if isinstance(c, Computing):
                        totals[c.phase] = totals.get(c.phase, 0.0) + c.operations
        return totals

    def steps(self) -> list[PatternStep]:
        """The steps of the whole cycle."""
        found: list[PatternStep] = []
        for k in range(len(self.stretches[0])):
            found += self.stretch([of[k] for of in self.stretches])
            if k < len(self.collectives[0]):
                found.append(self.collective([of[k] for of in self.collectives]))
        return found

    def stretch(self, of_ranks: list[list[Computing | Exchange | Rounds]]) -> list[PatternStep]:
        """The steps between two collectives, in the order of the rank with the most exchanges.

        Ranks without a neighbour skip an exchange; the compute of all ranks is added at its place.
        """
        model = max(of_ranks, key=lambda parts: sum(not isinstance(p, Computing) for p in parts))
        order = [p for p in model if not isinstance(p, Computing)]
        slots = [Slot() for _ in range(2 * len(order) + 1)]
        members: list[dict[int, Exchange | Rounds]] = [{} for _ in order]
        for rank, parts in enumerate(of_ranks):
            at = 0
            for part in parts:
                if isinstance(part, Computing):
                    slots[2 * at].add(part)
                    continue
                while at < len(order) and order[at].key != part.key:
                    at += 1
                if at == len(order):
                    raise TraceError(
                        f"{self.where}: rank {rank}: its messages are in another order than others'"
                    )
                members[at][rank] = part
                for computing in part.meanwhile:
                    slots[2 * at + 1].add(computing)
                at += 1
        found = slots[0].steps(self.totals)
        for k, members_of in enumerate(members):
            meanwhile = slots[2 * k + 1].steps(self.totals)
            if rounds := {r: p for r, p in members_of.items() if isinstance(p, Rounds)}:
                found += [self.plot_rows(rounds, tuple(meanwhile)), *slots[2 * k + 2].steps(self.totals)]
                continue
            exchange = self.exchange({r: p for r, p in members_of.items() if isinstance(p, Exchange)})
            if isinstance(exchange, RowCounts):
                found += [*meanwhile, exchange]
            elif meanwhile:
                found += [replace(exchange, waits=False), *meanwhile, Wait(exchange.phase)]
            else:
                found.append(exchange)
            found += slots[2 * k + 2].steps(self.totals)
        return found

    def plot_rows(self, of: dict[int, Rounds], within: tuple[Compute, ...]) -> PlotRows:
        """The bytes of rows of a plot state."""
        first = next(iter(of.values()))
        file = next(f for f in PLOT_FILES if f.rows == first.tag)
        self.require_rows(file)
        found: dict[str, int] = {}
        for rank in range(len(self.stretches)):
            exchanges = of[rank].exchanges if rank in of else []
            expected = list(self.plots[file].rounds(rank))
            if len(exchanges) != len(expected):
                raise TraceError(
                    f"{self.where}: rank {rank} has {len(exchanges)} rounds of a plot state, and "
                    f"{len(expected)} are expected, if all ranks write"
                )
            for exchange, wanted in zip(exchanges, expected, strict=True):
                rows = sum(wanted.sent.values()) + sum(wanted.received.values())
                sent = sum(exchange.sent.values()) + sum(exchange.received.values())
                each = found.setdefault(wanted.kind, sent // rows)
                if (exchange.sent, exchange.received) != (
                    times(each, wanted.sent),
                    times(each, wanted.received),
                ):
                    raise TraceError(f"{self.where}: rank {rank}: rows of a plot state have several sizes")
        return PlotRows(first.phase, tuple(found.items()), within, file)

    def require_rows(self, file: PlotFile) -> None:
        """Raise an error if the decomposition is of a solver that did not write a file with all ranks."""
        if not self.plots[file].known:
            raise TraceError(f"{self.where}: decomposition.json has no rows of plot states: record it again")

    def row_counts(self, of: dict[int, Exchange], file: PlotFile) -> RowCounts:
        """Numbers of rows before the first state of a file."""
        self.require_rows(file)
        for rank in range(len(self.stretches)):
            e = of.get(rank, Exchange("", file.counts))
            if (e.received, e.sent) != self.plots[file].counts(rank):
                raise TraceError(
                    f"{self.where}: rank {rank}: numbers of rows of plot states are not those of a "
                    "decomposition, if all ranks write"
                )
        return RowCounts(next(iter(of.values())).phase, file)

    def exchange(self, of: dict[int, Exchange]) -> Halo | Motion | RowCounts:
        """The contents of an exchange."""
        first = next(iter(of.values()))
        phase, tag, shares = first.phase, first.tag, self.decomposition.shares
        if tag in HALO_TAGS:
            if bytes_a_node(of, shares, tied) == TIED_BYTES:
                return Halo(phase, tag, "tied", TIED_BYTES)
            if size := bytes_a_node(of, shares, shared):
                return Halo(phase, tag, "shared", size)
            raise TraceError(
                f"{self.where}: sums over nodes that are neither all shared ones nor those of ties"
            )
        if file := file_of_tag(tag):
            return self.row_counts(of, file)
        if tag == DUMP:
            raise TraceError(f"{self.where}: a dump is written; a synthetic trace does not support dumps")
        sent = sum(sum(e.sent.values()) for e in of.values())
        if tag == MOTION:
            return Motion(phase, tag, self.motion_bytes, self.scale, back=False)
        if tag == FORCES:
            posted = sum(sum(e.received.values()) for e in of.values())
            return Motion(phase, tag, FORCE_BYTES, self.scale, True, sent / posted if posted else 0.0)
        needed = sum(sum(s.copies[0].values()) for s in shares if s.copies) * self.scale
        if tag == PIECES and needed:
            # Requests go from ranks that need nodes to the home ranks; segments go the other way.
            requests = abs(sent - REQUEST_BYTES * needed) < 0.5 * REQUEST_BYTES
            each = REQUEST_BYTES if requests else max(1, round(sent / needed))
            return Motion(phase, tag, each, self.scale, back=requests)
        raise TraceError(f"{self.where}: messages of tag {tag} do not follow from a decomposition")

    def collective(self, of: list[Collective]) -> PatternStep:
        """A collective of all ranks."""
        phase, action = of[0].phase, of[0].action
        name, *numbers = action.split()
        if name == "allreduce" and int(numbers[0]) == self.decomposition.agreement_bytes:
            return Agreement(phase)
        if name not in ("gatherv", "allgatherv"):
            if name in ("alltoallv", "scatterv", "reducescatter"):
                raise TraceError(f"{self.where}: a synthetic trace does not support {name}")
            return Same(phase, action)
        blocks = [int(c.action.split()[1]) for c in of]
        root = int(numbers[-3]) if name == "gatherv" else -1
        for what, count in BLOCKS.items():
            counts = [count(share, self.decomposition) for share in self.decomposition.shares]
            each = sum(blocks) / sum(counts) if sum(counts) else 0.0
            if what == "cost" or blocks == [round(each * c) for c in counts]:
                return Blocks(phase, name, root, what, each)
        raise AssertionError("cost is the last")


class Slot:
    """The compute between two actions, by phase."""

    def __init__(self) -> None:
        self.operations: dict[str, float] = {}

    def add(self, computing: Computing) -> None:
        """Add compute."""
        self.operations[computing.phase] = self.operations.get(computing.phase, 0.0) + computing.operations

    def steps(self, totals: dict[str, float]) -> list[PatternStep]:
        """The compute as fractions of the phases."""
        return [Compute(p, o / totals[p]) for p, o in self.operations.items() if o > 0]


def times(each: int, rows: dict[int, int]) -> dict[int, int]:
    """Bytes of rows, by rank."""
    return {rank: each * n for rank, n in rows.items()}


def shared(share: RankShare) -> dict[int, int]:
    """All shared nodes."""
    return share.shared


def tied(share: RankShare) -> dict[int, int]:
    """The shared nodes of ties."""
    return share.tied


def bytes_a_node(
    of: dict[int, Exchange], shares: tuple[RankShare, ...], nodes: Callable[[RankShare], dict[int, int]]
) -> int | None:
    """Bytes per node if messages are proportional to nodes; otherwise None."""
    total = sum(sum(nodes(share).values()) for share in shares)
    each, rest = divmod(sum(sum(e.sent.values()) for e in of.values()), total) if total else (0, 1)
    if rest or each % WORD:
        return None
    for rank, share in enumerate(shares):
        expected = {other: each * n for other, n in nodes(share).items()}
        if (of[rank].sent if rank in of else {}) != expected:
            return None
    return each


def elements_of(kind: str) -> Callable[[RankShare, Decomposition], float]:
    """Number of elements of a kind on a rank."""

    def count(share: RankShare, decomposition: Decomposition) -> float:
        pairs = zip(share.elements, decomposition.work, strict=True)
        return float(sum(n for n, type_of in pairs if type_of["kind"] == kind))

    return count


#: quantities to which the blocks of a collective may be proportional; the last one is the default
BLOCKS: dict[str, Callable[[RankShare, Decomposition], float]] = {
    "one": lambda share, _: 1.0,
    "owned": lambda share, _: float(share.owned),
    "bodies": lambda share, _: float(share.bodies),
    **{kind: elements_of(kind) for kind in ("shell", "solid", "beam", "discrete")},
    "cost": lambda share, _: share.cost,
}
