"""A compact car into a rigid wall: the situation of the refined Neon benchmark, with a car of our own."""

from pathlib import Path

from crumple.models.car import LEAST, build_car
from crumple.models.car_class import COMPACT
from crumple.models.car_deck import Placed, Scene, write_scene
from crumple.models.model import Wishes, model

SPEED, END_TIME = 15.65, 80.0  #: 35 mph
GAP = 5.0  #: mm between nose and wall


@model("neon", "compact car into a rigid wall", 535_070, LEAST)
def write_neon(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    car = build_car(COMPACT, wishes.elements)
    speed = SPEED if wishes.speed is None else wishes.speed
    wall = float(car.nodes[:, 0].min()) - GAP
    placed = Placed(car, 1, speed=-speed)
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    return write_scene(path, Scene("compact car into wall", [placed], end_time, wall, wishes.plots))
