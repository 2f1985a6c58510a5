"""A headform on a laminated windscreen: the adult headform of pedestrian tests hits the middle of the screen.

The headform is a rigid ball under a skin of vinyl, 4.5 kg and 165 mm in diameter, as Regulation (EC) No
631/2009 and UN GTR No 9 have it; the constants of its skin are such that it passes their drop test on a rigid
plate (225 to 275 g from 376 mm). The screen is a piece of a cylinder, held at its edge: two panes of glass
(MAT_280) and a film of PVB (MAT_024) in one shell. Units: mm, ms, kg, kN, GPa; x backwards, y to the right, z
up.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from crumple.models.deck_text import write_elements, write_nodes
from crumple.models.model import Wishes, model
from crumple.models.sled_laws import card
from crumple.models.sled_mesh import cube_sphere

SPEED, ANGLE = 40.0 / 3.6, 65.0  #: mm/ms (40 km/h); degrees of the headform's path below the horizontal
END_TIME, PLOTS, HISTORIES = 30.0, 60, 1500
LEAST = 1600

MASS, INERTIA = 4.5, 11_500.0  #: kg; kg mm^2 about each axis, of the whole headform
RADIUS, SKIN = 82.5, 14.0  #: mm, outside; thickness of the skin
SKIN_DENSITY, SKIN_LAYERS, LEAST_DIVISIONS = 1.1e-6, 2, 6  #: kg/mm^3; solids through it, quads on a quarter
#: GPa, GPa, GPa, 1/ms: bulk modulus, shear moduli at once and after long, decay of the vinyl
VINYL = (0.040, 0.009, 0.0015, 0.9)

WIDE, HIGH, CURVATURE = 1400.0, 850.0, 2500.0  #: mm: arc across, along the slope; radius across
SLOPE = 30.0  #: degrees of the screen above the horizontal
PANE, FILM = 2.1, 0.76  #: mm
SHARES = (0.15, 0.35, 0.35, 0.15)  #: of a pane, its points through the thickness: near its surfaces, too
THICKNESS = 2 * PANE + FILM
GAP = 1.0  #: mm between skin and glass at the start

CORE, VINYL_PART, SCREEN = 1, 2, 3
GLASS, PVB = 4, 5  #: materials of the screen's layers
DROP_SPEED = (2 * 9.81e-3 * 376.0) ** 0.5  #: mm/ms, of the certification


@dataclass(frozen=True)
class Headform:
    """The ball: a rigid sphere of shells, and layers of solids on it."""

    divisions: int  #: quads along an edge of the cube

    def elements(self) -> int:
        """Shells and solids."""
        return 6 * self.divisions**2 * (1 + SKIN_LAYERS)

    def nodes(self) -> np.ndarray:
        """Spheres from the core outwards about 0; then the centre and two points on its axes."""
        unit, _ = cube_sphere(self.divisions)
        radii = RADIUS - SKIN + SKIN * np.arange(SKIN_LAYERS + 1) / SKIN_LAYERS
        axes = [[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [0.0, 20.0, 0.0]]
        return np.concatenate([(radii[:, None, None] * unit).reshape(-1, 3), axes])

    def shells(self) -> np.ndarray:
        """Node indices of the core."""
        return cube_sphere(self.divisions)[1]

    def solids(self) -> np.ndarray:
        """Node indices of the skin."""
        unit, quads = cube_sphere(self.divisions)
        layers = [np.hstack([quads + k * len(unit), quads + (k + 1) * len(unit)]) for k in range(SKIN_LAYERS)]
        return np.concatenate(layers)

    def mass_between(self, inner: float, outer: float) -> float:
        """Of the vinyl, as the mesh has it: between two spheres of flat quads."""
        return SKIN_DENSITY * sphere_volume(*cube_sphere(self.divisions)) * (outer**3 - inner**3)

    def core(self) -> tuple[float, float]:
        """Mass and moment of inertia of the core; the nodes of its surface count in them."""
        inner, step = RADIUS - SKIN, SKIN / SKIN_LAYERS
        held = 0.5 * self.mass_between(inner, inner + step)
        skin = self.mass_between(inner, RADIUS)
        hollow = 0.4 * skin * (RADIUS**5 - inner**5) / (RADIUS**3 - inner**3)
        return MASS - skin + held, INERTIA - hollow + held * inner**2 / 1.5


def sphere_volume(unit: np.ndarray, quads: np.ndarray) -> float:
    """Of a closed surface of quads about 0: each is four triangles about its middle."""
    corners = unit[quads]
    middle = corners.mean(axis=1)
    others = np.roll(corners, -1, axis=1)
    return float(np.einsum("nk,nek->", middle, np.cross(corners, others)) / 6.0)


@dataclass(frozen=True)
class Windscreen:
    """A grid of shells: cells along the slope and across."""

    rows: int
    columns: int

    def elements(self) -> int:
        """Number of shells."""
        return self.rows * self.columns

    def nodes(self) -> np.ndarray:
        """Positions; the middle of the screen is at 0."""
        along = HIGH * (np.arange(self.rows + 1) / self.rows - 0.5)
        turn = WIDE / CURVATURE * (np.arange(self.columns + 1) / self.columns - 0.5)
        up, turn = (a.ravel() for a in np.meshgrid(along, turn, indexing="ij"))
        y, deep = CURVATURE * np.sin(turn), CURVATURE * (1.0 - np.cos(turn))
        return up[:, None] * slope() + y[:, None] * np.array([0.0, 1.0, 0.0]) - deep[:, None] * normal()

    def shells(self) -> np.ndarray:
        """Node indices; normals look outwards."""
        i, j = np.divmod(np.arange(self.elements()), self.columns)
        n = self.columns + 1
        return np.stack([i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1], axis=-1)

    def edge(self) -> np.ndarray:
        """Node indices of the bonded edge."""
        i, j = np.divmod(np.arange((self.rows + 1) * (self.columns + 1)), self.columns + 1)
        return np.flatnonzero((i == 0) | (i == self.rows) | (j == 0) | (j == self.columns))


def slope() -> np.ndarray:
    """Up along the screen."""
    return np.array([np.cos(np.radians(SLOPE)), 0.0, np.sin(np.radians(SLOPE))])


def normal() -> np.ndarray:
    """Out of the screen, up and to the front."""
    return np.array([-np.sin(np.radians(SLOPE)), 0.0, np.cos(np.radians(SLOPE))])


def path_of(angle: float) -> np.ndarray:
    """Direction of the headform, `angle` degrees below the horizontal."""
    return np.array([np.cos(np.radians(angle)), 0.0, -np.sin(np.radians(angle))])


def meshes_for(elements: int) -> tuple[Headform, Windscreen]:
    """Both with cells of one size, and about so many of them."""
    rows = np.arange(8, max(16, int(elements**0.5) + 1))
    columns = np.rint(rows * WIDE / HIGH).astype(int)
    divisions = np.maximum(LEAST_DIVISIONS, np.rint(0.5 * np.pi * RADIUS * rows / HIGH)).astype(int)
    counts = rows * columns + 6 * divisions**2 * (1 + SKIN_LAYERS)
    k = int(np.argmin(np.abs(counts - elements)))
    return Headform(int(divisions[k])), Windscreen(int(rows[k]), int(columns[k]))


HEADER = """*KEYWORD
*TITLE
{title}, {elements} elements
*CONTROL_UNITS
        mm        ms        kg
