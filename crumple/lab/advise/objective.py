"""What advice can be for. Light, for the command line's help."""

from enum import StrEnum


class Objective(StrEnum):
    """What is to be best."""

    jobs_per_day = "jobs-per-day"
    time = "time"
    energy = "energy"
    cost = "cost"
