"""The figures of a curve as names and texts, for tables: extremes, HIC, clip, OLC, VPI, ratings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crumple.curves.clip import clip_contiguous, clip_cumulative
from crumple.curves.cora import rate_by_cora
from crumple.curves.crushing import crushing
from crumple.curves.head_injury import HeadInjury, head_injury_criterion
from crumple.curves.motion import integrated
from crumple.curves.presented_units import GRAVITY
from crumple.curves.pulse import in_corridor, occupant_load_criterion, vehicle_pulse_index
from crumple.curves.rating import rate
from crumple.curves.shown_curve import ShownCurve
from crumple.curves.signal_error import SignalError


@dataclass(frozen=True)
class Wanted:
    """The figures that were asked for."""

    hic: tuple[int, ...] = ()  #: longest intervals, ms
    clip: bool = False
    olc: bool = False
    vpi: bool = False


@dataclass(frozen=True)
class Figure:
    """A name, a value as text, and a sentence where there is more to say (an interval, a time)."""

    name: str
    value: str
    note: str = ""


def shown(value: float, digits: int = 3) -> str:
    """A number with some digits, and no exponent where it can be avoided."""
    if not np.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 10.0**digits:
        return f"{value:.{digits}g}"
    return f"{value:,.0f}" if abs(value) < 1e7 and abs(value) >= 1 else f"{value:.{digits}g}"


def with_unit(value: float, unit: str) -> str:
    """A number and its unit."""
    return f"{shown(value)} {unit}" if unit and unit != "deck units" else shown(value)


def extremes(curve: ShownCurve) -> list[Figure]:
    """The largest value with its time; of components also the smallest."""
    found = []
    for name, k in (("max", int(curve.values.argmax())), ("min", int(curve.values.argmin()))):
        if name == "max" or curve.signed:
            when = with_unit(curve.times[k], curve.time_unit)
            found.append(Figure(name, with_unit(curve.values[k], curve.unit), f"at {when}"))
    return found


def si(curve: ShownCurve, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Times in s, and accelerations in m/s^2.

    Raises:
        SignalError: the curve is no acceleration, or its units are not known.
    """
    if curve.kind != "acceleration":
        raise SignalError(f"{what} is of an acceleration; '{curve.name}' is none")
    if curve.seconds is None or curve.size is None:
        raise SignalError(f"{what} needs units: --units, or *CONTROL_UNITS in the deck")
    return curve.times * curve.seconds, curve.values * curve.size


def head_injury(curve: ShownCurve, limit: int) -> HeadInjury:
    """The HIC of a resultant acceleration.

    Raises:
        SignalError: it is a component, or no acceleration, or its units are not known.
    """
    times, values = si(curve, f"HIC{limit}")
    if curve.signed and values.min() < 0:
        raise SignalError(
            f"HIC{limit} is of a resultant: name the vector, .../acceleration, not '{curve.name}'"
        )
    return head_injury_criterion(times, values / GRAVITY, 1e-3 * limit)


def slowing_down(curve: ShownCurve, what: str) -> tuple[np.ndarray, np.ndarray]:
    """A pulse with the sign in which it slows the vehicle down: that of its largest change of velocity."""
    times, values = si(curve, what)
    if not curve.signed:
        raise SignalError(f"{what} is of a component, such as x_acceleration, not of a resultant")
    change = integrated(times, values)
    return times, values * (1.0 if change[np.abs(change).argmax()] >= 0 else -1.0)


