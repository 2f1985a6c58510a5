"""NAFEMS linear tests LE1, LE3, LE5, LE6 and LE10; LE11 is in thermal_stress.py."""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import ENHANCED, SHELLS, SMALL, SOLIDS, Form, Table, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results
from verification.stresses import stress_at

YOUNG, POISSON = 210e9, 0.3
SOURCE = "The Standard NAFEMS Benchmarks, TNSB Rev. 3 (1990)"
COARSE = "coarse"
SHELL_FORMS = [f for f in SHELLS if f.elform in (16, 2)]


def ellipses(thickness: float):
    """u from the inner to the outer ellipse, v around from the x axis; w through the thickness."""

    def place(u: float, v: float, w: float) -> Point:
        a = np.pi / 2 * v
        x, y = (2.0 + 1.25 * u) * np.cos(a), (1.0 + 1.75 * u) * np.sin(a)
        return (float(x), float(y), thickness * w)

    return place


def outward(piece: Piece, v: float, thickness: float, pressure: float) -> tuple[list[int], np.ndarray]:
    """Nodes of the side of an element at u = 1 that begins at v, and the force of each along x and y."""
    n = piece.cells[1]
    ends = [np.array(piece.place(1.0, x, 0.0)[:2]) for x in (v, v + 1.0 / n)]
    side = ends[1] - ends[0]
    return piece.nodes(u=1.0, v=v) + piece.nodes(u=1.0, v=v + 1.0 / n), pressure * thickness / 2 * np.array(
        [side[1], -side[0]]
    )


LE1_CELLS = ((16, 32), (24, 48))
LE1_TABLE = Table("LE1", 0.015, {"shell 2": COARSE})


def le1_cases() -> list[tuple[Piece, Form]]:
    """Shells in two meshes."""
    chosen = [(form, cells) for form in SHELL_FORMS for cells in LE1_CELLS]
    return [(Piece(p, form, cells, ellipses(0.1)), form) for p, (form, cells) in enumerate(chosen, 1)]


def le1_decks(size: float = 1.0) -> dict[str, Deck]:
    """A quarter of the membrane under 10 MPa outwards."""
    deck = static("LE1", size=size)
    deck.elastic(1, 8000.0, YOUNG, POISSON)
    sections(deck, SHELL_FORMS, 0.1)
    for piece, form in le1_cases():
        piece.write(deck, SHELL_FORMS.index(form) + 1, 1, form.name)
        piece.hold(deck, lambda u, v: [v == 1, v == 0, True, True, True, False])
        n = piece.cells[1]
        for j in range(n):
            nodes, force = outward(piece, j / n, 0.1, SMALL * 10e6)
            for node in nodes:
                deck.add("LOAD_NODE_POINT", [node, 1, 1, float(force[0])], [node, 2, 1, float(force[1])])
    return {"LE1": deck}


def le1_measure(results: dict[str, Results]) -> list[Figure]:
    """Stress along y at the inner ellipse on the x axis."""
    figures = []
    for piece, form in le1_cases():
        stress = stress_at(results["LE1"], piece, (0.0, 0.0))[1]
        figures.append(LE1_TABLE.figure(form.name, piece.mesh, "stress", float(stress / (SMALL * 92.7e6))))
    return figures


LE10_CELLS = (12, 18)
LE10_LAYERS = 6
LE10_FORMS = [*SOLIDS, ENHANCED]
LE10_TABLE = Table(
    "LE10", 0.03, {"solid -2": COARSE, "solid -1": COARSE, "solid 2": COARSE, "solid 18": COARSE}
)


def le10_cases() -> list[tuple[Piece, Form]]:
    """Solids."""
    return [
        (Piece(p, form, LE10_CELLS, ellipses(0.6), LE10_LAYERS), form) for p, form in enumerate(LE10_FORMS, 1)
    ]


def le10_decks() -> dict[str, Deck]:
    """A quarter of the thick plate under 1 MPa; its outer face is held along z on the middle plane only."""
    deck = static("LE10")
    deck.elastic(1, 8000.0, YOUNG, POISSON)
    sections(deck, LE10_FORMS)
    for piece, form in le10_cases():
        piece.write(deck, LE10_FORMS.index(form) + 1, 1, form.name)
        for n, (u, v, w) in piece.flat.nodes.items():
            outer = u == 1
            held = [v == 1 or outer, v == 0 or outer, outer and abs(w) < 1e-9]
            if any(held):
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, held), 0, 0, 0])
        n_u, n_v = piece.cells
        for number, nodes in piece.flat.elements.items():
            if number - min(piece.flat.elements) >= (LE10_LAYERS - 1) * n_u * n_v:
                deck.add("LOAD_SEGMENT", [1, SMALL * 1e6, 0.0, *nodes[4:8]])
    return {"LE10": deck}


