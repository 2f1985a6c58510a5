"""Writes the pictures of one state: the PNG, and beside it an interactive page."""

from pathlib import Path

import numpy as np

from crumple.results.run_units import units_beside
from crumple.units import Units
from crumple.view.field import Field
from crumple.view.parts import PartChoice
from crumple.view.picture import look_at, write_png
from crumple.view.plot_file import find_d3plot
from crumple.view.plot_states import read_state
from crumple.view.state_page import write_page


def draw(
    result: Path,
    output: Path | None = None,
    state: int = -1,
    field: Field = Field.plastic_strain,
    choice: PartChoice | None = None,
    direction: np.ndarray | None = None,
    units: Units | None = None,
) -> list[Path]:
    """Write the PNG and the HTML page of one state; returns their paths.

    Raises:
        ResultError: nothing to show at `result`.
    """
    shown = read_state(result, state, choice)
    look = look_at(shown, field, direction, units or units_beside(find_d3plot(result)))
    png = output or find_d3plot(result).parent / "view.png"
    page = png.with_suffix(".html")
    write_png(shown, png, look)
    write_page(shown, look, page)
    return [png, page]
