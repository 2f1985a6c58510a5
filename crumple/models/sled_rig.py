"""What stands on the sled: floor and toe board, seat, steering wheel, windscreen."""

from dataclasses import dataclass, field

import numpy as np

from crumple.models.sled_mesh import Ellipsoid, SledMesh, furthest, grid, quads_of
from crumple.models.sled_occupant import BACK, SOLE, TOE, UP, leg, spine

FLOOR, CUSHION_PAN, CUSHION, LEGS, BRACKET = 101, 102, 103, 104, 105
BACK_FRAME, BACK_PAN, BACK_FOAM, WHEEL, SCREEN = 106, 107, 108, 109, 110
NEAR = 2.5  #: mm between bodies and the foam or the floor that is shaped by them
BEND = 70.0  #: mm, the least radius of what presses into foam: faces cut off cell^2 / 8 r of its roundness
HALF_SEAT, HALF_BACK = 250.0, 240.0  #: mm, half widths
SEAT_FRONT, SEAT_REAR = -330.0, 130.0
BACK_LOW, BACK_HIGH, BACK_DEEP = 40.0, 620.0, 230.0  #: mm along the spine, and behind it
RECLINER = spine(-10.0, BACK_DEEP)
RIM, TUBE, HUB = 185.0, 14.0, 18.0  #: mm of the steering wheel; the hub's face above the rim's plane
COLUMN = np.radians(25.0)  #: between the column and the floor
HUB_RADIUS = 80.0  #: mm
TO_DRIVER = np.array([np.cos(COLUMN), 0.0, np.sin(COLUMN)])
WHEEL_UP = np.array([-np.sin(COLUMN), 0.0, np.cos(COLUMN)])
WHEEL_CENTRE = np.array([-425.0, 0.0, 345.0])
SCREEN_LOW, SCREEN_UP = np.array([-745.0, -600.0, 395.0]), np.array([560.0, 0.0, 370.0])


@dataclass
class Rig:
    """What else than elements the deck needs."""

    on_floor: list[np.ndarray] = field(default_factory=list)  #: nodes that move with the floor
    on_bracket: list[np.ndarray] = field(default_factory=list)
    on_frame: list[np.ndarray] = field(default_factory=list)  #: of the seat's back


def counts(cell: float, *lengths: float) -> tuple[int, ...]:
    """Numbers of cells along lengths."""
    return tuple(max(2, round(length / cell)) for length in lengths)


def near(cell: float) -> float:
    """Distance of foam from round bodies at its nodes."""
    return NEAR + cell**2 / (8.0 * BEND)


def mesh_floor(mesh: SledMesh, cell: float) -> float:
    """Floor and toe board; returns the floor's height."""
    foot = Ellipsoid(leg(True)[3], np.array([40.0, 48.0, 130.0]), np.array([SOLE, [0.0, 1.0, 0.0], TOE]))
    lowest = foot.centre[2] - np.sqrt(np.sum((foot.half * foot.frame[:, 2]) ** 2)) - NEAR
    on_board = foot.centre - (40.0 + NEAR) * SOLE
    corner = on_board + (lowest - on_board[2]) / TOE[2] * TOE
    corner[1] = -450.0
    wide = np.array([0.0, 900.0, 0.0])
    back = np.array([450.0 - corner[0], 0.0, 0.0])
    m, n, k = counts(1.5 * cell, back[0], 900.0, 380.0)
    board = grid(corner + 380.0 * TOE, -380.0 * TOE, wide, (k, n))
    flat = grid(corner, back, wide, (m, n))
    mesh.patch(FLOOR, mesh.add(np.concatenate([board, flat[1:]])))
    return float(lowest)


def mesh_cushion(mesh: SledMesh, rig: Rig, bodies: list[Ellipsoid], cell: float, floor: float) -> None:
    """The cushion's foam on its pan, whose sides stand on plates."""
    m, n, k = counts(cell, SEAT_REAR - SEAT_FRONT, 2 * HALF_SEAT, 110.0)
    corner = np.array([SEAT_FRONT, -HALF_SEAT, -157.0])
    pan = grid(corner, [SEAT_REAR - SEAT_FRONT, 0.0, -46.0], [0.0, 2 * HALF_SEAT, 0.0], (m, n))
    flat = -30.0 - 0.1 * pan[..., 0]
    lowest = -furthest(bodies, pan * [1.0, 1.0, 0.0], np.array([0.0, 0.0, -1.0])) - near(cell)
    top = np.where(np.isfinite(lowest), np.minimum(flat, lowest), flat)
    share = np.linspace(0.0, 1.0, k + 1)
    block = np.repeat(pan[:, :, None, :], k + 1, axis=2)
    block[..., 2] += share * (top - pan[..., 2])[..., None]
    numbers = mesh.add(block)
    mesh.bricks(CUSHION, numbers)
    mesh.patch(CUSHION_PAN, numbers[:, :, 0])
    (rows,) = counts(cell, -200.0 - floor)
    for edge in (numbers[:, 0, 0], numbers[:, -1, 0]):
        high = mesh.at(edge)
        low = high.copy()
        low[:, 2] = floor
        t = np.linspace(0.0, 1.0, rows + 1)[1:, None, None]
        plate = np.concatenate([edge[None], mesh.add(high + t * (low - high))])
        mesh.patch(LEGS, plate)
        rig.on_floor.append(plate[-1])
    rig.on_bracket.append(numbers[pan[:, 0, 0] > SEAT_REAR - 60.0, :, 0][:, [0, -1]].ravel())
    rig.on_bracket.append(numbers[-1, 1:-1, 0])


