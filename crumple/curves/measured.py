"""Reads measured curves and corridors: CSV files, and channels of ISO-MME (ISO/TS 13499)."""

import csv
import re
from pathlib import Path

import numpy as np

from crumple.curves.presented_units import PRESENTED, written_unit
from crumple.curves.quantity import nearest
from crumple.curves.shown_curve import ShownCurve

HEADING = re.compile(r"^(.*?)\s*[\[(]([^\])]*)[\])]\s*$")
MOST = 256_000_000  #: bytes of a file
MME_LINE = re.compile(r"^([^:]*?)\s*:\s?(.*)$")
CHANNEL = re.compile(r"\.\d{3,}$")


class MeasuredError(ValueError):
    """A file of measured curves that cannot be used."""


def read_measured(path: Path, kind: str, column: str = "") -> ShownCurve:
    """A measured curve.

    Args:
        path: a CSV file (times first), a channel file of ISO-MME (.001, ...), or a folder of these
        kind: of the computed curve: its unit is taken where the file names none
        column: name of the column or channel, or a part of one; needed if there are several

    Raises:
        MeasuredError: it cannot be read, has no such column, or is of another kind.
        OSError: it does not exist.
    """
    if path.is_dir() or path.suffix.lower() == ".mme":
        path = channel_in(path if path.is_dir() else path.parent, column)
    if path.stat().st_size > MOST:
        raise MeasuredError(f"{path} has {path.stat().st_size / 1e6:.0f} MB: more than a curve")
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    if CHANNEL.search(path.name):
        return read_channel(path, text, kind)
    times, columns = read_columns(path, text)
    name = chosen_column(path, [heading for heading, _ in columns], column)
    heading, values = next(pair for pair in columns if pair[0] == name)
    label, unit = name_and_unit(heading)
    return made(path, label or path.stem, times, values, unit, kind)


def made(path: Path, name: str, times: np.ndarray, values: np.ndarray, unit: str, kind: str) -> ShownCurve:
    """The curve with its values in the unit in which their kind is shown; times in ms."""
    known = np.isfinite(times) & np.isfinite(values)
    times, values = times[known], values[known]
    if len(times) < 2 or not (np.diff(times) > 0).all():
        raise MeasuredError(f"{path}: a curve has two points at least, and times that rise")
    found = written_unit(unit) if unit else None
    if unit and found is None:
        raise MeasuredError(f"{path}: '{unit}' is no unit that is known here")
    if found and kind and found[0] != kind:
        raise MeasuredError(
            f"{path}: '{name}' is in {unit}, a unit of {found[0]}; the run's curve is of {kind}"
        )
    shown = PRESENTED.get(kind)
    if found and shown:
        values = values * (found[1] / shown[1])
    return ShownCurve(
        run=path.stem,
        subject="test",
        name=name,
        times=times,
        values=values,
        kind=kind,
        unit=shown[0] if shown else "",
        seconds=PRESENTED["time"][1],
        size=shown[1] if shown else None,
        measured=True,
    )


