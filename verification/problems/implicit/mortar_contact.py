"""Mortar contact against closed forms: a patch, Hertz's line and point contacts, a press fit."""

from collections.abc import Callable

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import static
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

YOUNG, POISSON, DENSITY = 210.0, 0.3, 7.85e-6
BULK = YOUNG / (3 * (1 - 2 * POISSON))
PLANE = YOUNG / (1 - POISSON**2)  #: modulus against a rigid plane
RADIUS = 100.0  #: of cylinder and sphere
SMALL = 1e-9


def penetration(pressure: float, length: float) -> float:
    """Of surfaces with this pressure: 0.1 K f(d / (0.01 L)), f a parabola (docs/implicit-reference.md)."""
    return float(0.01 * length * 2 * np.sqrt(pressure / (0.1 * BULK)))


def two_parts(title: str, steps: int = 1) -> Deck:
    """Elastic solids in mortar contact."""
    deck = static(title, steps)
    deck.elastic(1, DENSITY, YOUNG, POISSON)
    deck.solid_section(1, 2)
    deck.part(1, 1, 1, "first")
    deck.part(2, 1, 1, "second")
    contact = [1, 2, 3, 3, None, None, 1, 1]
    deck.add("CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR", contact, [0.0], [1.0, 1.0])
    deck.add("DATABASE_RCFORC", [1.0 / steps, 3])
    return deck


def write(deck: Deck, part: int, mesh: Mesh) -> None:
    """Nodes and elements of a part."""
    deck.nodes(mesh.nodes)
    deck.solids(part, mesh.elements)


def hold(deck: Deck, nodes: list[int], directions: str) -> None:
    """Hold nodes along axes of `directions`, e.g. "xz"."""
    held = [int(axis in directions) for axis in "xyz"]
    deck.add("BOUNDARY_SPC_NODE", *([n, 0, *held, 0, 0, 0] for n in nodes))


def lower(deck: Deck, nodes: list[int], by: float) -> None:
    """Move nodes down as curve 1 says."""
    deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 3, 2, 1, -by] for n in nodes))


def box(cells: tuple[int, int, int], low: Point, size: Point, first: int) -> Mesh:
    """Bricks from a corner."""
    return hexahedra(cells, size, first).moved(lambda p: (p[0] + low[0], p[1] + low[1], p[2] + low[2]))


def graded(far: float, near: float, fine: int, growth: float) -> np.ndarray:
    """Positions from 0 to `far`: `fine` cells of length `near`, then growing ones."""
    x = [near * k for k in range(fine + 1)]
    step = near
    while x[-1] < far:
        step *= growth
        x.append(x[-1] + step)
    places = np.array(x)
    places[fine:] = places[fine] + (places[fine:] - places[fine]) * (far - places[fine]) / (
        places[-1] - places[fine]
    )
    return places


def on_grid(x: np.ndarray, y: np.ndarray, z: np.ndarray, drop: Callable[[float, float], float]) -> Mesh:
    """Bricks at these coordinates; the lower face is raised by `drop`, the upper one stays."""
    cells = (len(x) - 1, len(y) - 1, len(z) - 1)
    flat = hexahedra(cells, (float(cells[0]), float(cells[1]), float(cells[2])))

    def place(p: Point) -> Point:
        a, b, c = float(x[round(p[0])]), float(y[round(p[1])]), float(z[round(p[2])])
        return (a, b, c + drop(a, b) * (1 - c / float(z[-1])))

    return flat.moved(place)


def patch() -> Deck:
    """Two blocks of 3 x 3 and 4 x 5 bricks across, pressed together and free to widen."""
    deck = two_parts("contact patch")
    under = box((3, 3, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 5.0), 1)
    above = box((4, 5, 2), (0.0, 0.0, 5.0), (10.0, 10.0, 5.0), 1001)
    write(deck, 1, under)
    write(deck, 2, above)
    hold(deck, under.where(lambda p: p[2] < SMALL), "z")
    for mesh in (under, above):
        hold(deck, mesh.where(lambda p: p[0] < SMALL), "x")
        hold(deck, mesh.where(lambda p: p[1] < SMALL), "y")
    lower(deck, above.where(lambda p: p[2] > 10.0 - SMALL), 0.05)
    return deck


