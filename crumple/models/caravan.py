"""A minivan into a rigid wall: the class of vehicle of the caravan benchmark, of our own make."""

from pathlib import Path

from crumple.models.car import LEAST
from crumple.models.car_class import MINIVAN
from crumple.models.into_wall import write_into_wall
from crumple.models.model import Wishes, model


@model("caravan", "minivan into a rigid wall", 0, LEAST)
def write_caravan(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    return write_into_wall(path, wishes, MINIVAN, "minivan into wall")
