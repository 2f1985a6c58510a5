"""Figures of dummies (anthropomorphic test devices) beside the limits that regulations set.

Limits are those of FMVSS 208 (49 CFR 571.208) for the 50th percentile man: S6.2 HIC15 700, S6.3 60 g but for
3 ms in all, S6.4(b) 63 mm, S6.5 10 kN (2250 lbf), S6.6 Nij 1.0; and of UN Regulation 94, 5.2.1.1 (HPC 1000
over up to 36 ms, 80 g but for 3 ms), for frontal impacts. Channel classes are those of SAE J211-1, and 600 of
all channels of Nij.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from crumple.curves.clip import clip_cumulative
from crumple.curves.curve_figures import Figure, head_injury, si, with_unit
from crumple.curves.neck_injury import neck_injury
from crumple.curves.presented_units import GRAVITY
from crumple.curves.quantity import QuantityError
from crumple.curves.shown_curve import ShownCurve
from crumple.curves.signal_error import SignalError

ABOVE = "ABOVE"  #: how the note of a figure begins that is above its limit


@dataclass(frozen=True)
class AtdLimit:
    """One figure and its limit.

    Attributes:
        most: the limit, in the unit that is shown
        source: regulation and section
        measure: the figure of a curve
        line: whether it is a value of the curve, so that it is drawn
    """

    name: str
    most: float
    unit: str
    source: str
    measure: Callable[[ShownCurve], float]
    line: bool = True


@dataclass(frozen=True)
class AtdPlace:
    """A place of a dummy: the kind and class of its channel, and its limits."""

    kind: str
    channel_class: int
    limits: tuple[AtdLimit, ...]


NECK = AtdPlace("force and moment", 600, ())  #: of two curves together
NECK_LIMIT, NECK_SOURCE = 1.0, "FMVSS 208 S6.6"


def largest(curve: ShownCurve) -> float:
    """The largest size."""
    return float(np.abs(curve.values).max())


def clip(curve: ShownCurve) -> float:
    """The 3 ms clip, g."""
    times, values = si(curve, "the 3 ms clip")
    return clip_cumulative(times, np.abs(values) / GRAVITY)


def head(limit: int) -> Callable[[ShownCurve], float]:
    """The HIC over so many ms."""
    return lambda curve: head_injury(curve, limit).value


PLACES = {
    "head": AtdPlace(
        "acceleration", 1000, (AtdLimit("HIC15", 700, "", "FMVSS 208 S6.2", head(15), line=False),)
    ),
    "head-r94": AtdPlace(
        "acceleration",
        1000,
        (
            AtdLimit("HIC36", 1000, "", "UN R94 5.2.1.1", head(36), line=False),
            AtdLimit("3 ms clip", 80, "g", "UN R94 5.2.1.1", clip),
        ),
    ),
    "chest": AtdPlace("acceleration", 180, (AtdLimit("3 ms clip", 60, "g", "FMVSS 208 S6.3", clip),)),
    "deflection": AtdPlace("length", 600, (AtdLimit("deflection", 63, "mm", "FMVSS 208 S6.4", largest),)),
    "femur": AtdPlace("force", 600, (AtdLimit("femur force", 10, "kN", "FMVSS 208 S6.5", largest),)),
    "neck": NECK,
}


def read_place(name: str) -> AtdPlace:
    """A place by its name.

    Raises:
        QuantityError: there is none.
    """
    if name not in PLACES:
        raise QuantityError(f"'{name}' is no place of a dummy: {', '.join(PLACES)}")
    return PLACES[name]


def atd_figures(curve: ShownCurve, place: AtdPlace) -> list[Figure]:
    """The figures of a curve, each with its limit.

    Raises:
        SignalError: the curve is of another kind, or its units are not known.
    """
    if place is NECK:
        return []  # see neck_figures
    if curve.kind != place.kind:
        raise SignalError(f"these limits are for {place.kind}s, not for '{curve.name}'")
    if curve.size is None:
        raise SignalError("limits of dummies need units: --units, or *CONTROL_UNITS in the deck")
    found = []
    for limit in place.limits:
        found.append(beside(limit.name, limit.measure(curve), limit.most, limit.unit, limit.source))
    return found


def beside(name: str, value: float, most: float, unit: str, source: str) -> Figure:
    """A figure with its limit."""
    of = f"{100 * value / most:.0f} % of {with_unit(most, unit)}"
    verdict = "within" if value <= most else ABOVE
    return Figure(name, with_unit(value, unit), f"{verdict} the limit: {of}, {source}")


def neck_figures(curves: list[ShownCurve]) -> list[Figure]:
    """Nij of an axial force, positive in tension, and a moment about the condyles, positive in flexion.

    Raises:
        SignalError: they are others, or their units are not known.
    """
    kinds = {curve.kind: curve for curve in curves}
    if len(curves) != 2 or set(kinds) != {"force", "moment"} or not all(c.signed for c in curves):
        raise SignalError(
            "Nij is of two components: the axial force of the neck, positive in tension, and the moment "
            "about the occipital condyles, positive in flexion"
        )
    force, moment = kinds["force"], kinds["moment"]
    if force.size is None or moment.size is None:
        raise SignalError("limits of dummies need units: --units, or *CONTROL_UNITS in the deck")
    at = np.interp(force.times, moment.times, moment.values)
    found = neck_injury(force.times, force.values * force.size, at * moment.size)
    return [beside(name, value, NECK_LIMIT, "", NECK_SOURCE) for name, value in found.items()]


def atd_lines(place: AtdPlace, curves: list[ShownCurve]) -> tuple[tuple[float, str], ...]:
    """The limits as lines of a picture, on the side of zero to which the curves go."""
    if place is NECK:
        return ()
    high = max(float(curve.values.max()) for curve in curves)
    low = min(float(curve.values.min()) for curve in curves)
    sign = 1.0 if high >= -low else -1.0
    return tuple((sign * limit.most, limit.source) for limit in place.limits if limit.line)
