"""The parts of a car: numbers within a car, gauges, materials."""

from dataclasses import dataclass
from enum import IntEnum


class CarPart(IntEnum):
    """Number of a part within its car; the deck adds 100 a car."""

    FLOOR = 1
    TUNNEL = 2
    FIREWALL = 3
    BODY_SIDE = 4
    FENDER = 5
    FRONT_FASCIA = 6
    LAMP = 7
    APRON = 8
    WHEELHOUSE = 9
    ROOF = 10
    PILLAR = 11
    GLASS = 12
    BULKHEAD = 13
    REAR_FASCIA = 14
    HOOD = 15
    HOOD_INNER = 16
    DOOR = 17
    DOOR_INNER = 18
    TRUNK = 19
    TRUNK_INNER = 20
    RAIL = 21
    CRASH_BOX = 22
    FRONT_BEAM = 23
    REAR_BEAM = 24
    ROCKER = 25
    CROSS_MEMBER = 26
    RADIATOR_SUPPORT = 27
    PANEL_BEAM = 28
    ROOF_BOW = 29
    ENGINE = 30
    RADIATOR = 31
    FRONT_WHEEL = 32
    REAR_WHEEL = 33
    WELD = 34


class Material(IntEnum):
    """Number of a material in the deck."""

    MILD = 1
    STRONG = 2
    GLASS = 3
    ENGINE = 4
    WHEEL = 5
    WELD = 6
    RADIATOR = 7
    PLASTIC = 8
    PRESS_HARDENED = 9


@dataclass(frozen=True)
class Sheet:
    """A sheet's title, thickness in mm and material."""

    title: str
    thickness: float
    material: Material


SHEETS = {
    CarPart.FLOOR: Sheet("floor", 1.2, Material.MILD),
    CarPart.TUNNEL: Sheet("tunnel", 1.4, Material.STRONG),
    CarPart.FIREWALL: Sheet("firewall", 1.4, Material.MILD),
    CarPart.BODY_SIDE: Sheet("body side", 1.1, Material.MILD),
    CarPart.FENDER: Sheet("fenders", 0.9, Material.MILD),
    CarPart.FRONT_FASCIA: Sheet("front fascia", 3.0, Material.PLASTIC),
    CarPart.LAMP: Sheet("lamps", 3.0, Material.PLASTIC),
    CarPart.APRON: Sheet("aprons", 1.3, Material.MILD),
    CarPart.WHEELHOUSE: Sheet("rear wheelhouses", 1.1, Material.MILD),
    CarPart.ROOF: Sheet("roof", 0.9, Material.MILD),
    CarPart.PILLAR: Sheet("pillars and roof rails", 2.2, Material.STRONG),
    CarPart.GLASS: Sheet("glass", 4.0, Material.GLASS),
    CarPart.BULKHEAD: Sheet("rear bulkhead", 0.9, Material.MILD),
    CarPart.REAR_FASCIA: Sheet("rear fascia", 3.0, Material.PLASTIC),
    CarPart.HOOD: Sheet("hood", 0.8, Material.MILD),
    CarPart.HOOD_INNER: Sheet("hood inner", 0.7, Material.MILD),
    CarPart.DOOR: Sheet("doors", 0.8, Material.MILD),
    CarPart.DOOR_INNER: Sheet("door inners", 0.9, Material.MILD),
    CarPart.TRUNK: Sheet("trunk or tailgate", 0.8, Material.MILD),
    CarPart.TRUNK_INNER: Sheet("trunk or tailgate inner", 0.7, Material.MILD),
    CarPart.RAIL: Sheet("rails", 2.0, Material.STRONG),
    CarPart.CRASH_BOX: Sheet("crash boxes", 1.5, Material.STRONG),
    CarPart.FRONT_BEAM: Sheet("front bumper beam", 2.0, Material.PRESS_HARDENED),
    CarPart.REAR_BEAM: Sheet("rear bumper beam", 1.8, Material.STRONG),
    CarPart.ROCKER: Sheet("rockers", 1.6, Material.STRONG),
    CarPart.CROSS_MEMBER: Sheet("seat cross members", 1.4, Material.STRONG),
    CarPart.RADIATOR_SUPPORT: Sheet("radiator support", 1.5, Material.MILD),
    CarPart.PANEL_BEAM: Sheet("instrument panel beam", 1.8, Material.MILD),
    CarPart.ROOF_BOW: Sheet("roof bows", 0.9, Material.MILD),
    CarPart.FRONT_WHEEL: Sheet("front wheels", 5.0, Material.WHEEL),
    CarPart.REAR_WHEEL: Sheet("rear wheels", 5.0, Material.WHEEL),
}

SOLIDS = {
    CarPart.ENGINE: ("engine and gearbox", Material.ENGINE),
    CarPart.RADIATOR: ("radiator", Material.RADIATOR),
}
