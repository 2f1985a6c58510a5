"""Figures of a force against a displacement: energy absorbed, mean crushing force, crush force efficiency.

N. Jones, "Structural Impact", 2nd ed., Cambridge 2012, chapter 9: the mean force is the work over the way,
and the crush force efficiency is the mean over the peak.
"""

from dataclasses import dataclass

import numpy as np

from crumple.curves.signal_error import SignalError


@dataclass(frozen=True)
class Crushing:
    """Energy (force times length), forces in the unit of the force, way in that of the displacement."""

    energy: float
    peak: float
    mean: float
    way: float
    efficiency: float  #: mean over peak


def crushing(displacement: np.ndarray, force: np.ndarray) -> Crushing:
    """The figures until the largest displacement; what springs back after it is not taken off.

    Args:
        displacement: (n,), in the order of time, positive in the direction of crushing
        force: (n,), at the same times, positive against it

    Raises:
        SignalError: nothing is crushed.
    """
    x, f = np.asarray(displacement, dtype=float), np.asarray(force, dtype=float)
    if x.shape != f.shape or x.ndim != 1 or len(x) < 2:
        raise SignalError("force and displacement need as many values, two at least")
    last = int(x.argmax())
    way = float(x[last] - x[0])
    if not way > 0:
        raise SignalError("nothing is crushed: the displacement does not grow; its sign may be the other one")
    x, f = x[: last + 1], f[: last + 1]
    energy = float(np.sum(0.5 * (f[1:] + f[:-1]) * np.diff(x)))
    peak = float(f.max())
    mean = energy / way
    return Crushing(energy, peak, mean, way, mean / peak if peak > 0 else float("nan"))
