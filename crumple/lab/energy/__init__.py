"""Meters of energy, one file each: RAPL, IPMI."""

from crumple.lab.energy.ipmi import Ipmi
from crumple.lab.energy.meter import Meter, no_meter
from crumple.lab.energy.rapl import Rapl


def meter_of(name: str) -> Meter:
    """The meter that a study names; `auto` is RAPL where it can be read, and none otherwise.

    Raises:
        MeterError: it is not there.
    """
    if name == "ipmi":
        return Ipmi()
    if name == "rapl" or (name == "auto" and Rapl.readable()):
        return Rapl()
    return no_meter()
