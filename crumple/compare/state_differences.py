"""Differences of the last plot states of two runs: positions of nodes, and values of elements, by part."""

import re
from pathlib import Path

import numpy as np

from crumple.compare.run_difference import Group, RunDifference
from crumple.view.plot_states import PlotState, PlotStates


def words(name: str) -> str:
    """The name of an array as words: "normal resultant" for NormalResultant."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def state_differences(first: Path, second: Path, tolerance: float) -> list[RunDifference]:
    """The differences of the last states of two d3plot families.

    Args:
        first, second: d3plot files
        tolerance: largest difference that does not count, over the size of the model (positions), or over the
            largest value of the quantity

    Raises:
        ResultError: a file cannot be read.
    """
    families = [PlotStates(path) for path in (first, second)]
    found = []
    if len(families[0]) != len(families[1]):
        counts = [f"{len(family)} states" for family in families]
        found.append(RunDifference(Group.results, "d3plot", *counts))
    a, b = (family[-1] for family in families)
    if a.time != b.time:
        times = [f"{state.time:.7g}" for state in (a, b)]
        relative = abs(a.time - b.time) / max(abs(a.time), abs(b.time))
        what = "d3plot: time of the last state"
        found.append(RunDifference(Group.results, what, *times, relative, relative > tolerance))
    return found + of_states(a, b, tolerance)


def of_states(first: PlotState, second: PlotState, tolerance: float) -> list[RunDifference]:
    """The differences of two states, the largest of each quantity."""
    found: dict[str, RunDifference] = {}
    blocks = [dict(zip(state.parts, state.blocks, strict=True)) for state in (first, second)]
    model = float(np.nanmax(first.bounds[1] - first.bounds[0], initial=0.0)) or 1.0
    scales = largest_values(first, second)
    differences = []
    for part in sorted(set(blocks[0]) | set(blocks[1])):
        mine, other = (side.get(part) for side in blocks)
        counts = [f"{block.n_cells:,} elements" if block is not None else "none" for block in (mine, other)]
        if counts[0] != counts[1]:
            differences.append(RunDifference(Group.results, f"d3plot: part {part}", *counts))
            continue
        pairs = [("position", mine.points, other.points, model)]
        pairs += [
            (name, np.asarray(mine.cell_data[name]), np.asarray(other.cell_data[name]), scales[name])
            for name in mine.cell_data
            if name in other.cell_data and name in scales
        ]
        for name, a, b, scale in pairs:
            if a.shape != b.shape:
                differences.append(
                    RunDifference(
                        Group.results, f"d3plot: {words(name)} of part {part}", str(a.shape), str(b.shape)
                    )
                )
            elif (one := largest(name, part, (a, b), scale, tolerance)) and (
                name not in found or one.relative > found[name].relative
            ):
                found[name] = one
    return differences + list(found.values())


def largest_values(first: PlotState, second: PlotState) -> dict[str, float]:
    """The largest absolute value of each number of elements, over both states."""
    scales: dict[str, float] = {}
    for state in (first, second):
        for block in state.blocks:
            for name in block.cell_data:
                values = np.asarray(block.cell_data[name])
                if values.dtype.kind == "f" and values.size:
                    scales[name] = max(scales.get(name, 0.0), float(np.nanmax(np.abs(values))))
    return scales


def largest(
    name: str, part: int, values: tuple[np.ndarray, np.ndarray], scale: float, tolerance: float
) -> RunDifference | None:
    """The largest difference of a quantity in a part; None if it is the same everywhere."""
    a, b = (np.asarray(v, dtype=float) for v in values)
    off = np.abs(a - b)
    if not off.size or not np.nanmax(off) > 0:
        return None
    at = np.unravel_index(int(np.nanargmax(off)), off.shape)
    relative = float(off[at] / scale) if scale > 0 else 1.0
    what = f"d3plot: {words(name)} of part {part}"
    return RunDifference(Group.results, what, f"{a[at]:.7g}", f"{b[at]:.7g}", relative, relative > tolerance)
