"""MacNeal and Harder's straight cantilever: 6 elements, regular, as trapezoids and as parallelograms."""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import ENHANCED, SHELLS, SMALL, SOLIDS, Form, Table, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

LENGTH, DEPTH, THICKNESS = 6.0, 0.2, 0.1
MESHES = ("regular", "trapezoids", "parallelograms")
#: by unit forces and a unit moment; MacNeal and Harder 1985, table 3
EXPECTED = {"extension": 3.0e-5, "in plane": 0.1081, "out of plane": 0.4321, "twist": 0.03208}
FORMS = [*SHELLS, *SOLIDS, ENHANCED]
LOCKS = "distorted elements lock in bending, as those of the source"
TABLE = Table(
    "straight beam",
    0.04,
    {
        "shell 16": "bilinear: in the plane and in twist as QUAD4 of the source, 0.07 to 0.95",
        "shell -16": "bilinear: in the plane and in twist as QUAD4 of the source, 0.07 to 0.95",
        "shell 2": "one point: only hourglass control bends a single row in its plane, and twists it",
        "shell 10": "one point: only hourglass control bends a single row in its plane, and twists it",
        "solid -2": "one element over the depth has half of the bending stiffness; distorted ones lock",
        "solid -1": "one element over the depth has half of the bending stiffness; distorted ones lock",
        "solid 2": "trilinear: locks in bending",
        "solid 1": LOCKS,
        "solid 18": LOCKS,
    },
)


def place(mesh: str):
    """u along the beam, v over its depth; lines between elements are tilted by 45 degrees."""

    def at(u: float, v: float, w: float) -> Point:
        line = round(6 * u)
        tilt = 0.0 if line in (0, 6) or mesh == "regular" else 1.0
        if mesh == "trapezoids" and line % 2:
            tilt = -tilt
        y = DEPTH * (v - 0.5)
        return (LENGTH * u + tilt * y, y, THICKNESS * w)

    return at


def cases() -> list[tuple[Piece, Form, str, str]]:
    """Each form in each mesh under each load."""
    chosen = [(form, mesh, load) for form in FORMS for mesh in MESHES for load in EXPECTED]
    return [
        (Piece(part, form, (6, 1), place(mesh)), form, mesh, load)
        for part, (form, mesh, load) in enumerate(chosen, 1)
    ]


def decks() -> dict[str, Deck]:
    """All beams side by side."""
    deck = static("straight beams")
    deck.elastic(1, 1.0, 1e7, 0.3)
    sections(deck, FORMS, THICKNESS)
    watched: list[int] = []
    for piece, form, mesh, load in cases():
        piece.write(deck, FORMS.index(form) + 1, 1, f"{form.name}, {mesh}, {load}")
        piece.hold(deck, lambda u, v: [u == 0] * 6)
        tip = piece.nodes(u=1.0)
        watched += tip
        if load == "twist":
            for v, sign in ((0.0, -1.0), (1.0, 1.0)):
                piece.push(deck, piece.nodes(u=1.0, v=v), 3, sign * SMALL / DEPTH)
        else:
            piece.push(deck, tip, list(EXPECTED).index(load) + 1, SMALL)
    deck.node_history(watched)
    return {"beams": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Tip displacement or rotation over the known one."""
    r = results["beams"]
    figures = []
    for piece, form, mesh, load in cases():
        if load == "twist":
            up, low = (
                np.mean([r.node(n, "z_displacement")[-1] for n in piece.nodes(u=1.0, v=v)])
                for v in (1.0, 0.0)
            )
            value = (up - low) / DEPTH
        else:
            axis = "xyz"[list(EXPECTED).index(load)]
            value = np.mean([r.node(n, f"{axis}_displacement")[-1] for n in piece.nodes(u=1.0)])
        figures.append(TABLE.figure(form.name, mesh, load, float(value / (SMALL * EXPECTED[load]))))
    return figures


PROBLEM = Problem(
    "implicit straight beam",
    "Straight cantilever of 6 elements in three meshes: tip displacement over the known one",
    "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20, table 3",
    decks,
    measure,
    ranks=(1,),
)
