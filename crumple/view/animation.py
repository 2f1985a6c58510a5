"""Draws all plot states as a film: GIF or MP4, with one camera and one colour scale throughout."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from crumple.results.run_units import units_beside
from crumple.units import Units
from crumple.view.fields import Field, colour_map, colour_range
from crumple.view.film_workers import Extent, FilmWorkers
from crumple.view.parts import PartChoice
from crumple.view.picture import Look
from crumple.view.plot_file import ResultError, find_d3plot

FRAME = (1280, 576)  #: pixels; multiples of 16, as video encoders need
HOLD = 1.0  #: s for which the last picture stays


def look_over(
    extents: Iterable[Extent], field: Field, direction: np.ndarray | None, units: Units | None = None
) -> Look:
    """One look for all states: limits of the state with the highest values, and all bounds in view."""
    top, low, high = 0.0, np.full(3, np.inf), np.full(3, -np.inf)
    for extent in extents:
        top = max(top, extent.highest)
        low, high = np.fmin(low, extent.bounds[0]), np.fmax(high, extent.bounds[1])
    if not np.isfinite(low).all():
        raise ResultError("there is no element to show in any state")
    limits = colour_range(top, field)
    return Look(field, limits, np.array([low, high]), direction, FRAME, units or Units())


def palette(field: Field) -> np.ndarray:
    """255 colours for all pictures of a GIF: shades of the field's colours, and greys, (255, 3).

    With palettes made from the pictures, a colour would change from one picture to the next.
    """
    colours = colour_map(field)
    count = min(colours.N, 48)
    shades = np.linspace(0.35, 1.0, 240 // count)
    strong = colours(np.linspace(0.0, 1.0, count))[:, None, :3] * shades[None, :, None]
    greys = np.repeat(np.linspace(0.0, 1.0, 255 - count * len(shades))[:, None], 3, axis=1)
    return np.round(255 * np.vstack([strong.reshape(-1, 3), greys])).astype(np.uint8)


def write_gif(pictures: Iterator[np.ndarray], rate: float, path: Path, field: Field) -> None:
    """Write a GIF that repeats."""
    from PIL import Image

    key = Image.new("P", (1, 1))
    key.putpalette(palette(field).tobytes())
    images = [
        Image.fromarray(picture).quantize(palette=key, dither=Image.Dither.NONE) for picture in pictures
    ]
    durations = [round(1000 / rate)] * (len(images) - 1) + [round(1000 * HOLD)]
    images[0].save(path, save_all=True, append_images=images[1:], duration=durations, loop=0)


def write_mp4(pictures: Iterator[np.ndarray], rate: float, path: Path) -> None:
    """Write H.264 for browsers and presentations, with the ffmpeg of imageio-ffmpeg."""
    import imageio_ffmpeg

    writer = imageio_ffmpeg.write_frames(str(path), FRAME, fps=rate, codec="libx264", quality=8)
    writer.send(None)
    try:
        for picture in pictures:
            writer.send(np.ascontiguousarray(picture))
        for _ in range(round(HOLD * rate)):
            writer.send(np.ascontiguousarray(picture))
    finally:
        writer.close()


def animate(
    result: Path,
    output: Path,
    field: Field = Field.plastic_strain,
    choice: PartChoice | None = None,
    direction: np.ndarray | None = None,
    rate: float = 12.0,
    units: Units | None = None,
    cores: int | None = None,
) -> int:
    """Write the film; returns its number of states.

    Args:
        cores: that draw; default: all

    Raises:
        ResultError: nothing to show at `result`.
    """
    known = units or units_beside(find_d3plot(result))
    with FilmWorkers(result, choice or PartChoice(), cores) as workers:
        look = look_over(workers.extents(field), field, direction, known)
        if output.suffix == ".gif":
            write_gif(workers.pictures(look), rate, output, field)
        else:
            write_mp4(workers.pictures(look), rate, output)
        return workers.count
