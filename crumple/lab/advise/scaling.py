"""Up to how many ranks the scaling of one job is worthwhile, and why not further."""

import math
from dataclasses import dataclass, field

from crumple.lab.advise.score import PARTS, Score
from crumple.lab.advise.search import Search

WORTH = 0.5  #: smallest exponent of the speed-up: twice as many ranks must be 1.41 times as fast

#: why a part of the time does not shrink with more ranks
REASONS = {
    "work": "work that does not shrink with more ranks: at the boundaries of ranks it is done twice",
    "memory bus": "cores of a socket wait for its memory",
    "imbalance": "ranks wait for the slowest one",
    "point to point": "messages between neighbours",
    "collectives": "collective operations; their number of rounds grows with the number of ranks",
    "writing": "more ranks do not write results faster",
}


@dataclass(frozen=True)
class Scaling:
    """Scaling of one job."""

    curve: list[Score] = field(repr=False)  #: the fastest way for each number of ranks
    at: Score  #: where scaling stops
    next: Score | None  #: the next step; None: there is none
    limit: str  #: what limits the curve if there is no next step

    def one_on(self) -> "Scaling":
        """The same, with scaling that stops at `next`."""
        return scaling_at(self.curve, self.curve.index(self.next), self.limit)


def curve_of(search: Search) -> list[Score]:
    """The fastest way to run one job for each number of ranks with one thread."""
    best: dict[int, Score] = {}
    for score in search.scores:
        candidate = score.candidate
        ranks = candidate.sharing.ranks
        if candidate.wish.jobs > 1 or candidate.threads > 1:
            continue
        if ranks not in best or score.elapsed < best[ranks].elapsed:
            best[ranks] = score
    return [best[ranks] for ranks in sorted(best)]


def exponent(a: Score, b: Score) -> float:
    """Exponent of the speed-up: 1 with perfect scaling, 0 without any speed-up."""
    more = b.candidate.sharing.ranks / a.candidate.sharing.ranks
    return math.log(a.elapsed / b.elapsed) / math.log(more)


def scaling_of(search: Search, limit: str) -> Scaling:
    """Scaling that stops where each further step has an exponent below WORTH.

    Args:
        limit: why there are no more ranks than in the curve
    """
    curve = curve_of(search)
    at = 0
    for k in range(1, len(curve)):
        if exponent(curve[at], curve[k]) >= WORTH:
            at = k
    return scaling_at(curve, at, limit)


def scaling_at(curve: list[Score], at: int, limit: str) -> Scaling:
    """Scaling that stops at an index of the curve; the next step has twice as many ranks, or the most."""
    beyond = curve[at + 1 :]
    ranks = curve[at].candidate.sharing.ranks
    following = next(
        (s for s in beyond if s.candidate.sharing.ranks >= 2 * ranks), beyond[-1] if beyond else None
    )
    return Scaling(curve, curve[at], following, limit)


def losses(a: Score, b: Score) -> dict[str, float]:
    """Seconds by part that b takes more than perfect scaling from a; the largest first."""
    fewer = a.candidate.sharing.ranks / b.candidate.sharing.ranks
    found = {part: b.parts.get(part, 0.0) - a.parts.get(part, 0.0) * fewer for part in PARTS}
    return dict(sorted(found.items(), key=lambda item: -item[1]))
