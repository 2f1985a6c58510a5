"""Stresses and shapes by temperature: NAFEMS LE11, and Timoshenko's strip of two metals."""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SMALL, SOLIDS, Form, Table, sections, static
from verification.meshes import hexahedra
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.problems.implicit.nafems_stress import COARSE, SOURCE
from verification.results import Results
from verification.stresses import stress_at

YOUNG, POISSON, ALPHA = 210e9, 0.3, 2.3e-4
LE11_CELLS = (4, 8, 16)  #: across the wall; four times as many along it
LE11_LAYERS = 3  #: around, of the elements' own size
LE11_TABLE = Table("LE11", 0.01, dict.fromkeys((f.name for f in SOLIDS), COARSE))
#: corners of the outer side: the end of the sphere, the middle and the end of the taper, the upper end
OUTER = [(1.4 * np.cos(np.pi / 6), 0.7), (1.10622, 1.045), (1.0, 1.39), (1.0, 1.79)]


def along(v: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (r, z) of the inner and the outer side, from the equator of the sphere to the upper end."""
    quarter = min(int(4 * v), 3)
    part = 4 * v - quarter
    a = np.pi / 4 * min(2 * v, 1.0)
    inner = np.array([np.cos(a), np.sin(a)])
    if quarter >= 2:
        inner[1] += (2 * v - 1) * (1.79 - inner[1])
    if quarter == 0:
        b = np.pi / 6 * part
        return inner, 1.4 * np.array([np.cos(b), np.sin(b)])
    begin, end = (np.array(OUTER[k]) for k in (quarter - 1, quarter))
    return inner, (1 - part) * begin + part * end


def wall(sector: float):
    """u through the wall from the inside, v along it, w around the axis."""

    def place(u: float, v: float, w: float) -> Point:
        inner, outer = along(v)
        r, z = (1 - u) * inner + u * outer
        return (float(r * np.cos(sector * w)), float(-r * np.sin(sector * w)), float(z))

    return place


def le11_cases() -> list[tuple[Piece, Form, float]]:
    """Each form in each mesh, with the angle of its sector."""
    chosen = [(form, n) for form in SOLIDS for n in LE11_CELLS]
    cases = []
    for part, (form, n) in enumerate(chosen, 1):
        sector = LE11_LAYERS * 0.4 / n
        cases.append((Piece(part, form, (n, 4 * n), wall(sector), LE11_LAYERS), form, sector))
    return cases


def le11_decks() -> dict[str, Deck]:
    """T = r + z; both ends are held along the axis, the sides of the sector across."""
    deck = static("LE11")
    deck.elastic(1, 8000.0, YOUNG, POISSON)
    sections(deck, SOLIDS)
    for piece, form, sector in le11_cases():
        piece.write(deck, SOLIDS.index(form) + 1, 1, f"{form.name}, {piece.mesh}")
        for side in (0, 1):
            a = sector * (0.5 - side)
            x, y = float(np.cos(a)), float(np.sin(a))
            deck.add("DEFINE_COORDINATE_VECTOR", [10 * piece.part + side, x, y, 0.0, -y, x, 0.0])
        heat = []
        for n, (u, v, w) in piece.flat.nodes.items():
            x, y, z = piece.place(u, v, w)
            heat.append([n, float(SMALL * (np.hypot(x, y) + z)), 0.0, 1])
            at_side, at_end = abs(abs(w) - 0.5) < 1e-9, v in (0, 1)
            if at_side or at_end:
                frame = 10 * piece.part + (w > 0) if at_side else 0
                deck.add("BOUNDARY_SPC_NODE", [n, frame, 0, int(at_side), int(at_end), 0, 0, 0])
        deck.add("LOAD_THERMAL_VARIABLE_NODE", *heat)
    deck.add("MAT_ADD_THERMAL_EXPANSION", *([p.part, 0, ALPHA] for p, _, _ in le11_cases()))
    return {"LE11": deck}


def le11_measure(results: dict[str, Results]) -> list[Figure]:
    """Axial stress inside on the equator."""
    figures = []
    for piece, form, _ in le11_cases():
        stress = stress_at(results["LE11"], piece, (0.0, 0.0, 0.0))[2]
        figures.append(LE11_TABLE.figure(form.name, piece.mesh, "stress", float(stress / (SMALL * -105e6))))
    return figures


LENGTH, WIDTH = 100.0, 2.5
CELLS = 40
DIFFERENCE = 1e-6  #: of the free strains
#: ratios of the lower layer to the upper one: of thickness, of Young's modulus
STRIPS = ((1.0, 1.0), (0.5, 1.0), (2.0, 0.3))
#: One brick of other forms through a metal is too soft in bending, or too stiff ("straight beam").
STRIP_FORMS = [form for form in SOLIDS if form.elform == 1]


def curvature(m: float, n: float, thickness: float) -> float:
    """Timoshenko 1925, equation 4."""
    total = 3 * (1 + m) ** 2 + (1 + m * n) * (m**2 + 1 / (m * n))
    return 6 * DIFFERENCE * (1 + m) ** 2 / (thickness * total)


def strip_cases() -> list[tuple[int, Form, float, float]]:
    """First number, form, and the two ratios."""
    chosen = [(form, m, n) for form in STRIP_FORMS for m, n in STRIPS]
    return [(10000 * k, form, m, n) for k, (form, m, n) in enumerate(chosen, 1)]


def strip_decks() -> dict[str, Deck]:
    """Half of each strip, of one brick for each metal; without Poisson's ratio it is a beam."""
    deck = static("bimetal")
    sections(deck, STRIP_FORMS)
    watched = []
    for k, (first, form, m, n) in enumerate(strip_cases(), 1):
        mesh = hexahedra((CELLS, 1, 2), (LENGTH, WIDTH, 2.0), first + 1)
        split = 2 * m / (1 + m)
        heights = {0.0: 0.0, 1.0: split, 2.0: 2.0}
        deck.nodes(mesh.moved(lambda p, h=heights: (p[0], p[1], h[p[2]])).nodes)
        lower = {e: of for e, of in mesh.elements.items() if e <= first + CELLS}
        upper = {e: of for e, of in mesh.elements.items() if e > first + CELLS}
        for layer, (elements, young) in enumerate(((lower, n), (upper, 1.0)), 1):
            part = 10 * k + layer
            deck.elastic(part, 1.0, 100.0 * young, 0.0)
            section = STRIP_FORMS.index(form) + 1
            deck.part(part, section, part, f"{form.name}, {m}, {n}", hourglass=section)
            deck.solids(part, elements)
            deck.add("MAT_ADD_THERMAL_EXPANSION", [part, 0, DIFFERENCE * (3.0 - layer)])
        for node, (x, y, z) in mesh.nodes.items():
            held = [x == 0, y == 0, x == 0 and z == 1.0]
            if any(held):
                deck.add("BOUNDARY_SPC_NODE", [node, 0, *map(int, held), 0, 0, 0])
        watched += mesh.where(lambda p: p[0] == LENGTH and p[2] == 1.0)
    deck.add("LOAD_THERMAL_LOAD_CURVE", [1])
    deck.node_history(watched)
    return {"bimetal": deck}


def strip_measure(results: dict[str, Results]) -> list[Figure]:
    """Deflection of the end: the lower metal gets longer, so it rises."""
    figures = []
    for first, form, m, n in strip_cases():
        mesh = hexahedra((CELLS, 1, 2), (LENGTH, WIDTH, 2.0), first + 1)
        node = mesh.where(lambda p: p[0] == LENGTH and p[2] == 1.0)[0]
        w = float(results["bimetal"].node(node, "z_displacement")[-1])
        exact = curvature(m, n, 2.0) * LENGTH**2 / 2
        figures.append(
            Figure(f"{form.name}, thickness {m} : 1, modulus {n} : 1", "deflection", exact, w, 2e-3)
        )
    return figures


PROBLEMS = [
    Problem(
        "implicit NAFEMS LE11",
        "Cylinder, taper, sphere heated by T = r + z, elements through the wall, along, around: stress "
        "over the known one",
        f"{SOURCE}, test LE11: -105 MPa",
        le11_decks,
        le11_measure,
        ranks=(1,),
    ),
    Problem(
        "implicit bimetal",
        "Strips of two metals, one solid through each",
        "Timoshenko (1925), J. Opt. Soc. Am. 11, 233-255, equation 4",
        strip_decks,
        strip_measure,
        ranks=(1,),
    ),
]
