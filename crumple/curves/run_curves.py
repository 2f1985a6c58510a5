"""Curves of a run by the words that name them."""

import re
from pathlib import Path

import numpy as np

from crumple.curves.filters import cfc_filter
from crumple.curves.motion import change_of_distance, resultant
from crumple.curves.presented_units import PRESENTED, kind_of, presented, si_size
from crumple.curves.quantity import (
    DIFFERENCE,
    DISTANCE,
    Quantity,
    QuantityError,
    components_of,
    entities_of,
    plain,
    read_quantity,
)
from crumple.curves.shown_curve import ShownCurve
from crumple.curves.signal_error import SignalError
from crumple.results.d3hsp import read_d3hsp
from crumple.results.history_table import HistoryTable
from crumple.results.run_files import RunFiles, find_run
from crumple.results.run_tables import RunTables
from crumple.results.run_units import units_of
from crumple.units import Units

#: what an entity of a history is called
NOUNS = {
    "nodout": "node",
    "matsum": "part",
    "rcforc": "contact",
    "secforc": "section",
    "rwforc": "wall",
    "spcforc": "node",
    "jntforc": "joint",
    "rbdout": "rigid body",
    "deforc": "spring",
    "swforc": "weld",
    "sleout": "contact",
    "abstat": "airbag",
    "sbtout/belt": "belt element",
    "sbtout/ring": "slip ring",
    "sbtout/retractor": "retractor",
    "elout/shell": "shell",
    "elout/solid": "solid",
    "elout/beam": "beam",
}
FILTERED = ("acceleration", "force", "moment", "speed")  #: kinds to which a filter class applies


