"""Objectives of advice. This module has no imports of the lab, so that the command line loads fast."""

from enum import StrEnum


class Objective(StrEnum):
    """What to optimise."""

    jobs_per_day = "jobs-per-day"
    time = "time"
    energy = "energy"
    cost = "cost"
