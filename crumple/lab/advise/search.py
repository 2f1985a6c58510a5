"""Models all candidates, removes those that are not allowed, and simulates the best few."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from crumple.lab.advise.candidates import Candidate, DeckSharing, candidates
from crumple.lab.advise.deck_traces import DeckTraces
from crumple.lab.advise.question import AdviceError, Objective, Question
from crumple.lab.advise.score import Score, experiment_for, modelled, simulated
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.simulate.simulator_program import NoPlaceError

LONGEST = (
    2_000_000  #: lines in the traces of all jobs, about a minute of simulation; longer ones are not simulated
)
SEEDS = (1, 2)


@dataclass(frozen=True)
class Search:
    """All modelled candidates, and those that are allowed, the best first."""

    cluster: Cluster
    question: Question
    scores: list[Score] = field(repr=False)
    allowed: list[Score] = field(repr=False)

    @property
    def best(self) -> Score:
        """The best of those that are allowed."""
        return self.allowed[0]


def search(deck: DeckTraces, cluster: Cluster, question: Question) -> Search:
    """Model all candidates for which there are traces.

    Raises:
        AdviceError: none fits on the cluster, or none keeps the deadline or the licences.
    """
    sharings = [s for s in deck.traces if s.ranks <= cluster.cores]
    scores = []
    for candidate in candidates(cluster, sharings, question.licences, deck.elements):
        trace, volume = deck.traces[candidate.sharing], deck.volumes[candidate.sharing]
        try:
            scores.append(modelled(candidate, trace, volume, cluster, question))
        except NoPlaceError:
            continue
    if not scores:
        raise AdviceError(f"no job has a place on {cluster.name} with {question.licences} licences")
    allowed = [score for score in scores if score.elapsed <= question.deadline]
    if not allowed:
        raise AdviceError(too_slow(scores, cluster, question))
    allowed.sort(key=lambda s: order_of(s, question.objective))
    return Search(cluster, question, scores, allowed)


def order_of(score: Score, objective: Objective) -> tuple[float, ...]:
    """Sort key: the better one first; of equals the faster one, then the one on fewer cores."""
    candidate = score.candidate
    return (score.figure(objective), score.elapsed, candidate.cores, candidate.threads)


def too_slow(scores: list[Score], cluster: Cluster, question: Question) -> str:
    """The reason why none keeps the deadline."""
    fastest = min(scores, key=lambda s: s.elapsed)
    licences = f" with {question.licences} licences" if question.licences else ""
    return (
        f"--deadline: nothing on {cluster.name}{licences} ends within {question.deadline:g} s; the fastest, "
        f"{fastest.candidate.ranks_in_words}, takes {fastest.elapsed:.4g} s (modelled)"
    )


def front_of(scores: list[Score]) -> list[Score]:
    """The Pareto front of elapsed time, energy and money: no other is as good in all and better in one.

    Sorted by elapsed time. Of several that are equal in all three, only the first is in it.
    """
    seen, found = set(), []
    rows = sorted(scores, key=lambda s: (s.elapsed, s.wh or 0.0, s.money))
    for score in rows:
        mine = (score.elapsed, score.wh or 0.0, score.money)
        beaten = any(all(a <= b for a, b in zip(row, mine, strict=True)) for row in seen)
        if not beaten:
            seen.add(mine)
            found.append(score)
    return found


def shortlist(allowed: list[Score], count: int) -> list[Score]:
    """The best few that differ in more than the decomposition or the placement of ranks within a node."""
    found: dict[tuple, Score] = {}
    for score in allowed:
        candidate, placement = score.candidate, score.placement
        alike = (candidate.sharing.ranks, candidate.threads, candidate.wish.jobs, placement.nodes)
        found.setdefault(alike, score)
        if len(found) == count:
            break
    return list(found.values())


def simulate(
    deck: DeckTraces,
    cluster: Cluster,
    question: Question,
    chosen: Iterable[Candidate],
    tell: Callable[[str, float], None] = lambda *_: None,
    use_cache: bool = True,
) -> dict[Candidate, Score]:
    """Simulate some candidates; those whose traces are too long are left out.

    Raises:
        SimulationError: a simulation fails.
    """
    several = [c for c in dict.fromkeys(chosen) if lines_of(deck, c) <= LONGEST]
    experiments = [experiment_for(c, deck.traces[c.sharing], cluster, question, SEEDS) for c in several]
    done = conduct(experiments, tell, use_cache)
    return {c: simulated(c, s, question) for c, s in zip(several, done, strict=True)}


def lines_of(deck: DeckTraces, candidate: Candidate) -> int:
    """Number of lines in the traces of all its jobs."""
    return int(deck.traces[candidate.sharing].meta.get("lines", 0)) * candidate.wish.jobs


def make_traces(
    deck: DeckTraces, counts: list[int], decompositions: list[str], say: Callable[[str], None]
) -> None:
    """Make traces for numbers of ranks and each decomposition; one rank has only one decomposition."""
    wanted = [DeckSharing(n, d) for n in counts for d in (decompositions if n > 1 else decompositions[:1])]
    missing = [s for s in wanted if s not in deck.traces]
    for k, sharing in enumerate(missing, 1):
        say(f"trace {k} of {len(missing)}: {sharing.ranks} ranks, {sharing.decomposition}")
        deck.add(sharing)
