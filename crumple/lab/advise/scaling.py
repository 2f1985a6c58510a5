"""Up to how many ranks one job is worth it, and why not further."""

import math
from dataclasses import dataclass, field

from crumple.lab.advise.score import PARTS, Score
from crumple.lab.advise.search import Search

WORTH = 0.5  #: exponent of the gain over that of the ranks: twice as many make it 1.41 times as fast

#: why a part does not become less
REASONS = {
    "work": "work that does not become less per rank: what is at the edges of ranks is done twice",
    "memory bus": "cores of a socket wait for its memory",
    "imbalance": "ranks wait for the slowest one",
    "point to point": "messages between neighbours",
    "collectives": "collective operations, whose rounds grow with the ranks",
    "writing": "results are written no faster",
}


@dataclass(frozen=True)
class Scaling:
    """Of one job alone."""

    curve: list[Score] = field(repr=False)  #: the fastest of each number of ranks
    at: Score  #: where to stop
    next: Score | None  #: what the next step would be; None: there is none
    limit: str  #: what ends the curve where there is no next

    def one_on(self) -> "Scaling":
        """The same with `next` as the place to stop."""
        return scaling_at(self.curve, self.curve.index(self.next), self.limit)


def curve_of(search: Search) -> list[Score]:
    """The fastest way to run one job on each number of ranks of one thread."""
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
    """1: as many times faster as there are more ranks; 0: no faster."""
    more = b.candidate.sharing.ranks / a.candidate.sharing.ranks
    return math.log(a.elapsed / b.elapsed) / math.log(more)


def scaling_of(search: Search, limit: str) -> Scaling:
    """Where each further step is worth less than WORTH.

    Args:
        limit: why there are no more ranks than the curve has
    """
    curve = curve_of(search)
    at = 0
    for k in range(1, len(curve)):
        if exponent(curve[at], curve[k]) >= WORTH:
            at = k
    return scaling_at(curve, at, limit)


def scaling_at(curve: list[Score], at: int, limit: str) -> Scaling:
    """Stopping at a place of the curve; what it is compared with has twice as many ranks, or the most."""
    beyond = curve[at + 1 :]
    ranks = curve[at].candidate.sharing.ranks
    following = next(
        (s for s in beyond if s.candidate.sharing.ranks >= 2 * ranks), beyond[-1] if beyond else None
    )
    return Scaling(curve, curve[at], following, limit)


def losses(a: Score, b: Score) -> dict[str, float]:
    """Seconds of b by part that it would not have if it scaled from a; the most first."""
    fewer = a.candidate.sharing.ranks / b.candidate.sharing.ranks
    found = {part: b.parts.get(part, 0.0) - a.parts.get(part, 0.0) * fewer for part in PARTS}
    return dict(sorted(found.items(), key=lambda item: -item[1]))
