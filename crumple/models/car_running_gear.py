"""Wheels, engine with gearbox, radiator."""

import numpy as np

from crumple.models.car_frame import RAIL_FRONT, TIE_GAP, cells, support_x
from crumple.models.car_lattice import TYRE, Lattice, belt_height
from crumple.models.car_mesh import Block, Grid
from crumple.models.car_parts import CarPart

TYRE_WIDTH = 195.0
# Half section of a wheel: (distance outwards from its middle, radius), from the disc round the tyre.
SECTION = np.array(
    [
        (45, 18),
        (52, 110),
        (30, 165),
        (62, 188),
        (86, 196),
        (97, 232),
        (88, 272),
        (70, 292),
        (0, 300),
        (-70, 292),
        (-88, 272),
        (-97, 232),
        (-86, 196),
        (-60, 186),
    ],
    dtype=float,
)


def section_points(count: int) -> np.ndarray:
    """The section resampled to `count` cells of equal length."""
    steps = np.linalg.norm(np.diff(SECTION, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0.0, along[-1], count + 1)
    return np.stack([np.interp(at, along, SECTION[:, k]) for k in (0, 1)], axis=1)


def wheel_points(n: Lattice, axle: float, side: float, around: int, across: int) -> np.ndarray:
    """Nodes (across + 1, around, 3) of one wheel."""
    section = section_points(across)
    middle = n.car.width / 2 - 38.0 - TYRE_WIDTH / 2
    angle = 2.0 * np.pi * np.arange(around) / around
    out, radius = section[:, :1], section[:, 1:]
    x = axle + radius * np.cos(angle)
    z = TYRE + radius * np.sin(angle)
    return np.stack([x, np.broadcast_to(side * (middle + out), x.shape), z], axis=-1)


def wheel_grids(n: Lattice) -> list[Grid]:
    """Four wheels; those of an axle are one rigid part."""
    size = 1.5 * n.cell
    around, across = cells(2.0 * np.pi * TYRE, size, 10), cells(560.0, size, 4)
    found = []
    for part, axle in ((CarPart.FRONT_WHEEL, n.car.front_axle), (CarPart.REAR_WHEEL, n.car.rear_axle)):
        for side in (-1.0, 1.0):
            found.append(
                Grid(
                    part,
                    across,
                    around,
                    lambda a=axle, s=side: wheel_points(n, a, s, around, across),
                    closed=True,
                )
            )
    return found


def engine(n: Lattice) -> Block:
    """Engine and gearbox: a block whose top follows the hood, lower on the gearbox's side."""
    size = 2.2 * n.cell
    front, back = support_x(n) + 75.0, n.car.firewall - 130.0
    reach = 325.0
    shape = (cells(back - front, size, 2), cells(2 * reach, size, 2), cells(380.0, size, 2))

    def points() -> np.ndarray:
        a, b, c = np.meshgrid(*(np.linspace(0.0, 1.0, s + 1) for s in shape), indexing="ij")
        y = reach * (2.0 * b - 1.0)
        gearbox = np.clip((b - 0.55) / 0.15, 0.0, 1.0)
        x = front + (back - front) * (a + gearbox * 0.12 * (1.0 - 2.0 * a))
        bottom = 250.0
        top = np.minimum(belt_height(n.car, x) - 125.0, 690.0) - 150.0 * gearbox
        return np.stack([x, y, bottom + (top - bottom) * c], axis=-1)

    return Block(CarPart.ENGINE, shape, points, "engine")


def radiator(n: Lattice) -> Block:
    """A block that stands on the radiator support."""
    size = 1.5 * n.cell
    x, depth, reach = support_x(n), 36.0, 300.0
    low = RAIL_FRONT + 25.0 + TIE_GAP
    high = float(belt_height(n.car, np.array(x))) - 90.0
    shape = (max(2, round(depth / size)), cells(2 * reach, size, 2), cells(high - low, size, 2))

    def points() -> np.ndarray:
        a, b, c = np.meshgrid(*(np.linspace(0.0, 1.0, s + 1) for s in shape), indexing="ij")
        return np.stack([x + depth * (a - 0.5), reach * (2 * b - 1), low + (high - low) * c], axis=-1)

    return Block(CarPart.RADIATOR, shape, points, "radiator")
