"""Meters of energy, one file each: RAPL, IPMI."""

from crumple.lab.energy.ipmi import Ipmi
from crumple.lab.energy.meter import Meter, no_meter
from crumple.lab.energy.rapl import Rapl
from crumple.registry import Registry

METERS: Registry[type[Meter]] = Registry("meter")
METERS.add("rapl", Rapl)
METERS.add("ipmi", Ipmi)


def meter_of(name: str) -> Meter:
    """The meter that a study names; `auto` is RAPL if it can be read, otherwise none.

    Raises:
        MeterError: it is missing.
    """
    if name == "auto":
        name = "rapl" if Rapl.readable() else "none"
    return METERS[name]() if name in METERS else no_meter()
