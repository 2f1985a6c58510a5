"""Histories of a job that writes binout and no text: all are read anew now and then."""

from array import array

import numpy as np
import pandas as pd

from crumple.results.binout import binout_files
from crumple.results.damage import DamagedFile
from crumple.results.forces import Forces
from crumple.results.histories import Histories
from crumple.results.run_files import RunFiles
from crumple.results.run_tables import RunTables
from crumple.watch.share_of_time import ShareOfTime
from crumple.watch.text_histories import NODES, Curves, EnergyFile


class BinoutHistories:
    """The same as from the text files, at the last time that binout was read."""

    def __init__(self, files: RunFiles) -> None:
        self.files_ = files
        self.share_ = ShareOfTime()
        self.read_of_: tuple[tuple[str, int], ...] = ()
        self.version = 0
        self.damage = ""
        self.energies: EnergyFile | None = None
        self.forces: dict[str, Curves] = {}
        self.nodes: Curves | None = None

    def look(self, hurry: bool) -> None:
        """Read the files if they have grown and it is time."""
        paths = binout_files(self.files_.directory, self.files_.prefix)
        try:
            now = tuple((str(path), path.stat().st_size) for path in paths)
        except OSError:
            return  # replaced at this moment: the next look sees it
        if now == self.read_of_ or not self.share_.is_due(hurry):
            return
        self.read_of_ = now
        self.share_.do(self.read)
        self.version += 1

    def read(self) -> None:
        """Read all that is shown. A run may be writing: what cannot be read now is said, and tried again."""
        self.damage = ""
        if not self.read_of_:
            self.energies, self.forces, self.nodes = None, {}, None
            return
        try:
            histories, tables = Histories(self.files_), RunTables(self.files_)
            rows = histories.glstat()
            self.energies = None if rows is None else energies_of(rows)
            for kind, forces in (
                ("rwforc", histories.rwforc()),
                ("rcforc", histories.rcforc()),
                ("secforc", histories.secforc()),
            ):
                if forces is not None and not forces.empty:
                    self.forces[kind] = curves_of(forces)
            self.nodes = accelerations_of(tables) if "nodout" in tables.names else None
        except (DamagedFile, OSError) as error:
            self.damage = str(error)


def energies_of(rows: pd.DataFrame) -> EnergyFile:
    """The table as the reader of glstat leaves it."""
    found = EnergyFile()
    for row in rows.to_dict("records"):
        found.add({name: value for name, value in row.items() if value == value})
    return found


def curves_of(forces: Forces) -> Curves:
    """Magnitudes by entity and side."""
    found = Curves(titles=dict(forces.titles))
    for (key, side), rows in forces.rows.groupby(["id", "side"], sort=False):
        name = f"{key}:{side}" if side else str(key)
        found.times[name] = array("d", rows["time"].to_numpy(dtype=float).tobytes())
        found.values[name] = array("d", rows["resultant"].to_numpy(dtype=float).tobytes())
    return found


def accelerations_of(tables: RunTables) -> Curves:
    """Accelerations of the first nodes."""
    table = tables.table("nodout")
    found = Curves(titles=dict(table.titles))
    names = [f"{axis}_acceleration" for axis in "xyz"]
    if not all(name in table.columns for name in names):
        return found
    for k, key in enumerate(table.keys[:NODES]):
        values = np.column_stack([table.columns[name][:, k] for name in names])
        found.times[key] = array("d", np.asarray(table.times, dtype=float).tobytes())
        found.values[key] = array("d", np.ascontiguousarray(values, dtype=float).tobytes())
    return found
