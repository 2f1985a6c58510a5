"""The head injury criterion, HIC15 and HIC36.

J. Versace, "A review of the severity index", 15th Stapp Car Crash Conference, 1971 (SAE 710881); FMVSS 208,
S6.2:

    HIC = max over t1 < t2 <= t1 + limit of  (t2 - t1) [ 1/(t2 - t1) int_t1^t2 a dt ]^2.5

with the resultant acceleration a of the head's centre of gravity in g, and times in seconds.
"""

from dataclasses import dataclass

import numpy as np

from crumple.curves.motion import integrated
from crumple.curves.sampling import check_curve
from crumple.curves.signal_error import SignalError

NOISE = 0.05  #: of the largest value; a curve that is farther below zero is no resultant


@dataclass(frozen=True)
class HeadInjury:
    """The value, without a unit by custom, and the interval that gives it, in s."""

    value: float
    start: float
    end: float


def head_injury_criterion(times: np.ndarray, acceleration: np.ndarray, limit: float) -> HeadInjury:
    """The HIC of a resultant acceleration: the largest over all pairs of its points.

    The curve is straight between its points, and its integral exact. Beside all pairs of points, all
    intervals of the full length that begin or end at a point are tried, so the limit need not be a multiple
    of the sampling interval. Takes a pass over the curve for each sample within the limit.

    Args:
        times: (n,), s
        acceleration: (n,), g, a resultant; below zero it may only have the noise of a measurement
        limit: longest interval, s: 0.015 or 0.036

    Raises:
        SignalError: it is no curve, or it has negative values.
    """
    t, a = check_curve(times, acceleration)
    if -a.min() > NOISE * a.max():
        raise SignalError(
            "HIC is of a resultant acceleration; this curve has negative values: name no direction"
        )
    velocity = integrated(t, a)
    best = HeadInjury(0.0, float(t[0]), float(t[0]))
    for lag in range(1, len(t)):
        length = t[lag:] - t[:-lag]
        inside = length <= limit * (1 + 1e-12)
        if not inside.any():
            break
        best = better(best, t[:-lag][inside], length[inside], (velocity[lag:] - velocity[:-lag])[inside])
    for start, end in ((t, t + limit), (t - limit, t)):
        inside = (start >= t[0]) & (end <= t[-1])
        gained = integral_at(t, a, velocity, end[inside]) - integral_at(t, a, velocity, start[inside])
        best = better(best, start[inside], np.full(len(gained), limit), gained)
    return best


def better(best: HeadInjury, start: np.ndarray, length: np.ndarray, gained: np.ndarray) -> HeadInjury:
    """The best so far, or that of intervals with their gain of velocity, if it is higher."""
    if not len(start):
        return best
    mean = np.maximum(gained / length, 0.0)
    values = length * mean * mean * np.sqrt(mean)
    k = int(values.argmax())
    if values[k] <= best.value:
        return best
    return HeadInjury(float(values[k]), float(start[k]), float(start[k] + length[k]))


def integral_at(t: np.ndarray, a: np.ndarray, velocity: np.ndarray, when: np.ndarray) -> np.ndarray:
    """The integral of a curve of straight pieces at any times within it."""
    k = np.clip(np.searchsorted(t, when, side="right") - 1, 0, len(t) - 2)
    past = when - t[k]
    slope = (a[k + 1] - a[k]) / (t[k + 1] - t[k])
    return velocity[k] + past * (a[k] + 0.5 * slope * past)
