"""Cook's membrane: a tapered panel, clamped on one side and sheared on the other, in plane stress."""

import numpy as np

from verification.deck import Deck, Point
from verification.formulations import TETRAHEDRA
from verification.implicit import ENHANCED, SHELLS, SMALL, SOLIDS, Form, Table, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

KNOWN = 23.96  #: of the middle of the loaded side
FORMS = [
    SHELLS[0],
    SHELLS[1],
    SHELLS[2],
    Form("shell", 6),
    Form("shell", 4),
    *SOLIDS,
    ENHANCED,
    *(Form("solid", form) for form in TETRAHEDRA),
]
CELLS = (4, 16)
#: of the same element, incompatible modes by Taylor, Beresford and Wilson, in another program
OTHER_PROGRAM = {4: 22.971, 16: 23.877}
BILINEAR = "bilinear: locks in bending in the plane"
COARSE = "coarse"
TABLE = Table(
    "cook",
    0.01,
    {
        "shell 16": BILINEAR,
        "shell -16": BILINEAR,
        "shell 2": "one point: coarse",
        "shell 6": BILINEAR,
        "shell 4": "constant strain",
        "solid -2": COARSE,
        "solid -1": COARSE,
        "solid 2": "trilinear: locks in bending",
        "solid 1": "distorted elements lock in bending",
        "solid 18": COARSE,
        "solid 10": "constant strain",
        "solid 13": "constant strain, but for the pressure",
        "solid 16": COARSE,
    },
)


def place(u: float, v: float, w: float) -> Point:
    """u from the clamped to the loaded side; solids are the upper half of a thickness of 1."""
    return (48.0 * u, 44.0 * u + v * (44.0 - 28.0 * u), 0.5 * (w + 0.5))


def cases() -> list[tuple[Piece, Form]]:
    """Each form in each mesh."""
    chosen = [(form, n) for form in FORMS for n in CELLS]
    return [(Piece(p, form, (n, n), place), form) for p, (form, n) in enumerate(chosen, 1)]


def shares(piece: Piece) -> dict[int, float]:
    """Of a uniform traction on the side at u = 1, by node.

    Of a straight side of a shell and of a face of a brick each node has the same part, of a triangle of six
    nodes only those in the middles of its sides; elements, and so faces, all have the same size.
    """
    side = set(piece.nodes(u=1.0))
    found: dict[int, float] = {}
    for nodes in piece.flat.elements.values():
        face = [n for n in nodes if n in side]
        if len(face) < (2 if piece.form.kind == "shell" else 3):
            continue
        loaded = [n for n in face if n not in piece.corners.nodes] or face
        for n in loaded:
            found[n] = found.get(n, 0.0) + 1.0 / len(loaded)
    total = sum(found.values())
    return {n: part / total for n, part in found.items()}


def decks() -> dict[str, Deck]:
    """All panels side by side: E = 1, nu = 1/3, a force of 1 on a thickness of 1."""
    deck = static("Cook's membrane")
    deck.elastic(1, 1.0, 1.0, 1.0 / 3.0)
    sections(deck, FORMS, 1.0)
    watched: list[int] = []
    for piece, form in cases():
        shell = form.kind == "shell"
        piece.write(deck, FORMS.index(form) + 1, 1, f"{form.name}, {piece.mesh}")
        for n, (u, _, w) in piece.flat.nodes.items():
            clamped = u == 0
            flags = [clamped, clamped, shell or w == -0.5, shell, shell, shell and clamped]
            if any(flags):
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, flags)])
        size = SMALL * (1.0 if shell else 0.5)
        deck.add("LOAD_NODE_POINT", *([n, 2, 1, size * part] for n, part in shares(piece).items()))
        watched += middle(piece)
    deck.node_history(watched)
    return {"membrane": deck}


def middle(piece: Piece) -> list[int]:
    """Of the loaded side, in the middle plane."""
    return piece.nodes(1.0, 0.5, 0.0 if piece.form.kind == "shell" else -0.5)


def measure(results: dict[str, Results]) -> list[Figure]:
    """Displacement over the known one; of solids 18 also beside that of another program."""
    r = results["membrane"]
    figures = []
    for piece, form in cases():
        up = np.mean([r.node(n, "y_displacement")[-1] for n in middle(piece)]) / SMALL
        figures.append(TABLE.figure(form.name, piece.mesh, "displacement", float(up / KNOWN)))
        if form == ENHANCED:
            other = OTHER_PROGRAM[piece.cells[0]]
            quantity = "displacement beside another program of this element"
            figures.append(Figure(f"{form.name}, {piece.mesh}", quantity, other, float(up), 5e-4))
    return figures


PROBLEM = Problem(
    "implicit Cook membrane",
    "Tapered panel, clamped and sheared: displacement of the middle of the sheared side over the known one",
    "Cook (1974), J. Struct. Div. 100, 1851-1863: 23.96 by fine meshes",
    decks,
    measure,
    ranks=(1,),
)
