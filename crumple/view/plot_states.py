"""Reads plot states of a d3plot family with VTK's own reader, ours or LS-DYNA's."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyvista as pv
from vtkmodules.vtkIOLSDyna import vtkLSDynaReader


class ResultError(Exception):
    """A result file that cannot be shown."""


@dataclass
class PlotState:
    """The deformed model at one time: one surface or grid per element kind, with cell data."""

    time: float
    blocks: list[pv.UnstructuredGrid]
    title: str


def find_d3plot(result: Path) -> Path:
    """The d3plot file that `result` names or contains.

    Raises:
        ResultError: there is none.
    """
    path = result / "d3plot" if result.is_dir() else result
    if not path.exists():
        raise ResultError(f"{path} does not exist")
    return path


def read_state(result: Path, state: int = -1) -> PlotState:
    """Read one state (negative: from the end).

    Raises:
        ResultError: no such file or state.
    """
    path = find_d3plot(result).resolve()
    reader = vtkLSDynaReader()
    if not reader.CanReadFile(str(path)):
        raise ResultError(f"{path} is not a d3plot file")
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    count = reader.GetNumberOfTimeSteps()
    if not -count <= state < count:
        raise ResultError(f"{path} has {count} states; there is no state {state}")
    step = state % count
    reader.SetDeformedMesh(1)
    reader.SetRemoveDeletedCells(1)
    for k in range(reader.GetNumberOfPartArrays()):
        reader.SetPartArrayStatus(reader.GetPartArrayName(k), 1)
    reader.UpdateTimeStep(reader.GetTimeValue(step))
    blocks: list[pv.UnstructuredGrid] = []
    collect(pv.wrap(reader.GetOutput()), blocks)
    return PlotState(reader.GetTimeValue(step), blocks, str(reader.GetTitle()).strip())


def collect(data: pv.MultiBlock, blocks: list[pv.UnstructuredGrid]) -> None:
    """Append all grids with cells below `data`."""
    for block in data:
        if isinstance(block, pv.MultiBlock):
            collect(block, blocks)
        elif block is not None and block.n_cells:
            blocks.append(block)


def plastic_strain(block: pv.UnstructuredGrid) -> np.ndarray:
    """Largest effective plastic strain over an element's layers, (n_cells,); zero where none is known."""
    names = [n for n in block.cell_data if n.startswith("EffPlastStrn") or n.startswith("EPS")]
    if not names:
        return np.zeros(block.n_cells)
    columns = [np.asarray(block.cell_data[n]).reshape(block.n_cells, -1) for n in names]
    return np.hstack(columns).max(axis=1)
