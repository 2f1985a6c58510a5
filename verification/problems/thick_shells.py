"""Thick shells, one element through the thickness, by damped motion: cantilevers, a roof under its weight.

A straight strip, whose bricks would lock by shear and by Poisson's ratio through the thickness, and a quarter
of a ring, whose edges through the thickness are not parallel: there bending must not stretch the thickness.
With n elements of uniform curvature along a strip its deflection is 1 - 1 / 4 n^2 of the beam's. The
Scordelis-Lo roof has both, and membrane forces; a direct solution of the same elements gives 1.006 of the
known value for ELFORM 3 and 1.039 for ELFORM 5, whose hourglass stiffness is a tenth of the exact one; 1.044
for ELFORM 1, with the hourglass stiffness of shells, and 0.976 for ELFORM 2, whose membrane is bilinear.
"""

import numpy as np

from verification.deck import Deck, Point, eight_nodes
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.problems import scordelis_lo
from verification.results import Results

E, RHO, NU = 210.0, 7.8e-6, 0.3
LENGTH, WIDTH, THICKNESS, CELLS = 60.0, 10.0, 1.0, 6
RADIUS, ARC_WIDTH, ARC_CELLS = 40.0, 8.0, 8
LOAD = 1e-6
FORMS = (5, 3, 1, 2)
SHAPES = ("strip", "ring")
OMEGA = float(1.8751**2 / LENGTH**2 * np.sqrt(E * THICKNESS**2 / (12 * RHO)))
NUMBERS_APART = 1000
ROOF_CELLS, ROOF_SOLUTION = (
    8,
    {3: 1.0062, 5: 1.0388, 1: 1.0436, 2: 0.9757},
)  #: by a direct solution, of the known deflection
Part = tuple[int, str, Mesh]


def mesh(shape: str, first: int) -> Mesh:
    """Straight along x from the clamp, or bent in the plane of x and z with the clamp at x = 0."""
    if shape == "strip":
        return hexahedra((CELLS, 1, 1), (LENGTH, WIDTH, THICKNESS), first)
    flat = hexahedra((ARC_CELLS, 1, 1), (0.5 * float(np.pi), ARC_WIDTH, THICKNESS), first)

    def place(p: Point) -> Point:
        r = RADIUS - 0.5 * THICKNESS + p[2]
        return (float(r * np.sin(p[0])), p[1], float(r * np.cos(p[0])))

    return flat.moved(place)


def parts() -> dict[int, Part]:
    """Form, shape and mesh by number."""
    cases = [(form, shape) for form in FORMS for shape in SHAPES]
    return {n: (form, shape, mesh(shape, NUMBERS_APART * n + 1)) for n, (form, shape) in enumerate(cases, 1)}


def tip(shape: str, m: Mesh) -> list[int]:
    """Nodes of the free end."""
    if shape == "strip":
        return m.where(lambda p: p[0] == LENGTH)
    return m.where(lambda p: abs(p[2]) < 1e-9)


def write(deck: Deck, part: int, form: int, material: int, name: str, m: Mesh) -> None:
    """A part with its section, nodes and elements."""
    deck.part(part, part, material, f"thick shell {form}, {name}", hourglass=part if form == 1 else 0)
    if form == 1:
        deck.add("HOURGLASS", [part, 4, 0.1])
    deck.add("SECTION_TSHELL", [part, form, 1.0, 3, 1, 0, 0, 0])
    deck.nodes(m.nodes)
    deck.add("ELEMENT_TSHELL", *([e, part, *eight_nodes(n)] for e, n in m.elements.items()))


def damped(title: str, end: float, omega: float) -> Deck:
    """A deck with critical damping of a circular frequency."""
    deck = Deck(title, end)
    deck.curve(1, [(0.0, 1.0), (1e9, 1.0)])
    deck.curve(2, [(0.0, 2 * omega), (1e9, 2 * omega)])
    deck.add("DAMPING_GLOBAL", [2])
    return deck


