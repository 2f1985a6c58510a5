"""How well a computed curve agrees with a measured one: CORA.

C. Gehre, H. Gades, P. Wernicke, "Objective rating of signals using test and simulation responses", 21st ESV
Conference, 2009, 09-0407, with the usual parameters. The rating is the mean of two methods:

* corridor: as in ISO/TS 18571, with half widths of 5 % and 50 % of max |y|, y the measured curve
* cross-correlation, 0.5 V + 0.25 P + 0.25 G. The measured curve is moved by at most 20 % of the interval to
  where

      K = sum x y / sqrt(sum x^2 sum y^2)

  is the highest. Progression V = ((K + 1) / 2)^10. Phase P: 1 for a shift below 1 % of the interval, 0 above
  12 %, straight between. Size G: the smaller of sum x^2 and sum y^2 at that shift over the larger.
"""

from dataclasses import dataclass
from math import floor

import numpy as np

from crumple.curves.rating import INNER, INTERVAL, OUTER, common_points, corridor_score, moved
from crumple.curves.signal_error import SignalError

FURTHEST = 0.2  #: shift, of the interval
PHASE_BEST, PHASE_WORST = 0.01, 0.12  #: shifts, of the interval
PROGRESSION = 10.0  #: power


@dataclass(frozen=True)
class CoraRating:
    """The parts of the rating, each from 0 to 1, and the shift of the computed curve in s."""

    corridor: float
    progression: float
    phase: float
    size: float
    shift: float

    @property
    def correlation(self) -> float:
        """The rating by cross-correlation."""
        return 0.5 * self.progression + 0.25 * self.phase + 0.25 * self.size

    @property
    def overall(self) -> float:
        """The mean of both methods."""
        return 0.5 * (self.corridor + self.correlation)


def rate_by_cora(
    measured: tuple[np.ndarray, np.ndarray], computed: tuple[np.ndarray, np.ndarray]
) -> CoraRating:
    """The rating of a computed curve; arguments and errors are those of `rating.rate`."""
    _, test, model = common_points(measured, computed, INTERVAL)
    largest = float(np.abs(test).max())
    if largest == 0:
        raise SignalError("the measured curve is zero throughout: there is nothing to rate against")
    count = len(test)
    best, shift = -np.inf, 0
    for n in sorted(range(-floor(FURTHEST * count), floor(FURTHEST * count) + 1), key=abs):
        a, b = moved(test, model, n)
        size = np.sqrt((a @ a) * (b @ b))
        value = (a @ b) / size if size > 0 else 0.0
        if value > best + 1e-12:
            best, shift = value, n
    a, b = moved(test, model, shift)
    sizes = sorted((float(a @ a), float(b @ b)))
    away = abs(shift) / count
    return CoraRating(
        corridor=corridor_score(test, model, INNER * largest, OUTER * largest),
        progression=(0.5 * (best + 1.0)) ** PROGRESSION,
        phase=float(np.clip((PHASE_WORST - away) / (PHASE_WORST - PHASE_BEST), 0.0, 1.0)),
        size=sizes[0] / sizes[1] if sizes[1] > 0 else 0.0,
        shift=-shift * INTERVAL,
    )
