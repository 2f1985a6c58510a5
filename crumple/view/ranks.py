"""Draws who has what: the parts of a decomposition's d3plot coloured by rank."""

from pathlib import Path

import numpy as np
import pyvista as pv
from matplotlib import colormaps
from matplotlib.colors import to_hex

from crumple.view.picture import INK, PICTURE, aim, without_display
from crumple.view.plot_states import read_state


def rank_of(block: pv.UnstructuredGrid) -> int:
    """The rank in a block's name, "rank 3"."""
    return int(str(block.field_data["Name"][0]).split()[-1])


def rank_colours(count: int) -> list[str]:
    """A colour for each rank; neighbouring numbers look different."""
    if count <= 10:
        return [to_hex(colormaps["tab10"](k)) for k in range(count)]
    steps = (np.arange(count) * 0.618034) % 1.0  # golden section: far apart whatever the count
    return [to_hex(colormaps["turbo"](0.05 + 0.9 * s)) for s in steps]


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
    if len(ranks) <= 16:
        plotter.add_legend(
            [(f"rank {r}", colours[r]) for r in ranks],
            bcolor=None,
            face="rectangle",
            size=(0.1, 0.03 * len(ranks)),
        )
    aim(plotter, np.array(plotter.bounds).reshape(3, 2).T)
    plotter.screenshot(str(output))
    plotter.close()
