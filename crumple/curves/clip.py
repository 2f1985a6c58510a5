"""The 3 ms clip: the level that an acceleration exceeds for 3 ms.

FMVSS 208, S6.3 (chest): not above the limit, except for intervals whose cumulative duration is not more
than 3 ms. Other rules want one contiguous interval. Both are here, exact for a curve that is straight
between its points.
"""

import numpy as np

from crumple.curves.sampling import check_curve
from crumple.curves.signal_error import SignalError

DURATION = 0.003  #: s
HALVINGS = 60  #: of the interval that contains the level; exhausts double precision


def clip_cumulative(times: np.ndarray, values: np.ndarray, duration: float = DURATION) -> float:
    """The highest level that the values exceed for this time in all.

    Args:
        times: (n,), s
        values: (n,), a resultant, or a component with the sign that matters
        duration: s

    Raises:
        SignalError: it is no curve, or shorter than the duration.
    """
    t, y = checked(times, values, duration)
    low, high = y[:-1], y[1:]
    low, high = np.minimum(low, high), np.maximum(low, high)
    steps = np.diff(t)

    def above(level: float) -> float:
        rising = np.where(high > low, high - low, 1.0)
        share = np.where(high > low, np.clip((high - level) / rising, 0.0, 1.0), high >= level)
        return float(np.sum(share * steps))

    return highest(y, duration, above)


def clip_contiguous(times: np.ndarray, values: np.ndarray, duration: float = DURATION) -> float:
    """The highest level that the values exceed throughout one interval of this length.

    Arguments and errors are those of `clip_cumulative`.
    """
    t, y = checked(times, values, duration)

    def longest(level: float) -> float:
        over = y >= level
        if over.all():
            return float(t[-1] - t[0])
        crossing = np.flatnonzero(over[1:] != over[:-1])
        cut = t[crossing] + (level - y[crossing]) * (t[crossing + 1] - t[crossing]) / (
            y[crossing + 1] - y[crossing]
        )
        edges = np.concatenate(([t[0]] if over[0] else [], cut, [t[-1]] if over[-1] else []))
        return float(np.max(edges[1::2] - edges[::2], initial=0.0))

    return highest(y, duration, longest)


def checked(times: np.ndarray, values: np.ndarray, duration: float) -> tuple[np.ndarray, np.ndarray]:
    """The curve, which is longer than the duration."""
    t, y = check_curve(times, values)
    if t[-1] - t[0] < duration:
        raise SignalError(f"the curve lasts {1e3 * (t[-1] - t[0]):.3g} ms, less than {1e3 * duration:.3g} ms")
    return t, y


def highest(values: np.ndarray, duration: float, lasts) -> float:  # noqa: ANN001 - a function of the level
    """The highest level at which a falling function of the level is at least the duration."""
    low, high = float(values.min()), float(values.max())
    if lasts(high) >= duration:
        return high
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if lasts(middle) >= duration:
            low = middle
        else:
            high = middle
    return low
