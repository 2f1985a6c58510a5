"""Constant sampling rates: histories have nearly, not exactly, equal intervals."""

import numpy as np

from crumple.curves.signal_error import SignalError


def check_curve(times: np.ndarray, values: np.ndarray, least: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """The curve as arrays of double precision.

    Args:
        times: (n,), rising
        values: (n,)
        least: number of points that are needed

    Raises:
        SignalError: it is too short, its times do not rise, or a value is not finite.
    """
    t, y = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    if t.ndim != 1 or t.shape != y.shape:
        raise SignalError(f"a curve has one value for each time, not {y.shape} values for {t.shape} times")
    if len(t) < least:
        raise SignalError(f"a curve of {len(t)} points is too short: {least} are needed")
    if not (np.isfinite(t).all() and np.isfinite(y).all()):
        raise SignalError("the curve has values that are not finite")
    if not (np.diff(t) > 0).all():
        raise SignalError("the times of the curve do not rise throughout")
    return t, y


def usual_interval(times: np.ndarray) -> float:
    """The median of the intervals, in the unit of the times."""
    return float(np.median(np.diff(times)))


def at_constant_rate(
    times: np.ndarray, values: np.ndarray, interval: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The curve at equal intervals from its first time, by linear interpolation.

    Args:
        times, values: (n,)
        interval: in the unit of the times; default: the median of the curve's own

    Returns:
        times and values, (m,); the last time is the last multiple of the interval within the curve.

    Raises:
        SignalError: it is no curve, or the interval is not positive or longer than the curve.
    """
    t, y = check_curve(times, values)
    step = usual_interval(t) if interval is None else float(interval)
    length = t[-1] - t[0]
    if not 0 < step <= length:
        raise SignalError(f"an interval of {step:g} does not fit a curve that lasts {length:g}")
    count = int(np.floor(length / step * (1 + 1e-9) + 1e-9)) + 1
    even = t[0] + step * np.arange(count)
    return even, np.interp(even, t, y)
