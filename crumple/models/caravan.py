"""A minivan into a rigid wall: the class of vehicle of the caravan benchmark, of our own make."""

from pathlib import Path

from crumple.models.car import LEAST, build_car
from crumple.models.car_class import MINIVAN
from crumple.models.car_deck import Placed, Scene, write_scene
from crumple.models.model import Wishes, model

SPEED, END_TIME = 15.65, 80.0  #: 35 mph
GAP = 5.0  #: mm between nose and wall


@model("caravan", "minivan into a rigid wall", 0, LEAST)
def write_caravan(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    van = build_car(MINIVAN, wishes.elements)
    speed = SPEED if wishes.speed is None else wishes.speed
    wall = float(van.nodes[:, 0].min()) - GAP
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    placed = Placed(van, 1, speed=-speed)
    return write_scene(path, Scene("minivan into wall", [placed], end_time, wall, wishes.plots))
