"""How well a computed curve agrees with a measured one: ISO/TS 18571.

ISO/TS 18571 (2014, 2024), "Road vehicles - Objective rating metric for non-ambiguous signals"; the method
is that of Z. Zhan, Y. Fu, R.-J. Yang, "Enhanced error assessment of response time histories (EEARTH)
metric", SAE 2011-01-0245, with the corridors of CORA. Both curves are brought to 10 kHz over the interval
that they have in common. With T the measured and C the computed curve, N points:

* corridor Z: the mean of 1 within 5 % of max |T|, 0 beyond 50 %, between them ((outer - |C - T|) / (outer -
  inner))^2
* phase E_P: C is moved by n samples, at most 20 % of N, to where the correlation coefficient with T is the
  highest; 1 - |n| / (0.2 N)
* magnitude E_M: the moved curves are aligned by dynamic time warping (squared differences, within 10 % of
  their length); 1 - e / 0.5, e the sum of |C - T| over that of |T| along the path
* slope E_S: derivatives by central differences, averaged over nine points; 1 - e / 2, e as before, without
  the path

None is below 0. The rating is 0.4 Z + 0.2 (E_P + E_M + E_S); above 0.94 it is called excellent, above 0.80
good, above 0.58 fair, otherwise poor.
"""

from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from crumple.curves.sampling import check_curve
from crumple.curves.signal_error import SignalError

INTERVAL = 1e-4  #: s
INNER, OUTER = 0.05, 0.5  #: half widths of the corridors, of the largest measured value
SHIFT = 0.2  #: largest shift, of the length
WARP = 0.1  #: window of the warping, of the length
MAGNITUDE, SLOPE = 0.5, 2.0  #: errors that give 0
AVERAGED = 9  #: points of a slope
LEAST = 2 * AVERAGED  #: points that the curves must have in common
MOST = 5000  #: points; longer curves are refused, because the warping takes the square of them
GRADES = ((0.94, "excellent"), (0.80, "good"), (0.58, "fair"), (-1.0, "poor"))


@dataclass(frozen=True)
class Rating:
    """The rating and its four parts, each from 0 to 1, and the shift of the computed curve in s."""

    corridor: float
    phase: float
    magnitude: float
    slope: float
    shift: float

    @property
    def overall(self) -> float:
        """0.4 corridor + 0.2 (phase + magnitude + slope)."""
        return 0.4 * self.corridor + 0.2 * (self.phase + self.magnitude + self.slope)

    @property
    def grade(self) -> str:
        """In words: excellent, good, fair or poor."""
        return next(word for least, word in GRADES if self.overall > least)


