"""The frame: rails with crash boxes, rockers, bumper beams, radiator support, instrument panel beam.

All are rectangular tubes; ties and welds join them to the body and to each other.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from crumple.models.car_lattice import ARCH, FRONT_GRADING, Lattice, Shape
from crumple.models.car_mesh import Grid
from crumple.models.car_parts import CarPart
from crumple.models.car_sheets import WELD_LENGTH

TIE_GAP = 4.0  #: mm between the middles of tied sheets
RAIL_Y, RAIL_WIDTH, RAIL_HEIGHT = 420.0, 70.0, 90.0
RAIL_FLOOR_HEIGHT = 66.0  #: of rails under the floor
RAIL_FRONT = 455.0  #: height of the rails' axis in front
BEAM_HEIGHT, BEAM_DEPTH, BEAM_BACK = 120.0, 60.0, 45.0
CRASH_BOX = 190.0  #: length
REAR_BEAM = 365.0  #: height of the rear beam's axis


@dataclass(frozen=True)
class Tube:
    """Stations (s, 4, 3) of corners of a rectangular tube, and the cells of its sides.

    Corners go round; side m lies between corners m and m + 1. Side 0 is the one that is welded.
    """

    corners: np.ndarray
    sides: tuple[int, int, int, int]

    def points(self) -> np.ndarray:
        """Nodes (s, sum of sides, 3)."""
        pieces = []
        for m, count in enumerate(self.sides):
            a, b = self.corners[:, m, None], self.corners[:, (m + 1) % 4, None]
            share = (np.arange(count) / count)[None, :, None]
            pieces.append(a + (b - a) * share)
        return np.concatenate(pieces, axis=1)


def cells(length: float, size: float, least: int = 1) -> int:
    """Cells of about a size along a length."""
    return max(least, round(length / size))


def box_corners(
    axis: np.ndarray,
    across: np.ndarray,
    up: np.ndarray,
    width: np.ndarray | float,
    height: np.ndarray | float,
) -> np.ndarray:
    """Corners (s, 4, 3) round axis points (s, 3): the upper side first."""
    w = np.broadcast_to(np.asarray(width, dtype=float), len(axis))[:, None] * across / 2
    h = np.broadcast_to(np.asarray(height, dtype=float), len(axis))[:, None] * up / 2
    return np.stack([axis - w + h, axis + w + h, axis + w - h, axis - w - h], axis=1)


Y, Z = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
X = np.array([1.0, 0.0, 0.0])


def front_beam_x(n: Lattice, y: np.ndarray) -> np.ndarray:
    """x of the front bumper beam's front face."""
    shape = Shape(n)
    nose = shape.nose(2.0 * np.abs(y) / n.car.width, np.full(np.shape(y), RAIL_FRONT))
    return nose + BEAM_BACK


def rear_beam_x(n: Lattice, y: np.ndarray) -> np.ndarray:
    """x of the rear bumper beam's front face."""
    shape = Shape(n)
    tail = shape.tail(2.0 * np.abs(y) / n.car.width, np.full(np.shape(y), REAR_BEAM))
    return n.car.length - tail - BEAM_BACK - BEAM_DEPTH


@dataclass(frozen=True)
class RailPlan:
    """Cells along a rail: of the crash box, the engine bay, under the floor's lattice, behind the floor."""

    box: int
    bay: int
    floor: tuple[int, int]  #: lattice planes between which it lies under the floor
    tail: int

    @property
    def count(self) -> int:
        """All cells along the rail."""
        return self.box + self.bay + 1 + self.floor[1] - self.floor[0] + self.tail


def plan_rail(n: Lattice) -> RailPlan:
    """How many cells there are."""
    size = FRONT_GRADING * n.cell
    start = float(front_beam_x(n, np.array(RAIL_Y))) + BEAM_DEPTH + TIE_GAP + CRASH_BOX
    bay = cells(bay_end(n) - start, size, 3)
    behind = float(rear_beam_x(n, np.array(RAIL_Y))) - n.x[n.at["floor end"]]
    floor = (n.at["firewall"], n.at["floor end"])
    return RailPlan(cells(CRASH_BOX, size, 1), bay, floor, cells(behind, 1.1 * n.cell))


def bay_end(n: Lattice) -> float:
    """x of the last station ahead of the floor."""
    return n.car.firewall - min(45.0, 0.9 * n.cell)


