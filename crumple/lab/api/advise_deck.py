"""Advice on how to run a deck on a cluster from Python, as `crumple advise` gives it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from crumple.lab.advise.advice import Advice, SearchEffort, advise
from crumple.lab.advise.deck_traces import deck_traces
from crumple.lab.advise.objective import Objective
from crumple.lab.advise.question import AdviceError, Question, check
from crumple.lab.api.trace_deck import quiet
from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.traces.record import RecordingWish


def advise_deck(
    deck: str | os.PathLike[str],
    cluster: str | os.PathLike[str],
    objective: Objective | str = Objective.jobs_per_day,
    deadline: float = float("inf"),
    licences: int | None = None,
    written: float = 0.0,
    cycles: tuple[int, int] = (200, 260),
    precision: Literal["single", "double"] = "double",
    decompositions: Sequence[str] = ("rcb", "metis"),
    most_ranks: int = 1024,
    simulate: int = 5,
    cache: bool = True,
    say: Callable[[str], object] = quiet,
) -> Advice:
    """Ranks, nodes and jobs side by side that are best for a deck, and the upgrades that pay.

    Args:
        deck: a keyword deck
        cluster: a cluster file
        objective: what to optimise, such as "jobs-per-day"
        deadline: time limit of a job in s
        licences: how many there are, one for each core in use
        written: bytes that a job writes
        cycles: to trace: the first, and the one behind the last
        simulate: how many of the best to simulate; 0: only the analytic model
        say: told of each stage

    Raises:
        AdviceError: nothing keeps the deadline, or the cluster file has not the figures for the objective.
        SimulationError: a simulation fails.
        TraceError: the deck is wrong, or ends before the cycles do.
        CatalogueError: the cluster file is wrong.
    """
    path = Path(cluster)
    if not Path(deck).is_file():
        raise AdviceError(f"there is no deck {deck}")
    question = Question(Objective(objective), deadline, licences, written=written)
    there = read_cluster(path)
    check(question, there)
    traces = deck_traces(RecordingWish(Path(deck), 1, *cycles, precision=precision), {}, say, cache)
    effort = SearchEffort(most_ranks, simulate, tuple(decompositions), cache)
    return advise(traces, path, there, lambda same: same, question, effort, say)
