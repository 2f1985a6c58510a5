"""Reads plot states of a d3plot family (ours or LS-DYNA's) with VTK's reader."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyvista as pv
from vtkmodules.vtkIOLSDyna import vtkLSDynaReader

from crumple.results.d3plot_file import PlotFamily
from crumple.results.d3plot_layout import NMSPH
from crumple.results.damage import DamagedFile
from crumple.view.particle_blocks import is_of_points, particle_blocks
from crumple.view.parts import PartChoice
from crumple.view.plot_file import ResultError, check_family, control_words, find_d3plot


@dataclass
class PlotState:
    """The deformed model at one time: a grid per part with cell data, without deleted elements."""

    time: float
    blocks: list[pv.UnstructuredGrid]
    title: str
    parts: list[int]  #: the part of each block

    @property
    def bounds(self) -> np.ndarray:
        """Lowest and highest coordinates, (2, 3); NaN if no element is left."""
        boxes = np.array([block.bounds for block in self.blocks]).reshape(-1, 3, 2)
        if not len(boxes):
            return np.full((2, 3), np.nan)
        return np.array([boxes[:, :, 0].min(axis=0), boxes[:, :, 1].max(axis=0)])


class PlotStates:
    """The states of a d3plot family, read one at a time."""

    def __init__(self, result: Path, choice: PartChoice | None = None) -> None:
        """Open a family, and show the chosen parts of it.

        Raises:
            ResultError: nothing to show there.
        """
        self.path_ = find_d3plot(result).resolve()
        self.choice_ = choice or PartChoice()
        check_family(self.path_)
        self.reader_ = vtkLSDynaReader()
        if not self.reader_.CanReadFile(str(self.path_)):
            raise ResultError(f"{self.path_} is not a d3plot file")
        self.reader_.SetFileName(str(self.path_))
        self.reader_.UpdateInformation()
        self.reader_.SetDeformedMesh(1)
        self.reader_.SetRemoveDeletedCells(1)
        for k in range(self.reader_.GetNumberOfPartArrays()):
            self.reader_.SetPartArrayStatus(self.reader_.GetPartArrayName(k), 1)
        self.particles_ = family_with_particles(self.path_)

    def __len__(self) -> int:
        return self.reader_.GetNumberOfTimeSteps()

    def __iter__(self) -> Iterator[PlotState]:
        for k in range(len(self)):
            yield self[k]

    def __getitem__(self, state: int) -> PlotState:
        """Read one state (negative: from the end).

        Raises:
            ResultError: no such state, or no such part.
        """
        count = len(self)
        if not -count <= state < count:
            raise ResultError(f"{self.path_} has {count} states; there is no state {state}")
        time = self.reader_.GetTimeValue(state % count)
        self.reader_.UpdateTimeStep(time)
        blocks: list[pv.UnstructuredGrid] = []
        collect(pv.wrap(self.reader_.GetOutput()), blocks)
        if self.particles_:
            blocks = [block for block in blocks if not is_of_points(block)]
            blocks += particle_blocks(self.particles_, state % count)
        ids = [part_of(block) for block in blocks]
        try:
            shown = self.choice_.shown(set(ids))
        except ValueError as error:
            raise ResultError(str(error)) from None
        pairs = [(b, part) for b, part in zip(blocks, ids, strict=True) if part in shown and b.n_cells]
        title = str(self.reader_.GetTitle()).strip()
        return PlotState(time, [b for b, _ in pairs], title, [part for _, part in pairs])


def family_with_particles(path: Path) -> PlotFamily | None:
    """The family by our own reader, if it has smooth particles.

    Raises:
        ResultError: it is damaged.
    """
    found = control_words(path)
    if found is None or not found[0][NMSPH]:
        return None
    try:
        return PlotFamily(path)
    except DamagedFile as error:
        raise ResultError(str(error)) from None


def read_state(result: Path, state: int = -1, choice: PartChoice | None = None) -> PlotState:
    """Read one state (negative: from the end).

    Raises:
        ResultError: no such file, state or part.
    """
    return PlotStates(result, choice)[state]


def collect(data: pv.MultiBlock, blocks: list[pv.UnstructuredGrid]) -> None:
    """Append all grids below `data`; a part whose elements are all deleted is an empty one."""
    for block in data:
        if isinstance(block, pv.MultiBlock):
            collect(block, blocks)
        elif block is not None:
            blocks.append(block)


def part_of(block: pv.UnstructuredGrid) -> int:
    """The user's part number of a block."""
    return int(np.asarray(block.field_data["Material Id"])[0])
