"""A trace of an implicit run on any number of ranks, from the division of its factor and a recorded trace."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import NO_PHASE, amount
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.factor_division import FactorDivision, division_beside
from crumple.lab.traces.factor_lines import FactorLines, FactorRates
from crumple.lab.traces.implicit_pattern import (
    ANALYSIS,
    FACTOR,
    NOTICE,
    SOLUTION_OF,
    Alone,
    Asked,
    Item,
    Measured,
    rank_items,
)
from crumple.lab.traces.synthetic import Written


@dataclass(frozen=True)
class ImplicitPattern:
    """What rank 0 does, in order, and the cost of what all ranks do."""

    items: tuple[Item, ...] = field(repr=False)
    rates: FactorRates


def pattern_of_implicit(traces: Sequence[Trace]) -> ImplicitPattern:
    """The pattern of recorded traces: order of the last, rates of all.

    Raises:
        TraceError: one is not of an implicit run on several ranks.
    """
    measured, items = Measured(), ()
    for trace in traces:
        division = division_beside(trace)
        if division is None or trace.ranks < 2:
            raise TraceError(f"{trace.folder}: it is not of an implicit run on two ranks or more")
        for rank in range(trace.ranks):
            found = rank_items(trace, rank)
            measured.add(rank, found, division)
            items = tuple(found) if rank == 0 else items
    return ImplicitPattern(items, measured.rates())


def lines_of_rank(
    pattern: ImplicitPattern,
    division: FactorDivision,
    rank: int,
    in_files: bool,
    scale: Callable[[str], float] = lambda _: 1.0,
) -> Iterator[str]:
    """All lines of a rank, with marks of cycles and phases.

    Args:
        in_files: whether the rank's part of the factor is in its file
        scale: of what rank 0 computes alone in a phase, over that of the recording
    """
    lines = FactorLines(division, rank, pattern.rates, in_files)
    made = {
        ANALYSIS: lines.analysis,
        FACTOR: lines.factor,
        SOLUTION_OF: lines.solution,
        NOTICE: lines.request,
    }
    cycle, phase = None, NO_PHASE
    yield f"{rank} init"
    for item in pattern.items:
        if isinstance(item, Alone) and rank:
            continue
        name = item.phase if isinstance(item, Alone) else item.kind if item.kind != NOTICE else phase
        if item.cycle != cycle:
            cycle = item.cycle
            yield f"# cycle {cycle}"
        if name != phase:
            phase = name
            yield f"# phase {phase}"
        actions: Iterable[str] = (
            made[item.kind]() if isinstance(item, Asked) else lines.compute(item.operations * scale(phase))
        )
        for action in actions:
            yield f"{rank} {action}"
    yield f"{rank} finalize"


def write_lines(lines: Iterable[str], out: Callable[[str], object]) -> Written:
    """Write the lines of a rank, and add them up."""
    written = Written()
    for line in lines:
        out(f"{line}\n")
        name, *words = line.split()[1:]
        if line.startswith("#"):
            continue
        written.lines += 1
        if name == "compute":
            written.operations += amount(words[0])
        elif name == "isend":
            written.messages += 1
            written.bytes += amount(words[2])
    return written
