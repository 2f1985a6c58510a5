"""Drawing in a separate process: only that process loads VTK, which takes time."""

from pathlib import Path
from typing import TYPE_CHECKING

from crumple.view.field import Field
from crumple.view.parts import PartChoice

if TYPE_CHECKING:
    import numpy as np

    from crumple.units import Units

FILMS = (".gif", ".mp4")  #: endings of films


def picture_and_page(
    result: Path,
    output: Path | None,
    state: int,
    field: Field,
    choice: PartChoice,
    direction: "np.ndarray | None",
    units: "Units | None" = None,
) -> list[Path]:
    """Write the PNG and the page of one state: crumple.view.state_pictures.draw."""
    from crumple.view.state_pictures import draw

    return draw(result, output, state, field, choice, direction, units)


def film(
    result: Path,
    output: Path,
    field: Field,
    choice: PartChoice,
    direction: "np.ndarray | None",
    rate: float,
    units: "Units | None" = None,
) -> int:
    """Write a film of all states; returns how many: crumple.view.animation.animate."""
    from crumple.view.animation import animate

    return animate(result, output, field, choice, direction, rate, units)


def last_state(result: Path, path: Path, units: "Units") -> None:
    """Write a PNG of the last state: crumple.view.picture.write_last_state."""
    from crumple.view.picture import write_last_state

    write_last_state(result, path, units)
