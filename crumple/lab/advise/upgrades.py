"""The single part of the catalogue that would pay most as an upgrade: by the model, then simulated."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from crumple.lab.advise.question import AdviceError, Question
from crumple.lab.advise.score import MODELLED, SIMULATED, Score
from crumple.lab.advise.search import Search, order_of, shortlist
from crumple.lab.advise.shop import CataloguePart, Changed, Shop, current
from crumple.lab.catalogue.hardware import Cluster

SMALL = 0.01  #: smaller gains do not count
STEPS = 4  #: how many parts are tried to find the next better one that pays
SIMULATED_OF_EACH = 2  #: how many of the best ways to run with a part are simulated


@dataclass(frozen=True)
class Upgrade:
    """A part and its gain."""

    part: CataloguePart
    gain: float  #: relative gain of the objective
    found: Search | None = field(repr=False)  #: with the part; None: no candidate keeps the limits
    without: Search | None = field(repr=False)
    best: Score | None = field(repr=False)  #: the best known way to run with the part
    label: str = MODELLED


def upgrades_of(
    path: Path,
    there: Cluster,
    question: Question,
    prices: Changed,
    searched: Callable[[Cluster], Search],
    shelves: list[list[CataloguePart]] | None = None,
) -> list[Upgrade]:
    """Gains by the model of the next better part and the current part of each kind; the largest first.

    The next better part is the first one that pays. If the first few do not pay, it is the first one.

    Args:
        searched: searches the best way on a cluster
        shelves: parts of each kind, the next better one first; None: those of the shop
    """
    found, kept = [], {}

    def once(cluster: Cluster) -> Search:
        if id(cluster) not in kept:  # most parts are compared with the same cluster
            kept[id(cluster)] = searched(cluster)
        return kept[id(cluster)]

    for parts in Shop(path, prices, there).parts() if shelves is None else shelves:
        if parts[0].kind == "file system" and not question.written:
            continue
        tried: list[Upgrade] = []
        for part in parts[:STEPS]:
            tried.append(modelled(part, question, once))
            if tried[-1].gain >= SMALL:
                break
        up = tried[-1] if tried[-1].gain >= SMALL else tried[0]
        newest = current(parts)
        found += [up] if newest is up.part else [up, modelled(newest, question, once)]
    return in_order(found)


def modelled(part: CataloguePart, question: Question, searched: Callable[[Cluster], Search]) -> Upgrade:
    """The gain of a part by the model."""
    try:
        after, before = searched(part.cluster), searched(part.before)
    except AdviceError:
        return Upgrade(part, 0.0, None, None, None)
    gain = after.best.gain(before.best, question.objective)
    return Upgrade(part, gain, after, before, after.best)


def in_order(upgrades: list[Upgrade]) -> list[Upgrade]:
    """Largest gain first; then parts that cannot be bought alone, then those that keep no limits."""
    return sorted(
        upgrades, key=lambda u: (u.found is None, u.part.what_if, -u.gain, u.part.better, u.part.name)
    )


Simulate = Callable[[Cluster, list[Score]], list[Score]]  #: returns those that it could simulate


def first_simulated(
    upgrades: list[Upgrade], now: Score, question: Question, simulate: Simulate, say: Callable[[str], None]
) -> list[Upgrade]:
    """Simulate the first upgrade until the first one in the order is a simulated one; return all in order.

    Args:
        now: the best way to run on the present cluster, simulated
    """
    tried: set[str] = set()
    while upgrades and (first := upgrades[0]).gain > 0 and first.part.name not in tried:
        if first.part.what_if:
            break
        tried.add(first.part.name)
        say(f"simulating the upgrade that pays most so far: {first.part.kind}, {first.part.name}")
        upgrades = in_order([simulated(first, now, question, simulate), *upgrades[1:]])
    return upgrades


def simulated(upgrade: Upgrade, now: Score, question: Question, simulate: Simulate) -> Upgrade:
    """The gain by simulations of the best ways with the part; unchanged if their traces are too long."""
    found = upgrade.found
    several = simulate(found.cluster, shortlist(found.allowed, SIMULATED_OF_EACH))
    if not several:
        return upgrade
    in_time = [s for s in several if s.elapsed <= question.deadline]
    if not in_time:
        return replace(upgrade, gain=0.0, found=None, best=None, label=SIMULATED)
    best = min(in_time, key=lambda s: order_of(s, question.objective))
    return replace(upgrade, gain=best.gain(now, question.objective), best=best, label=SIMULATED)
