"""A sled test: an occupant with seat, belt, airbag and windscreen on a floor with a prescribed pulse."""

from pathlib import Path

from crumple.models.model import Wishes, model
from crumple.models.sled_deck import build_sled, write_sled

SPEED, END_TIME, PLOTS = 15.0, 120.0, 60  #: mm/ms (54 km/h), ms
LARGEST, LEAST = 70.0, 3600  #: mm of cells, elements of such cells


@model("sled", "occupant on a sled: seat, belt, airbag, windscreen", 0, LEAST)
def write(path: Path, wishes: Wishes) -> int:
    """Write the deck; returns the number of elements, which is near the one that was asked for."""
    speed = SPEED if wishes.speed is None else wishes.speed
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    sled = build_sled(cell_for(wishes.elements))
    return write_sled(path, sled, speed, end_time, wishes.plots or PLOTS)


def cell_for(elements: int) -> float:
    """The size of cells with which the number of elements is nearest to what is asked for."""
    low, high = 1.0, LARGEST
    while build_sled(low * 8.0).elements() < elements and low > 1e-3:
        low /= 2.0
    low *= 4.0
    for _ in range(14):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if build_sled(middle).elements() > elements else (low, middle)
    sizes = (low, high)
    counted = [abs(build_sled(cell).elements() - elements) for cell in sizes]
    return sizes[counted.index(min(counted))]