def mesh_back(mesh: SledMesh, rig: Rig, bodies: list[Ellipsoid], cell: float) -> None:
    """The back's foam on its pan, in a frame that turns on the recliner's bracket."""
    m, n, k = counts(cell, BACK_HIGH - BACK_LOW, 2 * HALF_BACK, 110.0)
    wide = np.array([0.0, 2 * HALF_BACK, 0.0])
    pan = grid(spine(BACK_LOW, BACK_DEEP, -HALF_BACK), (BACK_HIGH - BACK_LOW) * UP, wide, (m, n))
    behind = furthest(bodies, pan - BACK_DEEP * BACK, BACK) + near(cell)
    front = np.maximum(np.where(np.isfinite(behind), behind, 0.0), 75.0)
    share = np.linspace(0.0, 1.0, k + 1)
    block = pan[:, :, None, :] - (share * (BACK_DEEP - front)[..., None])[..., None] * BACK
    numbers = mesh.add(block)
    mesh.bricks(BACK_FOAM, numbers)
    mesh.patch(BACK_PAN, numbers[:, :, 0])
    for edge in (numbers[:, 0, 0], numbers[:, -1, 0]):
        x = mesh.at(edge)
        strip = mesh.add(np.stack([x, x + 45.0 * BACK], axis=1))
        mesh.patch(BACK_FRAME, strip)
        low = strip[0]
        end = mesh.add(mesh.at(low) - 60.0 * UP)
        mesh.patch(BACK_FRAME, np.stack([low, end]))
        rig.on_frame.append(edge)
    rig.on_frame.append(numbers[0, 1:-1, 0])
    rig.on_frame.append(numbers[-1, 1:-1, 0])


def mesh_bracket(mesh: SledMesh) -> None:
    """Plates at both sides that hold the recliner's hinge."""
    for y in (-HALF_SEAT, HALF_SEAT):
        corners = [(70.0, -195.0), (160.0, -205.0), (230.0, -70.0), (185.0, -70.0)]
        mesh.shell(BRACKET, mesh.add(np.array([[x, y, z] for x, z in corners])))


def mesh_wheel(mesh: SledMesh, cell: float) -> None:
    """Rim and hub of the steering wheel, and the column.

    A dish without openings is between hub and rim: fabric would be caught by the edges of spokes.
    """
    right = np.array([0.0, 1.0, 0.0])
    n = max(16, round(2 * np.pi * RIM / cell))
    turn = 2 * np.pi * np.arange(n) / n
    around = 2 * np.pi * np.arange(6) / 6
    out = np.cos(turn)[:, None] * right + np.sin(turn)[:, None] * WHEEL_UP
    ring = (
        WHEEL_CENTRE
        + (RIM + TUBE * np.cos(around))[None, :, None] * out[:, None]
        + (TUBE * np.sin(around))[None, :, None] * TO_DRIVER
    )
    numbers = mesh.add(ring)
    closed = np.pad(numbers, ((0, 1), (0, 1)), mode="wrap")
    mesh.patch(WHEEL, closed[:, ::-1])
    hub = WHEEL_CENTRE + HUB * TO_DRIVER
    radius = np.array([25.0, 50.0, HUB_RADIUS, *np.linspace(HUB_RADIUS, RIM - TUBE, 4)[1:]])
    height = HUB * np.minimum(1.0, (RIM - TUBE - radius) / (RIM - TUBE - HUB_RADIUS))
    dish = WHEEL_CENTRE + radius[:, None, None] * out + height[:, None, None] * TO_DRIVER
    mesh.patch(WHEEL, np.pad(mesh.add(dish), ((0, 0), (0, 1)), mode="wrap"))
    side = np.array([25.0 * right, 25.0 * WHEEL_UP, -25.0 * right, -25.0 * WHEEL_UP])
    (m,) = counts(2.0 * cell, 330.0)
    tube = hub - np.linspace(2.0, 330.0, m + 1)[:, None, None] * TO_DRIVER + side
    mesh.patch(WHEEL, np.pad(mesh.add(tube), ((0, 0), (0, 1)), mode="wrap"))


def mesh_screen(mesh: SledMesh, rig: Rig, cell: float) -> None:
    """The windscreen, held at its edge."""
    wide = np.array([0.0, 1200.0, 0.0])
    counted = counts(1.3 * cell, float(np.linalg.norm(SCREEN_UP)), 1200.0)
    numbers = mesh.add(grid(SCREEN_LOW, SCREEN_UP, wide, counted))
    mesh.shell(SCREEN, quads_of(numbers))
    inner = np.zeros(numbers.shape, dtype=bool)
    inner[1:-1, 1:-1] = True
    rig.on_floor.append(numbers[~inner])
