"""All histories of a run as arrays, from binout, or from text where the run wrote only that."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from crumple.results.binout import GLSTAT, MATSUM, Binout, binout_files
from crumple.results.binout_tables import branches, table_of
from crumple.results.damage import DamagedFile
from crumple.results.forces import Forces, read_rcforc, read_rwforc, read_secforc
from crumple.results.glstat import read_glstat
from crumple.results.history_table import HistoryTable
from crumple.results.matsum import read_matsum
from crumple.results.nodout import read_nodout
from crumple.results.run_files import RunFiles

#: text files that other readers know, but none here
TEXT_ONLY = (
    "elout",
    "spcforc",
    "jntforc",
    "rbdout",
    "deforc",
    "sleout",
    "swforc",
    "bndout",
    "ncforc",
    "abstat",
    "sbtout",
)
NAMES = {"rwforc/forces": "rwforc", "jntforc/joints": "jntforc"}  #: branches by the names of their files


class RunTables:
    """The histories of a run. The numbers of binout have more digits, so it counts if there are both."""

    def __init__(self, files: RunFiles) -> None:
        """Find what there is.

        Raises:
            DamagedFile: binout is damaged.
        """
        self.files_ = files
        paths = binout_files(files.directory, files.prefix)
        self.place_ = paths[0] if paths else None
        self.binout_ = Binout(paths) if paths else None
        self.branches_ = {NAMES.get(b, b): b for b in (branches(self.binout_) if self.binout_ else [])}
        self.tables_: dict[str, HistoryTable] = {}

    @property
    def names(self) -> list[str]:
        """Names of the histories that can be read: "glstat", "nodout", "elout/shell", ..."""
        texts = [name for name in TEXTS if self.files_.find(name)]
        return sorted({*self.branches_, *texts})

    @property
    def unread(self) -> list[str]:
        """Histories that the run wrote as text only, and that are read from binout only."""
        known = {name.partition("/")[0] for name in self.names}
        return [name for name in TEXT_ONLY if name not in known and self.files_.find(name)]

    def table(self, name: str) -> HistoryTable:
        """One history.

        Raises:
            KeyError: the run has none of this name.
            DamagedFile: it cannot be read.
        """
        if name not in self.tables_:
            self.tables_[name] = self.read(name)
        return self.tables_[name]

    def read(self, name: str) -> HistoryTable:
        """One history, read now."""
        if name in self.branches_:
            try:
                return table_of(self.binout_, self.branches_[name])
            except DamagedFile:
                raise
            except (ValueError, LookupError, ArithmeticError) as error:
                raise DamagedFile(f"{self.place_}: {name} is damaged: {str(error)[:200]}") from None
        path = self.files_.find(name) if name in TEXTS else None
        if path is None:
            raise KeyError(name)
        return TEXTS[name](path)


def of_glstat(history: pd.DataFrame) -> HistoryTable:
    """The table of the text file."""
    names = {text: name for name, text in GLSTAT.items()}
    columns = {
        names.get(text, text.replace(" ", "_")): history[text].to_numpy(dtype=float)[:, None]
        for text in history
        if text not in ("time", "cycle") and not text.startswith("control")
    }
    return HistoryTable(history["time"].to_numpy(dtype=float), [""], {}, columns)


def pivoted(rows: pd.DataFrame, key: pd.Series, names: dict[str, str]) -> tuple[np.ndarray, list[str], dict]:
    """Rows of (time, entity) as arrays of (times, entities)."""
    keys = list(dict.fromkeys(key))
    times = np.array(list(dict.fromkeys(rows["time"])), dtype=float)
    count = len(rows) // max(len(keys), 1)
    times = times[:count]
    whole = rows.iloc[: count * len(keys)]
    columns = {
        new: whole[old].to_numpy(dtype=float).reshape(count, len(keys))
        for old, new in names.items()
        if old in whole
    }
    return times, keys, columns


def of_matsum(path) -> HistoryTable:  # noqa: ANN001 - a path
    """The table of the text file."""
    found = read_matsum(path)
    names = {text: name for name, text in MATSUM.items()}
    times, keys, columns = pivoted(found.rows, found.rows["part"].astype(str), names)
    return HistoryTable(times, keys, found.titles, columns)


def of_forces(read: Callable[..., Forces]) -> Callable[..., HistoryTable]:
    """A reader of a file of forces."""
    names = {axis: f"{axis}_force" for axis in "xyz"} | {"normal": "normal_force", "resultant": "total_force"}

    def table(path) -> HistoryTable:  # noqa: ANN001 - a path
        found = read(path)
        rows = found.rows
        key = rows["id"].astype(str).where(rows["side"] == "", rows["id"].astype(str) + ":" + rows["side"])
        times, keys, columns = pivoted(rows, key, names)
        return HistoryTable(times, keys, found.titles, columns)

    return table


#: readers of text files
TEXTS: dict[str, Callable[..., HistoryTable]] = {
    "glstat": lambda path: of_glstat(read_glstat(path)),
    "matsum": of_matsum,
    "nodout": read_nodout,
    "rcforc": of_forces(read_rcforc),
    "rwforc": of_forces(read_rwforc),
    "secforc": of_forces(read_secforc),
}
