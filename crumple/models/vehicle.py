"""A simplified passenger vehicle of shells: rails, bumper beam, panels, cabin, engine block, wheels.

Not a copy of any car: sizes are typical of their class, panels are plates on a lattice that is bent into a
car's outline. Units: mm, ms, kg, kN, GPa.
"""

from dataclasses import dataclass

import numpy as np

from crumple.models.lattice import Index, Mesh


@dataclass(frozen=True)
class VehicleClass:
    """Outer sizes in mm, and the sheet thickness factor of the class."""

    name: str
    length: float
    width: float
    height: float
    hood_length: float
    trunk_length: float
    gauge: float


COMPACT = VehicleClass("compact", 4000.0, 1680.0, 1420.0, 900.0, 450.0, 0.95)
MIDSIZE = VehicleClass("midsize", 4750.0, 1780.0, 1430.0, 1100.0, 850.0, 1.0)
VAN = VehicleClass("van", 5000.0, 1950.0, 1950.0, 950.0, 0.0, 1.2)

# part number in a vehicle -> (title, thickness in mm, material: 1 mild, 2 high strength, 3 glass, 4 rigid)
PARTS = {
    1: ("floor", 1.4, 1),
    2: ("firewall", 1.5, 1),
    3: ("body side", 1.2, 1),
    4: ("hood", 0.9, 1),
    5: ("front fascia", 0.8, 1),
    6: ("bumper beam", 2.2, 2),
    7: ("rails", 2.0, 2),
    8: ("roof", 0.9, 1),
    9: ("pillars", 2.0, 2),
    10: ("glass", 4.0, 3),
    11: ("trunk", 0.9, 1),
    12: ("rear fascia", 0.8, 1),
    13: ("cross members", 1.8, 2),
    14: ("engine block", 0.0, 4),
    15: ("front wheels", 6.0, 4),
    16: ("rear wheels", 6.0, 4),
}


@dataclass(frozen=True)
class Lattice:
    """Cell counts of a vehicle's features, from the cell size."""

    nx: int
    ny: int
    floor: int
    sill: int
    belt: int
    roof: int
    hood: int
    trunk: int
    rail: int


def lattice_of(vehicle: VehicleClass, cell: float) -> Lattice:
    """Round the features of a class to the lattice; every feature keeps at least two cells."""

    def cells(size: float, least: int = 2) -> int:
        return max(least, round(size / cell))

    ny = 2 * cells(vehicle.width / 2, 6)
    sill = cells(120.0, 1)
    belt = sill + cells(0.42 * vehicle.height, 4)
    return Lattice(
        nx=cells(vehicle.length, 16),
        ny=ny,
        floor=0,
        sill=sill,
        belt=belt,
        roof=belt + cells(0.38 * vehicle.height, 4),
        hood=cells(vehicle.hood_length, 5),
        trunk=cells(vehicle.trunk_length, 2) if vehicle.trunk_length else 0,
        rail=cells(110.0, 1),
    )


class Shape:
    """Maps lattice points to a vehicle's outline; the front is at x = 0 and looks to -x."""

    def __init__(self, vehicle: VehicleClass, lattice: Lattice) -> None:
        self.vehicle = vehicle
        self.lattice = lattice

    def __call__(self, index: Index) -> np.ndarray:
        """Position (3,) of a lattice point."""
        car, n = self.vehicle, self.lattice
        along = index[0] / n.nx
        across = 2.0 * index[1] / n.ny - 1.0
        ground = 220.0
        belt_height = 0.55 * car.height
        below = index[2] / n.belt
        z = ground + below * (belt_height - ground)
        x = along * car.length
        taper = 1.0 - 0.10 * abs(2.0 * along - 1.0) ** 5
        if index[2] > n.belt:  # the cabin leans in
            t = (index[2] - n.belt) / (n.roof - n.belt)
            z = belt_height + t * (car.height - belt_height)
            a, c = n.hood / n.nx * car.length, (1.0 - n.trunk / n.nx) * car.length
            front, rear = (
                0.45 * (car.height - belt_height),
                (0.30 if n.trunk else 0.06) * (car.height - belt_height),
            )
            s = np.clip((x - a) / (c - a), 0.0, 1.0)
            x += t * ((1.0 - s) * 1.6 * front - s * 1.6 * rear)
            taper *= 1.0 - 0.14 * t
            z -= 25.0 * across**2 * t
        elif along < n.hood / n.nx:  # the hood drops to the front
            ahead = 1.0 - along * n.nx / n.hood
            z -= below * 0.20 * (belt_height - ground) * ahead**1.5
        return np.array([x, 0.5 * car.width * taper * across, z])


def build_vehicle(vehicle: VehicleClass, cell: float) -> Mesh:
    """Mesh of one vehicle with cells of about `cell` mm."""
    n = lattice_of(vehicle, cell)
    mesh = Mesh(Shape(vehicle, n))
    add_structure(mesh, n)
    add_skin(mesh, n)
    add_cabin(mesh, n)
    add_wheels(mesh, vehicle, n, cell)
    return mesh


