"""The three-vehicle collision: a van runs into a compact car, which is pushed into a midsize car.

The same situation as the public crash benchmark of that name, with vehicles of our own at any size.
"""

from pathlib import Path

from crumple.models.car import build_car
from crumple.models.car_class import COMPACT, MIDSIZE, MINIVAN
from crumple.models.car_deck import Placed, Scene, write_scene
from crumple.models.model import Wishes, model

SPEED, END_TIME = 25.0, 60.0
GAP = 30.0  #: mm between the vehicles
CLASSES = (MIDSIZE, COMPACT, MINIVAN)  #: along x, all looking to -x
SHARES = (0.34, 0.295, 0.365)  #: of the elements, as sheets' areas are


@model("three-vehicle", "three vehicles run into each other", 794_780, 3200)
def write_three_vehicle(path: Path, wishes: Wishes) -> int:
    """Write the deck; the last vehicle moves."""
    speed = SPEED if wishes.speed is None else wishes.speed
    counts = [round(share * wishes.elements) for share in SHARES[:-1]]
    counts.append(wishes.elements - sum(counts))
    placed: list[Placed] = []
    end = 0.0
    for number, (car, count) in enumerate(zip(CLASSES, counts, strict=True), start=1):
        mesh = build_car(car, count)
        x = mesh.nodes[:, 0]
        shift = end - float(x.min()) + (GAP if placed else 0.0)
        placed.append(Placed(mesh, number, (shift, 0.0), -speed if car is MINIVAN else 0.0))
        end = shift + float(x.max())
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    return write_scene(path, Scene("three-vehicle collision", placed, end_time, plots=wishes.plots))
