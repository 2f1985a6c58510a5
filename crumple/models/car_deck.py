"""Cars as a keyword deck: a scene of placed cars, walls, contact, output. Units: mm, ms, kg, kN, GPa."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from crumple.models.car import CarMesh, block_volume, sheet_areas
from crumple.models.car_parts import SHEETS, SOLIDS, CarPart, Material
from crumple.models.deck_text import write_elements, write_nodes, write_set
from crumple.models.honeycomb_barrier import PARTS as BARRIER_PARTS
from crumple.models.honeycomb_barrier import Barrier, write_barrier

PLOTS = 40  #: plot states, where no other number is asked for
STEEL = 7.85e-6  #: kg/mm^3
ENGINE_MASS, WHEEL_MASS, RADIATOR_MASS = 240.0, 20.0, 12.0  #: kg; of one wheel
FLOOR_SHARE = 0.8  #: of what is carried; the rest hangs in the doors
TIE_REACH, WELD_REACH = 7.0, 3.0  #: mm; both thicknesses that a tied contact takes
WELD_STRENGTH = (12.0, 9.0)  #: kN at the usual pitch: normal, shear
# Mass scaling, as in production decks: 1 us, less where most cells are smaller. Skewed cells gain mass.
LARGEST_STEP, STEP_OF_CELL = 1.0e-3, 0.11e-3  #: ms, ms a mm
TIES = {
    "crash boxes to bumper beam": (CarPart.FRONT_BEAM, "TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET"),
    "rails to rear beam": (CarPart.REAR_BEAM, "TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET"),
    "radiator support to rails": (CarPart.RAIL, "TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET"),
    "panel beam to hinge posts": (CarPart.BODY_SIDE, "TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET"),
    "radiator to its support": (CarPart.RADIATOR_SUPPORT, "TIED_NODES_TO_SURFACE_OFFSET"),
}

HEADER = """*KEYWORD
*TITLE
{title}, {elements} elements
$ units: mm, ms, kg, kN, GPa
*CONTROL_TERMINATION
$   ENDTIM
{end_time:10.3f}
*CONTROL_TIMESTEP
$   DTINIT    TSSFAC      ISDO    TSLIMT     DT2MS
       0.0       0.9         0       0.0{step:10.3e}
*CONTROL_ENERGY
$     HGEN      RWEN    SLNTEN     RYLEN
         2         2         2         2
*CONTROL_CONTACT
$   SLSFAC    RWPNAL
       0.1       1.0
*CONTROL_SHELL
$   WRPANG     ESORT     IRNXX    ISTUPD    THEORY       BWC     MITER      PROJ
      20.0         1        -1         0         2         2         1         0
*CONTROL_HOURGLASS
$      IHQ        QH
         4      0.05
*DATABASE_BINARY_D3PLOT
{plot_interval:10.4f}
*DATABASE_GLSTAT
{history_interval:10.4f}
*DATABASE_MATSUM
{history_interval:10.4f}
*DATABASE_RCFORC
{history_interval:10.4f}
*DATABASE_RWFORC
{history_interval:10.4f}
*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID
         1all cars
        99         0         2         0
$       FS        FD        DC        VC       VDC    PENCHK        BT        DT
      0.20      0.20       0.0       0.0      10.0         0       0.0       0.0

"""

PLASTIC_CARDS = """*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE
{title}
$      MID        RO         E        PR      SIGY      ETAN      FAIL      TDEL
{number:10d}{numbers}       0.0
$        C         P      LCSS      LCSR        VP
       0.0       0.0{curve:10d}         0       0.0


"""

# title, density, E, Poisson's ratio, yield stress, tangent modulus, failure strain, curve
PLASTICS = {
    Material.MILD: ("mild steel", STEEL, 210.0, 0.30, 0.18, 0.0, 0.0, 101),
    Material.STRONG: ("high strength steel", STEEL, 210.0, 0.30, 0.42, 0.0, 0.0, 102),
    Material.PRESS_HARDENED: ("press hardened steel", STEEL, 210.0, 0.30, 1.05, 1.6, 0.0, 0),
    Material.GLASS: ("glass", 2.5e-6, 70.0, 0.22, 0.138, 0.20, 0.05, 0),
    Material.PLASTIC: ("plastic", 1.1e-6, 2.2, 0.40, 0.025, 0.04, 0.0, 0),
}

CURVES = """*DEFINE_CURVE_TITLE
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


@dataclass(frozen=True)
class Placed:
    """One car of a scene, numbered from 1: turned about z by 180 degrees where `reverse`, then moved."""

    mesh: CarMesh
    number: int
    shift: tuple[float, float] = (0.0, 0.0)
    speed: float = 0.0  #: along x, mm/ms
    reverse: bool = False

    def positions(self) -> np.ndarray:
        """Nodes of the car in the scene."""
        turn = np.array([-1.0, -1.0, 1.0]) if self.reverse else np.ones(3)
        return self.mesh.nodes * turn + np.array([*self.shift, 0.0])

    def part(self, part: int) -> int:
        """Number of a part in the deck."""
        return 100 * self.number + int(part)