def rail_planes(n: Lattice) -> list[tuple[int, int]]:
    """Lattice planes in y of the two rails' sides."""
    offset = max(1, n.ny // 6)
    return [(offset, offset + n.rail), (n.ny - offset - n.rail, n.ny - offset)]


def add_structure(mesh: Mesh, n: Lattice) -> None:
    """Rails from bumper to tail, cross members, bumper beam, engine."""
    heights = (n.sill, n.sill + n.rail)
    for planes in rail_planes(n):
        mesh.tube(7, 0, range(1, n.nx - 1), planes, heights)
    mesh.tube(6, 1, range(0, n.ny), heights, (0, 1))
    left, right = rail_planes(n)
    between = range(left[1], right[0])
    for at in (n.hood, n.nx // 2, n.nx - max(2, n.trunk)):
        mesh.panel(13, 0, at, between, range(n.sill, n.sill + n.rail))
    first = max(2, n.hood // 3)
    depth = max(2, n.hood // 3)
    mesh.block(14, range(first, first + depth), between, range(n.sill, min(n.belt - 1, n.sill + 2 * n.rail)))


def add_skin(mesh: Mesh, n: Lattice) -> None:
    """Floor, firewall, sides up to the belt, hood, trunk, fascias."""
    mesh.panel(1, 2, n.sill, range(n.hood, n.nx), range(0, n.ny))
    mesh.panel(2, 0, n.hood, range(0, n.ny), range(n.sill, n.belt))
    for side in (0, n.ny):
        mesh.panel(3, 1, side, range(n.sill, n.belt), range(0, n.nx))
    mesh.panel(4, 2, n.belt, range(0, n.hood), range(0, n.ny))
    mesh.panel(5, 0, 0, range(0, n.ny), range(n.sill, n.belt))
    if n.trunk:
        mesh.panel(11, 2, n.belt, range(n.nx - n.trunk, n.nx), range(0, n.ny))
        mesh.panel(13, 0, n.nx - n.trunk, range(0, n.ny), range(n.sill, n.belt))
    mesh.panel(12, 0, n.nx, range(0, n.ny), range(n.sill, n.belt))


def add_cabin(mesh: Mesh, n: Lattice) -> None:
    """Roof, pillars and glass above the belt."""
    front, rear = n.hood, n.nx - n.trunk
    post = max(1, (rear - front) // 14)
    middle = (front + rear) // 2
    posts = [*range(front, front + post), *range(middle, middle + post), *range(rear - post, rear)]
    window = [i for i in range(front, rear) if i not in posts]
    header = max(1, (n.roof - n.belt) // 8)
    for side in (0, n.ny):
        mesh.panel(9, 1, side, range(n.belt, n.roof), posts)
        mesh.panel(9, 1, side, range(n.roof - header, n.roof), window)
        mesh.panel(10, 1, side, range(n.belt, n.roof - header), window)
    for at in (front, rear):
        edge = [*range(0, post), *range(n.ny - post, n.ny)]
        mesh.panel(9, 0, at, edge, range(n.belt, n.roof))
        mesh.panel(10, 0, at, range(post, n.ny - post), range(n.belt, n.roof))
    mesh.panel(8, 2, n.roof, range(front, rear), range(0, n.ny))


def add_wheels(mesh: Mesh, vehicle: VehicleClass, n: Lattice, cell: float) -> None:
    """Two pairs of rigid drums under the body; `attached_nodes` ties each pair to the rails."""
    radius, width = 300.0, 200.0
    around = max(12, round(2 * np.pi * radius / cell))
    across = max(1, round(width / cell))
    y_inner = 0.5 * vehicle.width - width - 40.0
    for part, x in zip((15, 16), wheel_positions(vehicle), strict=True):
        for side in (-1.0, 1.0):
            rings = []
            for a in range(across + 1):
                y = side * (y_inner + width * a / across)
                angles = 2 * np.pi * np.arange(around) / around
                rings.append(
                    [
                        mesh.free_node(np.array([x + radius * np.cos(t), y, radius + radius * np.sin(t)]))
                        for t in angles
                    ]
                )
            for a in range(across):
                for b in range(around):
                    c = (b + 1) % around
                    mesh.shell(part, (rings[a][b], rings[a + 1][b], rings[a + 1][c], rings[a][c]))
            hub = mesh.free_node(np.array([x, side * (y_inner + width), radius]))
            for b in range(around):
                mesh.shell(part, (rings[-1][b], rings[-1][(b + 1) % around], hub, hub))


def wheel_positions(vehicle: VehicleClass) -> tuple[float, float]:
    """Positions x of the two axles."""
    return 0.19 * vehicle.length, 0.80 * vehicle.length


def attached_nodes(mesh: Mesh, vehicle: VehicleClass, cell: float) -> dict[int, list[int]]:
    """Nodes of the rails near each axle, which move with its wheels; keys are the wheels' parts.

    Nodes of the engine block belong to its own rigid body and are left out.
    """
    engine = {node for solid in mesh.solids[14] for node in solid}
    rails = sorted({node for shell in mesh.shells[7] for node in shell} - engine)
    reach = max(0.8 * cell, 60.0)
    return {
        part: [r for r in rails if abs(mesh.positions[r][0] - x) < reach]
        for part, x in zip((15, 16), wheel_positions(vehicle), strict=True)
    }
