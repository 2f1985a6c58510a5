"""Channel frequency classes: the filters CFC 60, 180, 600 and 1000 of crash tests.

SAE J211-1 (2014) and ISO 6487 (2015): a Butterworth filter of two poles, once forward and
once backward, so four poles without a phase. With T the sampling interval,

    wd = 2 pi 2.0775 CFC,  wa = tan(wd T / 2)
    y[k] = a0 (x[k] + 2 x[k-1] + x[k-2]) + b1 y[k-1] + b2 y[k-2]
    a0 = wa^2 / (1 + sqrt(2) wa + wa^2)
    b1 = -2 (wa^2 - 1) / (1 + sqrt(2) wa + wa^2)
    b2 = (-1 + sqrt(2) wa - wa^2) / (1 + sqrt(2) wa + wa^2)

The gain of both passes at the frequency f is 1 / (1 + (tan(pi f T) / wa)^4): -3 dB of one pass and -6 dB of
both at 2.0775 CFC hertz; -3 dB of both at 1.667 CFC (100, 300, 1000, 1650 Hz), the corner that the
standards list.

The standards leave the ends open. Here the curve is continued on both sides by its mirror image (x[k]
before x[0]) for 2 / CFC seconds, at most its own length, and the filter starts in the steady state of the
first value. So a constant passes unchanged, and near its ends the result is a mean of what is there. (The
image through the end point, 2 x[0] - x[k], would keep straight lines but hold the result to the end points,
whose noise is hundreds of g in nodal accelerations.)
"""

import math

import numpy as np

from crumple.curves.sampling import at_constant_rate, check_curve, usual_interval
from crumple.curves.signal_error import SignalError

CLASSES = (60, 180, 600, 1000)
CORNER = 2.0775  #: Hz of the corner of one pass, of each Hz of the class
LEAST_RATE = 10.0  #: samples a second, of each Hz of the class: SAE J211-1, ISO 6487
JITTER = 1.05  #: times the longest interval: a history is written up to a time step late
GAP = 3.0  #: intervals; a longer one is a hole in the curve
CONTINUED = 2.0  #: periods of the class by which a curve is continued on both sides


def coefficients(channel_class: float, interval: float) -> tuple[float, float, float]:
    """The numbers a0, b1, b2 of one pass.

    Args:
        channel_class: CFC, such as 180
        interval: sampling interval, s
    """
    wa = math.tan(math.pi * CORNER * channel_class * interval)
    below = 1.0 + math.sqrt(2.0) * wa + wa * wa
    return wa * wa / below, -2.0 * (wa * wa - 1.0) / below, (-1.0 + math.sqrt(2.0) * wa - wa * wa) / below


def gain(channel_class: float, interval: float, frequency: float | np.ndarray) -> float | np.ndarray:
    """The amplitude ratio of both passes for a sine of a frequency in Hz."""
    wa = math.tan(math.pi * CORNER * channel_class * interval)
    return 1.0 / (1.0 + (np.tan(np.pi * np.asarray(frequency) * interval) / wa) ** 4)


def one_pass(values: list[float], a0: float, b1: float, b2: float) -> list[float]:
    """The difference equation, from the steady state of the first value."""
    x1 = x2 = y1 = y2 = values[0]
    out = []
    for x in values:
        y = a0 * (x + 2.0 * x1 + x2) + b1 * y1 + b2 * y2
        out.append(y)
        x2, x1, y2, y1 = x1, x, y1, y
    return out


def check_rate(times: np.ndarray, channel_class: float) -> None:
    """Refuse a curve that is sampled too slowly for a class.

    Raises:
        SignalError: it has fewer than ten samples a period of the class, or a hole.
    """
    longest = JITTER / (LEAST_RATE * channel_class)
    step = usual_interval(times)
    if step > longest:
        raise SignalError(
            f"CFC {channel_class:g} needs {LEAST_RATE * channel_class:,.0f} samples a second, one each "
            f"{1e3 / (LEAST_RATE * channel_class):.3g} ms (SAE J211-1); the curve has one each "
            f"{1e3 * step:.3g} ms: shorten the interval of the history in the deck, or take a lower class"
        )
    gaps = np.diff(times)
    widest = int(gaps.argmax())
    if gaps[widest] > max(longest, GAP * step):
        raise SignalError(
            f"the curve has a hole of {1e3 * gaps[widest]:.3g} ms at {1e3 * times[widest]:.4g} ms: "
            f"no filter CFC {channel_class:g} over it"
        )


def cfc_filter(times: np.ndarray, values: np.ndarray, channel_class: float) -> tuple[np.ndarray, np.ndarray]:
    """The curve after the filter of a channel frequency class.

    Args:
        times: (n,), s; intervals may vary a little: the curve is first brought to a constant rate
        values: (n,), any unit
        channel_class: 60, 180, 600, 1000, or another

    Returns:
        times (m,) at a constant rate, and values (m,) in their unit.

    Raises:
        SignalError: it is no curve, or it is sampled too slowly for the class.
    """
    t, y = check_curve(times, values, least=3)
    check_rate(t, channel_class)
    t, y = at_constant_rate(t, y)
    step = t[1] - t[0]
    count = min(len(y) - 1, math.ceil(CONTINUED / (channel_class * step)))
    before, after = y[count:0:-1], y[-2 : -count - 2 : -1]
    numbers = coefficients(channel_class, step)
    once = one_pass(np.concatenate((before, y, after)).tolist(), *numbers)
    twice = one_pass(once[::-1], *numbers)[::-1]
    return t, np.array(twice[count : count + len(y)])


def read_class(word: str) -> int:
    """The class of a word such as "CFC180", "cfc 60" or "1000".

    Raises:
        SignalError: there is no such class.
    """
    digits = word.lower().replace("cfc", "").strip(" -_")
    if not digits.isdigit() or int(digits) not in CLASSES:
        raise SignalError(f"'{word}' is no filter: CFC60, CFC180, CFC600 or CFC1000")
    return int(digits)
