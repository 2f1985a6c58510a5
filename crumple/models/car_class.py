"""Classes of cars: outer sizes that are typical of a class; copies of no car. Units: mm, kg."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CarClass:
    """Sizes in mm; x runs from the nose to the tail, z up from the ground."""

    name: str
    length: float
    width: float
    height: float
    front_axle: float
    rear_axle: float
    firewall: float
    belt: float  #: height of the lower edge of the windows
    nose: float  #: height of the hood's leading edge
    rake_front: float  #: how far the windscreen leans back
    rake_rear: float
    pillar: float  #: x of the front of the B-pillar
    deck: float  #: length of the trunk's lid; 0 with a tailgate
    gauge: float  #: factor of sheet thickness
    mass: float  #: kg, with what floor and doors carry


COMPACT = CarClass("compact", 4360, 1710, 1400, 860, 3500, 1270, 900, 725, 640, 470, 2260, 500, 0.95, 1250.0)
MIDSIZE = CarClass("midsize", 4850, 1820, 1440, 930, 3700, 1340, 920, 740, 680, 540, 2400, 700, 1.0, 1550.0)
MINIVAN = CarClass("minivan", 4730, 1950, 1740, 880, 3760, 1290, 1010, 830, 760, 230, 2320, 0, 1.1, 1900.0)