def rail_axis(n: Lattice, y: float) -> tuple[np.ndarray, np.ndarray]:
    """Axis points (s, 3) and heights (s) of a rail at y (middle) from the crash box to the rear beam."""
    plan, floor = plan_rail(n), n.levels[0]
    start = float(front_beam_x(n, np.array(y))) + BEAM_DEPTH + TIE_GAP
    dive = n.car.firewall - 430.0
    x = np.concatenate(
        [
            np.linspace(start, start + CRASH_BOX, plan.box + 1)[:-1],
            np.linspace(start + CRASH_BOX, bay_end(n), plan.bay + 1),
        ]
    )
    under = Shape(n)(np.arange(plan.floor[0], plan.floor[1] + 1), np.array(n.at["tunnel"]), np.array(floor))
    low = under[0, 2] - WELD_LENGTH - RAIL_FLOOR_HEIGHT / 2
    share = np.clip((x - dive) / (n.car.firewall - 45.0 - dive), 0.0, 1.0)
    share = share**2 * (3.0 - 2.0 * share)
    z = RAIL_FRONT + (low - RAIL_FRONT) * share
    h = RAIL_HEIGHT + (RAIL_FLOOR_HEIGHT - RAIL_HEIGHT) * share
    end = float(rear_beam_x(n, np.array(y))) - TIE_GAP
    tail = np.linspace(under[-1, 0], end, plan.tail + 1)[1:]
    rear_x = np.concatenate([under[:, 0], tail])
    rear_z = np.concatenate([under[:, 2], np.full(plan.tail, under[-1, 2])])
    rear_z = rear_z - WELD_LENGTH - RAIL_FLOOR_HEIGHT / 2
    x, z = np.concatenate([x, rear_x]), np.concatenate([z, rear_z])
    return np.stack([x, np.full(len(x), y), z], axis=1), np.concatenate(
        [h, np.full(len(rear_x), RAIL_FLOOR_HEIGHT)]
    )


def rail(n: Lattice, y: float) -> Tube:
    """One rail; its ends follow the bumper beams."""
    axis, heights = rail_axis(n, y)
    corners = box_corners(axis, Y, Z, RAIL_WIDTH, heights)
    plan, size = plan_rail(n), n.cell
    for m in range(4):
        edge = corners[:, m, 1]
        ahead = front_beam_x(n, edge) - front_beam_x(n, np.full(len(edge), y))
        behind = rear_beam_x(n, edge) - rear_beam_x(n, np.full(len(edge), y))
        number = np.arange(len(edge))
        corners[:, m, 0] += ahead * np.clip(1.0 - number / plan.box, 0.0, 1.0)
        corners[:, m, 0] += behind * np.clip((number - number[-1]) / plan.tail + 1.0, 0.0, 1.0)
    wide, high = cells(RAIL_WIDTH, size), cells(RAIL_HEIGHT, size)
    return Tube(corners, (wide, high, wide, high))


def rocker_range(n: Lattice) -> tuple[int, int]:
    """Lattice planes between which the rockers lie."""
    return n.plane_at(n.car.firewall + 80.0), n.plane_at(n.car.rear_axle - 1.45 * ARCH)


def rocker(n: Lattice, side: float) -> Tube:
    """A rocker under the floor's edge."""
    first, last = rocker_range(n)
    planes = np.arange(first, last + 1)
    under = Shape(n)(planes, np.array(n.at["tunnel"]), np.array(n.levels[0]))
    edge = Shape(n)(planes, np.array(n.ny), np.array(0))[:, 1].min() - 18.0
    width, height = 95.0, 62.0
    axis = np.stack(
        [
            under[:, 0],
            np.full(len(planes), side * (edge - width / 2)),
            under[:, 2] - WELD_LENGTH - height / 2,
        ],
        axis=1,
    )
    sides = cells(width, n.cell), cells(height, n.cell)
    return Tube(box_corners(axis, Y, Z, width, height), (*sides, *sides))


def across_tube(n: Lattice, x: np.ndarray, y: np.ndarray, z: float, depth: float, height: float) -> Tube:
    """A tube along y whose axis is given."""
    axis = np.stack([x, y, np.full(len(y), z)], axis=1)
    sides = cells(depth, n.cell), cells(height, n.cell)
    return Tube(box_corners(axis, X, Z, depth, height), (*sides, *sides))


def bumper_beam(n: Lattice, front: bool) -> Tube:
    """A bumper beam behind its fascia."""
    reach = 0.37 * n.car.width
    y = np.linspace(-reach, reach, beam_cells(n) + 1)
    face = front_beam_x(n, y) if front else rear_beam_x(n, y)
    z = RAIL_FRONT if front else REAR_BEAM
    return across_tube(n, face + BEAM_DEPTH / 2, y, z, BEAM_DEPTH, BEAM_HEIGHT)


def beam_cells(n: Lattice) -> int:
    """Cells along a bumper beam."""
    return cells(0.74 * n.car.width, n.cell, 10)


def support_x(n: Lattice) -> float:
    """x of the radiator support's axis."""
    return float(front_beam_x(n, np.array(RAIL_Y))) + BEAM_DEPTH + TIE_GAP + CRASH_BOX + 60.0


def radiator_support(n: Lattice) -> Tube:
    """A tube between the rails' inner faces."""
    reach = RAIL_Y - RAIL_WIDTH / 2 - TIE_GAP
    y = np.linspace(-reach, reach, cells(2 * reach, n.cell, 2) + 1)
    return across_tube(n, np.full(len(y), support_x(n)), y, RAIL_FRONT, 52.0, 50.0)


