"""Draws a plot state off screen: picture, legend, camera."""

import os
from dataclasses import dataclass
from dataclasses import field as member
from pathlib import Path

import numpy as np
import pyvista as pv

from crumple.units import Units
from crumple.view.camera import camera_position, half_height, moved
from crumple.view.fields import Field, cell_values, colour_map, colour_range, highest
from crumple.view.particle_blocks import is_of_points
from crumple.view.plot_states import PlotState, read_state

INK = "#22262b"
PICTURE = (1600, 720)
POINT = 4.0  #: pixels of a smooth particle
FEW = 60_000  #: largest number of elements whose edges are drawn


@dataclass(frozen=True)
class Look:
    """How states are drawn: field, limits of colours, camera, size in pixels."""

    field: Field
    limits: tuple[float, float]
    bounds: np.ndarray  #: what must be in view
    direction: np.ndarray | None = None
    size: tuple[int, int] = PICTURE
    units: Units = member(default_factory=Units)

    @property
    def title(self) -> str:
        """Title of the colour bar."""
        quantity = {Field.von_mises: "stress", Field.displacement: "length"}.get(self.field)
        label = self.units.behind(quantity).strip() if quantity else ""
        return f"{self.field.title}, {label}" if label else self.field.title


@dataclass(frozen=True)
class Frame:
    """The part of a picture that the model may fill, in fractions of its width and height from below left."""

    left: float = 0.06
    right: float = 0.94
    bottom: float = 0.06
    top: float = 0.94


ABOVE_BAR = Frame(bottom=0.15, top=0.97)  #: clear of the colour bar and its title


def without_display() -> None:
    """Let VTK draw without a display: it would try X first and print errors; OSMesa needs no display."""
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkOSOpenGLRenderWindow")


def add_blocks(plotter: pv.Plotter, state: PlotState, look: Look) -> None:
    """Add the surfaces of all blocks."""
    few = sum(b.n_cells for b in state.blocks) < FEW
    for block, part in zip(state.blocks, state.parts, strict=True):
        mesh = block.copy(deep=False)
        mesh.cell_data.clear()
        mesh.point_data.clear()
        mesh.cell_data["value"] = cell_values(block, part, look.field)
        points = is_of_points(block)
        plotter.add_mesh(
            mesh if points else mesh.extract_surface(algorithm=None),
            style="points" if points else "surface",
            point_size=POINT,
            scalars="value",
            clim=look.limits,
            cmap=colour_map(look.field),
            show_edges=few,
            edge_color="#404040",
            line_width=0.4,
            edge_opacity=0.35,
            show_scalar_bar=False,
            smooth_shading=False,
            ambient=0.25,
        )


def add_legend(plotter: pv.Plotter, look: Look) -> Frame:
    """Add the colour bar; returns the space that is left for the model."""
    if look.field is Field.parts or not plotter.mapper:
        return Frame()
    plotter.add_scalar_bar(
        title="",
        mapper=plotter.mapper,
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
    plotter.add_text(look.title, position=(0.325, 0.1), viewport=True, font_size=11, color=INK)
    return ABOVE_BAR


def scene(state: PlotState, look: Look) -> pv.Plotter:
    """A plotter with all blocks of the state."""
    without_display()
    plotter = pv.Plotter(off_screen=True, window_size=list(look.size))
    plotter.set_background("white")
    add_blocks(plotter, state, look)
    frame = add_legend(plotter, look) if state.blocks else Frame()
    caption = f"{state.title}\nt = {state.time:.6g}{look.units.behind('time')}".strip()
    plotter.add_text(caption, position="upper_left", font_size=11, color=INK)
    aim(plotter, look.bounds, frame, look.direction)
    return plotter


def aim(plotter: pv.Plotter, bounds: np.ndarray, frame: Frame, direction: np.ndarray | None = None) -> None:
    """Aim the camera so that a box, (2, 3), fills the frame in the picture."""
    plotter.enable_parallel_projection()
    width, height = plotter.window_size
    aspect = width / height
    across, up = frame.right - frame.left, frame.top - frame.bottom
    camera = camera_position(bounds, direction)
    scale = half_height(bounds, camera, aspect * across / up) / up
    aside, above = frame.left + frame.right - 1.0, frame.bottom + frame.top - 1.0
    plotter.camera_position = moved(camera, -aside * aspect * scale, -above * scale)
    plotter.reset_camera_clipping_range()
    plotter.camera.parallel_scale = scale


def pixels(state: PlotState, look: Look) -> np.ndarray:
    """The picture of a state, (height, width, 3)."""
    plotter = scene(state, look)
    picture = np.asarray(plotter.screenshot(None, return_img=True))[:, :, :3]
    plotter.close()
    return picture


def write_png(state: PlotState, path: Path, look: Look | None = None) -> None:
    """Render off screen to a PNG."""
    from PIL import Image

    Image.fromarray(pixels(state, look or look_at(state))).save(path)


def write_last_state(result: Path, path: Path, units: Units) -> None:
    """Render the last state of a d3plot off screen to a PNG.

    Raises:
        ResultError: nothing to show at `result`.
    """
    state = read_state(result)
    write_png(state, path, look_at(state, units=units))


def look_at(
    state: PlotState,
    field: Field = Field.plastic_strain,
    direction: np.ndarray | None = None,
    units: Units | None = None,
) -> Look:
    """The look of a single state."""
    limits = colour_range(highest(state, field), field)
    return Look(field, limits, state.bounds, direction, units=units or Units())