def patch_measure(r: Results) -> list[Figure]:
    """The same stress in all bricks, and none across it."""
    numbers = [int(n) for n in r.plot.arrays["element_solid_ids"]]
    stress = np.array([r.stress("solid", n).mean(axis=0) for n in numbers])
    mean = float(stress[:, 2].mean())
    rest = np.abs(np.delete(stress, 2, axis=1)).max()
    return [
        Figure("patch", "stress, largest difference", 0.0, float(np.ptp(stress[:, 2])), 1e-7, abs(mean)),
        Figure("patch", "other stresses, largest", 0.0, float(rest), 1e-7, abs(mean)),
    ]


def press_on_plane(deck: Deck, mesh: Mesh, sides: str, far: float, by: float) -> Deck:
    """A body that is lowered onto a rigid plane of bricks; `sides` are its planes of symmetry."""
    write(deck, 1, mesh)
    first = max(mesh.nodes) + 1
    wide = far + 0.3
    plane = box((7, 7, 1), (-0.1, -0.1, -1.0), (wide, wide if "y" in sides else 0.4, 1.0), first)
    write(deck, 2, plane)
    hold(deck, list(plane.nodes), "xyz")
    for axis in sides:
        hold(deck, mesh.where(lambda p, axis=axis: p["xyz".index(axis)] < SMALL), axis)
    lower(deck, mesh.where(lambda p: p[2] > far - SMALL), by)
    return deck


LINE_X, LINE_Z = graded(10.0, 1 / 12, 18, 1.2), graded(10.0, 1 / 12, 8, 1.2)


def line() -> Deck:
    """A cylinder in plane strain; cells of a twelfth of the half width."""
    mesh = on_grid(LINE_X, np.array([0.0, 0.1]), LINE_Z, lambda a, b: a * a / (2 * RADIUS))
    deck = press_on_plane(two_parts("Hertz, line", 4), mesh, "x", 10.0, 0.026)
    hold(deck, list(mesh.nodes), "y")
    return deck


