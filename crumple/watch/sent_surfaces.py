"""The 3D view's data of a run that sends them: its simplified surface and states, as packed bytes."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from crumple.view.plot_file import ResultError
from crumple.watch.model_surface import Surface, scaled_positions, scaled_values
from crumple.watch.plot_family import PlotShape
from crumple.watch.socket_messages import Message, SocketError
from crumple.watch.surface_server import packed_with

MOST = 256 << 20  #: bytes of states that are kept
NONE = np.zeros(0, dtype=np.float32)


@dataclass(frozen=True)
class SentState:
    """A state as the run has sent it: where the points are, and the plastic strain of each triangle."""

    time: float
    positions: np.ndarray  #: (points, 3)
    values: np.ndarray  #: (triangles,), NaN where the elements are deleted

    @property
    def size(self) -> int:
        """Bytes."""
        return self.positions.nbytes + self.values.nbytes


class SentSurfaces:
    """What `SurfaceServer` is for files. Safe to use from several threads."""

    def __init__(self) -> None:
        self.lock_ = threading.Lock()
        self.generation = 0  #: grows when the run, or its connection, begins anew
        self.surface_: Surface | None = None
        self.parts_: list[int] = []
        self.states_: list[SentState] = []

    def begin(self) -> None:
        """Forget everything: what comes now is sent from the start."""
        with self.lock_:
            self.generation += 1
            self.surface_, self.parts_, self.states_ = None, [], []

    def take_surface(self, message: Message) -> None:
        """The surface, which is sent before the states.

        Raises:
            SocketError: it is damaged.
        """
        points, count, whole = (count_of(message, name) for name in ("points", "triangles", "whole"))
        if len(message.content) != 17 * count:
            raise SocketError("the surface is damaged")
        triangles = np.frombuffer(message.content, "<u4", 3 * count).reshape(-1, 3).astype(np.int64)
        part = np.frombuffer(message.content, "<u4", count, 12 * count)
        edges = np.frombuffer(message.content, "u1", count, 16 * count)
        parts = [int(number) for number in message.about.get("parts", [])]
        if count and (triangles.max() >= points or part.max() >= len(parts)):
            raise SocketError("the surface is damaged")
        nothing = np.zeros(0, dtype=np.int64)
        surface = Surface(np.arange(points), triangles, part, edges, nothing, nothing, whole, 0)
        with self.lock_:
            self.surface_, self.parts_, self.states_ = surface, parts, []

    def take_state(self, message: Message) -> None:
        """A state of that surface.

        Raises:
            SocketError: it does not fit.
        """
        points, triangles = count_of(message, "points"), count_of(message, "triangles")
        with self.lock_:
            surface = self.surface_
            if surface is None or (points, triangles) != (len(surface.nodes), len(surface.triangles)):
                raise SocketError("a state does not fit the surface")
            if len(message.content) != 12 * points + 4 * triangles:
                raise SocketError("a state is damaged")
            positions = np.frombuffer(message.content, "<f4", 3 * points).reshape(-1, 3)
            values = np.frombuffer(message.content, "<f4", triangles, 12 * points)
            self.states_.append(SentState(float(message.about["time"]), positions, values))
            if sum(state.size for state in self.states_) > MOST:
                older = 3 * len(self.states_) // 4
                self.states_ = self.states_[:older:2] + self.states_[older:]

    @property
    def reached(self) -> float | None:
        """The time of the last state."""
        with self.lock_:
            return self.states_[-1].time if self.states_ else None

    def look(self) -> None:
        """States come by themselves."""

    def newest_file(self) -> Path | None:
        """There is none."""

    def summary(self) -> dict[str, Any]:
        """The states, for the page."""
        with self.lock_:
            times = [float(f"{state.time:.7g}") for state in self.states_]
            return {
                "generation": self.generation,
                "times": times,
                "why": "" if times else "The run has sent no state yet.",
            }

    def state(self, number: int, hurry: bool, any_other: bool = False) -> bytes:
        """A state, as `SurfaceServer` packs it.

        Raises:
            ResultError: there is no such state.
        """
        del hurry, any_other  # nothing is read that could slow down a run
        with self.lock_:
            if self.surface_ is None or not 0 <= number < len(self.states_):
                raise ResultError(f"there is no state {number}")
            state, surface, generation = self.states_[number], self.surface_, self.generation
        positions, low, size = scaled_positions(surface, PlotShape(state.time, state.positions, NONE, NONE))
        values, highest = scaled_values(state.values)
        about = {"state": number, "time": state.time, "surface": f"{generation}", "low": low, "size": size}
        about |= {"highest": highest, "points": len(positions), "triangles": len(values)}
        return packed_with(about, positions, values)

    def triangles(self, name: str) -> bytes:
        """The triangles of the surface.

        Raises:
            ResultError: it is not kept any more.
        """
        with self.lock_:
            surface, parts = self.surface_, self.parts_
            if surface is None or name != f"{self.generation}":
                raise ResultError("there is no such surface")
        about = {"points": len(surface.nodes), "triangles": len(surface.triangles)}
        about |= {"whole": surface.whole, "parts": parts}
        return packed_with(about, surface.triangles.astype("<u4"), surface.parts, surface.edges)


def count_of(message: Message, name: str) -> int:
    """A count of a message.

    Raises:
        SocketError: it is none.
    """
    count = message.about.get(name)
    if not isinstance(count, int) or not 0 <= count < 1 << 31:
        raise SocketError(f"a message has no count of {name}")
    return count
