"""Nodes with histories in the report: filtered accelerations, and figures of pulses and heads."""

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from crumple.curves.curve_figures import Wanted, figures_of, head_injury, shown
from crumple.curves.quantity import QuantityError
from crumple.curves.run_curves import RunCurves
from crumple.curves.shown_curve import ShownCurve
from crumple.curves.signal_error import SignalError
from crumple.report import figures, tables
from crumple.report.run_results import RunResults
from crumple.results.damage import DamagedFile

if TYPE_CHECKING:
    import plotly.graph_objects as go

NODES = 8  #: largest number of nodes on the page
PULSE_CLASS, CLIP_CLASS, HEAD_CLASS = 60, 180, 1000  #: CFC of pulses, of the clip, of HIC
AXES = ("x", "y", "z")
HEAD = (
    *("Node", "Velocity change", "Peak, CFC 60", "OLC", "VPI"),
    *("3 ms clip, CFC 180", "HIC15, CFC 1000", "HIC36, CFC 1000"),
)
NOTE = (
    "Filters of SAE J211-1. Peak, clip and HIC are of the resultant; OLC and VPI of the component in which "
    "the velocity changes most. A dash: the history is sampled too slowly for the class, or too short for "
    "the figure. HIC and clip have a meaning for heads only, OLC and VPI for the occupants' cell."
)


def has_nodes(results: RunResults) -> bool:
    """Whether the run wrote nodout, as text or in binout."""
    try:
        return "nodout" in run_of(results).tables.names
    except DamagedFile:
        return False


def run_of(results: RunResults) -> RunCurves:
    """The curves of the run, in the report's units."""
    return RunCurves(results.files.path("d3hsp"), units=results.units)


def acceleration_figure(run: RunCurves, keys: list[str]) -> "go.Figure":
    """Resultant accelerations, CFC 60.

    Raises:
        SignalError: they are sampled too slowly for it.
    """
    plot = figures.figure("acceleration, g", "time, ms", 400)
    for key in keys:
        curve = run.curves(f"nodout/{key}/acceleration", PULSE_CLASS)[0]
        figures.curve(plot, curve.times, curve.values, curve.subject.removeprefix("node "))
    return plot


def figure_table(run: RunCurves, keys: list[str]) -> str:
    """The figures of each node."""
    return tables.table(HEAD, [figure_row(run, key) for key in keys], range(1, len(HEAD)))


def figure_row(run: RunCurves, key: str) -> list[str]:
    """The cells of a node."""
    velocity = {axis: run.curves(f"nodout/{key}/{axis}_velocity")[0] for axis in AXES}
    change = {axis: float(np.ptp(curve.values)) for axis, curve in velocity.items()}
    axis = max(change, key=lambda a: change[a])

    def filtered(component: str, channel_class: int) -> ShownCurve:
        return run.curves(f"nodout/{key}/{component}", channel_class)[0]

    def pulse(name: str, wanted: Wanted) -> str:
        found = figures_of(filtered(f"{axis}_acceleration", PULSE_CLASS), wanted)
        return next(figure.value for figure in found if figure.name == name)

    cells = [
        lambda: f"{shown(filtered('acceleration', PULSE_CLASS).values.max())} g",
        lambda: pulse("OLC", Wanted(olc=True)),
        lambda: pulse("VPI", Wanted(vpi=True)),
        lambda: figures_of(filtered("acceleration", CLIP_CLASS), Wanted(clip=True))[1].value,
        lambda: shown(head_injury(filtered("acceleration", HEAD_CLASS), 15).value),
        lambda: shown(head_injury(filtered("acceleration", HEAD_CLASS), 36).value),
    ]
    subject = velocity[axis].subject.removeprefix("node ")
    return [escape(subject), f"{shown(change[axis])} m/s in {axis}", *(or_dash(cell) for cell in cells)]


def or_dash(cell: Callable[[], str]) -> str:
    """A figure, or a dash if it does not apply to the curve."""
    try:
        return cell()
    except (SignalError, QuantityError):
        return "-"