*CONTROL_TERMINATION
{end_time:10.3f}
*CONTROL_TIMESTEP
       0.0      0.90
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
*DATABASE_RCFORC
{history:10.4f}
*DATABASE_NODOUT
{history:10.4f}
*DATABASE_HISTORY_NODE_ID
{gauge:10d}head
"""

HEADFORM = """*SECTION_SHELL
         1         2    0.8333         2
       2.0       2.0       2.0       2.0
*MAT_RIGID_TITLE
core
         1  7.85e-06     210.0       0.3
       0.0

*SECTION_SOLID
         2         1
*MAT_VISCOELASTIC_TITLE
vinyl
         2{density:10.2e}{bulk:10.4f}{at_once:10.4f}{later:10.4f}{decay:10.4f}
*PART
skin of vinyl
         2         2         2
"""

SCREEN_LAWS = """*MAT_GLASS_TITLE
float glass
$      MID        RO         E        PR                              IMOD      ILAW
         4   2.5e-06      70.0      0.23                               0.0       0.0
$     FMOD        FT        FC        AT        BT        AC        BC     FTSCL
       0.0     0.070       1.0       0.0       0.0       0.0       0.0       1.0
$    SFSTI     SFSTR      CRIN     ECRCL     NCYCR      NIPF
       0.0       0.0       0.0       0.0      20.0       0.0
*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE
PVB
         5   1.1e-06      0.10      0.45     0.011     0.010
       0.0       0.0


*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID
         1headform on glass
         2         3         3         3
      0.30      0.30       0.0       0.0      20.0
       1.0       1.0
         1       0.1