def common_points(
    measured: tuple[np.ndarray, np.ndarray], computed: tuple[np.ndarray, np.ndarray], interval: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, measured and computed values at equal intervals where both curves are.

    Raises:
        SignalError: they have too little time in common, or too much for the interval.
    """
    t1, y1 = check_curve(*measured)
    t2, y2 = check_curve(*computed)
    start, end = max(t1[0], t2[0]), min(t1[-1], t2[-1])
    count = int(floor((end - start) / interval * (1 + 1e-9) + 1e-9)) + 1 if end > start else 0
    if count < LEAST:
        raise SignalError(
            f"a rating needs {1e3 * LEAST * interval:.3g} ms that both curves have; "
            f"they have {1e3 * max(end - start, 0):.3g} ms"
        )
    if count > MOST:
        raise SignalError(
            f"a rating takes {1e3 * MOST * interval:.3g} ms at most; "
            f"the curves have {1e3 * (end - start):.4g} ms"
        )
    times = start + interval * np.arange(count)
    return times, np.interp(times, t1, y1), np.interp(times, t2, y2)


def rate(measured: tuple[np.ndarray, np.ndarray], computed: tuple[np.ndarray, np.ndarray]) -> Rating:
    """The rating of a computed curve.

    Args:
        measured, computed: times (n,) in s, and values (n,) in one unit; they need not have the same times

    Raises:
        SignalError: no curves, too little in common, or a measured curve that is zero throughout.
    """
    _, test, model = common_points(measured, computed, INTERVAL)
    largest = float(np.abs(test).max())
    if largest == 0:
        raise SignalError("the measured curve is zero throughout: there is nothing to rate against")
    shift = best_shift(test, model)
    moved_test, moved_model = moved(test, model, shift)
    return Rating(
        corridor=corridor_score(test, model, INNER * largest, OUTER * largest),
        phase=max(0.0, 1.0 - abs(shift) / (SHIFT * len(test))),
        magnitude=magnitude_score(moved_test, moved_model),
        slope=slope_score(moved_test, moved_model),
        shift=-shift * INTERVAL,
    )


def corridor_score(
    test: np.ndarray, model: np.ndarray, inner: float, outer: float, power: float = 2.0
) -> float:
    """The mean over all points: 1 within the inner half width, 0 beyond the outer, a power between them."""
    off = np.abs(model - test)
    return float(np.mean(np.clip((outer - off) / (outer - inner), 0.0, 1.0) ** power))


def moved(test: np.ndarray, model: np.ndarray, shift: int) -> tuple[np.ndarray, np.ndarray]:
    """What overlaps after the model is moved to later times by `shift` samples (negative: earlier)."""
    if shift == 0:
        return test, model
    return (test[shift:], model[:-shift]) if shift > 0 else (test[:shift], model[-shift:])


def best_shift(test: np.ndarray, model: np.ndarray) -> int:
    """The shift of the model, in samples, of the highest correlation coefficient; the smallest of equals."""
    furthest = floor(SHIFT * len(test))
    best, found = -np.inf, 0
    for shift in sorted(range(-furthest, furthest + 1), key=abs):
        a, b = moved(test, model, shift)
        a, b = a - a.mean(), b - b.mean()
        size = np.sqrt((a @ a) * (b @ b))
        value = (a @ b) / size if size > 0 else -np.inf
        if value > best + 1e-12:
            best, found = value, shift
    return found


def magnitude_score(test: np.ndarray, model: np.ndarray) -> float:
    """The score of the magnitudes, after dynamic time warping."""
    off, whole = warped_difference(test, model, ceil(WARP * len(test)) - 1)
    return fitting(off, whole, MAGNITUDE)


def fitting(off: float, whole: float, worst: float) -> float:
    """1 without a difference, 0 if the difference over the whole is the worst one or more."""
    if off == 0:
        return 1.0
    return max(0.0, 1.0 - off / whole / worst) if whole > 0 else 0.0


def warped_difference(test: np.ndarray, model: np.ndarray, window: int) -> tuple[float, float]:
    """Sums of |model - test| and |test| along the path with the least squared differences.

    The path goes from both first points to both last ones, by one point of either or of both; its points
    are at most `window` apart.
    """
    count = len(test)
    first, second = test.tolist(), model.tolist()
    infinite = float("inf")
    previous = [infinite] * (count + 1)
    moves: list[bytearray] = []
    for i in range(count):
        row = [infinite] * (count + 1)  # row[j + 1]: cost up to (i, j)
        start, end = max(0, i - window), min(count, i + window + 1)
        move = bytearray(end - start)
        x = first[i]
        left = infinite
        for j in range(start, end):
            diagonal, above = previous[j], previous[j + 1]
            if i == 0 and j == 0:
                least = 0.0
            elif diagonal <= above and diagonal <= left:
                least = diagonal
            elif above <= left:
                least, move[j - start] = above, 1
            else:
                least, move[j - start] = left, 2
            difference = x - second[j]
            left = row[j + 1] = least + difference * difference
        moves.append(move)
        previous = row
    i = j = count - 1
    off = whole = 0.0
    while True:
        off += abs(second[j] - first[i])
        whole += abs(first[i])
        if i == 0 and j == 0:
            return off, whole
        step = moves[i][j - max(0, i - window)]
        i, j = i - (step != 2), j - (step != 1)


def slope_score(test: np.ndarray, model: np.ndarray) -> float:
    """The score of the slopes."""
    a, b = averaged(np.gradient(test)), averaged(np.gradient(model))
    return fitting(float(np.abs(b - a).sum()), float(np.abs(a).sum()), SLOPE)


def averaged(values: np.ndarray) -> np.ndarray:
    """Means of nine points, of fewer near the ends: as many on both sides."""
    half = AVERAGED // 2
    sums = np.concatenate(([0.0], np.cumsum(values)))
    k = np.arange(len(values))
    reach = np.minimum(np.minimum(k, len(values) - 1 - k), half)
    return (sums[k + reach + 1] - sums[k - reach]) / (2 * reach + 1)
