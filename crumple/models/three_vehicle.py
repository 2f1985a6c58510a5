"""The three-vehicle collision: a van runs into a compact car, which is pushed into a midsize car.

The same situation as the public crash benchmark of that name, with vehicles of our own at any size.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from crumple.models.lattice import Mesh
from crumple.models.vehicle import COMPACT, MIDSIZE, PARTS, VAN, VehicleClass, attached_nodes, build_vehicle

ENGINE_DENSITY = 4.0e-6
WHEEL_DENSITY = 4.0e-6
# kg per mm^2 that panels carry: seats, trim, tank and people on the floor, doors' inner parts on the sides
CARRIED_MASS = {1: 6.0e-5, 3: 1.2e-5}
WHEELS = (15, 16)
COARSEST = 3200  # the lattice cannot hold a vehicle's features with less
TOUCHING_SET = 99  # wheels stand inside the body's outline, so they take no part in contact

HEADER = """*KEYWORD
*TITLE
three-vehicle collision, {elements} elements
$ units: mm, ms, kg, kN, GPa
*CONTROL_TERMINATION
$   ENDTIM
{end_time:10.3f}
*CONTROL_TIMESTEP
$   DTINIT    TSSFAC
       0.0       0.9
*CONTROL_ENERGY
$     HGEN      RWEN    SLNTEN     RYLEN
         2         2         2         2
*CONTROL_SHELL
$   WRPANG     ESORT     IRNXX    ISTUPD    THEORY       BWC     MITER      PROJ
      20.0         1        -1         0         2         2         1         0
*CONTROL_HOURGLASS
$      IHQ        QH
         4      0.05
*DATABASE_BINARY_D3PLOT
{plot_interval:10.3f}
*DATABASE_GLSTAT
{history_interval:10.3f}
*DATABASE_MATSUM
{history_interval:10.3f}
*DATABASE_RCFORC
{history_interval:10.3f}
"""

MATERIALS = """*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE
mild steel
$      MID        RO         E        PR      SIGY      ETAN      FAIL      TDEL
         1   7.85e-6     210.0       0.3      0.18       0.0       0.0       0.0
$        C         P      LCSS      LCSR        VP
       0.0       0.0       101         0       0.0


*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE
high strength steel
         2   7.85e-6     210.0       0.3      0.42       0.0       0.0       0.0
       0.0       0.0       102         0       0.0


*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE
glass
         3   2.50e-6      70.0      0.22     0.138      0.20      0.05       0.0
       0.0       0.0         0         0       0.0


*MAT_RIGID_TITLE
engine
$      MID        RO         E        PR
         4 {engine:9.3e}     100.0       0.3
       0.0

*MAT_RIGID_TITLE
wheels
         5 {wheels:9.3e}       2.0       0.3
       0.0

*DEFINE_CURVE_TITLE
mild steel: true stress, plastic strain
       101
                 0.0               0.180
                0.02               0.230
                0.05               0.270
                0.10               0.310
                0.20               0.360
                0.50               0.430
                1.00               0.490
*DEFINE_CURVE_TITLE
high strength steel: true stress, plastic strain
       102
                 0.0               0.420
                0.02               0.500
                0.05               0.560
                0.10               0.620
                0.20               0.690
                0.50               0.780
                1.00               0.850
"""

CONTACT = """*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID
         1all vehicles but their wheels
{surface:10d}         0         2         0
$       FS        FD        DC        VC       VDC    PENCHK        BT        DT
      0.20      0.20       0.0       0.0      10.0         0       0.0       0.0

