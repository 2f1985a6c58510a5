"""A round bar that necks: its largest load, and the load that its neck bears."""

import numpy as np
from scipy.optimize import brentq

from verification.deck import Deck, Point
from verification.implicit import BRICK_HOURGLASS, Form, static
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

RADIUS, HALF, NARROWER = 6.413, 26.667, 0.982  # mm
PULLED = 5.5  #: of each end, mm
BULK, SHEAR = 164.206, 80.1938  # GPa
ACROSS, ALONG = 3, 20  #: bricks along a side of the square in the middle, and along half of the bar
FORMS = [Form("solid", -1), Form("solid", 1)]
STEPS = 44


def hardening(strain: np.ndarray | float) -> np.ndarray | float:
    """True stress over plastic strain, GPa."""
    return 0.45 + 0.12924 * strain + 0.265 * (1 - np.exp(-16.93 * strain))


def largest_load(radius: float) -> float:
    """Of a bar that stays straight: d(stress) / d(strain) = stress (Considere 1885), kN."""

    def slope(e: float) -> float:
        return float(0.12924 + 0.265 * 16.93 * np.exp(-16.93 * e) - hardening(e))

    e = brentq(slope, 0.0, 1.0)
    return float(np.pi * radius**2 * hardening(e) * np.exp(-e))


def disc(x: float, y: float) -> tuple[float, float]:
    """From a quarter of a square to a quarter of a circle: circles take the place of squares outwards."""
    size, far = max(x, y), float(np.hypot(x, y))
    if far == 0.0:
        return (0.0, 0.0)
    round_ = size / far
    share = size**2  # how much of it is a circle
    return (x * (1 - share * (1 - round_)), y * (1 - share * (1 - round_)))


def place(p: Point) -> Point:
    """An eighth of the bar: narrower linearly towards its middle z = 0, where layers are thinner."""
    x, y = disc(p[0], p[1])
    z = HALF * p[2] ** 1.6
    r = RADIUS * (NARROWER + (1 - NARROWER) * z / HALF)
    return (r * x, r * y, z)


def bar() -> Mesh:
    """Bricks of the eighth."""
    return hexahedra((2 * ACROSS, 2 * ACROSS, ALONG), (1.0, 1.0, 1.0)).moved(place)


def deck_of(form: Form) -> Deck:
    """Ends are pulled and free to narrow."""
    deck = static(f"necking, {form.name}", STEPS, "12,1,25,1e-4,1e-8,1e10,,1e-20", automatic=True)
    strains = np.concatenate([np.linspace(0, 0.3, 61), np.linspace(0.35, 3.0, 54)])
    deck.curve(2, [(float(e), float(hardening(e))) for e in strains])
    young, poisson = (
        9 * BULK * SHEAR / (3 * BULK + SHEAR),
        (3 * BULK - 2 * SHEAR) / (2 * (3 * BULK + SHEAR)),
    )
    deck.add(
        "MAT_PIECEWISE_LINEAR_PLASTICITY",
        [1, 7.85e-6, young, poisson, 0.45],
        [None, None, 2],
        [None],
        [None],
    )
    kind, coefficient = BRICK_HOURGLASS[0], 0.1
    deck.add("HOURGLASS", [1, kind, coefficient, 0, 1.5, 0.06, coefficient, coefficient])
    deck.solid_section(1, form.elform)
    deck.part(1, 1, 1, "bar", hourglass=1)
    mesh = bar()
    deck.nodes(mesh.nodes)
    deck.solids(1, mesh.elements)
    small = 1e-9
    for axis in range(3):
        held = [int(k == axis) for k in range(3)]
        nodes = mesh.where(lambda p, axis=axis: p[axis] < small)
        deck.add("BOUNDARY_SPC_NODE", *([n, 0, *held, 0, 0, 0] for n in nodes))
    end = mesh.where(lambda p: p[2] > HALF - small)
    deck.node_set(1, end)
    deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [1, 3, 2, 1, PULLED])
    deck.add("DATABASE_BNDOUT", [1.0 / STEPS, 3])
    return deck


def profile() -> list[int]:
    """Nodes of the surface in the plane y = 0, from the neck to the end."""
    flat = hexahedra((2 * ACROSS, 2 * ACROSS, ALONG), (1.0, 1.0, 1.0))
    return sorted(flat.where(lambda p: p[0] == 1 and p[1] == 0), key=lambda n: flat.nodes[n][2])


def neck(r: Results) -> tuple[float, float]:
    """Radius of the neck at the end, and that of its profile through three nodes."""
    near = np.array([r.position(n) for n in profile()[:3]])
    _, half_curvature, a = np.polyfit(near[:, 2] ** 2, near[:, 0], 2)
    return float(a), float(0.5 / half_curvature)


def load_of_neck(a: float, curved: float) -> float:
    """After Bridgman (1952): stress of a straight bar of this strain, and tension across it."""
    strain = 2 * np.log(RADIUS * NARROWER / a)
    factor = (1 + 2 * curved / a) * np.log(1 + a / (2 * curved))
    return float(np.pi * a**2 * hardening(strain) * factor)


def measure(results: dict[str, Results]) -> list[Figure]:
    """The largest load on the whole bar, and its load at the end beside that of the neck by Bridgman."""
    low, high = largest_load(RADIUS * NARROWER), largest_load(RADIUS)
    figures = []
    for form in FORMS:
        r = results[form.name]
        load = 4 * np.abs(r.moved("z_total"))
        a, curved = neck(r)
        figures += [
            Figure(form.name, "largest load, kN", (low, high), float(load.max()), 0.005),
            Figure(
                form.name, "load of the neck at the end, kN", load_of_neck(a, curved), float(load[-1]), 0.1
            ),
        ]
    return figures


PROBLEM = Problem(
    "implicit necking",
    "Round bar, 1.8 % narrower in the middle, pulled by 21 % of its length: it necks",
    "Simo (1988), Comput. Methods Appl. Mech. Eng. 68, 1-31 (bar and law); loads of straight bars as wide as "
    "its neck and its ends: Considere (1885); load of a neck, approximately: Bridgman (1952), Studies in "
    "Large Plastic Flow and Fracture",
    lambda: {form.name: deck_of(form) for form in FORMS},
    measure,
    ranks=(1,),
    slow=True,
)
