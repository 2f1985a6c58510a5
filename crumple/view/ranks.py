"""Draws a decomposition: the parts of its d3plot coloured by rank."""

from pathlib import Path

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkCoordinate, vtkPolyDataMapper2D

from crumple.plain_matplotlib import colormaps, colors
from crumple.view.picture import INK, PICTURE, Frame, aim, without_display
from crumple.view.plot_states import read_state

MOST_IN_LEGEND = 16
LEGEND_AT, LINE = 0.91, 0.05  #: left edge and height of its lines, in fractions of the picture


def rank_of(block: pv.UnstructuredGrid) -> int:
    """The rank in a block's name, "rank 3"."""
    return int(str(block.field_data["Name"][0]).split()[-1])


def rank_colours(count: int) -> list[str]:
    """A colour for each rank; neighbouring numbers look different."""
    if count <= 10:
        return [colors.to_hex(colormaps["tab10"](k)) for k in range(count)]
    steps = (np.arange(count) * 0.618034) % 1.0  # golden section: different colours for any count
    return [colors.to_hex(colormaps["turbo"](0.05 + 0.9 * s)) for s in steps]


def add_swatch(plotter: pv.Plotter, corner: tuple[float, float], colour: str) -> None:
    """Add a small filled square; its lower left corner in fractions of the picture."""
    (x, y), (width, height) = corner, (20 / size for size in PICTURE)
    square = pv.PolyData(
        [(x, y, 0.0), (x + width, y, 0.0), (x + width, y + height, 0.0), (x, y + height, 0.0)]
    )
    square.faces = np.array([4, 0, 1, 2, 3])
    place = vtkCoordinate()
    place.SetCoordinateSystemToNormalizedViewport()
    mapper = vtkPolyDataMapper2D()
    mapper.SetInputData(square)
    mapper.SetTransformCoordinate(place)
    actor = vtkActor2D()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*pv.Color(colour).float_rgb)
    plotter.add_actor(actor)


def add_legend(plotter: pv.Plotter, colours: dict[int, str]) -> Frame:
    """Add a legend of ranks at the right, if they are few; returns the space that is left for the model."""
    if len(colours) > MOST_IN_LEGEND:
        return Frame()
    for k, (rank, colour) in enumerate(colours.items()):
        y = 0.5 + LINE * (0.5 * len(colours) - 1 - k)
        add_swatch(plotter, (LEGEND_AT, y), colour)
        plotter.add_text(
            f"rank {rank}", position=(LEGEND_AT + 0.02, y), viewport=True, font_size=10, color=INK
        )
    return Frame(right=LEGEND_AT - 0.02)


def draw_ranks(result: Path, output: Path) -> None:
    """Write a PNG of the mesh in `result`, the folder of `crumple-solver --decompose`.

    Raises:
        ResultError: there is no such d3plot.
    """
    state = read_state(result, 0)
    ranks = sorted({rank_of(block) for block in state.blocks})
    colours = dict(zip(ranks, rank_colours(len(ranks)), strict=True))
    without_display()
    plotter = pv.Plotter(off_screen=True, window_size=list(PICTURE))
    plotter.set_background("white")
    for block in state.blocks:
        plotter.add_mesh(
            block.extract_surface(algorithm=None),
            color=colours[rank_of(block)],
            ambient=0.3,
            show_edges=False,
        )
    plotter.add_text(f"{state.title}\n{len(ranks)} ranks", position="upper_left", font_size=11, color=INK)
    bounds = np.array(plotter.bounds).reshape(3, 2).T
    aim(plotter, bounds, add_legend(plotter, colours))
    plotter.screenshot(str(output))
    plotter.close()
