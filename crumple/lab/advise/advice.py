"""Puts the advice together: traces, search, simulations of the best few, scaling, upgrades."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from crumple.lab.advise.candidates import Candidate, rank_counts
from crumple.lab.advise.deck_traces import DeckTraces
from crumple.lab.advise.question import AdviceError, Question
from crumple.lab.advise.scaling import Scaling, scaling_of
from crumple.lab.advise.score import Score
from crumple.lab.advise.search import (
    Search,
    front_of,
    make_traces,
    order_of,
    search,
    shortlist,
    simulate,
)
from crumple.lab.advise.upgrades import Changed, Upgrade, upgrades_of
from crumple.lab.catalogue.hardware import Cluster

Say = Callable[[str], None]
SHOWN = 5  #: of the best, where nothing is simulated
ROUNDS = 3  #: of simulating the best few, until some keep the deadline


@dataclass(frozen=True)
class Effort:
    """How much is tried."""

    most_ranks: int = 1024
    simulate: int = 5  #: of the best; 0: nothing is simulated
    decompositions: tuple[str, ...] = ("rcb", "metis")
    use_cache: bool = True


@dataclass(frozen=True)
class Advice:
    """The answer."""

    deck: DeckTraces = field(repr=False)
    cluster: Cluster
    question: Question
    effort: Effort
    searched: Search = field(repr=False)
    best: list[Score]  #: simulated ones first, in order; then what was only modelled
    front: list[Score]
    scaling: Scaling
    upgrades: list[Upgrade]
    errors: list[float]  #: of the model against the simulator, of what both did: relative


def advise(
    deck: DeckTraces,
    path: Path,
    cluster: Cluster,
    prices: Changed,
    question: Question,
    effort: Effort,
    say: Say,
    tell: Callable[[str, float], None] = lambda *_: None,
) -> Advice:
    """Answer a question.

    Args:
        path: of the cluster file
        prices: sets those of the command line

    Raises:
        AdviceError: nothing keeps the deadline or the licences.
        SimulationError: a simulation fails.
        TraceError: a trace cannot be made.
    """
    counts = rank_counts(
        cluster, deck.elements, min(effort.most_ranks, question.licences or effort.most_ranks)
    )
    make_traces(deck, counts, list(effort.decompositions), say)
    searched = search(deck, cluster, question)
    say(f"{len(searched.scores)} configurations modelled")
    scaling = scaling_of(searched, what_ends(cluster, counts[-1], deck.elements, question, effort))
    ends = [s.candidate for s in (scaling.at, scaling.next) if s and effort.simulate]
    done = simulate(deck, cluster, question, ends, tell, effort.use_cache)
    if ends and all(candidate in done for candidate in ends):  # like with like
        scaling = replace(scaling, at=known(scaling.at, done), next=known(scaling.next, done))
    best = best_few(deck, searched, effort, done, tell)
    errors = [s.elapsed / done[s.candidate].elapsed - 1 for s in searched.scores if s.candidate in done]
    say("upgrades from the catalogue")
    upgrades = upgrades_of(path, cluster, question, prices, lambda c: search(deck, c, question))
    if upgrades and effort.simulate and (most := upgrades[0]).gain > 0:
        say(f"simulating the upgrade that pays most: {most.part.name}")
        upgrades[0] = simulated_upgrade(deck, most, question, effort, tell)
    front = [known(s, done) for s in front_of(searched.allowed)]
    return Advice(deck, cluster, question, effort, searched, best, front, scaling, upgrades, errors)


def best_few(
    deck: DeckTraces,
    searched: Search,
    effort: Effort,
    done: dict[Candidate, Score],
    tell: Callable[[str, float], None],
) -> list[Score]:
    """The best that keep the deadline in the simulation, too; what is simulated is added to `done`.

    Raises:
        AdviceError: none does.
    """
    question, left = searched.question, searched.allowed
    for _ in range(ROUNDS):
        chosen = shortlist(left, effort.simulate or SHOWN)
        if effort.simulate:
            several = [s.candidate for s in chosen if s.candidate not in done]
            done |= simulate(deck, searched.cluster, question, several, tell, effort.use_cache)
        if best := ordered([known(s, done) for s in chosen], question):
            return best
        left = [s for s in left if s not in chosen]
    raise AdviceError(
        f"--deadline: the {ROUNDS * effort.simulate} best end in time by the model, but not in the simulation"
    )


def simulated_upgrade(
    deck: DeckTraces, upgrade: Upgrade, question: Question, effort: Effort, tell: Callable[[str, float], None]
) -> Upgrade:
    """The gain from simulations of the best with the part and of the best without it."""
    both = []
    for found in (upgrade.found, upgrade.without):
        best = found.best.candidate
        done = simulate(deck, found.cluster, question, [best], tell, effort.use_cache)
        if best not in done:
            return upgrade
        both.append(done[best])
    after, before = both
    return replace(upgrade, gain=after.gain(before, question.objective), label="simulated")


def known(score: Score | None, done: dict[Candidate, Score]) -> Score | None:
    """What was simulated instead of what was modelled, where it was."""
    return done.get(score.candidate, score) if score else None


def ordered(scores: list[Score], question: Question) -> list[Score]:
    """The best first, simulated ones before the others; without those that do not keep the deadline."""
    kept = [s for s in scores if s.elapsed <= question.deadline]
    return sorted(kept, key=lambda s: (s.label != "simulated", order_of(s, question.objective)))


def what_ends(cluster: Cluster, most: int, elements: int, question: Question, effort: Effort) -> str:
    """Why no more ranks than these were tried."""
    if most >= cluster.cores:
        return f"{cluster.name} has {cluster.cores} cores"
    if question.licences is not None and most >= question.licences:
        return f"there are {question.licences} licences"
    if most >= effort.most_ranks:
        return f"--most-ranks {effort.most_ranks}"
    return f"{elements} elements leave {elements // most} to a rank"