@dataclass(frozen=True)
class Scene:
    """What a deck holds."""

    title: str
    cars: list[Placed]
    end_time: float  #: ms
    wall: float | None = None  #: x of a rigid wall that faces +x
    plots: int | None = None  #: plot states
    barrier: Barrier | None = None

    def elements(self) -> int:
        """Number of elements."""
        own = sum(placed.mesh.elements() for placed in self.cars)
        return own + (self.barrier.elements() if self.barrier else 0)


def write_scene(path: Path, scene: Scene) -> int:
    """Write the deck; returns the number of elements. Raises OSError."""
    with path.open("wb") as out:
        out.write(
            HEADER.format(
                title=scene.title,
                elements=scene.elements(),
                step=-min(LARGEST_STEP, STEP_OF_CELL * min(c.mesh.cell for c in scene.cars)),
                end_time=scene.end_time,
                plot_interval=scene.end_time / (scene.plots or PLOTS),
                history_interval=scene.end_time / 200.0,
            ).encode()
        )
        write_materials(out)
        parts = [*SHEETS, *SOLIDS]
        touched = [c.part(p) for c in scene.cars for p in parts]
        write_set(out, "SET_PART_LIST", 99, touched + (list(BARRIER_PARTS) if scene.barrier else []))
        if scene.wall is not None:
            out.write(
                "*RIGIDWALL_PLANAR_ID\n         1wall\n"
                f"         0         0         0\n{scene.wall:10.3f}       0.0       0.0"
                f"{scene.wall + 1:10.3f}       0.0       0.0      0.30\n".encode()
            )
        node, element = 1, 1
        for placed in scene.cars:
            node, element = write_car(out, placed, node, element)
        if scene.barrier:
            write_barrier(out, scene.barrier, node, element)
        out.write(b"*END\n")
    return scene.elements()


def write_materials(out: BinaryIO) -> None:
    """Materials that all cars share; those of engines, wheels, radiators and welds belong to a car."""
    for number, (title, density, *moduli, curve) in PLASTICS.items():
        out.write(
            PLASTIC_CARDS.format(
                title=title,
                number=int(number),
                numbers=f"{density:10.3e}" + "".join(f"{x:10.3f}" for x in moduli),
                curve=curve,
            ).encode()
        )
    out.write(CURVES.encode())


def write_car(out: BinaryIO, placed: Placed, first_node: int, first_element: int) -> tuple[int, int]:
    """Everything of one car; returns the next free numbers of nodes and elements."""
    mesh = placed.mesh
    out.write(f"$ ---- car {placed.number}: {mesh.car.name}, cells of {mesh.cell:.2f} mm\n".encode())
    write_own_materials(out, placed)
    write_parts(out, placed)
    write_nodes(out, first_node, placed.positions())
    element = first_element
    order = np.argsort(mesh.shell_parts, kind="stable")
    for keyword, parts, nodes in (
        ("ELEMENT_SHELL", mesh.shell_parts[order], mesh.shells[order]),
        ("ELEMENT_SOLID", mesh.solid_parts, mesh.solids),
        ("ELEMENT_BEAM", np.full(len(mesh.welds), int(CarPart.WELD)), mesh.welds),
    ):
        write_elements(out, keyword, element, 100 * placed.number + parts, first_node + nodes)
        element += len(nodes)
    write_connections(out, placed, first_node)
    if placed.speed:
        write_set(
            out, "SET_PART_LIST", placed.part(0), [placed.part(p) for p in [*SHEETS, *SOLIDS, CarPart.WELD]]
        )
        out.write(
            f"*INITIAL_VELOCITY_GENERATION\n{placed.part(0):10d}{1:10d}       0.0{placed.speed:10.4f}"
            "       0.0       0.0\n\n".encode()
        )
    return first_node + len(mesh.nodes), element


def write_own_materials(out: BinaryIO, placed: Placed) -> None:
    """Rigid parts of the right mass, the radiator, spot welds that keep a car's step."""
    mesh, areas = placed.mesh, sheet_areas(placed.mesh)
    wheels = (
        4.0
        * WHEEL_MASS
        / (
            areas[CarPart.FRONT_WHEEL] * SHEETS[CarPart.FRONT_WHEEL].thickness
            + areas[CarPart.REAR_WHEEL] * SHEETS[CarPart.REAR_WHEEL].thickness
        )
    )
    engine = ENGINE_MASS / block_volume(mesh, CarPart.ENGINE)
    radiator = RADIATOR_MASS / block_volume(mesh, CarPart.RADIATOR)
    step = min(0.07e-3 * mesh.cell, 6e-3)  # about that of the smallest shells: welds hardly set the step
    normal, shear = (s * mesh.weld_pitch / 40.0 for s in WELD_STRENGTH)
    n = 100 * placed.number
    out.write(
        (
            f"*MAT_RIGID_TITLE\nengine\n{n + Material.ENGINE:10d}{engine:10.3e}     100.0       0.3\n"
            "       0.0\n\n"
            f"*MAT_RIGID_TITLE\nwheels\n{n + Material.WHEEL:10d}{wheels:10.3e}       2.0       0.3\n"
            "       0.0\n\n"
            f"*MAT_PLASTIC_KINEMATIC_TITLE\nradiator\n{n + Material.RADIATOR:10d}{radiator:10.3e}       1.0"
            "       0.2     0.004     0.010\n\n"
            f"*MAT_SPOTWELD_TITLE\nspot welds\n{n + Material.WELD:10d}{STEEL:10.3e}     210.0       0.3"
            f"     0.700     2.000{step:10.3e}\n       0.0{normal:10.3f}{shear:10.3f}{shear:10.3f}\n"
        ).encode()
    )