def figures_of(curve: ShownCurve, wanted: Wanted) -> list[Figure]:
    """Extremes, and what was asked for.

    Raises:
        SignalError: a figure does not apply to the curve.
    """
    found = extremes(curve)
    for limit in wanted.hic:
        hic = head_injury(curve, limit)
        found.append(
            Figure(f"HIC{limit}", shown(hic.value), f"{1e3 * hic.start:.1f} to {1e3 * hic.end:.1f} ms")
        )
    if wanted.clip:
        times, values = si(curve, "the 3 ms clip")
        values = np.abs(values) / GRAVITY
        found.append(Figure("3 ms clip", f"{shown(clip_cumulative(times, values))} g", "cumulative"))
        found.append(Figure("3 ms, contiguous", f"{shown(clip_contiguous(times, values))} g"))
    if wanted.olc:
        found.append(occupant_load(*slowing_down(curve, "OLC")))
    if wanted.vpi:
        found.append(Figure("VPI", f"{shown(vehicle_pulse_index(*slowing_down(curve, 'VPI')) / GRAVITY)} g"))
    return found


def applicable(wanted: Wanted, curves: Sequence[ShownCurve]) -> Wanted:
    """Of the figures those that apply to all of the curves: HIC to resultants, OLC and VPI to components."""
    accelerations = all(curve.kind == "acceleration" for curve in curves)
    components = accelerations and all(curve.signed for curve in curves)
    resultants = accelerations and not any(curve.signed for curve in curves)
    return Wanted(
        hic=wanted.hic if resultants else (),
        clip=wanted.clip and accelerations,
        olc=wanted.olc and components,
        vpi=wanted.vpi and components,
    )


def occupant_load(times: np.ndarray, deceleration: np.ndarray) -> Figure:
    """The OLC; a dash with the reason if the pulse is too short for it."""
    try:
        olc = occupant_load_criterion(times, deceleration)
    except SignalError as error:
        return Figure("OLC", "-", str(error))
    held = f"{1e3 * olc.start:.1f} to {1e3 * olc.end:.1f} ms"
    return Figure("OLC", f"{shown(olc.value / GRAVITY)} g", held)


def agreement(curve: ShownCurve, test: ShownCurve) -> list[Figure]:
    """The ratings of a computed curve against a measured one.

    Raises:
        SignalError: they have too little in common, or the unit of time is not known.
    """
    if curve.seconds is None:
        raise SignalError("a rating needs the unit of time: --units, or *CONTROL_UNITS in the deck")
    pair = [(c.times * c.seconds, c.values) for c in (test, curve)]
    iso, cora = rate(*pair), rate_by_cora(*pair)
    parts = f"corridor {iso.corridor:.2f}, phase {iso.phase:.2f}, "
    parts += f"magnitude {iso.magnitude:.2f}, slope {iso.slope:.2f}"
    more = f"corridor {cora.corridor:.2f}, correlation {cora.correlation:.2f}"
    return [
        Figure("ISO 18571", f"{iso.overall:.2f} {iso.grade}", parts),
        Figure("CORA", f"{cora.overall:.2f}", more),
    ]


def corridor_figure(curve: ShownCurve, corridor: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Figure:
    """How much of a curve is in a corridor."""
    fit = in_corridor(curve.times, curve.values, corridor)
    worst = f"off by {with_unit(fit.worst, curve.unit)} at {with_unit(fit.when, curve.time_unit)}"
    return Figure("in corridor", f"{100 * fit.share:.0f} %", worst if fit.worst > 0 else "")


def crushing_figures(way: ShownCurve, force: ShownCurve) -> list[Figure]:
    """Energy absorbed, mean force and efficiency of a force over a displacement, both positive in crushing.

    Raises:
        SignalError: nothing is crushed.
    """
    found = crushing(way.values, force.values)
    known = way.size is not None and force.size is not None
    energy = found.energy * way.size * force.size / 1e3 if known else found.energy
    return [
        Figure("energy absorbed", with_unit(energy, "kJ") if known else shown(energy)),
        Figure("mean force", with_unit(found.mean, force.unit), f"over {with_unit(found.way, way.unit)}"),
        Figure("peak force", with_unit(found.peak, force.unit)),
        Figure("efficiency", f"{100 * found.efficiency:.0f} %", "mean over peak"),
    ]
