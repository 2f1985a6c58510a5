"""What holds an occupant, in the report: belts, airbags, and springs and dampers."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from crumple.curves.quantity import QuantityError
from crumple.curves.run_curves import RunCurves
from crumple.curves.shown_curve import ShownCurve
from crumple.report import figures, tables
from crumple.report.accelerations import run_of
from crumple.report.facts import number
from crumple.report.run_results import RunResults
from crumple.results.damage import DamagedFile

if TYPE_CHECKING:
    import plotly.graph_objects as go

CURVES = 8  #: largest number of curves in a plot
ALIKE = 0.05  #: of the largest value: curves that are nearer to each other are drawn once
LEAP = 0.2  #: of a curve's largest value, from one time to the next
BELTS, RINGS, RETRACTORS = "sbtout/belt", "sbtout/ring", "sbtout/retractor"
HISTORIES = {"abstat": ("pressure", "volume"), "deforc": ("resultant_force", "displacement")}
NOTE = "sbtout, abstat or deforc is text only here; with BINARY = 2 or 3 in the deck it is drawn."


def histories(results: RunResults) -> set[str]:
    """The histories of restraints that can be drawn."""
    try:
        names = run_of(results).tables.names
    except DamagedFile:
        return set()
    return {BELTS, RINGS, RETRACTORS, *HISTORIES} & set(names)


def only_text(results: RunResults) -> bool:
    """Whether histories of restraints were written as text only."""
    try:
        return bool({"sbtout", *HISTORIES} & set(run_of(results).tables.unread))
    except DamagedFile:
        return False


def curves_of(run: RunCurves, history: str, component: str) -> list[ShownCurve]:
    """The curves of all entities; none if the run has not written the component."""
    try:
        return run.curves(f"{history}/*/{component}")
    except QuantityError:
        return []


def farthest(curve: ShownCurve) -> int:
    """The place of the value that is farthest from zero."""
    return int(np.abs(np.nan_to_num(curve.values)).argmax())


def peak(curve: ShownCurve) -> float:
    """The size of the value that is farthest from zero."""
    return abs(float(curve.values[farthest(curve)]))


def apart(one: ShownCurve, other: ShownCurve) -> float:
    """The mean distance of two curves; elements of one stretch of belt are near each other."""
    if one.values.shape != other.values.shape:
        return np.inf
    return float(np.sqrt(np.nanmean((one.values - other.values) ** 2)))


def jumps(curve: ShownCurve) -> bool:
    """Whether it leaps, as the force of an element does that passes a slip ring or leaves a retractor."""
    return bool(np.nanmax(np.abs(np.diff(curve.values)), initial=0.0) > LEAP * peak(curve))


def largest(curves: list[ShownCurve]) -> list[ShownCurve]:
    """The largest, and those farthest from what is drawn already, in the order in which they came."""
    curves = [curve for curve in curves if not jumps(curve)] or curves
    sizes = [peak(curve) for curve in curves]
    first = int(np.argmax(sizes))
    least = ALIKE * sizes[first]
    kept, free = [first], {k for k, size in enumerate(sizes) if size > least} - {first}
    while free and len(kept) < CURVES:
        distance = {k: min(apart(curves[k], curves[j]) for j in kept) for k in sorted(free)}
        farthest_one = max(distance, key=lambda k: distance[k])
        if distance[farthest_one] <= least:
            break
        kept.append(farthest_one)
        free.remove(farthest_one)
    return [curves[k] for k in sorted(kept)]


def drawn(what: str, curves: list[ShownCurve]) -> "go.Figure":
    """Curves over time."""
    plot = figures.figure(f"{what}, {curves[0].unit}".removesuffix(", "), f"time, {curves[0].time_unit}")
    for curve in largest(curves):
        figures.curve(plot, curve.times, curve.values, curve.subject)
    return plot


def extremes(head: tuple[str, ...], *quantities: list[ShownCurve]) -> str:
    """The value farthest from zero of each entity, and its time; a pair of columns for each quantity."""
    rows: dict[str, list[str]] = {}
    for k, curves in enumerate(quantities):
        for curve in curves:
            at = farthest(curve)
            cells = rows.setdefault(curve.subject, [])
            cells += ["-"] * (2 * k - len(cells))
            cells += [f"{number(curve.values[at])} {escape(curve.unit)}", number(curve.times[at])]
    width = 2 * len(quantities)
    filled = [[escape(name), *cells, *["-"] * (width - len(cells))] for name, cells in rows.items()]
    return tables.table(head, filled, range(1, width + 1))


def pressures(curves: list[ShownCurve]) -> list[ShownCurve]:
    """Gauge pressures in kPa where units are known: those of airbags are small beside stresses."""
    return [replace(c, values=1e3 * c.values, unit="kPa") if c.unit == "MPa" else c for c in curves]


def litres(curves: list[ShownCurve], run: RunCurves) -> list[ShownCurve]:
    """Volumes in litres where units are known."""
    metre = run.units.sizes.get("length")
    if metre is None:
        return curves
    return [replace(c, values=1e3 * metre**3 * c.values, unit="l") for c in curves]


Piece = tuple[str, "go.Figure | str"]  #: a title and a plot, or a table


def belt_pieces(run: RunCurves, found: set[str]) -> list[Piece]:
    """Forces of belts, pull-out of retractors, slip of rings."""
    pieces: list[Piece] = []
    if BELTS in found and (forces := curves_of(run, BELTS, "force")):
        head = ("Belt element", "Largest force", "at time")
        pieces += [("Belts: force", drawn("force", forces)), ("Belts: peaks", extremes(head, forces))]
    if RETRACTORS in found and (out := curves_of(run, RETRACTORS, "pull_out")):
        forces = curves_of(run, RETRACTORS, "force")
        head = ("Retractor", "Pull-out", "at time", "Force", "at time")
        pieces.append(("Retractors: pull-out", drawn("pull-out", out)))
        pieces.append(("Retractors: extremes", extremes(head, out, forces)))
    if RINGS in found and (slip := curves_of(run, RINGS, "slip")):
        pieces.append(("Slip rings: slip", drawn("slip", slip)))
        pieces.append(("Slip rings: extremes", extremes(("Slip ring", "Slip", "at time"), slip)))
    return pieces


def bag_pieces(run: RunCurves, found: set[str]) -> list[Piece]:
    """Pressure and volume of airbags."""
    if "abstat" not in found or not (gauge := pressures(curves_of(run, "abstat", "pressure"))):
        return []
    volume = litres(curves_of(run, "abstat", "volume"), run)
    head = ("Airbag", "Largest gauge pressure", "at time", "Largest volume", "at time")
    return [
        ("Airbags: gauge pressure", drawn("gauge pressure", gauge)),
        ("Airbags: extremes", extremes(head, gauge, volume)),
    ]


def spring_pieces(run: RunCurves, found: set[str]) -> list[Piece]:
    """Change of length and force of springs and dampers."""
    if "deforc" not in found or not (change := curves_of(run, "deforc", "displacement")):
        return []
    force = curves_of(run, "deforc", "resultant_force")
    head = ("Spring or damper", "Change of length", "at time", "Force", "at time")
    return [
        ("Springs and dampers: change of length", drawn("change of length", change)),
        ("Springs and dampers: extremes", extremes(head, change, force)),
    ]


Maker = Callable[[RunCurves, set[str]], list[Piece]]
#: name of a section, its title, what makes its pieces
SECTIONS: tuple[tuple[str, str, Maker], ...] = (
    ("belts", "Seat belts", belt_pieces),
    ("airbags", "Airbags", bag_pieces),
    ("springs", "Springs and dampers", spring_pieces),
)
