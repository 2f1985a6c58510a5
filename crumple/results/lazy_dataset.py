"""Plot states as an xarray dataset whose values are read when they are used."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from crumple.results.state_array import StateArray

if TYPE_CHECKING:
    from crumple.results.d3plot_file import PlotFamily

COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")
#: names of the axes behind states and elements; {} is the kind of element
INNER = {
    "stress": ("{}_point", "component"),
    "strain": ("{}_surface", "component"),
    "plastic_strain": ("{}_point",),
    "history": ("{}_point", "{}_variable"),
    "point": ("{}_point", "{}_variable"),
}
NODAL = ("displacement", "velocity", "acceleration")


class LazyStates(BackendArray):
    """A StateArray as xarray reads it."""

    def __init__(self, array: StateArray) -> None:
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> np.ndarray:
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.OUTER_1VECTOR, self.array.__getitem__
        )


def variable(dims: tuple[str, ...], array: StateArray) -> xr.Variable:
    """A variable that is read when it is used."""
    return xr.Variable(dims, indexing.LazilyIndexedArray(LazyStates(array)))


def states_dataset(plot: "PlotFamily") -> xr.Dataset:
    """Motion over `time`, `node` and `axis`; quantities of elements as `shell_stress`, over `shell`, ..."""
    found = {}
    for name in NODAL:
        try:
            found[name] = variable(("time", "node", "axis"), plot.nodal(name))
        except KeyError:
            continue
    coordinates: dict[str, object] = {
        "time": plot.times,
        "node": plot.node_ids,
        "axis": list("xyz"),
        "coordinates": (("node", "axis"), plot.coordinates),
    }
    for kind, elements in plot.elements.items():
        if not len(elements.ids):
            continue
        coordinates[kind] = elements.ids
        coordinates[f"{kind}_part"] = (kind, plot.part_ids[elements.parts])
        for name in (*plot.columns(kind), "alive"):
            array = plot.element(kind, name)
            inner = tuple(axis.format(kind) for axis in INNER.get(name, (f"{kind}_{name}_axis",)))
            inner = inner[: array.ndim - 2]
            if "component" in inner:
                coordinates["component"] = list(COMPONENTS)
            found[f"{kind}_{name}"] = variable(("time", kind, *inner), array)
    return xr.Dataset(found, coordinates, {"title": plot.layout.title})
