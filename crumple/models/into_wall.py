"""One car into a rigid wall."""

from pathlib import Path

from crumple.models.car import build_car
from crumple.models.car_class import CarClass
from crumple.models.car_deck import Placed, Scene, write_scene
from crumple.models.model import Wishes

SPEED, END_TIME = 15.65, 80.0  #: 35 mph
GAP = 5.0  #: mm between nose and wall


def write_into_wall(path: Path, wishes: Wishes, kind: CarClass, title: str) -> int:
    """Write the deck; returns the number of elements."""
    car = build_car(kind, wishes.elements)
    speed = SPEED if wishes.speed is None else wishes.speed
    wall = float(car.nodes[:, 0].min()) - GAP
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    return write_scene(path, Scene(title, [Placed(car, 1, speed=-speed)], end_time, wall, wishes.plots))
