"""The charts of the page as plain data: names, units and curves with few points."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from crumple.curves.filters import cfc_filter
from crumple.curves.presented_units import PRESENTED
from crumple.curves.signal_error import SignalError
from crumple.report.figures import ENERGIES, thin
from crumple.units import Units
from crumple.watch.implicit_steps import StepFile
from crumple.watch.text_histories import Curves, EnergyFile

POINTS = 600  #: largest number of points of a curve
CURVES = 8  #: largest number of curves of a chart
PULSE_CLASS = 60  #: CFC of accelerations, as in the report

Chart = dict[str, Any]


def curve(name: str, x: np.ndarray, y: np.ndarray, **style: str) -> dict[str, Any]:
    """A curve of few points; extremes are kept."""
    known = np.isfinite(x) & np.isfinite(y)
    x, y = thin(x[known], y[known], POINTS)
    return {"name": name, "x": short(x), "y": short(y), **style}


def short(values: np.ndarray) -> list[float]:
    """Numbers with six digits, which is what a screen can show."""
    return [float(f"{value:.6g}") for value in values.tolist()]


def chart(title: str, y: str, x: str, curves: list[dict[str, Any]], **more: object) -> Chart:
    """A chart."""
    return {"title": title, "y": y, "x": x, "curves": curves, **more}


def energy_charts(file: EnergyFile, units: Units) -> dict[str, Chart]:
    """Energies, their balance, the time step and the speed."""
    columns = {name: np.array(values) for name, values in file.columns.items()}
    time = columns.get("time", np.zeros(0))
    x = f"time, {units['time']}"
    charts = {"energies": chart("Energies", f"energy, {units['energy']}", x, energy_curves(columns))}
    ratio = columns.get("total energy / initial energy")
    if ratio is not None:
        curves = [curve("total / initial energy", time, ratio, colour="#1d2733")]
        charts["balance"] = chart("Energy balance", "energy ratio", x, curves, band=[0.95, 1.05])
    share = hourglass_percent(columns)
    if share is not None:
        curves = [curve("hourglass / internal energy", time, share, colour="#3a8f5c")]
        charts["hourglass"] = chart("Hourglass energy", "of internal energy, %", x, curves, zero=True)
    if "time step" in columns:
        curves = [curve("time step", time, columns["time step"], colour="#1f6fb4")]
        charts["step"] = chart("Time step", f"time step, {units['time']}", x, curves, zero=True)
    if "time per zone cycle.(nanosec)" in columns:
        curves = [curve("mean so far", time, columns["time per zone cycle.(nanosec)"], colour="#7c57a6")]
        # The first cycles, which sort contacts, would leave the rest at the bottom.
        usual = float(np.nanmedian(columns["time per zone cycle.(nanosec)"]))
        charts["speed"] = chart("Speed", "ns per zone and cycle", x, curves, most=2.0 * usual)
    return charts


def step_charts(file: StepFile, units: Units) -> dict[str, Chart]:
    """Iterations and lengths of the steps of an implicit run."""
    time, x = np.array(file.times), f"time, {units['time']}"
    iterations = [curve("iterations", time, np.array(file.iterations), colour="#1f6fb4")]
    lengths = [curve("length of step", time, np.array(file.lengths), colour="#1f6fb4")]
    return {
        "iterations": chart("Iterations of each step", "iterations", x, iterations, zero=True),
        "lengths": chart("Length of steps", f"time step, {units['time']}", x, lengths, zero=True),
    }


def energy_curves(columns: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """All energies that are not zero throughout."""
    walls = [values for name, values in columns.items() if name.startswith("stonewall energy")]
    table = columns | ({"stonewall energy": np.nansum(walls, axis=0)} if walls else {})
    there = [(label, colour, table[name]) for name, label, colour in ENERGIES if name in table]
    largest = max((peak(values) for *_, values in there), default=0.0)
    return [
        curve(label, table["time"], values, colour=colour)
        for label, colour, values in there
        if peak(values) > 1e-6 * largest
    ]


def peak(values: np.ndarray) -> float:
    """The largest magnitude."""
    return float(np.nanmax(np.abs(values), initial=0.0)) if np.isfinite(values).any() else 0.0


def hourglass_percent(columns: dict[str, np.ndarray]) -> np.ndarray | None:
    """Hourglass energy in percent of internal energy, where there is some."""
    internal, hourglass = columns.get("internal energy"), columns.get("hourglass energy")
    if internal is None or hourglass is None or peak(internal) == 0.0:
        return None
    known = internal > 0.01 * peak(internal)
    return np.where(known, 100.0 * hourglass / np.where(known, internal, 1.0), np.nan)


def force_chart(curves: Curves, what: str, title: str, units: Units) -> Chart:
    """The largest forces; of a contact the first side that has one, as the other is opposite."""
    found = [(key, peak(np.array(values))) for key, values in curves.values.items()]
    chosen = sorted(one_side(found), key=lambda pair: -pair[1])[:CURVES]
    order = {key: k for k, (key, _) in enumerate(found)}
    drawn = [
        curve(named(key, what, curves), np.array(curves.times[key]), np.array(curves.values[key]))
        for key, _ in sorted(chosen, key=lambda pair: order[pair[0]])
    ]
    of_all = f", the {len(drawn)} largest of {len(one_side(found))}" if len(one_side(found)) > CURVES else ""
    return chart(f"{title}{of_all}", f"force, {units['force']}", f"time, {units['time']}", drawn)


def one_side(found: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Keys and peaks; of keys such as "3:slave" and "3:master" the first one with a force."""
    sides: dict[str, tuple[str, float]] = {}
    for key, most in found:
        name = key.partition(":")[0]
        if name not in sides or sides[name][1] == 0.0:
            sides[name] = (key, most)
    return list(sides.values())


def named(key: str, what: str, curves: Curves) -> str:
    """The name of an entity: its number and its title."""
    number = key.partition(":")[0]
    title = curves.titles.get(int(number), "").strip() if number.isdigit() else ""
    return f"{number} {title}" if title else f"{what} {number}"


def acceleration_chart(curves: Curves, units: Units) -> Chart:
    """Resultant accelerations, filtered and in g where the units are known."""
    drawn, filtered = [], True
    for key in list(curves.times)[:CURVES]:
        times = np.array(curves.times[key])
        values = np.array(curves.values[key]).reshape(len(times), 3).T
        times, values, done = presented(times, values, units)
        filtered &= done
        drawn.append(curve(named(key, "node", curves), times, np.linalg.norm(values, axis=0)))
    kind = f", CFC {PULSE_CLASS}" if filtered and drawn else ", not filtered"
    y = "acceleration, g" if units else "acceleration, deck units"
    x = f"time, {PRESENTED['time'][0]}" if units else "time, deck units"
    return chart(f"Accelerations of nodes, resultant{kind}", y, x, drawn)


def presented(times: np.ndarray, values: np.ndarray, units: Units) -> tuple[np.ndarray, np.ndarray, bool]:
    """Times and components in the units that are shown, and whether they have been filtered."""
    if not units:
        return times, values, False
    seconds, gravity = units.sizes["time"], units.sizes["acceleration"] / PRESENTED["acceleration"][1]
    try:
        filtered = [cfc_filter(times * seconds, component, PULSE_CLASS) for component in values]
    except SignalError:
        return times * seconds / PRESENTED["time"][1], values * gravity, False
    components = np.array([component for _, component in filtered])
    return filtered[0][0] / PRESENTED["time"][1], components * gravity, True
