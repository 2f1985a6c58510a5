"""A compact car into a deformable barrier that covers 40 % of its width: the situation of offset tests."""

from pathlib import Path

from crumple.models.car import LEAST, build_car
from crumple.models.car_class import COMPACT
from crumple.models.car_deck import Placed, Scene, write_scene
from crumple.models.honeycomb_barrier import barrier_of
from crumple.models.model import Wishes, model

SPEED, END_TIME = 15.56, 120.0  #: 56 km/h
GAP = 5.0  #: mm between nose and barrier
OVERLAP = 0.4
SHARE = 0.12  #: of the elements, for the barrier


@model("barrier", "compact car into an offset deformable barrier of honeycomb", 0, 2 * LEAST)
def write_car_into_barrier(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    speed = SPEED if wishes.speed is None else wishes.speed
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    barrier = barrier_of(round(SHARE * wishes.elements))
    car = build_car(COMPACT, wishes.elements - barrier.elements())
    x, y = car.nodes[:, 0], car.nodes[:, 1]
    # The driver's side has the lower y; the barrier ends where the car's overlap does, and its front is at 0.
    overlap = float(y.min() + OVERLAP * (y.max() - y.min()))
    placed = Placed(car, 1, (GAP - float(x.min()), -overlap), -speed)
    title = "compact car into an offset deformable barrier"
    return write_scene(path, Scene(title, [placed], end_time, plots=wishes.plots, barrier=barrier))
