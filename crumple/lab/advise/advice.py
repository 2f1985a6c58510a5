"""Puts the advice together: traces, search, simulations of the best few, scaling, upgrades."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from crumple.lab.advise.candidates import LEAST_ELEMENTS, Candidate, rank_counts
from crumple.lab.advise.deck_traces import DeckTraces
from crumple.lab.advise.question import AdviceError, Objective, Question
from crumple.lab.advise.scaling import WORTH, Scaling, exponent, scaling_of
from crumple.lab.advise.score import SIMULATED, Score
from crumple.lab.advise.search import (
    Search,
    front_of,
    make_traces,
    order_of,
    search,
    shortlist,
    simulate,
)
from crumple.lab.advise.shop import CataloguePart, Changed, Shop
from crumple.lab.advise.upgrades import Upgrade, first_simulated, upgrades_of
from crumple.lab.catalogue.hardware import Cluster

Say = Callable[[str], None]
SHOWN = 5  #: how many of the best are shown if nothing is simulated
ROUNDS = 3  #: at most so many rounds of simulating the best few, until some keep the deadline


@dataclass(frozen=True)
class SearchEffort:
    """The effort of a search."""

    most_ranks: int = 1024
    simulate: int = 5  #: how many of the best are simulated; 0: none
    decompositions: tuple[str, ...] = ("rcb", "metis")
    use_cache: bool = True


@dataclass(frozen=True)
class Advice:
    """The answer."""

    deck: DeckTraces = field(repr=False)
    cluster: Cluster
    question: Question
    effort: SearchEffort
    searched: Search = field(repr=False)
    best: list[Score]  #: in order, each simulated or modelled
    front: list[Score]
    scaling: Scaling
    upgrades: list[Upgrade]
    errors: list[float]  #: relative errors of the model, where there are simulations, too


def advise(
    deck: DeckTraces,
    path: Path,
    cluster: Cluster,
    prices: Changed,
    question: Question,
    effort: SearchEffort,
    say: Say,
    tell: Callable[[str, float], None] = lambda *_: None,
) -> Advice:
    """Answer a question.

    Args:
        path: the cluster file
        prices: sets the prices of the command line in a cluster

    Raises:
        AdviceError: nothing keeps the deadline or the licences.
        SimulationError: a simulation fails.
        TraceError: a trace cannot be made.
    """
    limit = min(effort.most_ranks, question.licences or effort.most_ranks)
    counts = rank_counts(cluster, deck.elements, limit)
    make_traces(deck, counts, list(effort.decompositions), say)
    say("modelling all ways to run")
    searched = search(deck, cluster, question)
    say(f"{len(searched.scores)} configurations modelled")
    done: dict[Candidate, Score] = {}
    ends = what_ends(cluster, counts[-1], deck.elements, question, effort)
    if effort.simulate:
        say("simulating where scaling stops")
    scaling = settled_scaling(deck, scaling_of(searched, ends), searched, effort, done, tell)
    if effort.simulate:
        say(f"simulating the best {effort.simulate}")
    best = best_few(deck, searched, effort, done, tell)
    errors = [s.elapsed / done[s.candidate].elapsed - 1 for s in searched.scores if s.candidate in done]
    say("modelling upgrades from the catalogue")
    shelves = Shop(path, prices, cluster).parts()
    parts = [part for shelf in shelves for part in shelf]
    if question.objective is Objective.time or question.deadline < float("inf"):
        more = more_counts(counts, parts, deck.elements, limit)
        make_traces(deck, more, list(effort.decompositions[:1]), say)
    upgrades = upgrades_of(path, cluster, question, prices, lambda c: search(deck, c, question), shelves)
    if effort.simulate and best[0].label == SIMULATED:

        def simulated(other: Cluster, scores: list[Score]) -> list[Score]:
            several = [s.candidate for s in scores]
            return list(simulate(deck, other, question, several, tell, effort.use_cache).values())

        upgrades = first_simulated(upgrades, best[0], question, simulated, say)
    front = final_front(searched, best, done)
    return Advice(deck, cluster, question, effort, searched, best, front, scaling, upgrades, errors)


def more_counts(counts: list[int], parts: list[CataloguePart], elements: int, limit: int) -> list[int]:
    """Numbers of ranks beyond the cluster's cores, by doubling, for parts with more cores.

    Args:
        counts: numbers of ranks that are tried on the present cluster
        limit: largest number of ranks to try
    """
    most = min(max([p.cluster.cores for p in parts], default=0), limit, elements // LEAST_ELEMENTS)
    doubled = [counts[-1] << k for k in range(1, 40) if counts[-1] << k <= most]
    return sorted({*doubled, most}) if most > counts[-1] else []


def settled_scaling(
    deck: DeckTraces,
    scaling: Scaling,
    searched: Search,
    effort: SearchEffort,
    done: dict[Candidate, Score],
    tell: Callable[[str, float], None],
) -> Scaling:
    """Where scaling stops by simulation. It goes on if a step that the model finds too small is worthwhile.

    New simulations are added to `done`. If a trace is too long to simulate, the model's answer counts.
    """
    question, modelled = searched.question, scaling
    while effort.simulate:
        ends = [s.candidate for s in (scaling.at, scaling.next) if s]
        several = [c for c in ends if c not in done]
        done |= simulate(deck, searched.cluster, question, several, tell, effort.use_cache)
        if any(candidate not in done for candidate in ends):
            return modelled
        exact = replace(scaling, at=known(scaling.at, done), next=known(scaling.next, done))
        if not exact.next or exponent(exact.at, exact.next) < WORTH:
            return exact
        scaling = scaling.one_on()
    return scaling


def best_few(
    deck: DeckTraces,
    searched: Search,
    effort: SearchEffort,
    done: dict[Candidate, Score],
    tell: Callable[[str, float], None],
) -> list[Score]:
    """The best that also keep the deadline in the simulation. New simulations are added to `done`.

    Simulations that were made for other reasons count as well.

    Raises:
        AdviceError: none does.
    """
    question, left = searched.question, searched.allowed
    count = effort.simulate or SHOWN
    for _ in range(ROUNDS):
        chosen = shortlist(left, count)
        if effort.simulate:
            several = [s.candidate for s in chosen if s.candidate not in done]
            done |= simulate(deck, searched.cluster, question, several, tell, effort.use_cache)
        others = [s for s in left if s.candidate in done and s not in chosen]
        if best := ordered([known(s, done) for s in (*chosen, *others)], question):
            return shortlist(best, count)
        left = [s for s in left if s not in chosen]
    raise AdviceError(
        f"--deadline: the {ROUNDS * effort.simulate} best end in time by the model, but not in the simulation"
    )


def final_front(searched: Search, best: list[Score], done: dict[Candidate, Score]) -> list[Score]:
    """The model's Pareto front and the best few with their best known results, without those now beaten."""
    several = {s.candidate: known(s, done) for s in (*front_of(searched.allowed), *best)}
    return front_of([s for s in several.values() if s.elapsed <= searched.question.deadline])


def known(score: Score | None, done: dict[Candidate, Score]) -> Score | None:
    """The simulated scores instead of the modelled ones, where they exist."""
    return done.get(score.candidate, score) if score else None


def ordered(scores: list[Score], question: Question) -> list[Score]:
    """The best first, each with its best known score; without those that do not keep the deadline."""
    kept = [s for s in scores if s.elapsed <= question.deadline]
    return sorted(kept, key=lambda s: order_of(s, question.objective))


def what_ends(cluster: Cluster, most: int, elements: int, question: Question, effort: SearchEffort) -> str:
    """The reason why no more ranks than these were tried."""
    if most >= cluster.cores:
        return f"{cluster.name} has {cluster.cores} cores"
    if question.licences is not None and most >= question.licences:
        return f"there are {question.licences} licences"
    if most >= effort.most_ranks:
        return f"--most-ranks {effort.most_ranks}"
    return f"{elements} elements give only {elements // most} per rank"
