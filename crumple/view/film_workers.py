"""Processes that read and draw the states of a film, one on each core: off screen VTK draws on one core."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import numpy as np

from crumple.view.field import Field
from crumple.view.fields import highest
from crumple.view.parts import PartChoice
from crumple.view.picture import Look, pixels
from crumple.view.plot_file import ResultError
from crumple.view.plot_states import PlotStates

FEW = 6  #: states up to which starting processes takes longer than it saves
AHEAD = 4  #: pictures of a process that wait for the film

Result = TypeVar("Result")
OPENED: dict[str, PlotStates] = {}  #: of a worker: the family that it draws, opened once


@dataclass(frozen=True)
class Extent:
    """What a film must know of a state beforehand: its highest value and its bounds (2, 3)."""

    highest: float
    bounds: np.ndarray


def open_states(result: Path, choice: PartChoice) -> None:
    """Begin a worker."""
    OPENED["states"] = PlotStates(result, choice)


def extent_of(number: int, field: Field) -> Extent:
    """The extent of a state, in a worker."""
    state = OPENED["states"][number]
    return Extent(highest(state, field), state.bounds)


def picture_of(number: int, look: Look) -> np.ndarray:
    """The picture of a state, in a worker."""
    return pixels(OPENED["states"][number], look)


class FilmWorkers:
    """The workers of a film; without them where there are few states or one core."""

    def __init__(self, result: Path, choice: PartChoice, cores: int | None = None) -> None:
        """Open the family, and start workers.

        Args:
            cores: default: those that this process may use

        Raises:
            ResultError: nothing to show there.
        """
        self.result_ = result
        open_states(result, choice)
        self.count = len(OPENED["states"])
        cores = min(cores or len(os.sched_getaffinity(0)), self.count)
        self.pool_ = None
        if cores > 1 and self.count > FEW:
            # Not a fork: threads of the drawing libraries would be missing in it.
            self.pool_ = ProcessPoolExecutor(cores, get_context("spawn"), open_states, (result, choice))
        self.cores = cores if self.pool_ else 1

    def __enter__(self) -> "FilmWorkers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pool_:
            self.pool_.shutdown(cancel_futures=True)

    def each(self, work: Callable[..., Result], *arguments: object) -> Iterator[Result]:
        """What a function makes of each state, in their order, a few states ahead.

        Raises:
            ResultError: a worker ended, as on a damaged file.
        """
        if self.pool_ is None:
            yield from (work(number, *arguments) for number in range(self.count))
            return
        numbers = iter(range(self.count))
        waiting = [
            self.pool_.submit(work, number, *arguments) for number in islice(numbers, self.cores * AHEAD)
        ]
        try:
            while waiting:
                yield waiting.pop(0).result()
                if (number := next(numbers, None)) is not None:
                    waiting.append(self.pool_.submit(work, number, *arguments))
        except BrokenProcessPool:
            raise ResultError(f"{self.result_} is damaged: a process that read it has ended") from None

    def extents(self, field: Field) -> Iterator[Extent]:
        """The extents of all states."""
        return self.each(extent_of, field)

    def pictures(self, look: Look) -> Iterator[np.ndarray]:
        """The pictures of all states."""
        return self.each(picture_of, look)
