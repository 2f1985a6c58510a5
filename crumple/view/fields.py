"""Fields of elements in pictures: plastic strain, von Mises stress, displacement, parts."""

import numpy as np
import pyvista as pv

from crumple.plain_matplotlib import colormaps, colors
from crumple.view.colours import colours
from crumple.view.field import Field
from crumple.view.plot_states import PlotState

PART_COLOURS = colors.ListedColormap(
    [*colormaps["Set2"].colors, *colormaps["Set3"].colors[3:], *colormaps["Pastel1"].colors[:3]]
)


def cell_values(block: pv.UnstructuredGrid, part: int, field: Field) -> np.ndarray:
    """A number for each element of a block, (n_cells,); zero if the file has none."""
    if field is Field.parts:
        return np.full(block.n_cells, float(part % PART_COLOURS.N))
    if field is Field.displacement:
        return displacement(block)
    return von_mises(block) if field is Field.von_mises else plastic_strain(block)


def layers(block: pv.UnstructuredGrid, name: str) -> list[np.ndarray]:
    """The arrays of a quantity, of all layers of shells."""
    return [np.asarray(block.cell_data[key]) for key in block.cell_data if key.startswith(name)]


def plastic_strain(block: pv.UnstructuredGrid) -> np.ndarray:
    """Largest effective plastic strain over an element's layers."""
    found = layers(block, "EffPlastStrn") + layers(block, "EPS")
    if not found:
        return np.zeros(block.n_cells)
    return np.hstack([values.reshape(block.n_cells, -1) for values in found]).max(axis=1)


def von_mises(block: pv.UnstructuredGrid) -> np.ndarray:
    """Largest von Mises stress over an element's layers; stresses are xx, yy, zz, xy, yz, zx."""
    found = [stress for stress in layers(block, "Stress") if stress.ndim == 2 and stress.shape[1] == 6]
    if not found:
        return np.zeros(block.n_cells)
    return np.max([equivalent(stress) for stress in found], axis=0)


def equivalent(stress: np.ndarray) -> np.ndarray:
    """The von Mises stress of (n, 6) stresses."""
    xx, yy, zz, xy, yz, zx = stress.astype(float).T
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2))


def displacement(block: pv.UnstructuredGrid) -> np.ndarray:
    """Mean displacement of an element's nodes."""
    if "Deflection" not in block.point_data:
        return np.zeros(block.n_cells)
    moved = pv.UnstructuredGrid(block.cells, block.celltypes, block.points)
    moved.point_data["far"] = np.linalg.norm(np.asarray(block.point_data["Deflection"]), axis=1)
    return np.asarray(moved.point_data_to_cell_data().cell_data["far"])


def highest(state: PlotState, field: Field) -> float:
    """The upper limit of a state's colours: 99 % of the values above zero are below it.

    Otherwise a few crushed elements would leave the rest of the model in one colour.
    """
    if field is Field.parts:
        return float(PART_COLOURS.N - 1)
    pairs = zip(state.blocks, state.parts, strict=True)
    values = np.concatenate([np.zeros(1), *(cell_values(block, part, field) for block, part in pairs)])
    if field is Field.displacement:
        return float(values.max())
    some = values[values > (1e-6 if field is Field.plastic_strain else 0.0)]
    return float(np.quantile(some, 0.99)) if some.size else 0.0


def colour_range(highest_value: float, field: Field) -> tuple[float, float]:
    """Limits of the colours from zero to a highest value, never empty."""
    least = 1e-4 if field is Field.plastic_strain else 1e-30
    return 0.0, max(highest_value, least)


def colour_map(field: Field) -> colors.Colormap:
    """Colours of a field."""
    if field is Field.parts:
        return PART_COLOURS
    return colours() if field is Field.plastic_strain else colormaps["turbo"]
