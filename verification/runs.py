"""Runs problems on 1 and 3 ranks or on 1, several runs at a time, and keeps the results."""

import os
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from verification.problem import Figure, Problem
from verification.results import Results, run

RANKS = (1, 3)  # of most problems


class Runs:
    """Results of every deck of `problems` on every number of ranks; started at once, waited for on demand."""

    def __init__(self, problems: Iterable[Problem], directory: Path) -> None:
        self._pool = ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1))
        self._started: dict[tuple[str, int, str], Future[Results]] = {}
        for problem in problems:
            for ranks in problem.ranks:
                for name, deck in problem.decks().items():
                    where = directory / problem.name / f"{ranks}-ranks" / name
                    arguments = problem.arguments.get(name, [])
                    future = self._pool.submit(run, deck, ranks, where, arguments)
                    self._started[problem.name, ranks, name] = future

    def results(self, problem: Problem, ranks: int) -> dict[str, Results]:
        """By deck. Raises AssertionError for a run that failed."""
        chosen = {key[2]: f for key, f in self._started.items() if key[:2] == (problem.name, ranks)}
        return {name: future.result() for name, future in chosen.items()}

    def figures(self, problem: Problem, ranks: int) -> list[Figure]:
        """Measured on the results."""
        return problem.measure(self.results(problem, ranks))

    def close(self) -> None:
        """Do not start what has not started."""
        self._pool.shutdown(cancel_futures=True)
