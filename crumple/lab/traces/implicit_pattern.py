"""The steps of an implicit run, from a recorded trace: what rank 0 computes, and what it asks of all."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import POSTS, RankStep, is_collective
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.factor_division import FactorDivision
from crumple.lab.traces.factor_lines import LINEAR, REQUEST, SOLUTION, FactorLines, FactorRates
from crumple.lab.traces.work import rank_steps

ANALYSIS, FACTOR, SOLUTION_OF, NOTICE = "symbolic", "factor", "solve", "notice"
REDUCTIONS = 3  #: of a factor: two of pivots, one of memory


@dataclass(frozen=True)
class Asked:
    """A request of rank 0 to all ranks, and what a rank does for it."""

    cycle: int
    kind: str  #: symbolic, factor, solve, or notice: a new step
    steps: tuple[RankStep, ...] = field(repr=False, default=())  #: behind the request's broadcasts


@dataclass(frozen=True)
class Alone:
    """Compute of rank 0 without the others."""

    cycle: int
    phase: str
    operations: float


Item = Asked | Alone


def items_of(steps: Iterable[RankStep], where: str) -> Iterator[Item]:
    """The compute of a rank between requests, and the requests with all that belongs to them.

    Raises:
        TraceError: there are actions that an implicit run does not have.
    """
    request = [f"bcast {size}" for size in REQUEST]
    body: list[RankStep] | None = None
    seen = 0  # broadcasts of a request
    for step in steps:
        if step.action.startswith("bcast"):
            if not step.action.startswith(request[seen]):
                raise TraceError(f"{where}: cycle {step.cycle}: '{step.action[:40]}' is no request of rank 0")
            if seen == 0 and body is not None:
                yield from closed(body, where)
            seen = (seen + 1) % len(REQUEST)
            body = [step] if seen == 0 else None
        elif body is None:
            if step.action:
                raise TraceError(f"{where}: cycle {step.cycle}: '{step.action[:40]}' belongs to no request")
            if seen == 0:
                yield Alone(step.cycle, step.phase, step.compute)
        else:
            body.append(step)
    if body is not None:
        yield from closed(body, where)


def closed(body: list[RankStep], where: str) -> Iterator[Item]:
    """A request up to its last action; compute behind it is the rank's own."""
    end = max(k for k, step in enumerate(body) if step.action) + 1
    steps = tuple(body[1:end])
    yield Asked(body[0].cycle, kind_of_request(steps, where), steps)
    for step in body[end:]:
        yield Alone(step.cycle, step.phase, step.compute)


def kind_of_request(steps: tuple[RankStep, ...], where: str) -> str:
    """What a request asks for, by its messages."""
    messages = [step.action.split() for step in steps if step.action.startswith(POSTS)]
    tags = {int(words[2]) for words in messages}
    reductions = sum(is_collective(step.action) for step in steps if step.action)
    if SOLUTION in tags:
        return SOLUTION_OF
    if reductions == REDUCTIONS:
        return FACTOR
    if LINEAR in tags and not reductions:
        return ANALYSIS
    if not tags and not reductions:
        return NOTICE
    raise TraceError(
        f"{where}: cycle {steps[0].cycle}: a request that is not supported, such as a factor of a stiffness "
        "that is not positive definite"
    )


def rank_items(trace: Trace, rank: int) -> list[Item]:
    """The items of one rank of a trace."""
    return list(items_of(rank_steps(trace, rank), str(trace.folder / trace.files[rank])))


@dataclass
class Measured:
    """Operations of ranks for the parts of requests, with the amounts that they are for."""

    own: list[tuple[float, float, float]] = field(default_factory=list)  #: spent, flops, values
    top: list[tuple[float, float, float]] = field(default_factory=list)
    solved: list[tuple[float, float]] = field(default_factory=list)
    sent: list[tuple[float, float]] = field(default_factory=list)
    received: list[tuple[float, float]] = field(default_factory=list)
    analysed: list[tuple[float, float]] = field(default_factory=list)

    def add(self, rank: int, items: list[Item], division: FactorDivision) -> None:
        """Add what a rank has spent."""
        lines = FactorLines(division, rank, FactorRates(0.0), False)
        mine, others = division.of_rank[rank], division.of_rank[1:]
        flops, moved = lines.top_flops(), float(lines.top_moved())
        for item in items:
            if not isinstance(item, Asked):
                continue
            spent = sum(step.compute for step in item.steps)
            if item.kind == SOLUTION_OF:
                self.solved.append((spent, mine.factor_values + mine.top_values))
            elif item.kind == ANALYSIS:
                self.analysed.append((spent, mine.part_bytes or sum(o.part_bytes for o in others)))
            elif item.kind == FACTOR:
                passed, own, top = parts_of_factor(item)
                self.own.append((own, mine.flops, mine.values))
                self.top.append((top, flops, moved))
                if rank:
                    self.received.append((passed, mine.matrix_values))
                else:
                    self.sent.append((passed, sum(o.matrix_values for o in others)))

    def rates(self) -> FactorRates:
        """The rates that fit best."""
        simple = (ratio(of) for of in (self.solved, self.sent, self.received, self.analysed))
        return FactorRates(*fitted_pair(self.own + self.top), *simple)


def parts_of_factor(item: Asked) -> tuple[float, float, float]:
    """Operations until the matrix is there, of the rank's own fronts, and of the fronts above."""
    reductions = [k for k, step in enumerate(item.steps) if step.action and is_collective(step.action)]
    first, second = reductions[0], reductions[1]
    matrix = max((k for k in range(first) if item.steps[k].action), default=0)

    def spent(begin: int, end: int) -> float:
        return float(sum(step.compute for step in item.steps[begin:end]))

    return spent(0, matrix), spent(matrix, first), spent(first, second)


def ratio(of: list[tuple[float, float]]) -> float:
    """All that was spent over all amounts; 0 without any."""
    spent, amount = (sum(column) for column in zip(*of, strict=True)) if of else (0.0, 0.0)
    return spent / amount if amount else 0.0


def fitted_pair(points: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Costs of both amounts, not negative, with the least squares of relative errors.

    Operations and values are in other proportions in fronts of one rank and in those above.
    """
    table = np.array([p for p in points if p[1] > 0.0 and p[0] > 0.0])
    if not len(table):
        return 0.0, 0.0
    columns = table[:, 1:] / table[:, :1]
    best, least = np.zeros(2), np.inf
    for n in (1, 2):
        for choice in combinations(range(2), n):
            used = columns[:, choice]
            if np.linalg.matrix_rank(used) < n:
                continue
            found = np.linalg.lstsq(used, np.ones(len(table)), rcond=None)[0]
            error = float(((used @ found - 1.0) ** 2).sum())
            if (found >= 0.0).all() and error < least:
                best, least = np.zeros(2), error
                best[list(choice)] = found
    return float(best[0]), float(best[1])
