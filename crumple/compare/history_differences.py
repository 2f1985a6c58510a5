"""Differences of the histories of two runs: for each, the quantity that differs most."""

import re

import numpy as np

from crumple.compare.run_difference import Group, RunDifference
from crumple.results.history_table import HistoryTable
from crumple.results.run_tables import RunTables

NOT_COMPARED = {"nzc"}  #: times that a run took
SAME_TIME = 1e-6  #: of an interval; rows at the same time are compared without interpolation


def history_differences(first: RunTables, second: RunTables, tolerance: float) -> list[RunDifference]:
    """The differences of all histories.

    Args:
        first, second: the runs
        tolerance: largest difference that does not count, over the largest value of the quantity in both
            runs, of all entities and of all components of a vector or tensor

    Raises:
        DamagedFile: a history cannot be read.
    """
    found = []
    for name in sorted(set(first.names) | set(second.names)):
        if name not in first.names or name not in second.names:
            here = ["written" if name in run.names else "not written" for run in (first, second)]
            found.append(RunDifference(Group.results, name, *here))
        else:
            found += table_differences(name, first.table(name), second.table(name), tolerance)
    return found


def table_differences(
    name: str, first: HistoryTable, second: HistoryTable, tolerance: float
) -> list[RunDifference]:
    """Entities and quantities of only one run, and the largest difference of the others."""
    found = []
    for what, mine, other in (
        ("entities", first.keys, second.keys),
        ("quantities", [*first.columns], [*second.columns]),
    ):
        if set(mine) != set(other):
            only = [", ".join(sorted(set(a) - set(b))[:4]) or "-" for a, b in ((mine, other), (other, mine))]
            found.append(RunDifference(Group.results, f"{name}: {what} of one run only", *only))
    found += row_differences(name, first.times, second.times)
    worst, count = largest_difference(name, first, second, tolerance)
    if worst is not None:
        many = f"{count} quantities beyond" if count > 1 else ""
        found.append(
            RunDifference(
                worst.group, worst.what, worst.first, worst.second, worst.relative, worst.beyond, many
            )
        )
    return found


def row_differences(name: str, first: np.ndarray, second: np.ndarray) -> list[RunDifference]:
    """Other numbers of rows, or ends that are more than half an interval apart."""
    if len(first) == len(second) and len(first) > 1:
        step = float(np.median(np.diff(first)))
        if abs(first[-1] - second[-1]) <= 0.5 * step:
            return []
    spans = [f"{len(t):,} rows to {t[-1]:.6g}" if len(t) else "no rows" for t in (first, second)]
    return [RunDifference(Group.results, f"{name}: rows", *spans)] if spans[0] != spans[1] else []


def family_of(column: str) -> str:
    """What shares a scale with a quantity: the components of a vector or a tensor."""
    if match := re.fullmatch(r"(dircos_)\d\d|((?:lower_|upper_)?(?:sig|eps)_)[xyz]{2}", column):
        return match[1] or match[2]
    return re.sub(r"^((?:local_|global_)?r?)[xyz]_", r"\1", column)


def largest_values(tables: tuple[HistoryTable, HistoryTable]) -> dict[str, float]:
    """The largest value of each family."""
    scales: dict[str, float] = {}
    for table in tables:
        for column, values in table.columns.items():
            family = family_of(column)
            scales[family] = max(scales.get(family, 0.0), float(np.nanmax(np.abs(values), initial=0.0)))
    return scales


def largest_difference(
    name: str, first: HistoryTable, second: HistoryTable, tolerance: float
) -> tuple[RunDifference | None, int]:
    """The largest relative difference of all quantities, None if there is none; how many are beyond."""
    keys = [key for key in first.keys if key in set(second.keys)]
    if not keys or not len(first.times) or not len(second.times):
        return None, 0
    places = [[table.keys.index(key) for key in keys] for table in (first, second)]
    worst: RunDifference | None = None
    count = 0
    scales = largest_values((first, second))
    for column in first.columns:
        if column in NOT_COMPARED or column not in second.columns:
            continue
        times, a, b = at_same_times(
            (first.times, first.columns[column][:, places[0]]),
            (second.times, second.columns[column][:, places[1]]),
        )
        if a.shape != b.shape or not a.size:
            continue
        limits = (tolerance, scales[family_of(column)])
        one = of_column(f"{name}/{{}}/{column}", keys, times, (a, b), limits)
        if one is None:
            continue
        count += one.beyond
        if worst is None or one.relative > worst.relative:
            worst = one
    return worst, count


def of_column(
    what: str,
    keys: list[str],
    times: np.ndarray,
    values: tuple[np.ndarray, np.ndarray],
    limits: tuple[float, float],
) -> RunDifference | None:
    """The largest difference of one quantity, None without; `limits` are tolerance and scale."""
    (a, b), (tolerance, scale) = values, limits
    missing = np.isnan(a) != np.isnan(b)
    off = np.where(np.isnan(a) | np.isnan(b), 0.0, np.abs(a - b))
    if missing.any():
        off = np.where(missing, scale or 1.0, off)
    if not off.any():
        return None
    at = np.unravel_index(int(off.argmax()), off.shape)
    relative = float(off[at] / scale) if scale > 0 else 1.0
    label = what.format(keys[at[1]]).replace("//", "/")
    return RunDifference(
        Group.results,
        f"{label} at {times[at[0]]:.6g}",
        f"{a[at]:.7g}",
        f"{b[at]:.7g}",
        relative,
        relative > tolerance,
    )


def at_same_times(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times and both values; the second one interpolated where its rows are at other times."""
    (t, a), (s, b) = first, second
    count = min(len(t), len(s))
    step = float(np.median(np.diff(t))) if len(t) > 1 else 1.0
    if np.abs(t[:count] - s[:count]).max() <= SAME_TIME * step:
        return t[:count], a[:count], b[:count]
    inside = (t >= s[0]) & (t <= s[-1])
    flat = b.reshape(len(s), -1)
    columns = [np.interp(t[inside], s, flat[:, k]) for k in range(flat.shape[1])]
    return t[inside], a[inside], np.stack(columns, axis=1).reshape(-1, *b.shape[1:])
