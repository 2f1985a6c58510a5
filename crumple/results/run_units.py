"""The units in a run's d3hsp."""

from pathlib import Path

from crumple.results.d3hsp import RunLog
from crumple.units import Units, find_units


def units_of(log: RunLog) -> Units:
    """The units from --units or *CONTROL_UNITS; none if the run had none."""
    for line in log.sections.get("control", []):
        words = line.split()
        if len(words) > 1 and words[0] == "units":
            try:
                return find_units(words[1].rstrip(":"))
            except ValueError:
                return Units()
    return Units()


def units_beside(d3plot: Path) -> Units:
    """The units of the run whose d3hsp is beside a d3plot file; none without a d3hsp."""
    from crumple.results.d3hsp import read_d3hsp
    from crumple.results.damage import DamagedFile

    d3hsp = d3plot.with_name(d3plot.name.replace("d3plot", "d3hsp"))
    try:
        return units_of(read_d3hsp(d3hsp))
    except (OSError, DamagedFile):
        return Units()
