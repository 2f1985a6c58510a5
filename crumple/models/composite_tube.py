"""A crash tube of carbon fabric: a square tube with round corners, behind it a mass, crushes against a wall.

The laminate is MAT_058 with facets (FS = -1); its constants are those of a plain weave of carbon fibres in
epoxy resin, rounded, of no certain product. Units: mm, ms, kg, kN, GPa.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from crumple.models.deck_text import write_elements, write_nodes, write_set
from crumple.models.model import Wishes, model

SPEED, END_TIME, PLOTS = 10.0, 15.0, 30  #: mm/ms, ms
LEAST = 300
SIDE, RADIUS, LENGTH = 60.0, 10.0, 150.0  #: mm: outside of the middle surface, of its corners, of the tube
MASS = 40.0  #: kg behind it
ANGLES = (0.0, 45.0, 0.0, 45.0, 45.0, 0.0, 45.0, 0.0)  #: of the layers, degrees from the axis of the tube
LAYER = 0.30  #: mm
TRIGGER = 0.4  #: of the layers' thickness in the first row
DENSITY = 1.55e-6  #: kg/mm^3
TUBE, FIRST_ROW, SLED = 1, 2, 3  #: parts and materials
GAP = 0.5  #: mm before the wall

HEADER = """*KEYWORD
*TITLE
crash tube of carbon fabric, {elements} elements
*CONTROL_UNITS
        mm        ms        kg
*CONTROL_TERMINATION
{end_time:10.3f}
*CONTROL_TIMESTEP
       0.0      0.80
*CONTROL_ENERGY
         2         2         2         2
*CONTROL_SHELL
      20.0         1        -1         0         2         2         1         0
*CONTROL_HOURGLASS
         4      0.05
*DATABASE_BINARY_D3PLOT
{plot:10.4f}
*DATABASE_GLSTAT
{history:10.4f}
*DATABASE_MATSUM
{history:10.4f}
*DATABASE_RWFORC
{history:10.4f}
*DATABASE_NODOUT
{history:10.4f}
*DATABASE_HISTORY_NODE_ID
{sled_node:10d}mass
*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID
         1tube
        99         0         2         0
      0.20      0.20       0.0       0.0      10.0         0       0.0       0.0

*RIGIDWALL_PLANAR_ID
         1wall
         0         0         0
       0.0       0.0       0.0       1.0       0.0       0.0      0.30
*MAT_LAMINATED_COMPOSITE_FABRIC_TITLE
plain weave of carbon, epoxy
$      MID        RO        EA        EB        EC      PRBA      TAU1    GAMMA1
         1{density:10.3e}      56.0      56.0       9.0      0.04     0.055     0.025
$      GAB       GBC       GCA    SLIMT1    SLIMC1    SLIMT2    SLIMC2     SLIMS
       4.2       3.0       3.0      0.10      0.60      0.10      0.60      1.00
$     AOPT     TSIZE     ERODS      SOFT        FS      EPSF      EPSR      TSMD
       2.0    {tsize:.0e}      0.45       0.0      -1.0
$       XP        YP        ZP        A1        A2        A3
       0.0       0.0       0.0       1.0       0.0       0.0
$       V1        V2        V3        D1        D2        D3      BETA
       0.0       0.0       0.0       0.0       0.0       0.0       0.0
$     E11C      E11T      E22C      E22T       GMS
    0.0145    0.0180    0.0145    0.0180     0.220
$       XC        XT        YC        YT        SC
     0.680     0.900     0.680     0.900     0.130
*SECTION_SHELL
         3         2    0.8333         2
       3.0       3.0       3.0       3.0
*MAT_RIGID
         3{sled_density:10.3e}     210.0       0.3
       1.0       5.0       7.0

*PART
mass behind the tube
         3         3         3
