"""A bird strike: a cylinder of gelatin with half spheres at its ends, in smooth particles, hits a plate.

Units: mm, ms, kg, kN, GPa. The bird flies along x onto the plate, whose mid-surface is at x = 0. Its shape is
the usual substitute of real birds: twice as long as thick; gelatin with a tenth of air (Wilbeck 1978, "Impact
behavior of low strength projectiles", AFML-TR-77-134). The pressure is that of the Hugoniot of shock speeds
c0 + k u, p = r0 c0^2 e (1 + e) / (1 - (k - 1) e)^2 with e = rho / rho0 - 1, to the third power of e.
"""

from pathlib import Path

import numpy as np

from crumple.models.deck_text import write_elements, write_nodes
from crumple.models.model import Wishes, model

MASS, DENSITY = 1.814, 9.38e-7  #: kg (4 lb), kg/mm^3
SOUND, SLOPE = 1483.0, 2.0  #: mm/ms, k
SPEED, END_TIME, PLOTS = 116.0, 2.5, 50  #: mm/ms, ms
SIDE, THICKNESS = 600.0, 6.35  #: mm, of the plate
GAP = 1.0  #: mm between the bird's outline and the plate
LEAST = 500
#: alpha of the viscosity: with 1.0, as for shocks, its shear takes half of the pressure of the steady flow
LINEAR = 0.25
PLATE = 0.2  #: share of the elements that the plate has

BIRD, SKIN = 1, 2  #: parts


def diameter() -> float:
    """Of a body of 2 diameters with half spheres at its ends: V = pi d^3 (1/4 + 1/6)."""
    return (MASS / DENSITY / (np.pi * (1 / 4 + 1 / 6))) ** (1 / 3)


def polynomial() -> tuple[float, float, float]:
    """C1 to C3 of *EOS_LINEAR_POLYNOMIAL."""
    stiffness = DENSITY * SOUND**2
    return stiffness, (2 * SLOPE - 1) * stiffness, (SLOPE - 1) * (3 * SLOPE - 1) * stiffness


def particles(spacing: float) -> np.ndarray:
    """Centres of the cubes of a lattice about the body's axis that are in it; the body's middle is at 0."""
    radius, half = diameter() / 2, diameter() / 2  # half of the cylinder's length
    across = spacing * (np.arange(-int(radius / spacing) - 1, int(radius / spacing) + 1) + 0.5)
    ends = int((half + radius) / spacing) + 1
    along = spacing * (np.arange(-ends, ends) + 0.5)
    z, y, x = (a.ravel() for a in np.meshgrid(across, across, along, indexing="ij"))
    beyond = np.maximum(np.abs(x) - half, 0.0)
    inside = beyond**2 + y**2 + z**2 <= radius**2
    return np.stack([x, y, z], axis=1)[inside]


def spacing_for(count: int) -> float:
    """The spacing with which the number of particles is near `count`."""
    return float((MASS / DENSITY / count) ** (1 / 3))


def plate(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes, and the elements' corners from 0."""
    along = SIDE * (np.arange(cells + 1) / cells - 0.5)
    z, y = (a.ravel() for a in np.meshgrid(along, along, indexing="ij"))
    nodes = np.stack([np.zeros_like(y), y, z], axis=1)
    first = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    return nodes, np.stack([first, first + 1, first + cells + 2, first + cells + 1], axis=1)


HEAD = """*KEYWORD
*TITLE
bird of {mass:g} kg in {count} particles on a plate at {speed:g} m/s
*CONTROL_TERMINATION
{end}
*CONTROL_ENERGY
2,2,2,2
*CONTROL_BULK_VISCOSITY
1.5,{linear}
*CONTROL_SPH
1,0,1.e20,3,150,{form}
*DATABASE_BINARY_D3PLOT
{plot}
*DATABASE_GLSTAT
{history}
*DATABASE_MATSUM
{history}
*DATABASE_RCFORC
{history}
*PART
bird
1,1,1,1
*SECTION_SPH
1,1.2,0.2,2.0
*MAT_NULL
1,{density},-1.e-6
*EOS_LINEAR_POLYNOMIAL
1,0.,{c1:.6g},{c2:.6g},{c3:.6g},0.,0.,0.
0.,0.
*PART
plate
2,2,2
*SECTION_SHELL
2,2,0.8333,5
{thickness},{thickness},{thickness},{thickness}
*MAT_PLASTIC_KINEMATIC
2,2.78e-6,73.1,0.33,0.345,0.7,1.0
*CONTACT_AUTOMATIC_NODES_TO_SURFACE
1,2,3,3
0.
1.,1.
1
*INITIAL_VELOCITY_GENERATION
1,2,0.,{speed},0.,0.
,
"""


def write_bird(
    path: Path, count: int, cells: int, speed: float, end_time: float, plots: int, form: int = 0
) -> int:
    """Write the deck with about `count` particles; returns the number of elements."""
    spacing = spacing_for(count)
    bird = particles(spacing)
    front = -GAP - THICKNESS / 2 - diameter()
    nodes, corners = plate(cells)
    c1, c2, c3 = polynomial()
    edge = np.flatnonzero(np.abs(nodes[:, 1:]).max(axis=1) > 0.5 * SIDE * (1 - 1e-9))
    with path.open("wb") as out:
        text = HEAD.format(
            mass=MASS,
            count=len(bird),
            speed=speed,
            end=end_time,
            plot=f"{end_time / plots:.8g}",
            history=f"{end_time / 500:.8g}",
            density=DENSITY,
            c1=c1,
            c2=c2,
            c3=c3,
            thickness=THICKNESS,
            form=form,
            linear=LINEAR,
        )
        out.write(text.encode())
        write_nodes(out, 1, bird + [front, 0.0, 0.0])
        write_nodes(out, 1 + len(bird), nodes)
        mass = MASS / len(bird)
        out.write(b"*ELEMENT_SPH\n")
        out.write("".join(f"{k + 1:8d}{BIRD:8d}{mass:16.9e}\n" for k in range(len(bird))).encode())
        first = np.full(len(corners), SKIN)
        write_elements(out, "ELEMENT_SHELL", len(bird) + 1, first, corners + 1 + len(bird))
        out.write(b"*BOUNDARY_SPC_NODE\n")
        out.write("".join(f"{n + 1 + len(bird)},0,1,1,1,1,1,1\n" for n in edge).encode())
        out.write(b"*END\n")
    return len(bird) + len(corners)


@model("bird", "gelatin bird in smooth particles on a plate", 0, LEAST)
def write(path: Path, wishes: Wishes) -> int:
    """Write the deck; returns the number of elements, which is near the one that was asked for."""
    cells = 2 * max(4, round((PLATE * wishes.elements) ** 0.5 / 2))
    speed = SPEED if wishes.speed is None else wishes.speed
    end_time = END_TIME if wishes.end_time is None else wishes.end_time
    return write_bird(
        path, max(100, wishes.elements - cells**2), cells, speed, end_time, wishes.plots or PLOTS
    )
