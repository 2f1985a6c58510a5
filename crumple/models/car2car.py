"""Two minivans head-on, offset by half their width: the situation of the car2car benchmark."""

from pathlib import Path

from crumple.models.car import LEAST, build_car
from crumple.models.car_class import MINIVAN
from crumple.models.car_deck import Placed, Scene, write_scene
from crumple.models.model import Wishes, model

SPEED, END_TIME = 15.65, 120.0  #: of each, 35 mph
GAP = 8.0  #: mm between the noses
OFFSET = 0.5  #: of the width


@model("car2car", "two minivans head-on, half offset", 2_400_000, 2 * LEAST)
def write_car2car(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    first = build_car(MINIVAN, wishes.elements - wishes.elements // 2)
    second = first if wishes.elements % 2 == 0 else build_car(MINIVAN, wishes.elements // 2)
    speed = SPEED if wishes.speed is None else wishes.speed
    away = [float(car.nodes[:, 0].min()) for car in (first, second)]
    cars = [
        Placed(first, 1, (GAP / 2 - away[0], 0.0), -speed),
        Placed(second, 2, (away[1] - GAP / 2, OFFSET * MINIVAN.width), speed, reverse=True),
    ]
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    return write_scene(path, Scene("two minivans head-on", cars, end_time, plots=wishes.plots))