def cantilevers() -> Deck:
    """The strip with Poisson's ratio 0.3 is free to contract at its clamp; the ring has 0."""
    deck = damped("cantilevers", 10 / OMEGA, OMEGA)
    deck.elastic(1, RHO, E, NU)
    deck.elastic(2, RHO, E, 0.0)
    for part, (form, shape, m) in parts().items():
        write(deck, part, form, 1 if shape == "strip" else 2, shape, m)
        for n, x in m.nodes.items():
            if x[0] == 0:
                free = shape == "strip"
                held = [1, int(not free or x[1] == 0), int(not free or x[2] == 0)]
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *held, 0, 0, 0])
        loaded = tip(shape, m)
        direction = 3 if shape == "strip" else 1
        deck.add("LOAD_NODE_POINT", *([n, direction, 1, LOAD / len(loaded)] for n in loaded))
    deck.node_history(n for _, shape, m in parts().values() for n in tip(shape, m))
    deck.output(10 / OMEGA / 100, "nodout", "glstat")
    return deck


def flat_roof(part: int) -> Mesh:
    """The roof in its parameters, the height from 0 to 1 through the thickness."""
    return hexahedra((ROOF_CELLS, ROOF_CELLS, 1), (1.0, 1.0, 1.0), NUMBERS_APART * part + 1)


def roof_place(p: Point) -> Point:
    """As scordelis_lo.place, on the middle surface moved along the radius."""
    x, y, z = scordelis_lo.place(p)
    scale = 1 + scordelis_lo.THICKNESS * (p[2] - 0.5) / scordelis_lo.RADIUS
    return (x, scale * y, scale * z)


def roofs() -> Deck:
    """A quarter for each form."""
    roof = scordelis_lo.ROOF
    deck = damped("roofs", roof.end, 0.5 * roof.damping)
    deck.elastic(1, roof.density, roof.young, roof.poisson)
    for part, form in enumerate(FORMS, 1):
        flat = flat_roof(part)
        write(deck, part, form, 1, "roof", flat.moved(roof_place))
        for n, (u, v, _) in flat.nodes.items():
            held = scordelis_lo.held(u, v)[:3]
            if any(held):
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, held), 0, 0, 0])
    deck.add("LOAD_BODY_Z", [1, scordelis_lo.SHARE * scordelis_lo.WEIGHT / (roof.density * roof.thickness)])
    deck.node_history(n for part in range(1, len(FORMS) + 1) for n in corner(part))
    deck.output(roof.end / 100, "nodout", "glstat")
    return deck


def corner(part: int) -> list[int]:
    """Nodes in the middle of the free edge."""
    return flat_roof(part).where(lambda p: p[0] == 1 and p[1] == 1)


def decks() -> dict[str, Deck]:
    """Both."""
    return {"cantilevers": cantilevers(), "roofs": roofs()}


def exact(shape: str) -> float:
    """Strip: P L^3 / 3 E I. Ring, pulled along the radius of its free end: pi P R^3 / 4 E I."""
    if shape == "strip":
        return LOAD * LENGTH**3 / (3 * E * WIDTH * THICKNESS**3 / 12)
    return float(0.25 * np.pi * LOAD * RADIUS**3 / (E * ARC_WIDTH * THICKNESS**3 / 12))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Mean deflections of the nodes at the tip, or in the middle of the roof's free edge."""
    figures = []

    def add(
        r: Results, nodes: list[int], component: str, case: str, known: float, factor: float, near: float
    ):
        w = np.mean([r.node(n, component) for n in nodes], axis=0) / factor
        figures.append(Figure(case, "deflection", known, float(w[-1]), near))
        figures.append(Figure(case, "change in the last tenth", 0.0, float(w[-1] - w[-11]), 2e-3, abs(known)))

    r = results["cantilevers"]
    for form, shape, m in parts().values():
        component = "z_displacement" if shape == "strip" else "x_displacement"
        add(r, tip(shape, m), component, f"thick shell {form}, {shape}", exact(shape), 1.0, 0.02)
    for part, form in enumerate(FORMS, 1):
        known = scordelis_lo.ROOF.expected * ROOF_SOLUTION[form]
        case = f"thick shell {form}, roof"
        add(results["roofs"], corner(part), "z_displacement", case, known, scordelis_lo.SHARE, 0.005)
    for name, r in results.items():
        ratio = float(r.energy("energy_ratio")[-1])
        figures.append(Figure(name, "total energy / external work", 1.0, ratio, 0.01))
    return figures


PROBLEM = Problem(
    "thick_shells",
    "Thick shells by damped motion: a strip, a quarter of a ring, a Scordelis-Lo roof of 8 x 8",
    "closed forms: P L^3 / (3 E I), pi P R^3 / (4 E I); MacNeal and Harder (1985) times a direct solution",
    decks,
    measure,
)
