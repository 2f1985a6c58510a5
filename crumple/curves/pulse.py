"""What a pulse of a vehicle does to its occupants: OLC and VPI, and whether it stays in a corridor.

OLC (occupant load criterion): L. Kuebler, S. Gargallo and K. Elsaesser, "Characterization and evaluation of
frontal crash pulses with respect to occupant safety", Airbag 2008. An occupant moves on freely until 65 mm
in the vehicle (t1), then is held by a constant deceleration, the OLC, and has the vehicle's velocity again
after 235 mm more (t2):

    int_0^t1 (v0 - v) dt = 0.065 m
    int_t1^t2 (v0 - OLC (t - t1) - v) dt = 0.235 m,   v0 - OLC (t2 - t1) = v(t2)

VPI (vehicle pulse index): ISO/TR 12353-3 (2013). The largest acceleration of a mass on a belt with 30 mm of
slack and a stiffness of 2500 N/m for each kg, in a vehicle with that pulse.
"""

import math
from dataclasses import dataclass

import numpy as np

from crumple.curves.motion import integrated
from crumple.curves.sampling import check_curve
from crumple.curves.signal_error import SignalError

FREE_WAY, RESTRAINED_WAY = 0.065, 0.235  #: m
SLACK, STIFFNESS = 0.03, 2500.0  #: m, 1/s^2
FINE = 1e-5  #: s; intervals of the integration


@dataclass(frozen=True)
class OccupantLoad:
    """The OLC in m/s^2, and the times between which the occupant is held, in s."""

    value: float
    start: float
    end: float


def fine(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The curve, straight between its points, at least at each 10 microseconds."""
    t, y = check_curve(times, values)
    parts = max(1, math.ceil(float(np.diff(t).max()) / FINE))
    if parts == 1:
        return t, y
    inner = np.linspace(0.0, 1.0, parts, endpoint=False)
    all_times = np.append((t[:-1, None] + np.diff(t)[:, None] * inner).ravel(), t[-1])
    return all_times, np.interp(all_times, t, y)


def occupant_load_criterion(times: np.ndarray, deceleration: np.ndarray) -> OccupantLoad:
    """The OLC of a pulse.

    Args:
        times: (n,), s, from the first contact
        deceleration: (n,), m/s^2, positive while the vehicle slows down

    Raises:
        SignalError: the pulse ends before the occupant is held: it is too short, or has the wrong sign.
    """
    t, a = fine(times, deceleration)
    slower = integrated(t, a)  # v0 - v
    ahead = integrated(t, slower)  # way of a free occupant in the vehicle
    first = np.flatnonzero(ahead >= FREE_WAY)
    if not len(first):
        raise SignalError(
            f"no OLC: a free occupant moves {1e3 * ahead.max():.3g} mm in the vehicle until the curve ends, "
            "not 65 mm; is the pulse complete, and positive where the vehicle slows down?"
        )
    k = int(first[0])
    start = crossing(t, ahead, FREE_WAY, k)
    held = t[k:] - start
    used = ahead[k:] - FREE_WAY - 0.5 * slower[k:] * held
    last = np.flatnonzero(used >= RESTRAINED_WAY)
    if not len(last):
        raise SignalError("no OLC: the curve ends before the occupant has used 235 mm of restraint")
    j = max(int(last[0]), 1)
    end = crossing(t[k:], used, RESTRAINED_WAY, j)
    lost = float(np.interp(end, t, slower))
    return OccupantLoad(lost / (end - start), start, end)


def crossing(x: np.ndarray, y: np.ndarray, level: float, k: int) -> float:
    """Where a curve reaches a level between its points k - 1 and k."""
    if k == 0 or y[k] == y[k - 1]:
        return float(x[k])
    return float(x[k - 1] + (level - y[k - 1]) * (x[k] - x[k - 1]) / (y[k] - y[k - 1]))


def vehicle_pulse_index(times: np.ndarray, deceleration: np.ndarray) -> float:
    """The VPI of a pulse, in m/s^2.

    The mass moves freely or on its spring; in each interval the pulse is straight, and the motion is that of
    Heun's method with 10 microseconds, whose error is below 1e-6 of the value.

    Args:
        times: (n,), s, from the first contact
        deceleration: (n,), m/s^2, positive while the vehicle slows down
    """
    t, a = fine(times, deceleration)
    way = speed = largest = 0.0  # of the mass in the vehicle
    pulse = a.tolist()
    for step, now, then in zip(np.diff(t).tolist(), pulse[:-1], pulse[1:], strict=True):
        spring = STIFFNESS * max(way - SLACK, 0.0)
        largest = max(largest, spring)
        gain = now - spring
        ahead = way + step * speed
        later = then - STIFFNESS * max(ahead - SLACK, 0.0)
        way += step * (speed + 0.5 * step * gain)
        speed += 0.5 * step * (gain + later)
    return largest


@dataclass(frozen=True)
class CorridorFit:
    """The share of a curve in a corridor; its largest distance from it, in its unit, and when."""

    share: float
    worst: float
    when: float


def in_corridor(
    times: np.ndarray, values: np.ndarray, corridor: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> CorridorFit:
    """Compare a pulse with a corridor.

    Args:
        times, values: (n,)
        corridor: times (m,), lower and upper limits (m,), straight between; it counts only where it is given

    Raises:
        SignalError: they have no time in common.
    """
    t, y = check_curve(times, values)
    when, low, high = (np.asarray(column, dtype=float) for column in corridor)
    common = (t >= when[0]) & (t <= when[-1])
    if not common.any():
        raise SignalError("the curve and the corridor have no time in common")
    t, y = t[common], y[common]
    outside = np.maximum(np.interp(t, when, low) - y, y - np.interp(t, when, high))
    k = int(outside.argmax())
    return CorridorFit(float((outside <= 0).mean()), float(max(outside[k], 0.0)), float(t[k]))
