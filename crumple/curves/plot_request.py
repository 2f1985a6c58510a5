"""What `crumple plot` was asked for, and the curves that answer it."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from crumple.curves.atd_limits import NECK, AtdPlace, atd_figures, atd_lines, neck_figures
from crumple.curves.curve_figures import (
    Figure,
    Wanted,
    agreement,
    corridor_figure,
    crushing_figures,
    figures_of,
)
from crumple.curves.filters import cfc_filter
from crumple.curves.measured import read_corridor, read_measured
from crumple.curves.quantity import QuantityError
from crumple.curves.run_curves import FILTERED, RunCurves
from crumple.curves.shown_curve import ShownCurve
from crumple.curves.signal_error import SignalError
from crumple.results.run_files import RunError, find_run
from crumple.units import Units


@dataclass(frozen=True)
class PlotRequest:
    """The options of `crumple plot`.

    Attributes:
        runs: folders of results; quantities: as typed
        channel_class: CFC, or None; filter_test: also for the measured curve
        versus: quantity on the horizontal axis, instead of time
        against, column: a file of measured curves, and the column in it
        limits: values with labels, in the unit that is shown; corridor: a file
        atd: place of a dummy, whose limits are compared
        window: first and last time in ms (deck units without units)
    """

    runs: tuple[Path, ...]
    quantities: tuple[str, ...]
    channel_class: int | None = None
    wanted: Wanted = field(default_factory=Wanted)
    versus: str = ""
    against: Path | None = None
    column: str = ""
    filter_test: bool = False
    limits: tuple[tuple[float, str], ...] = ()
    corridor: Path | None = None
    atd: AtdPlace | None = None
    window: tuple[float | None, float | None] = (None, None)
    title: str = ""
    units: Units = field(default_factory=Units)


@dataclass
class Drawn:
    """A curve with its place in the picture: what is on its horizontal axis, its label, its figures."""

    curve: ShownCurve
    across: ShownCurve | None = None  #: on the horizontal axis, at the same times; None: time
    label: str = ""
    figures: list[Figure] = field(default_factory=list)

    @property
    def x(self) -> np.ndarray:
        """Values on the horizontal axis."""
        return self.curve.times if self.across is None else self.across.values


@dataclass
class Plot:
    """Curves ready to be drawn or written."""

    title: str
    drawn: list[Drawn]
    limits: tuple[tuple[float, str], ...] = ()
    corridor: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    @property
    def units(self) -> list[tuple[str, str]]:
        """Kind and unit of each panel, in their order."""
        return list(dict.fromkeys((d.curve.kind, d.curve.unit) for d in self.drawn))


def divided(words: list[str]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """The runs and the quantities among words; the current folder if no run is named.

    Raises:
        QuantityError: no quantity, or a word that is neither.
        RunError: a folder that has no run.
    """
    runs, quantities = [], []
    for word in words:
        path = Path(word)
        if path.is_dir() or (path.is_file() and path.name.endswith("d3hsp")):
            find_run(path)
            runs.append(path)
        elif "/" in word and not path.is_absolute():
            quantities.append(word)
        else:
            raise RunError(
                f"'{word}' is neither a folder of results nor a quantity such as glstat/kinetic_energy"
            )
    return tuple(runs) or (Path("."),), tuple(quantities)


def opened(request: PlotRequest) -> list[RunCurves]:
    """The runs, with names that differ."""
    runs = [RunCurves(path, units=request.units or None) for path in request.runs]
    names = [run.name for run in runs]
    for k, run in enumerate(runs):
        if names.count(names[k]) > 1:
            run.name = str(request.runs[k])
    return runs


def prepare(request: PlotRequest) -> Plot:
    """Read, filter and rate the curves.

    Raises:
        RunError, DamagedFile, QuantityError, MeasuredError, SignalError: as their messages say.
    """
    if not request.quantities:
        raise QuantityError(
            "no quantity named, such as nodout/1234/x_acceleration; --list shows what there is"
        )
    if request.versus and request.against:
        raise QuantityError("--versus and --against do not go together: a test is rated over time")
    if request.atd and request.channel_class is None:
        request = replace(request, channel_class=request.atd.channel_class)
    runs = opened(request)
    drawn = [d for run in runs for words in request.quantities for d in of_run(run, words, request)]
    plot = Plot(request.title or default_title(runs, drawn), drawn, request.limits)
    if request.corridor:
        plot.corridor = read_corridor(request.corridor)
    for one in drawn:
        one.figures = figures(one, request, plot.corridor)
    if request.atd is NECK:
        add_neck(drawn)
    if request.atd:
        plot.limits += atd_lines(request.atd, [one.curve for one in drawn])
    if request.against:
        add_test(plot, request)
    label(drawn)
    return plot


def of_run(run: RunCurves, words: str, request: PlotRequest) -> list[Drawn]:
    """The curves of one quantity of one run."""
    curves = [cut(curve, request.window) for curve in run.curves(words, request.channel_class)]
    if not request.versus:
        return [Drawn(curve) for curve in curves]
    across = run.curves(request.versus)
    if len(across) != 1:
        raise QuantityError(f"--versus is to name one curve; '{request.versus}' names {len(across)}")
    return [crush(Drawn(curve, at_times_of(curve, across[0]))) for curve in curves]


def crush(one: Drawn) -> Drawn:
    """A force over a displacement with both positive in the direction of crushing; others as they are."""
    force, way = one.curve, one.across
    if not is_crushing(one):
        return one
    x, f = way.values, force.values
    x = (x - x[0]) * (1.0 if x.max() - x[0] >= x[0] - x.min() else -1.0)
    f = f * (1.0 if f.max() >= -f.min() else -1.0)
    across = replace(way, values=x, name=f"crush ({way.name})")
    return Drawn(force.with_values(force.times, f), across)


def is_crushing(one: Drawn) -> bool:
    """Whether it is a force over a displacement."""
    return one.across is not None and one.curve.kind == "force" and one.across.kind == "length"


def cut(curve: ShownCurve, window: tuple[float | None, float | None]) -> ShownCurve:
    """The part of a curve within a window of time."""
    first, last = window
    low = -np.inf if first is None else first
    inside = (curve.times >= low) & (curve.times <= (np.inf if last is None else last))
    if inside.sum() < 2:
        raise SignalError(f"'{curve.name}' has fewer than two points between --from and --to")
    return curve.with_values(curve.times[inside], curve.values[inside])


def at_times_of(curve: ShownCurve, across: ShownCurve) -> ShownCurve:
    """What is on the horizontal axis, at the times of a curve."""
    return across.with_values(curve.times, np.interp(curve.times, across.times, across.values))


def figures(
    one: Drawn, request: PlotRequest, corridor: tuple[np.ndarray, np.ndarray, np.ndarray] | None
) -> list[Figure]:
    """The figures of one curve."""
    found = figures_of(one.curve, request.wanted)
    if request.atd:
        found += atd_figures(one.curve, request.atd)
    if is_crushing(one):
        found = crushing_figures(one.across, one.curve)
    if corridor is not None:
        found.append(corridor_figure(one.curve, corridor))
    return found


def add_neck(drawn: list[Drawn]) -> None:
    """Nij of the force and the moment of each run, beside the force.

    Raises:
        SignalError: a run has others.
    """
    for run in dict.fromkeys(one.curve.run for one in drawn):
        of_run = [one for one in drawn if one.curve.run == run]
        found = neck_figures([one.curve for one in of_run])
        next(one for one in of_run if one.curve.kind == "force").figures += found


def add_test(plot: Plot, request: PlotRequest) -> None:
    """The measured curve, and the ratings of the computed ones."""
    kinds = {d.curve.kind for d in plot.drawn}
    if len(kinds) > 1:
        raise QuantityError("--against takes quantities of one kind, not " + ", ".join(sorted(kinds)))
    test = read_measured(request.against, kinds.pop(), request.column)
    if request.filter_test and request.channel_class and test.kind in FILTERED:
        times, values = cfc_filter(test.times * test.seconds, test.values, request.channel_class)
        test = replace(test, times=times / test.seconds, values=values)
        test = replace(test, name=f"{test.name}, CFC {request.channel_class}")
    test = cut(test, request.window)
    for one in plot.drawn:
        one.figures += agreement(one.curve, test)
    hic_applies = not any(d.curve.signed for d in plot.drawn)
    measured = Drawn(test if not hic_applies else replace(test, signed=False))
    measured.figures = figures(measured, request, plot.corridor)
    plot.drawn.append(measured)


def default_title(runs: list[RunCurves], drawn: list[Drawn]) -> str:
    """What all curves have in common: the subject and the quantity, or the title of the deck."""
    subjects = {d.curve.subject for d in drawn}
    names = {d.curve.name for d in drawn}
    across = {d.across.name for d in drawn if d.across is not None}
    pieces = [subjects.pop()] if len(subjects) == 1 else []
    pieces += [names.pop()] if len(names) == 1 else []
    pieces += [f"over {across.pop()}"] if len(across) == 1 else []
    text = ", ".join(piece for piece in pieces if piece != "model")
    title = runs[0].log.title if len({run.log.title for run in runs}) == 1 else ""
    return (text[:1].upper() + text[1:]) if text else title


def label(drawn: list[Drawn]) -> None:
    """Labels of what differs between the curves: run, subject, quantity; of one curve its quantity."""
    computed = [d.curve for d in drawn if not d.curve.measured]
    differ = [
        piece
        for piece in ("run", "subject", "name")
        if len({getattr(curve, piece) for curve in computed}) > 1
    ]
    for one in drawn:
        curve = one.curve
        if curve.measured:
            one.label = f"{curve.run}, {curve.name}" if curve.name != curve.run else curve.run
        else:
            said = [getattr(curve, piece) for piece in differ]
            one.label = ": ".join(text for text in said if text != "model") or curve.run