def le10_measure(results: dict[str, Results]) -> list[Figure]:
    """Stress along y on the upper face, at the inner ellipse on the x axis."""
    figures = []
    for piece, form in le10_cases():
        stress = stress_at(results["LE10"], piece, (0.0, 0.0, 0.5))[1]
        figures.append(LE10_TABLE.figure(form.name, piece.mesh, "stress", float(stress / (SMALL * -5.38e6))))
    return figures


LE5_CELLS = ((16, 16), (48, 48))
LE5_TABLE = Table("LE5", 0.03, {"shell 2": COARSE})


def z_section(u: float, v: float, w: float) -> Point:
    """u along the beam, v along the middle of the wall: a flange of 1 m, the web of 2 m, a flange of 1 m."""
    s = 4.0 * v
    y, z = (1.0 - s, 1.0) if s <= 1 else (0.0, 2.0 - s) if s <= 3 else (3.0 - s, -1.0)
    return (10.0 * u, y, z)


def le5_cases() -> list[tuple[Piece, Form]]:
    """Shells in two meshes."""
    chosen = [(form, cells) for form in SHELL_FORMS for cells in LE5_CELLS]
    return [(Piece(p, form, cells, z_section), form) for p, (form, cells) in enumerate(chosen, 1)]


def le5_decks(size: float = 1.0) -> dict[str, Deck]:
    """Clamped at one end; at the other a shear of 0.6 MN in each flange, which press the flanges' edges."""
    deck = static("LE5", size=size)
    deck.elastic(1, 8000.0, YOUNG, POISSON)
    sections(deck, SHELL_FORMS, 0.1)
    for piece, form in le5_cases():
        piece.write(deck, SHELL_FORMS.index(form) + 1, 1, form.name)
        piece.hold(deck, lambda u, v: [u == 0] * 6)
        n = piece.cells[1]
        for first, sign in ((0, 1.0), (3 * n // 4, -1.0)):
            for j in range(n // 4 + 1):
                share = (0.5 if j in (0, n // 4) else 1.0) * 4 / n
                nodes = piece.nodes(u=1.0, v=(first + j) / n)
                piece.push(deck, nodes, 2, sign * share * SMALL * 0.6e6)
    return {"LE5": deck}


def le5_measure(results: dict[str, Results]) -> list[Figure]:
    """Axial stress at the edge of a flange, 2.5 m from the clamped end."""
    figures = []
    for piece, form in le5_cases():
        stress = stress_at(results["LE5"], piece, (0.25, 0.0))[0]
        figures.append(LE5_TABLE.figure(form.name, piece.mesh, "stress", float(stress / (SMALL * -108e6))))
    return figures


LE6_CELLS = (24, 48)
LE6_TABLE = Table("LE6", 0.025, {"shell 16": COARSE})


def skew(u: float, v: float, w: float) -> Point:
    """A rhombus with sides of 1 m and an angle of 30 degrees."""
    return (float(u + v * np.cos(np.pi / 6)), 0.5 * v, 0.01 * w)


def le6_cases() -> list[tuple[Piece, Form]]:
    """Shells in two meshes."""
    chosen = [(form, n) for form in SHELL_FORMS for n in LE6_CELLS]
    return [(Piece(p, form, (n, n), skew), form) for p, (form, n) in enumerate(chosen, 1)]


def le6_decks(size: float = 1.0) -> dict[str, Deck]:
    """Edges are held along z; 700 Pa downwards."""
    deck = static("LE6", size=size)
    deck.elastic(1, 8000.0, YOUNG, POISSON)
    sections(deck, SHELL_FORMS, 0.01)
    for piece, form in le6_cases():
        piece.write(deck, SHELL_FORMS.index(form) + 1, 1, form.name)
        piece.hold(
            deck,
            lambda u, v: [u == v == 0, v == 0 and u in (0, 1), u in (0, 1) or v in (0, 1), 0, 0, 0],
        )
        deck.add("LOAD_SHELL_ELEMENT", *([e, 1, SMALL * 700.0] for e in piece.flat.elements))
    return {"LE6": deck}


def le6_measure(results: dict[str, Results]) -> list[Figure]:
    """The larger principal stress of the lower surface at the middle."""
    figures = []
    for piece, form in le6_cases():
        xx, yy, _, xy, _, _ = stress_at(results["LE6"], piece, (0.5, 0.5), surface=-1.0)
        principal = (xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)
        figures.append(
            LE6_TABLE.figure(form.name, piece.mesh, "stress", float(principal / (SMALL * 0.802e6)))
        )
    return figures


LE3_CELLS = (8, 16)
LE3_TABLE = Table("LE3", 0.02, {"shell 16": COARSE})


def third(corner: int):
    """One of the three patches of an eighth of the sphere: around the corner on x, y or z."""
    e = np.roll(np.eye(3), -corner, axis=0)  # the corner's axis, then the others in turn

    def place(u: float, v: float, w: float) -> Point:
        # angles of planes through the corner's patch, so that patches meet at the same points
        a, b = np.tan(np.pi / 4 * u), np.tan(np.pi / 4 * v)
        p = e[0] + a * e[1] + b * e[2]
        p *= 10.0 / np.linalg.norm(p)
        return (float(p[0]), float(p[1]), float(p[2]))

    return place


def le3_mesh(first: int, n: int, form: Form) -> tuple[dict[int, Point], dict[int, list[int]]]:
    """Nodes and shells of an eighth of the sphere; patches share the nodes where they meet."""
    nodes: dict[int, Point] = {}
    known: dict[tuple[int, ...], int] = {}
    elements: list[list[int]] = []
    for corner in range(3):
        flat = Piece(1, form, (n, n), third(corner)).flat
        number = {}
        for node, p in flat.nodes.items():
            at = third(corner)(*p)
            key = tuple(round(1e6 * x) for x in at)
            if key not in known:
                known[key] = first + len(known)
                nodes[known[key]] = at
            number[node] = known[key]
        elements += [[number[m] for m in e] for e in flat.elements.values()]
    return nodes, dict(enumerate(elements, first))


def le3_cases() -> list[tuple[int, Form, int]]:
    """First number, form and elements along the side of a patch."""
    chosen = [(form, n) for form in SHELL_FORMS for n in LE3_CELLS]
    return [(10000 * p + 1, form, n) for p, (form, n) in enumerate(chosen, 1)]


def le3_point(nodes: dict[int, Point], axis: int) -> int:
    """The node on an axis."""
    return max(nodes, key=lambda n: nodes[n][axis])


def le3_decks() -> dict[str, Deck]:
    """Pulled by 2 kN along x, pushed by 2 kN along y; the pole is held along z."""
    deck = static("LE3")
    deck.elastic(1, 8000.0, 68.25e9, POISSON)
    sections(deck, SHELL_FORMS, 0.04)
    watched = []
    for part, (first, form, n) in enumerate(le3_cases(), 1):
        nodes, elements = le3_mesh(first, n, form)
        section = SHELL_FORMS.index(form) + 1
        deck.part(part, section, 1, form.name, hourglass=section)
        deck.nodes(nodes)
        deck.shells(part, elements)
        pole = le3_point(nodes, 2)
        for node, p in nodes.items():
            x, y = (abs(p[k]) < 1e-6 for k in (0, 1))
            held = [x, y, node == pole, y, x, x or y]
            if any(held):
                deck.add("BOUNDARY_SPC_NODE", [node, 0, *map(int, held)])
        pulled, pushed = le3_point(nodes, 0), le3_point(nodes, 1)
        deck.add("LOAD_NODE_POINT", [pulled, 1, 1, SMALL * 2e3], [pushed, 2, 1, -SMALL * 2e3])
        watched.append(pulled)
    deck.node_history(watched)
    return {"LE3": deck}


def le3_measure(results: dict[str, Results]) -> list[Figure]:
    """Displacement of the pulled point."""
    figures = []
    for first, form, n in le3_cases():
        node = le3_point(le3_mesh(first, n, form)[0], 0)
        u = results["LE3"].node(node, "x_displacement")[-1]
        case = f"3 x {n} x {n}"
        figures.append(LE3_TABLE.figure(form.name, case, "displacement", float(u / (SMALL * 0.185))))
    return figures


def problem(name: str, title: str, value: str, decks, measure) -> Problem:
    """With the source of all."""
    return Problem(
        f"implicit NAFEMS {name}", title, f"{SOURCE}, test {name}: {value}", decks, measure, ranks=(1,)
    )


PROBLEMS = [
    problem(
        "LE1",
        "Elliptic membrane, elements across and around: stress over the known one",
        "92.7 MPa",
        le1_decks,
        le1_measure,
    ),
    problem(
        "LE3",
        "Hemisphere under point loads, elements of an eighth: displacement over the known one",
        "0.185 m",
        le3_decks,
        le3_measure,
    ),
    problem(
        "LE5",
        "Z-section cantilever, elements along and around: stress over the known one",
        "-108 MPa",
        le5_decks,
        le5_measure,
    ),
    problem(
        "LE6",
        "Skew plate under pressure: stress over the known one",
        "0.802 MPa",
        le6_decks,
        le6_measure,
    ),
    problem(
        "LE10",
        "Thick plate under pressure, elements across, around and through: stress over the known one",
        "-5.38 MPa",
        le10_decks,
        le10_measure,
    ),
]
