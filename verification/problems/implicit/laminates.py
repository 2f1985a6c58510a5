"""Lamina off its axes and unsymmetric laminates under tension, by linear statics (Jones 1975)."""

import math

import numpy as np

from verification.deck import Deck
from verification.implicit import Form, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

E1, E2, NU12, G12, G23, DENSITY = 140.0, 10.0, 0.3, 5.0, 3.5, 1.6e-6
SIDE, THICKNESS, STRESS = 10.0, 1.0, 1e-6
ANGLES = (0.0, 15.0, 30.0, 45.0, 60.0, 90.0)
FORMS = [Form("shell", form) for form in (2, 16)] + [Form("solid", form) for form in (1, 2)]
#: thickness and angle of layers, from below
LAMINATES = {
    "cross-ply": [(0.5, 0.0), (0.5, 90.0)],
    "angle-ply": [(0.5, 30.0), (0.5, -30.0)],
    "four layers": [(0.15, 0.0), (0.35, 45.0), (0.2, 90.0), (0.3, -20.0)],
}
FIRST_LAMINATE = 101
CORNERS = ((1.0, 0.0), (1.0, 1.0), (0.5, 0.0), (0.0, 0.5))  #: u, v of nodes that are measured


def modulus(degrees: float) -> float:
    """Of a lamina, along a line at an angle to its fibres (Jones, eq. 2.97)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return 1 / (c**4 / E1 + (1 / G12 - 2 * NU12 / E1) * s**2 * c**2 + s**4 / E2)


def compliance(plies: list[tuple[float, float]]) -> np.ndarray:
    """Strains and curvatures of a force along x; one point in the middle of each layer."""
    d = 1 - NU12**2 * E2 / E1
    q = np.array([[E1 / d, NU12 * E2 / d, 0], [NU12 * E2 / d, E2 / d, 0], [0, 0, G12]])
    abd = np.zeros((6, 6))
    z = -0.5 * sum(t for t, _ in plies)
    for t, degrees in plies:
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        cs = c * s
        turn = np.array([[c * c, s * s, cs], [s * s, c * c, -cs], [-2 * cs, 2 * cs, c * c - s * s]])
        ply, middle = t * turn.T @ q @ turn, z + 0.5 * t
        abd += np.block([[ply, middle * ply], [middle * ply, middle**2 * ply]])
        z += t
    return np.linalg.inv(abd)[:, 0]


def orthotropic(deck: Deck, number: int, degrees: float) -> None:
    """The lamina with its fibres at an angle to x."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    minor = NU12 * E2 / E1
    deck.add(
        "MAT_ORTHOTROPIC_ELASTIC",
        [number, DENSITY, E1, E2, E2, minor, minor, 0.4],
        [G12, G23, G12, 2.0],
        [None, None, None, c, s, 0.0],
        [None, None, None, -s, c, 0.0],
    )


def laminae() -> list[tuple[Piece, Form, float]]:
    """Each form at each angle, a piece of 2 x 2 elements."""
    chosen = [(form, angle) for form in FORMS for angle in ANGLES]
    return [
        (Piece(p, form, (2, 2), lambda u, v, w: (SIDE * u, SIDE * v, THICKNESS * w)), form, angle)
        for p, (form, angle) in enumerate(chosen, 1)
    ]


def laminates() -> list[tuple[Piece, str]]:
    """Shells of form 16."""
    form = Form("shell", 16)
    return [
        (Piece(FIRST_LAMINATE + k, form, (4, 4), lambda u, v, w: (SIDE * u, SIDE * v, 0.0)), name)
        for k, name in enumerate(LAMINATES)
    ]


