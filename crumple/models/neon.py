"""A compact car into a rigid wall: the situation of the refined Neon benchmark, with a car of our own."""

from pathlib import Path

from crumple.models.car import LEAST
from crumple.models.car_class import COMPACT
from crumple.models.into_wall import write_into_wall
from crumple.models.model import Wishes, model


@model("neon", "compact car into a rigid wall", 535_070, LEAST)
def write_neon(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    return write_into_wall(path, wishes, COMPACT, "compact car into wall")