class RunCurves:
    """The curves of one run."""

    def __init__(self, where: Path, name: str = "", units: Units | None = None) -> None:
        """Open a run.

        Args:
            where: folder of results, or the d3hsp in it
            name: in legends; default: the folder's
            units: instead of the run's own

        Raises:
            RunError: there is no run.
            DamagedFile: d3hsp or binout is damaged.
        """
        self.files: RunFiles = find_run(where)
        self.log = read_d3hsp(self.files.path("d3hsp"))
        self.units = units or units_of(self.log)
        self.name = name or run_name(self.files)
        self.tables = RunTables(self.files)

    def curves(self, words: str, channel_class: int | None = None) -> list[ShownCurve]:
        """The curves that words name, filtered if a class is given; several for `*` and lists.

        Components of a vector are filtered before its magnitude is taken, as SAE J211-1 wants it.

        Raises:
            QuantityError: the run has no such quantity.
            SignalError: a filter cannot be applied.
            DamagedFile: the history cannot be read.
        """
        asked = read_quantity(words, self.histories())
        table = self.tables.table(asked.history)
        pair = DIFFERENCE.fullmatch(asked.entity)
        if pair and asked.entity not in table.keys:
            return [self.difference(asked, table, pair[1], pair[2], channel_class)]
        names = components_of(asked.component, table)
        keys = entities_of(asked.entity, table, asked.history)
        whole = [self.curve(asked, table, names, key, channel_class) for key in keys]
        known = [curve for curve in whole if np.isfinite(curve.values).any()]
        if not known:
            raise QuantityError(f"'{words}' has no values in {self.name}")
        return known

    def histories(self) -> list[str]:
        """Names of the histories; with a message if there is none, or if some are text that is not read."""
        names = self.tables.names
        if not names:
            raise QuantityError(
                f"{self.files.directory} has no histories: the deck has no *DATABASE_GLSTAT, _NODOUT, ..."
                if not self.tables.unread
                else f"{', '.join(self.tables.unread)} are read from binout: set BINARY = 3 in the deck"
            )
        return names

    def curve(
        self, asked: Quantity, table: HistoryTable, names: list[str], key: str, channel_class: int | None
    ) -> ShownCurve:
        """One curve of one entity."""
        at = table.keys.index(key)
        point = ""
        parts = []
        for name in names:
            values = table.columns[name][:, at]
            if values.ndim == 2:
                values, point = of_point(values, asked.point)
            parts.append(values)
        component = names[0] if len(names) == 1 else magnitude_of(names[0])
        label = spoken(component) + (f", {point}" if point else "")
        return self.shown(
            table.times, parts, component, label, self.subject(asked.history, table, key), channel_class
        )

    def difference(
        self, asked: Quantity, table: HistoryTable, first: str, second: str, channel_class: int | None
    ) -> ShownCurve:
        """A quantity of a second entity less that of a first, or the change of the distance of two nodes."""
        places = [table.keys.index(entities_of(key, table, asked.history)[0]) for key in (first, second)]
        noun = NOUNS.get(asked.history, asked.history)
        subject = f"{noun}s {first} to {second}"
        if plain(asked.component) == DISTANCE:
            names = components_of("coordinate", table)
            ends = [np.column_stack([table.columns[n][:, at] for n in names]) for at in places]
            values = [change_of_distance(*ends)]
            return self.shown(table.times, values, DISTANCE, "change of distance", subject, None)
        names = components_of(asked.component, table)
        parts = [table.columns[n][:, places[1]] - table.columns[n][:, places[0]] for n in names]
        component = names[0] if len(names) == 1 else magnitude_of(names[0])
        return self.shown(
            table.times, parts, component, f"{spoken(component)}, difference", subject, channel_class
        )

    def subject(self, history: str, table: HistoryTable, key: str) -> str:
        """What an entity is called: its number and its title."""
        if not key:
            return "model"
        if key == "total":
            return "all supports"
        title = table.title(key)
        number = key.replace(":", " ")
        return f"{NOUNS.get(history, history)} {number}" + (f", {title}" if title else "")

    def shown(
        self,
        times: np.ndarray,
        parts: list[np.ndarray],
        component: str,
        label: str,
        subject: str,
        channel_class: int | None,
    ) -> ShownCurve:
        """The curve in the units in which it is shown; its components are filtered first."""
        kind = kind_of(component)
        unit, factor = presented(kind, self.units)
        seconds = self.units.sizes.get("time")
        known = np.all(np.isfinite(parts), axis=0)
        times, parts = times[known], [values[known] for values in parts]
        if channel_class and kind in FILTERED:
            if seconds is None:
                raise SignalError("a filter needs the unit of time: --units, or *CONTROL_UNITS in the deck")
            filtered = [cfc_filter(times * seconds, values, channel_class) for values in parts]
            times, parts = filtered[0][0] / seconds, [values for _, values in filtered]
            label += f", CFC {channel_class}"
        values = parts[0] if len(parts) == 1 else resultant(*parts)
        shown_seconds = PRESENTED["time"][1] if seconds else None
        return ShownCurve(
            run=self.name,
            subject=subject,
            name=label,
            times=times * (seconds / shown_seconds) if seconds else times,
            values=values * factor,
            kind=kind,
            unit=unit,
            seconds=shown_seconds,
            size=None if si_size(kind, self.units) is None else PRESENTED[kind][1],
            signed=len(parts) == 1,
        )


def run_name(files: RunFiles) -> str:
    """The name of a run in legends: its folder, and the prefix of its files."""
    folder = files.directory.resolve().name
    prefix = files.prefix.rstrip(".")
    return f"{folder}/{prefix}" if prefix else folder


def of_point(values: np.ndarray, point: int | None) -> tuple[np.ndarray, str]:
    """The values of a point, (n,), or at each time those farthest from zero; and a word on it."""
    count = int(np.isfinite(values).any(axis=0).sum())
    if point is not None:
        if not 1 <= point <= count:
            raise QuantityError(f"there are {count} integration points, no point {point}")
        return values[:, point - 1], f"point {point}"
    if count <= 1:
        return values[:, 0], ""
    known = np.isfinite(values).any(axis=1)
    at = np.argmax(np.abs(np.nan_to_num(values)), axis=1)
    chosen = values[np.arange(len(values)), at]
    return np.where(known, chosen, np.nan), f"largest of {count} points"


def spoken(component: str) -> str:
    """A component in words: "x acceleration"."""
    return re.sub(r"^(local )?r([xyz]?) ", r"\1rotational \2 ", component.replace("_", " ")).replace(
        "  ", " "
    )


def magnitude_of(component: str) -> str:
    """The name of a vector, from that of its x component."""
    return re.sub(r"^(local_)?(r?)x_", lambda m: (m[1] or "") + (m[2] and "r_"), component)
