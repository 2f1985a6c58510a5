"""The lattice of a car's body: where its features lie in cells, and where lattice points lie in space."""

from dataclasses import dataclass

import numpy as np

from crumple.models.car_class import CarClass

TYRE = 300.0  #: radius, mm
ARCH = TYRE + 45.0  #: radius of the wheel arches
FLOOR, REAR_FLOOR, SILL = 270.0, 400.0, 190.0  #: heights
HINGE_POST, B_POST = 110.0, 120.0  #: lengths of pillars at the belt
TUNNEL = 150.0  #: half width
NOSE_GRADING, FRONT_GRADING, CABIN_GRADING = 1.3, 0.8, 1.25  #: length of cells
ROOF_LEAN = 0.19  #: of the width, from belt to roof


@dataclass(frozen=True)
class Lattice:
    """Positions along x and across y of lattice planes, cell counts in z, and planes of features by name."""

    car: CarClass
    cell: float
    x: np.ndarray
    y: np.ndarray
    levels: tuple[int, int, int, int]  #: planes in z of floor, arch top, belt, roof; 0 is the sill's edge
    at: dict[str, int]  #: planes in x and y by name

    @property
    def nx(self) -> int:
        """Cells along x."""
        return len(self.x) - 1

    @property
    def ny(self) -> int:
        """Cells along y."""
        return len(self.y) - 1

    def plane_at(self, x: float) -> int:
        """Plane in x nearest to a position."""
        return int(np.argmin(np.abs(self.x - x)))


def divide(knots: dict[str, float], sizes: list[float]) -> tuple[np.ndarray, dict[str, int]]:
    """Planes between knots in cells of about the given sizes, one an interval; and the knots' planes."""
    names, values = list(knots), list(knots.values())
    counts = [max(1, round((b - a) / s)) for a, b, s in zip(values[:-1], values[1:], sizes, strict=True)]
    pieces = [a + (b - a) * np.arange(n) / n for a, b, n in zip(values[:-1], values[1:], counts, strict=True)]
    planes = np.concatenate([*pieces, [values[-1]]])
    return planes, dict(zip(names, np.concatenate([[0], np.cumsum(counts)]).tolist(), strict=True))


def make_lattice(car: CarClass, cell: float) -> Lattice:
    """The lattice of a class with cells of about `cell` mm, finer where a car is crushed.

    Cells of the cabin are longer: the roof has as many, and is shorter.
    """
    rear_arch = car.rear_axle - ARCH
    along = {
        "nose": 0.0,
        "front arch": car.front_axle - ARCH,
        "front arch end": car.front_axle + ARCH,
        "firewall": car.firewall,
        "hinge post": car.firewall + HINGE_POST,
        "B-pillar": car.pillar,
        "B-pillar end": car.pillar + B_POST,
        "rear door end": rear_arch - 60.0,
        "rear arch": rear_arch,
        "rear arch end": car.rear_axle + ARCH,
    }
    if car.deck:
        along["deck"] = max(car.length - car.deck, car.rear_axle + ARCH + 60.0)
    along["floor end"] = car.length - 300.0
    along["tail"] = car.length
    x, at = divide(along, [cell * grading(car, start) for start in list(along.values())[:-1]])
    if not car.deck:
        at["deck"] = at["tail"]
    half = car.width / 2
    right = {"tunnel": TUNNEL, "wheelhouse": half - 265.0, "hood": half - 130.0, "right": half}
    across = {f"left {k}" if k != "right" else "left": -v for k, v in reversed(right.items())} | right
    y, beside = divide(across, [cell] * (len(across) - 1))

    def cells(height: float, least: int) -> int:
        return max(least, round(height / cell))

    floor = cells(FLOOR - SILL, 1)
    arch = floor + cells(TYRE + ARCH - FLOOR, 1)
    belt = arch + cells(car.belt - TYRE - ARCH, 1)
    roof = belt + cells(1.12 * (car.height - car.belt), 2)
    return Lattice(car, cell, x, y, (floor, arch, belt, roof), at | beside)