"""


@dataclass(frozen=True)
class CompositeTube:
    """A mesh of shells: cells round and along; the last row is rigid."""

    around: int
    along: int

    def elements(self) -> int:
        """Number of shells."""
        return self.around * self.along

    def ring(self) -> np.ndarray:
        """Positions (around, 2) on the middle surface, at equal distances, from the middle of a side."""
        straight, arc = SIDE - 2 * RADIUS, 0.5 * np.pi * RADIUS
        at = (np.arange(self.around) + 0.5) * 4 * (straight + arc) / self.around
        side, s = np.divmod(at, straight + arc)
        angle = np.clip(s - straight, 0.0, None) / RADIUS
        y = np.minimum(s, straight) - 0.5 * straight + RADIUS * np.sin(angle)
        z = np.where(s < straight, 0.5 * SIDE, 0.5 * straight + RADIUS * np.cos(angle))
        c, d = np.cos(0.5 * np.pi * side), np.sin(0.5 * np.pi * side)
        return np.stack([c * y + d * z, c * z - d * y], axis=-1)

    def nodes(self) -> np.ndarray:
        """Positions ((along + 1) * around, 3), rows of rings from the front."""
        x = GAP + LENGTH * np.arange(self.along + 1) / self.along
        ring = self.ring()
        return np.concatenate(
            [np.repeat(x, self.around)[:, None], np.tile(ring, (self.along + 1, 1))], axis=1
        )

    def shells(self) -> np.ndarray:
        """Node indices (along * around, 4); side 1-2 is along the tube."""
        i, j = np.divmod(np.arange(self.elements()), self.around)
        other = (j + 1) % self.around
        n = self.around
        return np.stack([i * n + j, (i + 1) * n + j, (i + 1) * n + other, i * n + other], axis=-1)

    def row_area(self) -> float:
        """Middle surface of one row of shells, mm^2."""
        ring = self.ring()
        return float(np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1).sum()) * LENGTH / self.along

    def mass_of_length(self) -> float:
        """Of the laminate, kg/mm: what is crushed."""
        return self.row_area() * self.along / LENGTH * LAYER * len(ANGLES) * DENSITY


def tube_of(elements: int) -> CompositeTube:
    """The tube with square cells and about so many of them; cells round: a multiple of 4."""
    perimeter = 4 * (SIDE - 2 * RADIUS) + 2 * np.pi * RADIUS
    around = max(16, 4 * round((elements * perimeter / LENGTH) ** 0.5 / 4))
    return CompositeTube(around, max(6, round(elements / around)))


def laminate(part: int, title: str, factor: float) -> str:
    """*PART_COMPOSITE of the layers, `factor` times as thick."""
    layers = [f"{1:10d}{LAYER * factor:10.4f}{angle:10.1f}{0:10d}" for angle in ANGLES]
    pairs = ["".join(layers[k : k + 2]) for k in range(0, len(layers), 2)]
    return "\n".join(["*PART_COMPOSITE", title, f"{part:10d}{2:10d}    0.8333", *pairs, ""])


@model("composite-tube", "square tube of carbon fabric, crushed against a wall", 0, LEAST)
def write_composite_tube(path: Path, wishes: Wishes) -> int:
    """Write the deck; returns the number of elements, which is near the one that was asked for."""
    tube = tube_of(wishes.elements)
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    with path.open("wb") as out:
        write_tube(
            out, tube, SPEED if wishes.speed is None else wishes.speed, end_time, wishes.plots or PLOTS
        )
    return tube.elements()


def write_tube(out: BinaryIO, tube: CompositeTube, speed: float, end_time: float, plots: int) -> None:
    """Everything of the deck."""
    count = (tube.along + 1) * tube.around
    header = HEADER.format(
        elements=tube.elements(),
        end_time=end_time,
        plot=end_time / plots,
        history=end_time / 300,
        density=DENSITY,
        tsize=2e-5,
        sled_density=MASS / (3.0 * tube.row_area()),
        sled_node=count,
    )
    out.write(header.encode())
    out.write(laminate(TUBE, "laminate", 1.0).encode())
    out.write(laminate(FIRST_ROW, "laminate of the first row", TRIGGER).encode())
    write_set(out, "SET_PART_LIST", 99, [TUBE, FIRST_ROW])
    out.write(f"*INITIAL_VELOCITY\n\n{-speed:10.3f}       0.0       0.0\n".encode())
    write_nodes(out, 1, tube.nodes())
    part = np.full(tube.elements(), TUBE)
    part[: tube.around] = FIRST_ROW
    part[-tube.around :] = SLED
    write_elements(out, "ELEMENT_SHELL", 1, part, tube.shells() + 1)
    out.write(b"*END\n")