def carried(mesh: CarMesh) -> dict[CarPart, float]:
    """kg/mm^2 that floor and doors carry, so that the car has its mass."""
    areas = sheet_areas(mesh)
    densities = {
        CarPart.FRONT_FASCIA: 1.1e-6,
        CarPart.REAR_FASCIA: 1.1e-6,
        CarPart.LAMP: 1.1e-6,
        CarPart.GLASS: 2.5e-6,
    }
    own = sum(
        areas[p] * sheet.thickness * mesh.car.gauge * densities.get(p, STEEL)
        for p, sheet in SHEETS.items()
        if sheet.material != Material.WHEEL
    )
    rest = max(0.0, mesh.car.mass - own - ENGINE_MASS - 4.0 * WHEEL_MASS - RADIATOR_MASS)
    floor = areas[CarPart.FLOOR] + areas[CarPart.TUNNEL]
    doors = areas[CarPart.DOOR] + areas[CarPart.DOOR_INNER]
    on_floor, in_doors = FLOOR_SHARE * rest / floor, (1.0 - FLOOR_SHARE) * rest / doors
    return {
        CarPart.FLOOR: on_floor,
        CarPart.TUNNEL: on_floor,
        CarPart.DOOR: in_doors,
        CarPart.DOOR_INNER: in_doors,
    }


def write_parts(out: BinaryIO, placed: Placed) -> None:
    """Parts and sections."""
    own = {Material.ENGINE, Material.WHEEL, Material.WELD, Material.RADIATOR}
    n, extra, lines = 100 * placed.number, carried(placed.mesh), []

    def part(p: CarPart, title: str, material: Material) -> int:
        law = n + material if material in own else int(material)
        lines.append(f"*PART\n{placed.mesh.car.name} {title}\n{n + p:10d}{n + p:10d}{law:10d}\n")
        return n + p

    for p, sheet in SHEETS.items():
        number = part(p, sheet.title, sheet.material)
        t = sheet.thickness * (1.0 if sheet.material == Material.WHEEL else placed.mesh.car.gauge)
        lines.append(f"*SECTION_SHELL\n{number:10d}{2:10d}    0.8333{5:10d}\n")
        lines.append(f"{t:10.4f}" * 4 + f"       0.0{extra.get(p, 0.0):10.3e}\n")
    for p, (title, material) in SOLIDS.items():
        lines.append(f"*SECTION_SOLID\n{part(p, title, material):10d}{1:10d}\n")
    number = part(CarPart.WELD, "spot welds", Material.WELD)
    lines.append(f"*SECTION_BEAM\n{number:10d}{9:10d}       1.0       2.0       1.0\n")
    lines.append("       6.0       6.0       0.0       0.0\n")
    out.write("".join(lines).encode())


def write_connections(out: BinaryIO, placed: Placed, first_node: int) -> None:
    """Ties, spot welds, hinges, and what moves with rigid parts."""
    mesh, n = placed.mesh, 100 * placed.number
    for k, (name, nodes) in enumerate(mesh.ties.items(), 1):
        part, kind = TIES[name]
        write_set(out, "SET_NODE_LIST", n + k, first_node + nodes)
        out.write(
            f"*CONTACT_{kind}_ID\n{n + k:10d}{name}\n{n + k:10d}{n + part:10d}{4:10d}{3:10d}\n\n"
            f"       0.0       0.0{-TIE_REACH:10.2f}{-TIE_REACH:10.2f}\n".encode()
        )
    welded = [p for p, s in SHEETS.items() if s.material != Material.WHEEL]
    write_set(out, "SET_PART_LIST", n + 1, [n + p for p in welded])
    out.write(
        f"*CONTACT_SPOTWELD_ID\n{n + 10:10d}spot welds\n{n + CarPart.WELD:10d}{n + 1:10d}{3:10d}{2:10d}\n\n"
        f"       0.0       0.0{-WELD_REACH:10.2f}{-WELD_REACH:10.2f}\n".encode()
    )
    out.write(b"*CONSTRAINED_SPOTWELD\n$       N1        N2        SN        SS\n")
    for a, b in mesh.hinges:
        out.write(f"{first_node + a:10d}{first_node + b:10d}       0.0       0.0\n".encode())
    for part, nodes in mesh.mounts.items():
        write_set(out, "SET_NODE_LIST", n + part, first_node + nodes)
        out.write(f"*CONSTRAINED_EXTRA_NODES_SET\n{n + part:10d}{n + part:10d}\n".encode())
