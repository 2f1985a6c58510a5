"""Work from counts: the measured cost of a unit of work in each phase, times the units of a rank."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import NO_PHASE, RankStep, by_cycle, is_collective, steps_of
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.decomposition import Decomposition, RankShare

#: units of the work of a phase; of other phases: nodes
COUNTED = {
    "elements": ("cost", "deformed"),
    "contact": ("nodes", "pairs", "within_reach"),
    "exchange": ("shared",),
}
LEAST_SPREAD = 0.1  #: smallest relative standard deviation of counts for a constant besides a cost per unit
LEAST_POINTS = 8
ROUNDS_OF_FIT = 20  #: rounds that fit speeds and the extra cost of yielded elements in turn


def units(share: RankShare, phase: str) -> tuple[float, ...]:
    """The work of a phase on a rank, in the units of the phase."""
    amounts = {
        "cost": share.cost,
        "deformed": share.deformed,
        "nodes": float(share.nodes),
        "pairs": float(sum(share.pairs)),
        "within_reach": float(sum(share.within_reach)),
        "shared": float(sum(share.shared.values())),
    }
    return tuple(amounts[name] for name in COUNTED.get(phase, ("nodes",)))


def kind_of(actions: Iterable[str], agreement: int | None) -> str:
    """The kind of a cycle, by its collectives, which are the same on all ranks.

    Sorts of contacts, output and computation of energies have their own collectives.

    Args:
        agreement: bytes of the reduction that every cycle has; they depend on the number of ranks
    """
    found = []
    for action in filter(is_collective, actions):
        name, *rest = action.split(maxsplit=2)
        if name == "allreduce":
            name = "agreement" if int(rest[0]) == agreement else f"{name} {rest[0]}"
        found.append(name)
    return ", ".join(found)


@dataclass(frozen=True)
class PhaseTimes:
    """Operations of every rank in every cycle and phase."""

    cycles: list[int]
    kinds: list[str]  #: kinds of the cycles
    phases: list[str]
    operations: np.ndarray  #: by rank, cycle, phase

    def by_rank(self) -> np.ndarray:
        """All operations of each rank."""
        return self.operations.sum(axis=(1, 2))


def phase_times(trace: Trace, decomposition: Decomposition | None = None) -> PhaseTimes:
    """Read a whole trace.

    Args:
        decomposition: its decomposition; without it, kinds differ from those at other numbers of ranks

    Raises:
        TraceError: it has no cycles, or different ones on different ranks.
    """
    agreement = decomposition.agreement_bytes if decomposition else None
    cycles, kinds, phases, rows = [], [], [], []
    for rank in range(trace.ranks):
        row: dict[tuple[int, str], int] = {}
        mine = []
        for cycle, steps in by_cycle(rank_steps(trace, rank)):
            mine.append(cycle)
            if rank == 0:
                kinds.append(kind_of((s.action for s in steps if s.action), agreement))
            for step in steps:
                if step.compute:
                    row[cycle, step.phase] = row.get((cycle, step.phase), 0) + step.compute
        cycles = cycles or mine
        if not set(mine) <= set(cycles):
            raise TraceError(f"{trace.folder}: rank {rank} has other cycles than rank 0")
        phases += sorted({phase for _, phase in row} - set(phases))
        rows.append(row)
    if len(set(cycles)) < len(cycles):
        twice = min(cycle for cycle in cycles if cycles.count(cycle) > 1)
        raise TraceError(
            f"{trace.folder}: cycle {twice} appears twice: dynamic relaxation, which counts its own "
            "cycles, is not supported; trace the deck without it"
        )
    if not any(cycle >= 0 for cycle in cycles):
        raise TraceError(f"{trace.folder}: it has no cycles; record it with `crumple trace`")
    place = {cycle: k for k, cycle in enumerate(cycles)}
    operations = np.zeros((trace.ranks, len(cycles), len(phases)))
    for rank, row in enumerate(rows):
        for (cycle, phase), spent in row.items():
            operations[rank, place[cycle], phases.index(phase)] = spent
    return PhaseTimes(cycles, kinds, phases, operations)


def rank_steps(trace: Trace, rank: int) -> Iterator[RankStep]:
    """The steps of a rank in a trace."""
    return steps_of(trace.marked_lines(rank), str(trace.folder / trace.files[rank]))


@dataclass(frozen=True)
class UnitCost:
    """Operations of a rank per cycle: a constant, and a cost per unit."""

    constant: float
    each: tuple[float, ...]

    def of(self, counts: tuple[float, ...]) -> float:
        """Operations of a rank with so many units."""
        return self.constant + sum(e * n for e, n in zip(self.each, counts, strict=True))


Costs = dict[tuple[str, str], UnitCost]  #: by kind of cycle and phase


def unit_costs(measured: list[tuple[PhaseTimes, Decomposition]]) -> Costs:
    """Costs of units, from one or several recordings of the same deck.

    The median over cycles of a kind counts for each rank, because interruptions affect only a few. If the
    counts of ranks differ enough, a constant part is found by least squares; otherwise all work is taken as
    proportional to the counts. All recordings are scaled to the speed of the fastest.
    """
    points: dict[tuple[str, str], list[tuple[float, ...]]] = {}
    for (times, decomposition), slower in zip(measured, slowdowns(measured), strict=True):
        kinds = np.array(times.kinds)
        for kind in dict.fromkeys(times.kinds):
            medians = np.median(times.operations[:, kinds == kind, :], axis=1)
            for rank, share in enumerate(decomposition.shares):
                for k, phase in enumerate(times.phases):
                    spent = medians[rank, k] / slower
                    points.setdefault((kind, phase), []).append((spent, *units(share, phase)))
    return {key: fitted(np.array(list(of))) for key, of in points.items()}


def slowdowns(measured: list[tuple[PhaseTimes, Decomposition]]) -> list[float]:
    """Slow-down of the processor in each recording, compared with the fastest recording.

    Ranks that take turns on a core find the data of another rank in its caches. The element computations show
    this: at any number of ranks they are proportional to the cost of the elements and to the extra cost of
    those that have yielded. The extra cost is found from ranks with many and with few such elements.
    """
    spent, cost, deformed = [], [], []
    for times, decomposition in measured:
        cost.append(np.array([share.cost for share in decomposition.shares]))
        deformed.append(np.array([share.deformed for share in decomposition.shares]))
        if "elements" not in times.phases or not cost[-1].all():
            return [1.0] * len(measured)
        spent.append(np.median(times.operations[:, :, times.phases.index("elements")], axis=1))
    more, rates = 0.0, np.ones(len(measured))
    for _ in range(ROUNDS_OF_FIT):
        units = [c + more * d for c, d in zip(cost, deformed, strict=True)]
        rates = np.array([float(np.median(s / u)) for s, u in zip(spent, units, strict=True)])
        if not rates.all() or not any(d.any() for d in deformed):
            break
        over = np.concatenate([s / r - c for s, r, c in zip(spent, rates, cost, strict=True)])
        yielded = np.concatenate(deformed)
        more = max(0.0, float(over @ yielded) / float(yielded @ yielded))
    return [float(rate / rates.min()) if rates.min() > 0 else 1.0 for rate in rates]


def slowed(times: PhaseTimes, decomposition: Decomposition, second_costs: float) -> float:
    """Slow-down of the element computations, compared with a core that has only one rank.

    Args:
        second_costs: cost of elements, by the partitioner, that such a core does per second
    """
    cost = np.array([share.cost for share in decomposition.shares])
    if "elements" not in times.phases or not cost.all():
        return 1.0
    spent = np.median(times.operations[:, :, times.phases.index("elements")], axis=1)
    return float(np.median(spent / cost)) * 1e-9 * second_costs


def fitted(points: np.ndarray) -> UnitCost:
    """The cost that explains operations (first column) by units (other columns), without negative parts.

    Of all choices of parts, it has the smallest sum of squared relative errors: small ranks of one
    recording count as much as large ones of another. With few or similar points it has only one part.
    """
    spent, counts = points[:, 0], points[:, 1:]
    known = len(spent) >= LEAST_POINTS and (counts.std(axis=0) > LEAST_SPREAD * counts.mean(axis=0)).any()
    columns = np.column_stack([np.ones(len(spent)), counts]) / np.maximum(spent, 1.0)[:, None]
    wanted = spent / np.maximum(spent, 1.0)
    parts = range(columns.shape[1])
    choices = [c for n in parts for c in combinations(parts, n + 1)] if known else [(k,) for k in parts if k]
    best, least = UnitCost(float(spent.mean()), (0.0,) * counts.shape[1]), np.inf
    for choice in choices:
        used = columns[:, choice]
        if not used.any():
            continue
        found = np.linalg.lstsq(used, wanted, rcond=None)[0]
        error = float(((used @ found - wanted) ** 2).sum())
        if (found >= 0).all() and error < least:
            all_parts = np.zeros(len(parts))
            all_parts[list(choice)] = found
            best, least = UnitCost(float(all_parts[0]), tuple(map(float, all_parts[1:]))), error
    return best


def counted(times: PhaseTimes, decomposition: Decomposition, costs: Costs) -> PhaseTimes:
    """The same cycles with work from counts; a phase without work of a rank stays empty."""
    operations = np.zeros_like(times.operations)
    for rank, share in enumerate(decomposition.shares):
        for k, phase in enumerate(times.phases):
            counts = units(share, phase)
            for c, kind in enumerate(times.kinds):
                if times.operations[rank, c, k] and (cost := costs.get((kind, phase))):
                    operations[rank, c, k] = cost.of(counts)
    return PhaseTimes(times.cycles, times.kinds, times.phases, operations)


def rescaled(lines: Iterable[str], rank: int, measured: PhaseTimes, wanted: PhaseTimes) -> Iterator[str]:
    """The lines of a rank with the given work in each cycle and phase, distributed as measured."""
    place = {-1: 0} | {cycle: k for k, cycle in enumerate(measured.cycles)}
    column = {phase: k for k, phase in enumerate(measured.phases)}
    was, now = measured.operations[rank], wanted.operations[rank]
    ratio = np.divide(now, was, out=np.zeros_like(now), where=was > 0)
    computing = f"{rank} compute "
    cycle, phase = -1, NO_PHASE
    for line in lines:
        if line.startswith("# cycle "):
            cycle = int(line[8:])
        elif line.startswith("# phase "):
            phase = line[8:]
        elif line.startswith(computing):
            spent = round(int(line[len(computing) :]) * ratio[place[cycle], column[phase]])
            if spent:
                yield f"{computing}{spent}"
            continue
        yield line


@dataclass(frozen=True)
class Difference:
    """Difference of work by counts from processor time, by rank, over the whole window."""

    median: float  #: median of the absolute relative differences
    worst: float
    rank: int  #: the rank with the largest
    imbalance_cpu: float  #: largest over mean
    imbalance_counts: float


def difference(cpu: PhaseTimes, counts: PhaseTimes) -> Difference:
    """Compare both sources of work."""
    a, b = cpu.by_rank(), counts.by_rank()
    relative = b / np.maximum(a, 1.0) - 1.0
    worst = int(np.abs(relative).argmax())
    return Difference(
        float(np.median(np.abs(relative))),
        float(relative[worst]),
        worst,
        float(a.max() / a.mean()),
        float(b.max() / b.mean()),
    )