"""


@dataclass(frozen=True)
class Placed:
    """One vehicle of the scene: parts are numbered `number` * 100 + the part in the vehicle."""

    vehicle: VehicleClass
    mesh: Mesh
    number: int
    shift: float
    speed: float


def build_scene(cell: float, speed: float) -> list[Placed]:
    """The three vehicles nose to tail along x, all heading to -x; the van at the end moves at `speed`."""
    gap = 30.0
    placed: list[Placed] = []
    shift = 0.0
    for number, (vehicle, v) in enumerate(((MIDSIZE, 0.0), (COMPACT, 0.0), (VAN, -speed)), start=1):
        mesh = build_vehicle(vehicle, cell)
        x = np.array(mesh.positions)[:, 0]
        shift += -x.min() + (gap if placed else 0.0)
        placed.append(Placed(vehicle, mesh, number, shift, v))
        shift += x.max()
    return placed


def cell_for(elements: int) -> float:
    """Cell size in mm for which the scene has about `elements` elements."""
    if elements < COARSEST:
        raise ValueError(f"{elements} elements are too few for three vehicles; ask for {COARSEST} or more")
    low, high = 2.0, 400.0
    for _ in range(24):
        cell = (low * high) ** 0.5
        estimate = sum(estimated_elements(v, cell) for v in (MIDSIZE, COMPACT, VAN))
        low, high = (cell, high) if estimate > elements else (low, cell)
    # The lattice rounds: take the nearest of a few neighbours by building them.
    factors = np.linspace(0.8, 1.2, 17) if elements <= 100_000 else [1.0]
    trials = [cell * float(f) for f in factors]
    counts = [sum(p.mesh.elements() for p in build_scene(c, 0.0)) for c in trials]
    return trials[int(np.argmin(np.abs(np.array(counts) - elements)))]


def estimated_elements(vehicle: VehicleClass, cell: float) -> float:
    """Panel area of a vehicle over the cell area."""
    area = 2.0 * (vehicle.length * (vehicle.width + vehicle.height) + vehicle.width * vehicle.height)
    return 1.28 * area / cell**2


def write_nodes(out: TextIO, placed: Placed, first: int) -> None:
    """*NODE of one vehicle, numbered from `first`."""
    out.write("*NODE\n")
    for k, x in enumerate(placed.mesh.positions):
        out.write(f"{first + k:8d}{x[0] + placed.shift:16.6f}{x[1]:16.6f}{x[2]:16.6f}\n")


def write_parts(out: TextIO, placed: Placed) -> None:
    """Parts, sections and elements' part numbers of one vehicle."""
    for p, (title, thickness, material) in PARTS.items():
        part = placed.number * 100 + p
        law = 5 if p in WHEELS else material
        out.write(f"*PART\n{placed.vehicle.name} {title}\n{part:10d}{part:10d}{law:10d}\n")
        if p in placed.mesh.solids:
            out.write(f"*SECTION_SOLID\n{part:10d}{1:10d}\n")
        else:
            t = thickness * (1.0 if p in WHEELS else placed.vehicle.gauge)
            out.write(
                f"*SECTION_SHELL\n$    SECID    ELFORM      SHRF       NIP\n"
                f"{part:10d}{2:10d}    0.8333{5:10d}\n"
            )
            carried = CARRIED_MASS.get(p, 0.0)
            out.write(f"{t:10.4f}" * 4 + f"       0.0{carried:10.2e}\n")


def write_elements(out: TextIO, placed: Placed, first_node: int, first_element: int) -> int:
    """Elements of one vehicle; returns the next free number."""
    element = first_element
    out.write("*ELEMENT_SHELL\n")
    for p, shells in sorted(placed.mesh.shells.items()):
        for corners in shells:
            nodes = "".join(f"{first_node + c:8d}" for c in corners)
            out.write(f"{element:8d}{placed.number * 100 + p:8d}{nodes}\n")
            element += 1
    out.write("*ELEMENT_SOLID\n")
    for p, solids in sorted(placed.mesh.solids.items()):
        for corners in solids:
            nodes = "".join(f"{first_node + c:8d}" for c in corners)
            out.write(f"{element:8d}{placed.number * 100 + p:8d}{nodes}\n")
            element += 1
    return element


def write_set(out: TextIO, keyword: str, number: int, items: list[int]) -> None:
    """A *SET_..._LIST with eight items a card."""
    out.write(f"{keyword}\n{number:10d}\n")
    for k in range(0, len(items), 8):
        out.write("".join(f"{item:10d}" for item in items[k : k + 8]) + "\n")


def write_motion(out: TextIO, placed: Placed, cell: float, first_node: int) -> None:
    """Wheels tied to the rails, and the initial velocity."""
    for p, nodes in attached_nodes(placed.mesh, placed.vehicle, cell).items():
        number = placed.number * 100 + p
        write_set(out, "*SET_NODE_LIST", number, [first_node + n for n in nodes])
        out.write(f"*CONSTRAINED_EXTRA_NODES_SET\n{number:10d}{number:10d}\n")
    parts = [placed.number * 100 + p for p in PARTS]
    write_set(out, "*SET_PART_LIST", placed.number, parts)
    if placed.speed:
        out.write(
            "*INITIAL_VELOCITY_GENERATION\n$       ID      STYP     OMEGA        VX        VY        VZ\n"
        )
        out.write(f"{placed.number:10d}{1:10d}       0.0{placed.speed:10.4f}       0.0       0.0\n\n")


def write_three_vehicle(path: Path, elements: int, speed: float = 25.0, end_time: float = 60.0) -> int:
    """Write the deck with about `elements` elements; returns how many it has.

    Args:
        path: file to write.
        elements: wanted number of elements, COARSEST or more.
        speed: of the van, mm/ms (m/s).
        end_time: ms.

    Raises:
        ValueError: too few elements.
    """
    cell = cell_for(elements)
    scene = build_scene(cell, speed)
    count = sum(p.mesh.elements() for p in scene)
    with path.open("w") as out:
        out.write(
            HEADER.format(
                elements=count,
                end_time=end_time,
                plot_interval=end_time / 40.0,
                history_interval=end_time / 200.0,
            )
        )
        out.write(MATERIALS.format(engine=ENGINE_DENSITY, wheels=WHEEL_DENSITY))
        out.write(CONTACT.format(surface=TOUCHING_SET))
        touching = [100 * p.number + k for p in scene for k in PARTS if k not in WHEELS]
        write_set(out, "*SET_PART_LIST", TOUCHING_SET, touching)
        node, element = 1, 1
        for placed in scene:
            write_parts(out, placed)
            write_nodes(out, placed, node)
            element = write_elements(out, placed, node, element)
            write_motion(out, placed, cell, node)
            node += len(placed.mesh.positions)
        out.write("*END\n")
    return count
