"""Histories as pandas tables and xarray datasets."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from crumple.results.history_table import HistoryTable

if TYPE_CHECKING:
    import xarray as xr


def named(key: str) -> int | str:
    """An entity as a key: its number, of contacts with the side ("3:master")."""
    return int(key) if key.isdigit() else key


def single_columns(table: HistoryTable, at: int) -> dict[str, np.ndarray]:
    """The quantities of an entity, (n,) each: of integration points "sig_xx/1", "sig_xx/2", ..."""
    found = {}
    for name, values in table.columns.items():
        if values.ndim == 2:
            found[name] = values[:, at]
        else:
            found |= {f"{name}/{k + 1}": values[:, at, k] for k in range(values.shape[2])}
    return found


def frame_of(table: HistoryTable) -> pd.DataFrame:
    """Times as index; quantities as columns, below their entity where there are several kinds of them.

    `attrs["titles"]` has the titles of the deck by number.
    """
    index = pd.Index(table.times, name="time")
    if table.keys == [""]:
        frame = pd.DataFrame(single_columns(table, 0), index=index)
    else:
        frame = pd.DataFrame(
            {
                (named(key), name): values
                for at, key in enumerate(table.keys)
                for name, values in single_columns(table, at).items()
            },
            index=index,
        )
        frame.columns = pd.MultiIndex.from_tuples(frame.columns, names=["id", "component"])
    frame.attrs["titles"] = dict(table.titles)
    return frame


def dataset_of(table: HistoryTable) -> "xr.Dataset":
    """Quantities over `time`, `id`, and `point` where there are integration points."""
    import xarray as xr

    whole = table.keys == [""]
    found = {}
    for name, values in table.columns.items():
        dims = ("time", "id", "point")[: values.ndim]
        found[name] = (("time",), values[:, 0]) if whole else (dims, values)
    coordinates: dict[str, object] = {"time": table.times}
    if not whole:
        keys = [named(key) for key in table.keys]
        mixed = any(isinstance(key, str) for key in keys)
        coordinates["id"] = np.array([str(key) for key in keys]) if mixed else np.array(keys)
        titles = np.array([table.title(key) for key in table.keys])
        coordinates["title"] = ("id", titles)
    return xr.Dataset(found, coordinates)
