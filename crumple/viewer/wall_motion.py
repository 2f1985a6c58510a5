"""Where rigid walls that move are in each state: the files of a run do not say it, its deck and forces do.

A wall of *RIGIDWALL_..._MOTION follows its curve. One of *RIGIDWALL_..._MOVING has a mass M, and the force F
along its normal n, which rwforc lists, slows it down: M dw/dt = -F, with the velocity w along n. The rows of
rwforc are integrated by the trapezoidal rule, so the wall's place is as good as these rows are dense.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

Curve = tuple[np.ndarray, np.ndarray]  #: times and values, both (n,)


@dataclass(frozen=True)
class FreeWall:
    """A wall with a mass and an initial velocity along its normal."""

    number: int  #: in rwforc
    mass: float
    v0: float
    normal: np.ndarray  #: unit vector

    def displacements(self, times: np.ndarray, forces: Mapping[int, Curve]) -> np.ndarray | None:
        """Displacements in some states, (states, 3); None if its forces are not known.

        Args:
            forces: of each wall, along its normal
        """
        if self.number not in forces or self.mass <= 0.0:
            return None
        t, force = forces[self.number]
        if not len(t):
            return None
        speed = self.v0 - integral(t, force) / self.mass
        # Before the first row nothing acts; behind the last one the wall keeps its velocity.
        ends = np.concatenate(([min(0.0, t[0])], t, [max(times[-1], t[-1])]))
        speeds = np.concatenate(([self.v0], speed, speed[-1:]))
        path = integral(ends, speeds)
        return (np.interp(times, ends, path) - np.interp(0.0, ends, path))[:, None] * self.normal


@dataclass(frozen=True)
class DrivenWall:
    """A wall that follows a curve."""

    curve: Curve | None  #: None: the deck does not have it
    by_displacement: bool
    direction: np.ndarray  #: unit vector

    def displacements(self, times: np.ndarray, forces: Mapping[int, Curve]) -> np.ndarray | None:
        """Displacements in some states, (states, 3); None without the curve."""
        del forces
        if self.curve is None or not len(self.curve[0]):
            return None
        t, values = self.curve
        if self.by_displacement:  # constant beyond the ends
            path = np.interp(times, t, values) - np.interp(0.0, t, values)
        else:  # a velocity is zero beyond the ends
            path = distances(t, values, times) - distances(t, values, np.zeros(1))
        return path[:, None] * self.direction


Motion = FreeWall | DrivenWall


def integral(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The integral of values at some times up to each of them, by the trapezoidal rule."""
    return np.concatenate(([0.0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(t))))


def distances(t: np.ndarray, speeds: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The integral of a piecewise linear velocity up to some times; it is zero outside its curve."""
    inside = np.clip(at, t[0], t[-1])
    known = integral(t, speeds)
    piece = np.clip(np.searchsorted(t, inside, "right") - 1, 0, max(0, len(t) - 2))
    return known[piece] + 0.5 * (speeds[piece] + np.interp(inside, t, speeds)) * (inside - t[piece])