def grading(car: CarClass, x: float) -> float:
    """Length of cells behind a position, in cell sizes."""
    if x < car.front_axle - ARCH:
        return NOSE_GRADING
    if x < car.firewall:
        return FRONT_GRADING
    return CABIN_GRADING if x < car.length - max(car.deck, 300.0) - 60.0 else 1.1


def floor_height(lattice: Lattice, x: np.ndarray) -> np.ndarray:
    """Height of the floor, which rises over the rear axle."""
    start = lattice.car.rear_axle - ARCH + 30.0
    return np.interp(x, [start, start + 320.0], [FLOOR, REAR_FLOOR])


def belt_height(car: CarClass, x: np.ndarray) -> np.ndarray:
    """Height of the hood's line, of the windows' lower edge, of the deck."""
    stations = [0.0, 170.0, 360.0, 0.6 * car.firewall, car.firewall, car.pillar, car.length - 150, car.length]
    rise = car.belt - 10.0 - car.nose
    heights = [
        car.nose,
        car.nose + 0.38 * rise,
        car.nose + 0.60 * rise,
        car.nose + 0.84 * rise,
        car.belt - 10.0,
        car.belt,
        car.belt + 35.0,
        car.belt + 15.0,
    ]
    return np.interp(x, stations, heights)


def square_to_disc(u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Concentric squares to circles, equal lengths of a side to equal angles (Shirley and Chiu 1997)."""
    flat = np.abs(u) >= np.abs(v)
    radius = np.where(flat, u, v)
    share = np.where(flat, v, u) / np.where(radius == 0, 1.0, radius)
    a, b = radius * np.cos(np.pi / 4 * share), radius * np.sin(np.pi / 4 * share)
    return np.where(flat, a, b), np.where(flat, b, a)


class Shape:
    """Maps lattice points to a car's outline; the nose looks to -x."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice

    def __call__(self, i: np.ndarray, j: np.ndarray, k: np.ndarray) -> np.ndarray:
        """Positions (..., 3) of lattice points."""
        n, car = self.lattice, self.lattice.car
        i, j, k = np.broadcast_arrays(i, j, k)
        x, y = n.x[i], n.y[j]
        z = self.height(x, k)
        up = self.greenhouse(k)
        x, z = self.arches(x, y, z, k)
        x = x + self.rakes(n.x[i], y, up)
        across = 2.0 * y / car.width
        z = z - 28.0 * across**2 * np.clip((k - n.levels[1]) / (n.levels[2] - n.levels[1]), 0.0, 1.0)
        edge = self.half_width(n.x[i], z, up)
        y = self.sideways(y, edge, up)
        x = x + self.nose(across, z) * np.clip(1.0 - x / (car.front_axle - ARCH), 0.0, 1.0)
        start = car.rear_axle + ARCH + 20.0
        low = np.minimum(z, car.belt)
        x = x - self.tail(across, low) * np.clip((x - start) / (car.length - start), 0.0, 1.0) * (1.0 - up)
        return np.stack([x, y, z], axis=-1)

    def greenhouse(self, k: np.ndarray) -> np.ndarray:
        """From 0 at the belt and below to 1 at the roof."""
        _, _, belt, roof = self.lattice.levels
        return np.clip((k - belt) / (roof - belt), 0.0, 1.0)

    def height(self, x: np.ndarray, k: np.ndarray) -> np.ndarray:
        """Height of a level."""
        n, car = self.lattice, self.lattice.car
        floor, arch, belt, _ = n.levels
        sill = np.interp(x, [0, 500, car.rear_axle, car.length], [SILL + 40, SILL, SILL, SILL + 90])
        deck, line = floor_height(n, x), belt_height(car, x)
        share = (TYRE + ARCH - FLOOR) / (car.belt - FLOOR)
        top = np.interp(x, [0.0, car.front_axle - ARCH], [FLOOR + share * (car.nose - FLOOR), TYRE + ARCH])
        z = sill + (deck - sill) * np.clip(k / floor, 0, 1)
        z = z + (top - deck) * np.clip((k - floor) / (arch - floor), 0, 1)
        z = z + (line - top) * np.clip((k - arch) / (belt - arch), 0, 1)
        s = np.clip((x - car.firewall) / (n.x[n.at["deck"]] - car.firewall), 0, 1)
        roof = car.height - 90.0 * (1.15 * s - 0.5) ** 2 * (1.0 if car.deck else 0.6)
        return z + (roof - line) * self.greenhouse(k)

    def arches(
        self, x: np.ndarray, y: np.ndarray, z: np.ndarray, k: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Bends lattice rectangles into round wheel arches, outside the wheelhouses' inner walls."""
        car = self.lattice.car
        inner = car.width / 2 - 265.0
        aside = np.clip((np.abs(y) - inner) / 130.0, 0.0, 1.0) * (self.greenhouse(k) == 0)
        for axle in (car.front_axle, car.rear_axle):
            room = (belt_height(car, np.array(axle)) - TYRE) / ARCH
            u, v = (x - axle) / ARCH, (z - TYRE) / ARCH
            reach = np.maximum(np.abs(u), np.abs(v))
            limit = min(1.4, float(room))
            weight = np.clip((limit - reach) / (limit - 1.0), 0.0, 1.0) * aside
            round_u, round_v = square_to_disc(u, v)
            x = x + weight * (axle + ARCH * round_u - x)
            z = z + weight * (TYRE + ARCH * round_v - z)
        return x, z

    def rakes(self, x: np.ndarray, y: np.ndarray, up: np.ndarray) -> np.ndarray:
        """How far the greenhouse leans and its windscreen bulges."""
        car = self.lattice.car
        rear = self.lattice.x[self.lattice.at["deck"]]
        s = np.clip((x - car.firewall) / (rear - car.firewall), 0.0, 1.0)
        lean = up * ((1.0 - s) ** 1.3 * car.rake_front - s**1.3 * car.rake_rear)
        bulge = 70.0 * (1.0 - (2.0 * y / car.width) ** 2) * np.minimum(1.0, 3.0 * up)
        return lean - bulge * (1.0 - s) ** 6 + 0.6 * bulge * s**6

    def half_width(self, x: np.ndarray, z: np.ndarray, up: np.ndarray) -> np.ndarray:
        """Half the width of the body at a height."""
        car = self.lattice.car
        plan = 1.0 - 0.05 * np.abs(2.0 * x / car.length - 1.0) ** 4
        low = np.minimum(z, belt_height(car, x))
        return 0.5 * car.width * plan * (1.0 - 0.045 * ((low - 620.0) / 400.0) ** 2 - ROOF_LEAN * up**1.25)

    def sideways(self, y: np.ndarray, edge: np.ndarray, up: np.ndarray) -> np.ndarray:
        """Stretches what is outside the wheelhouses' inner walls to the body's width."""
        half = self.lattice.car.width / 2
        inner = half - 265.0
        wall = inner * (1.0 + (edge / half - 1.0) * up)
        out = np.abs(y) - inner
        return np.sign(y) * np.where(
            out <= 0, np.abs(y) * wall / inner, wall + out / (half - inner) * (edge - wall)
        )

    def nose(self, across: np.ndarray, z: np.ndarray) -> np.ndarray:
        """How far the front stands back of the plane x = 0: round in plan, thickest at the bumper."""
        above = np.clip(z - 500.0, 0.0, 220.0) / 230.0
        below = np.maximum(0.0, 420.0 - z) / 230.0
        return 140.0 * np.abs(across) ** 2.6 + 50.0 * above**2 + 50.0 * below**2

    def tail(self, across: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The same at the rear."""
        above = np.maximum(0.0, z - 520.0) / 400.0
        below = np.maximum(0.0, 440.0 - z) / 230.0
        return 110.0 * np.abs(across) ** 2.6 + 70.0 * above**2 + 50.0 * below**2