def bottom(r: Results, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distance from the axis and pressure of the lowest bricks."""
    across, along = 0.5 * (x[1:] + x[:-1]), 0.5 * (y[1:] + y[:-1])
    count = len(across) * len(along)
    pressure = np.array([-r.stress("solid", n).mean(axis=0)[2] for n in range(1, count + 1)])
    return np.hypot(*np.meshgrid(across, along)).ravel(), pressure


def ellipse(distance: np.ndarray, pressure: np.ndarray, radius: float) -> tuple[float, float]:
    """Peak and radius of p = p0 sqrt(1 - x^2 / b^2), from where the pressure is within 0.85 of the radius."""
    inside = distance < 0.85 * radius
    slope, top = np.polyfit(distance[inside] ** 2, pressure[inside] ** 2, 1)
    return float(np.sqrt(top)), float(np.sqrt(-top / slope))


def line_measure(r: Results) -> list[Figure]:
    """Peak and half width by the force per length (Johnson 1985, section 4.2)."""
    load = 2 * abs(float(r.contact("z_force")[-1])) / 0.1  # both halves
    b, peak = np.sqrt(4 * load * RADIUS / (np.pi * PLANE)), np.sqrt(load * PLANE / (np.pi * RADIUS))
    distance, pressure = bottom(r, LINE_X, np.array([0.0, 0.0]))
    found = ellipse(distance, pressure, b)
    return [
        Figure("line", "largest pressure, GPa", float(peak), found[0], 0.03),
        Figure("line", "half width, mm", float(b), found[1], 0.03),
    ]


POINT_X, POINT_Z = graded(8.0, 1 / 9, 13, 1.35), graded(8.0, 1 / 9, 8, 1.35)


def point() -> Deck:
    """A quarter of a sphere; cells of a ninth of the contact's radius."""
    mesh = on_grid(POINT_X, POINT_X, POINT_Z, lambda a, b: (a * a + b * b) / (2 * RADIUS))
    return press_on_plane(two_parts("Hertz, point", 3), mesh, "xy", 8.0, 0.0105)


def point_measure(r: Results) -> list[Figure]:
    """Peak and radius by the force (Johnson 1985, section 4.2)."""
    load = 4 * abs(float(r.contact("z_force")[-1]))
    b = np.cbrt(3 * load * RADIUS / (4 * PLANE))
    found = ellipse(*bottom(r, POINT_X, POINT_X), b)
    return [
        Figure("point", "largest pressure, GPa", float(3 * load / (2 * np.pi * b**2)), found[0], 0.05),
        Figure("point", "radius, mm", float(b), found[1], 0.05),
    ]


BORE, FIT, RIM, OVERLAP = 10.0, 20.0, 30.0, 0.1


def ring(inner: float, outer: float, cells: int, first: int) -> Mesh:
    """A quarter of a ring in plane strain, 10 bricks along the radius."""

    def place(p: Point) -> Point:
        r, a = inner + (outer - inner) * p[0], np.pi / 2 * p[1]
        return (float(r * np.cos(a)), float(r * np.sin(a)), p[2])

    return hexahedra((10, cells, 1), (1.0, 1.0, 1.0), first).moved(place)


def rings() -> tuple[Mesh, Mesh]:
    """The outer radius of the inner one is larger than the inner radius of the outer one."""
    return (
        ring(BORE, FIT + OVERLAP / 2, 45, 1),
        ring(FIT - OVERLAP / 2, RIM, 40, 10001),
    )


def press_fit() -> Deck:
    """The overlap is taken out in one step."""
    deck = two_parts("press fit")
    for part, mesh in enumerate(rings(), 1):
        write(deck, part, mesh)
        hold(deck, list(mesh.nodes), "z")
        hold(deck, mesh.where(lambda p: p[1] < SMALL), "y")
        hold(deck, mesh.where(lambda p: p[0] < SMALL), "x")
    deck.node_history([1])
    return deck


def pressure_of_fit() -> float:
    """Lame (1852): of the overlap less the penetration, in plane strain."""
    a, b, c = BORE, FIT, RIM
    factor = PLANE / b * (b**2 - a**2) * (c**2 - b**2) / (2 * b**2 * (c**2 - a**2))
    pressure = 0.0
    for _ in range(100):
        pressure = 0.5 * (pressure + factor * (OVERLAP - penetration(pressure, 1.0)))
    return pressure


def fit_measure(r: Results) -> list[Figure]:
    """Hoop stress of the brick at the bore, and the displacement there."""
    share = pressure_of_fit() * FIT**2 / (FIT**2 - BORE**2)
    centre = BORE + 0.05 * (FIT - BORE)
    hoop = float(r.stress("solid", 1).mean(axis=0)[1])
    bore = -2 * (1 - POISSON**2) * share * BORE / YOUNG
    return [
        Figure("press fit", "hoop stress at the bore, GPa", -share * (1 + (BORE / centre) ** 2), hoop, 0.02),
        Figure("press fit", "displacement of the bore, mm", bore, float(r.displacement(1)[0]), 0.02),
    ]


CASES: dict[str, tuple[Callable[[], Deck], Callable[[Results], list[Figure]]]] = {
    "patch": (patch, patch_measure),
    "line": (line, line_measure),
    "point": (point, point_measure),
    "press fit": (press_fit, fit_measure),
}

PROBLEM = Problem(
    "implicit contact",
    "Mortar contact: blocks whose meshes do not match, a cylinder and a sphere on a rigid plane, a press fit",
    "closed forms: Hertz (1882) after Johnson (1985), Contact Mechanics, section 4.2; Lame (1852)",
    lambda: {name: deck() for name, (deck, _) in CASES.items()},
    lambda results: [f for name, (_, measure) in CASES.items() for f in measure(results[name])],
    ranks=(1,),
)