def pull(deck: Deck, piece: Piece) -> None:
    """Rigid motions are held, and the sides u = 0 and 1 pulled apart by a uniform stress."""
    low = -0.5 if piece.form.kind == "solid" else None
    corner = [piece.nodes(u=u, v=v, w=low)[0] for u, v in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))]
    for node, held in zip(corner, ([1, 1, 1], [0, 1, 1], [0, 0, 1]), strict=True):
        deck.add("BOUNDARY_SPC_NODE", [node, 0, *held, 0, 0, 0])
    for u, sign in ((0.0, -1.0), (1.0, 1.0)):
        nodes = piece.nodes(u=u)
        edges = set(piece.nodes(u=u, v=0.0)) | set(piece.nodes(u=u, v=1.0))
        weight = {n: 0.5 if n in edges else 1.0 for n in nodes}
        total = sum(weight.values())
        force = sign * STRESS * SIDE * THICKNESS
        deck.add("LOAD_NODE_POINT", *([n, 1, 1, force * weight[n] / total] for n in nodes))


def decks() -> dict[str, Deck]:
    """All pieces in one deck, each by itself."""
    deck = static("laminae and laminates")
    sections(deck, FORMS, THICKNESS)
    for number, angle in enumerate(ANGLES, 1):
        orthotropic(deck, number, angle)
    orthotropic(deck, 99, 0.0)
    watched: list[int] = []
    for piece, form, angle in laminae():
        piece.write(deck, FORMS.index(form) + 1, ANGLES.index(angle) + 1, f"{form.name}, {angle}")
        pull(deck, piece)
        watched += piece.nodes(u=0.0, v=0.0) + piece.nodes(u=1.0, v=0.0)
    for piece, name in laminates():
        layers = LAMINATES[name]
        rows = [layers[k : k + 2] for k in range(0, len(layers), 2)]
        cards = [[x for t, b in row for x in (99, t, b, 0)] for row in rows]
        deck.add("PART_COMPOSITE", name, [piece.part, 16, 0.8333], *cards)
        deck.nodes(piece.flat.moved(lambda p, at=piece.place: at(*p)).nodes)
        deck.shells(piece.part, piece.flat.elements)
        pull(deck, piece)
        watched += [*piece.nodes(u=1.0, v=0.0), *piece.nodes(u=1.0, v=1.0), *piece.nodes(u=0.5, v=0.0)]
        watched += piece.nodes(u=0.0, v=0.5)
    deck.node_history(watched)
    return {"laminates": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Young's modulus along x; strain, curvatures and twist of laminates."""
    r = results["laminates"]

    def moved(node: int, axis: str) -> float:
        return float(r.node(node, f"{axis}_displacement")[-1])

    figures = []
    for piece, form, angle in laminae():
        near, far = (np.mean([moved(n, "x") for n in piece.nodes(u=u, v=0.0)]) for u in (0.0, 1.0))
        figures.append(
            Figure(
                form.name,
                f"E_x at {angle:g} degrees, GPa",
                modulus(angle),
                float(STRESS * SIDE / (far - near)),
                1e-3,
            )
        )
    for piece, name in laminates():
        exx, _, _, kxx, kyy, kxy = compliance(LAMINATES[name]) * STRESS * THICKNESS
        at = {key: piece.nodes(u=key[0], v=key[1])[0] for key in CORNERS}
        bent = max(abs(kxx), abs(kyy), abs(kxy))
        figures += [
            Figure(name, "strain along x", exx, moved(at[1.0, 0.0], "x") / SIDE, 1e-3),
            Figure(name, "curvature xx", kxx, 8 * moved(at[0.5, 0.0], "z") / SIDE**2, 1e-3, bent),
            Figure(name, "curvature yy", kyy, 8 * moved(at[0.0, 0.5], "z") / SIDE**2, 1e-3, bent),
            Figure(name, "twist xy", kxy, -2 * moved(at[1.0, 1.0], "z") / SIDE**2, 1e-3, bent),
        ]
    return figures


PROBLEM = Problem(
    "laminates",
    "Laminae off their axes, and laminates that bend and twist under tension",
    "Jones 1975, Mechanics of Composite Materials: eq. 2.97; eqs. 4.22 to 4.24 with one point a layer",
    decks,
    measure,
)