def panel_beam(n: Lattice) -> Tube:
    """A tube between the hinge posts, under the windscreen."""
    x, z, size = n.car.firewall + 52.0, n.car.belt - 120.0, 50.0
    y = np.linspace(-1.0, 1.0, panel_beam_cells(n) + 1)
    tube = across_tube(n, np.full(len(y), x), y, z, size, size)
    edge = hinge_post_width(n, x, tube.corners[0, :, 2])
    tube.corners[:, :, 1] = y[:, None] * (edge - TIE_GAP)[None, :]
    return tube


def hinge_post_width(n: Lattice, x: float, z: np.ndarray) -> np.ndarray:
    """Half the width between the hinge posts' sheets, on their facets."""
    levels = np.arange(n.levels[2] + 1)
    found = []
    for name in ("firewall", "hinge post"):
        post = Shape(n)(np.array(n.at[name]), np.array(n.ny), levels)
        found.append(np.interp(z, post[:, 2], post[:, 1]))
    share = (x - n.x[n.at["firewall"]]) / (n.x[n.at["hinge post"]] - n.x[n.at["firewall"]])
    return found[0] + share * (found[1] - found[0])


def panel_beam_cells(n: Lattice) -> int:
    """Cells along the instrument panel beam."""
    return cells(0.94 * n.car.width, n.cell, 4)


def tube_grid(
    part: CarPart, stations: int, n: Lattice, sizes: tuple[float, float], make: Callable[[], Tube], name: str
) -> Grid:
    """The grid of a tube: cells along it, and round it."""
    round_it = 2 * (cells(sizes[0], n.cell) + cells(sizes[1], n.cell))
    return Grid(part, stations, round_it, lambda: make().points(), closed=True, name=name)


def frame_grids(n: Lattice) -> list[Grid]:
    """All tubes."""
    plan = plan_rail(n)
    first, last = rocker_range(n)
    found = []
    for side, name in ((-1.0, "left"), (1.0, "right")):
        grid = tube_grid(
            CarPart.RAIL,
            plan.count,
            n,
            (RAIL_WIDTH, RAIL_HEIGHT),
            lambda s=side: rail(n, s * RAIL_Y),
            f"{name} rail",
        )
        grid.rows[CarPart.CRASH_BOX] = (0, plan.box)
        found.append(grid)
        found.append(
            tube_grid(
                CarPart.ROCKER, last - first, n, (95.0, 62.0), lambda s=side: rocker(n, s), f"{name} rocker"
            )
        )
    beam = (BEAM_DEPTH, BEAM_HEIGHT)
    found.append(
        tube_grid(CarPart.FRONT_BEAM, beam_cells(n), n, beam, lambda: bumper_beam(n, True), "front beam")
    )
    found.append(
        tube_grid(CarPart.REAR_BEAM, beam_cells(n), n, beam, lambda: bumper_beam(n, False), "rear beam")
    )
    span = 2 * (RAIL_Y - RAIL_WIDTH / 2 - TIE_GAP)
    found.append(
        tube_grid(
            CarPart.RADIATOR_SUPPORT,
            cells(span, n.cell, 2),
            n,
            (52.0, 50.0),
            lambda: radiator_support(n),
            "support",
        )
    )
    found.append(
        tube_grid(
            CarPart.PANEL_BEAM, panel_beam_cells(n), n, (50.0, 50.0), lambda: panel_beam(n), "panel beam"
        )
    )
    return found


def rail_weld_range(n: Lattice) -> tuple[int, int]:
    """Lattice planes between which rails are welded to the floor."""
    return n.at["firewall"], plan_rail(n).floor[1]


def floor_weld_count(n: Lattice) -> int:
    """Sites of welds between tubes and floor: two rows on each."""
    rails, rockers = rail_weld_range(n), rocker_range(n)
    return 4 * (rails[1] - rails[0]) + 4 * (rockers[1] - rockers[0])


def floor_welds(n: Lattice) -> np.ndarray:
    """Ends (sites, 2, 3) of welds from the upper sides of rails and rockers up to the floor."""
    found = []
    plan = plan_rail(n)
    for side in (-1.0, 1.0):
        corners = rail(n, side * RAIL_Y).corners[plan.box + plan.bay + 1 :][
            : plan.floor[1] - plan.floor[0] + 1
        ]
        found += tube_welds(corners)
        found += tube_welds(rocker(n, side).corners)
    return np.concatenate(found)


def tube_welds(corners: np.ndarray) -> list[np.ndarray]:
    """Two rows of welds on the upper side, in the middle of each cell along."""
    rows = []
    for share in (0.25, 0.75):
        line = corners[:, 0] + share * (corners[:, 1] - corners[:, 0])
        foot = 0.5 * (line[:-1] + line[1:])
        rows.append(np.stack([foot + WELD_LENGTH * Z, foot], axis=1))
    return rows