def rows_of(text: str) -> list[list[str]]:
    """Cells of a text with commas, semicolons, tabs or blanks; decimal commas where semicolons divide."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "$"))]
    sample = "\n".join(lines[:20])
    for mark in ("\t", ";", ","):
        if mark in sample:
            rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark)]
            return [[decimal(cell, mark) for cell in row] for row in rows]
    return [line.split() for line in lines]


def decimal(cell: str, mark: str) -> str:
    """A number with a decimal point."""
    return cell.replace(",", ".") if mark != "," and re.fullmatch(r"[-+\d,eE]+", cell) else cell


def number_in(cell: str) -> float:
    """A number; NaN for an empty cell."""
    return float(cell) if cell else float("nan")


def read_columns(path: Path, text: str) -> tuple[np.ndarray, list[tuple[str, np.ndarray]]]:
    """Times in ms, and the other columns with their headings (with the unit in brackets, if named)."""
    rows = rows_of(text)
    head: list[list[str]] = []
    while rows and not is_numeric(rows[0]):
        head.append(rows.pop(0))
    if not rows:
        raise MeasuredError(f"{path} has no line of numbers: times first, then values")
    width = len(rows[0])
    try:
        numbers = np.array([[number_in(c) for c in (row + [""] * width)[:width]] for row in rows])
    except ValueError as error:
        raise MeasuredError(f"{path}: {error}") from None
    if width < 2:
        raise MeasuredError(f"{path} has one column: times and values are needed")
    names = headings(head, width)
    _, unit = name_and_unit(names[0])
    found = written_unit(unit) if unit else ("time", 1e-3)
    if found is None or found[0] != "time":
        raise MeasuredError(f"{path}: the first column has times; '{names[0]}' has another unit")
    times = numbers[:, 0] * (found[1] / 1e-3)
    return times, [(names[k], numbers[:, k]) for k in range(1, width)]


def is_numeric(row: list[str]) -> bool:
    """Whether the first two cells are numbers."""
    try:
        return len([float(cell) for cell in row[:2] if cell]) > 0
    except ValueError:
        return False


def headings(head: list[list[str]], width: int) -> list[str]:
    """A heading for each column; a line of units below the names is joined to them."""
    fitting = [row for row in head if len(row) == width]
    names = fitting[0] if fitting else ["time", *(f"column {k}" for k in range(2, width + 1))]
    if len(fitting) > 1 and all(written_unit(cell) or not cell for cell in fitting[1]):
        names = [f"{a} [{b.strip(' []()')}]" if b else a for a, b in zip(names, fitting[1], strict=True)]
    return names


def name_and_unit(heading: str) -> tuple[str, str]:
    """The parts of "x acceleration [g]"; without brackets there is no unit."""
    match = HEADING.match(heading)
    return (match[1], match[2]) if match else (heading, "")


def chosen_column(path: Path, names: list[str], asked: str) -> str:
    """The heading that a word names; the only one without a word."""
    if not asked:
        if len(names) > 1:
            raise MeasuredError(f"{path} has several columns: --column one of {', '.join(names[:10])}")
        return names[0]
    for matches in (
        lambda n: n == asked,
        lambda n: name_and_unit(n)[0] == asked,
        lambda n: asked.lower() in n.lower(),
    ):
        found = [name for name in names if matches(name)]
        if len(found) == 1:
            return found[0]
    raise MeasuredError(f"{path} has no column '{asked}'" + nearest(asked, names))


def channel_in(folder: Path, asked: str) -> Path:
    """The channel file of a folder of ISO-MME whose code or name contains a word."""
    files = sorted(
        p for p in [*folder.glob("*"), *folder.glob("*/*")] if p.is_file() and CHANNEL.search(p.name)
    )
    if not files:
        raise MeasuredError(f"{folder} has no channel files (.001, .002, ...)")
    if len(files) == 1 and not asked:
        return files[0]
    names = {p: said(head_of(p.read_bytes()[:8192].decode("utf-8", errors="replace"))) for p in files}
    found = [p for p, name in names.items() if asked and asked.lower() in name.lower()]
    if len(found) == 1:
        return found[0]
    listed = [name for p, name in names.items() if not found or p in found]
    raise MeasuredError(f"{folder}: --column is to name one channel" + nearest(asked, listed))


def head_of(text: str) -> dict[str, str]:
    """Descriptors of a channel file, by name in lower case."""
    found = {}
    for line in text.splitlines():
        match = MME_LINE.match(line)
        if not match:
            break
        found[match[1].strip().lower()] = match[2].strip()
    return found


def said(head: dict[str, str]) -> str:
    """Code and name of a channel."""
    words = [head.get("channel code", ""), head.get("name of the channel", "")]
    return " ".join(w for w in words if w and w.upper() != "NOVALUE")


def read_channel(path: Path, text: str, kind: str) -> ShownCurve:
    """A channel of ISO-MME: descriptors, then values, a line each; times from the interval in s."""
    head = head_of(text)
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        values = np.array([float(line) for line in lines if not MME_LINE.match(line)])
        interval = float(head["sampling interval"])
        start = float(head.get("time of first sample", "0"))
    except KeyError as error:
        raise MeasuredError(f"{path} is no channel of ISO-MME: it has no '{error.args[0]}'") from None
    except ValueError as error:
        raise MeasuredError(f"{path} is no channel of ISO-MME: {error}") from None
    if not interval > 0 or not len(values):
        raise MeasuredError(f"{path} has no samples, or no sampling interval")
    times = 1e3 * (start + interval * np.arange(len(values)))
    unit = head.get("unit", "")
    return made(path, said(head) or path.stem, times, values, "" if unit.upper() == "NOVALUE" else unit, kind)


def read_corridor(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A corridor: times in ms, lower and upper limits in the unit in which the curve is shown.

    Raises:
        MeasuredError: it has not three columns, or a lower limit above the upper one.
    """
    times, columns = read_columns(path, path.read_bytes().decode("utf-8-sig", errors="replace"))
    if len(columns) != 2:
        raise MeasuredError(f"{path}: a corridor has three columns: time, lower and upper limit")
    low, high = columns[0][1], columns[1][1]
    if not (low <= high).all() or not (np.diff(times) > 0).all():
        raise MeasuredError(f"{path}: lower limits are above upper ones, or times do not rise")
    return times, low, high
