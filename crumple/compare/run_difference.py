"""One difference between two runs, and how large it is."""

from dataclasses import dataclass
from enum import StrEnum


class Group(StrEnum):
    """What a difference is in."""

    deck = "deck"
    version = "version"
    options = "options"
    results = "results"


@dataclass(frozen=True)
class RunDifference:
    """A line of the table.

    Attributes:
        group: what it is in
        what: its name, such as "nodout/12/x_velocity"
        first, second: of the two runs
        relative: difference over the largest value, for numbers; None for others
        beyond: whether it counts: beyond the tolerance, or no number at all
    """

    group: Group
    what: str
    first: str
    second: str
    relative: float | None = None
    beyond: bool = True
    note: str = ""
