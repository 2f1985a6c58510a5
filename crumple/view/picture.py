"""Draws a plot state: a PNG, and an HTML page that turns under the mouse."""

import os
from pathlib import Path

import numpy as np
import pyvista as pv

from crumple.view.colours import colours
from crumple.view.plot_states import PlotState, find_d3plot, plastic_strain, read_state

STRAIN = "effective plastic strain"
INK = "#22262b"


def colour_range(state: PlotState) -> tuple[float, float]:
    """From zero to the strain that all but the worst percent of yielding elements stay below."""
    strains = np.concatenate([plastic_strain(b) for b in state.blocks]) if state.blocks else np.zeros(1)
    yielding = strains[strains > 1e-6]
    top = float(np.quantile(yielding, 0.99)) if yielding.size else 0.01
    return 0.0, max(top, 1e-4)


def longest_horizontal_view(bounds: tuple[float, ...]) -> list[tuple[float, float, float]]:
    """Camera that looks at the model from ahead, to the side and above; z is up unless y is taller."""
    low, high = np.array(bounds[0::2]), np.array(bounds[1::2])
    centre, size = (low + high) / 2, float(np.linalg.norm(high - low))
    extent = high - low
    direction = np.array([-0.45, -1.0, 0.45]) if extent[0] >= extent[1] else np.array([-1.0, -0.45, 0.45])
    direction /= np.linalg.norm(direction)
    eye = centre + direction * 1.35 * size
    return [tuple(eye), tuple(centre), (0.0, 0.0, 1.0)]


def scene(state: PlotState, off_screen: bool = True) -> pv.Plotter:
    """A plotter with all blocks of the state."""
    plotter = pv.Plotter(off_screen=off_screen, window_size=[1600, 720])
    plotter.set_background("white")
    limits = colour_range(state)
    few = sum(b.n_cells for b in state.blocks) < 60_000
    for block in state.blocks:
        mesh = block.copy(deep=False)
        mesh.cell_data.clear()
        mesh.point_data.clear()
        mesh.cell_data[STRAIN] = plastic_strain(block)
        surface = mesh.extract_surface(algorithm=None) if mesh.n_cells else mesh
        plotter.add_mesh(
            surface,
            scalars=STRAIN,
            clim=limits,
            cmap=colours(),
            show_edges=few,
            edge_color="#404040",
            line_width=0.4,
            edge_opacity=0.35,
            show_scalar_bar=False,
            smooth_shading=False,
            ambient=0.25,
        )
    plotter.add_scalar_bar(
        title="",
        color=INK,
        vertical=False,
        width=0.35,
        height=0.05,
        position_x=0.325,
        position_y=0.03,
        label_font_size=16,
        fmt="%.2g",
    )
    # VTK sets a bar's own title into its labels.
    plotter.add_text(STRAIN, position=(0.325, 0.1), viewport=True, font_size=11, color=INK)
    caption = f"{state.title}\nt = {state.time:.6g}".strip()
    plotter.add_text(caption, position="upper_left", font_size=11, color=INK)
    plotter.enable_parallel_projection()
    plotter.camera_position = longest_horizontal_view(plotter.bounds)
    plotter.reset_camera()
    plotter.camera.zoom(1.6)
    return plotter


def write_png(state: PlotState, path: Path) -> None:
    """Render off screen to a PNG."""
    if not os.environ.get("DISPLAY"):
        # Without a display VTK tries X first and complains; OSMesa needs none.
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkOSOpenGLRenderWindow")
    plotter = scene(state)
    plotter.screenshot(str(path))
    plotter.close()


def draw(result: Path, output: Path | None = None, state: int = -1) -> list[Path]:
    """Write the PNG and the HTML page of one state; returns their paths.

    Raises:
        ResultError: nothing to show at `result`.
    """
    from crumple.view.page import write_page

    shown = read_state(result, state)
    png = output or find_d3plot(result).parent / "view.png"
    page = png.with_suffix(".html")
    write_png(shown, png)
    write_page(shown, colour_range(shown), page)
    return [png, page]
