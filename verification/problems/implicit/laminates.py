"""Lamina off its axes and unsymmetric laminates under tension, by linear statics (Jones 1975).

Layers of one law, of different laws (glass, a polymer, a lamina), and points of a user's rule.
"""

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
LAMINA, GLASS, FILM = 99, 98, 97  #: materials of layers
ISOTROPIC = {GLASS: (70.0, 0.23), FILM: (2.0, 0.4)}  #: Young's modulus, Poisson's ratio
#: thickness, angle and material of layers, from below
LAMINATES = {
    "cross-ply": [(0.5, 0.0, LAMINA), (0.5, 90.0, LAMINA)],
    "angle-ply": [(0.5, 30.0, LAMINA), (0.5, -30.0, LAMINA)],
    "four layers": [(0.15, 0.0, LAMINA), (0.35, 45.0, LAMINA), (0.2, 90.0, LAMINA), (0.3, -20.0, LAMINA)],
    "glass, film, lamina": [(0.5, 0.0, GLASS), (0.2, 0.0, FILM), (0.3, 30.0, LAMINA)],
}
RULE = "points of a rule"
#: S, WF and material of the points of *INTEGRATION_SHELL
POINTS = [(-0.9, 0.1, GLASS), (-0.3, 0.5, GLASS), (0.35, 0.15, FILM), (0.8, 0.25, LAMINA)]
FIRST_LAMINATE, FIRST_LAW = 101, 900
CORNERS = ((1.0, 0.0), (1.0, 1.0), (0.5, 0.0), (0.0, 0.5))  #: u, v of nodes that are measured


def modulus(degrees: float) -> float:
    """Of a lamina, along a line at an angle to its fibres (Jones, eq. 2.97)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return 1 / (c**4 / E1 + (1 / G12 - 2 * NU12 / E1) * s**2 * c**2 + s**4 / E2)


def stiffness(material: int, degrees: float) -> np.ndarray:
    """Of a layer in plane stress, along x and y."""
    if material in ISOTROPIC:
        young, nu = ISOTROPIC[material]
        plane = young / (1 - nu**2)
        return plane * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    d = 1 - NU12**2 * E2 / E1
    q = np.array([[E1 / d, NU12 * E2 / d, 0], [NU12 * E2 / d, E2 / d, 0], [0, 0, G12]])
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    cs = c * s
    turn = np.array([[c * c, s * s, cs], [s * s, c * c, -cs], [-2 * cs, 2 * cs, c * c - s * s]])
    return turn.T @ q @ turn


def points_of(name: str) -> list[tuple[float, float, np.ndarray]]:
    """Height, share of the thickness and stiffness of each point: in the middle of layers, or by the rule."""
    if name == RULE:
        return [(0.5 * THICKNESS * s, THICKNESS * w, stiffness(m, 0.0)) for s, w, m in POINTS]
    layers = LAMINATES[name]
    below = np.cumsum([0.0] + [t for t, _, _ in layers]) - 0.5 * THICKNESS
    return [(z + 0.5 * t, t, stiffness(m, b)) for z, (t, b, m) in zip(below, layers, strict=False)]


def compliance(name: str) -> np.ndarray:
    """Strains and curvatures of a force along x."""
    abd = np.zeros((6, 6))
    for z, t, q in points_of(name):
        abd += t * np.block([[q, z * q], [z * q, z**2 * q]])
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
        for k, name in enumerate([*LAMINATES, RULE])
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


def layered_part(deck: Deck, number: int, name: str) -> None:
    """*PART_COMPOSITE, or a part with a rule of the user whose points have the materials of other parts."""
    if name == RULE:
        deck.add("SECTION_SHELL", [number, 16, 0.8333, 0, 0, -7.0], [THICKNESS] * 4)
        deck.add("INTEGRATION_SHELL", [7, len(POINTS), 0, 1], *([s, w, FIRST_LAW + m] for s, w, m in POINTS))
        for material in (LAMINA, GLASS, FILM):
            deck.part(FIRST_LAW + material, number, material, "material of points")
        deck.part(number, number, GLASS, name)
        return
    layers = LAMINATES[name]
    rows = [layers[k : k + 2] for k in range(0, len(layers), 2)]
    cards = [[x for t, b, m in row for x in (m, t, b, 0)] for row in rows]
    deck.add("PART_COMPOSITE", name, [number, 16, 0.8333], *cards)


def materials(deck: Deck) -> None:
    """Of laminae at each angle, and of layers."""
    for number, angle in enumerate(ANGLES, 1):
        orthotropic(deck, number, angle)
    orthotropic(deck, LAMINA, 0.0)
    young, nu = ISOTROPIC[GLASS]
    deck.add("MAT_GLASS", [GLASS, 2.5e-6, young, nu], [0, 0.05, 0.5], [0, 0])
    young, nu = ISOTROPIC[FILM]
    deck.add("MAT_PLASTIC_KINEMATIC", [FILM, 1.1e-6, young, nu, 0.01, 0.01, 1.0], [0.0])


def decks() -> dict[str, Deck]:
    """All pieces in one deck, each by itself."""
    deck = static("laminae and laminates")
    sections(deck, FORMS, THICKNESS)
    materials(deck)
    watched: list[int] = []
    for piece, form, angle in laminae():
        piece.write(deck, FORMS.index(form) + 1, ANGLES.index(angle) + 1, f"{form.name}, {angle}")
        pull(deck, piece)
        watched += piece.nodes(u=0.0, v=0.0) + piece.nodes(u=1.0, v=0.0)
    for piece, name in laminates():
        layered_part(deck, piece.part, name)
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
        exx, _, _, kxx, kyy, kxy = compliance(name) * STRESS * THICKNESS
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
    "Jones 1975, Mechanics of Composite Materials: eq. 2.97; eqs. 4.22 to 4.24 with one point a layer, "
    "or the points of a rule",
    decks,
    measure,
)