"""


def laminate() -> str:
    """*PART_COMPOSITE of the panes and the film, from the inside out."""
    pane = [(GLASS, PANE * share) for share in SHARES]
    layers = [*pane, (PVB, FILM), *pane]
    text = [f"{law:10d}{thick:10.4f}{0.0:10.1f}{0:10d}" for law, thick in layers]
    pairs = ["".join(text[k : k + 2]) for k in range(0, len(text), 2)]
    return "\n".join(["*PART_COMPOSITE", "windscreen", f"{SCREEN:10d}{16:10d}    0.8333", *pairs, ""])


def headform_cards(head: Headform, centre: np.ndarray, velocity: np.ndarray, first: int) -> str:
    """Parts and laws of the headform, whose nodes begin at `first`; its motion."""
    bulk, at_once, later, decay = VINYL
    text = HEADFORM.format(density=SKIN_DENSITY, bulk=bulk, at_once=at_once, later=later, decay=decay)
    mass, moment = head.core()
    text += f"*PART_INERTIA\ncore\n{card(CORE, CORE, CORE)}"
    text += card(*(float(c) for c in centre), mass, 0, 0)
    text += card(moment, 0.0, 0.0, moment, 0.0, moment) + card(*(float(v) for v in velocity), 0.0, 0.0, 0.0)
    gauge = first + len(head.nodes()) - 3
    text += f"*SET_NODE_LIST\n{card(1)}{card(gauge, gauge + 1, gauge + 2)}"
    text += f"*CONSTRAINED_EXTRA_NODES_SET\n{card(CORE, 1)}"
    text += f"*ELEMENT_SEATBELT_ACCELEROMETER\n{card(1, gauge, gauge + 1, gauge + 2, 0, 0, 0.0)}"
    text += f"*INITIAL_VELOCITY_GENERATION\n{card(VINYL_PART, 2, 0.0, *(float(v) for v in velocity))}"
    return text + card(*[0.0] * 3)


def write_head(out: BinaryIO, head: Headform, centre: np.ndarray, first: int, element: int) -> None:
    """Nodes and elements of the headform."""
    write_nodes(out, first, head.nodes() + centre)
    core, skin = head.shells(), head.solids()
    write_elements(out, "ELEMENT_SHELL", element, np.full(len(core), CORE), core + first)
    write_elements(out, "ELEMENT_SOLID", element + len(core), np.full(len(skin), VINYL_PART), skin + first)


def write_certification(path: Path, divisions: int = 12, end_time: float = 6.0) -> None:
    """The headform's own drop test: onto a rigid plate with the speed of 376 mm."""
    head = Headform(divisions)
    centre, fall = np.array([0.0, 0.0, RADIUS + GAP]), np.array([0.0, 0.0, -DROP_SPEED])
    with path.open("wb") as out:
        text = HEADER.format(
            title="adult headform dropped on a rigid plate",
            elements=head.elements(),
            end_time=end_time,
            plot=end_time / 10,
            history=end_time / HISTORIES,
            gauge=len(head.nodes()) - 2,
        )
        text += headform_cards(head, centre, fall, 1)
        text += "*RIGIDWALL_PLANAR\n" + card(0, 0, 0) + card(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
        out.write(text.encode())
        write_head(out, head, centre, 1, 1)
        out.write(b"*END\n")


@model("headform", "pedestrian's headform on a laminated windscreen", 0, LEAST, angled=True)
def write_headform(path: Path, wishes: Wishes) -> int:
    """Write the deck; returns the number of elements, which is near the one that was asked for."""
    head, screen = meshes_for(wishes.elements)
    speed = SPEED if wishes.speed is None else wishes.speed
    angle = ANGLE if wishes.angle is None else wishes.angle
    if not 0.0 < angle + SLOPE < 180.0:
        raise ValueError(f"at {angle:g} degrees the headform does not fly towards the screen")
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    plots = wishes.plots or PLOTS
    nodes = screen.nodes()
    first, count = len(nodes) + 1, head.elements() + screen.elements()
    centre = (RADIUS + THICKNESS / 2 + GAP) * normal()
    with path.open("wb") as out:
        text = HEADER.format(
            title=f"adult headform on a windscreen at {speed:g} m/s, {angle:g} degrees",
            elements=count,
            end_time=end_time,
            plot=end_time / plots,
            history=end_time / HISTORIES,
            gauge=first + len(head.nodes()) - 3,
        )
        text += headform_cards(head, centre, speed * path_of(angle), first) + laminate() + SCREEN_LAWS
        out.write(text.encode())
        write_nodes(out, 1, nodes)
        shells = screen.shells()
        write_elements(out, "ELEMENT_SHELL", 1, np.full(len(shells), SCREEN), shells + 1)
        write_head(out, head, centre, first, len(shells) + 1)
        out.write(b"*BOUNDARY_SPC_NODE\n")
        out.write("".join(f"{n + 1},0,1,1,1,0,0,0\n" for n in screen.edge()).encode())
        out.write(b"*END\n")
    return count
