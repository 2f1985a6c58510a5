"""Rest before a run: an implicit static solution (IDRFLG = 5) beside dynamic relaxation of the same deck."""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import Form
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO = 210.0, 0.3, 7.85e-6
LENGTH, WIDTH, THICKNESS, WEIGHT = 40.0, 10.0, 1.0, 1.0
RAMP, LONG = 1.0, 1e3  #: time in which an implicit relaxation loads; until which damped cycles may last


def plate() -> Piece:
    """Along x, clamped at u = 0."""

    def place(u: float, v: float, w: float) -> Point:
        return (LENGTH * u, WIDTH * v, THICKNESS * w)

    return Piece(1, Form("shell", 16), (8, 2), place)


def deck(kind: int) -> Deck:
    """Under its weight, before the run by a curve of its own, which grows in implicit relaxation."""
    hung = Deck("plate at rest under its weight", 1.0)
    hung.elastic(1, RHO, E, NU)
    hung.shell_section(1, 16, THICKNESS, points=3)
    piece = plate()
    piece.write(hung, 1, 1, "plate")
    piece.hold(hung, lambda u, v: [u == 0] * 6)
    implicit = kind == 5
    before = [(0.0, 0.0 if implicit else 1.0), (RAMP, 1.0), (LONG, 1.0)]
    hung.add("DEFINE_CURVE", [7, 1], *(list(point) for point in before))
    hung.curve(8, [(0.0, 1.0), (LONG, 1.0)])
    hung.add("LOAD_BODY_Z", [8, 1.0, 7])
    hung.add(
        "CONTROL_DYNAMIC_RELAXATION", [250, 1e-7, 0.99, RAMP if implicit else LONG, None, None, None, kind]
    )
    if implicit:
        hung.add("CONTROL_IMPLICIT_GENERAL", [0, 0.5])
        hung.add("CONTROL_IMPLICIT_SOLUTION", "12,1,,1e-9,1e-18,1e-9,,1e-20")
    hung.add("HOURGLASS", [1, 4, 0.05])
    hung.output(0.05, "nodout", "glstat", plot=0.5)
    return hung


def decks() -> dict[str, Deck]:
    """By implicit steps, and by damped cycles."""
    return {"IDRFLG 5": deck(5), "IDRFLG 1": deck(1)}


def shape(r: Results, state: int) -> np.ndarray:
    """Displacements of all nodes from where the deck has them."""
    piece = plate()
    points = piece.flat.moved(lambda p: piece.place(*p)).nodes
    return np.array([r.position(n, state) - np.array(x) for n, x in points.items()])


def measure(results: dict[str, Results]) -> list[Figure]:
    """Both shapes at the start of the run, in which nothing moves."""
    implicit, cycles = results["IDRFLG 5"], results["IDRFLG 1"]
    start, again, end = shape(implicit, 0), shape(cycles, 0), shape(implicit, -1)
    tip = float(-start[:, 2].min())
    beam = (
        RHO * WEIGHT * LENGTH**4 / (8 * E * THICKNESS**2 / 12)
    )  # plates are stiffer by up to 1 / (1 - nu^2)
    kinetic = float((implicit.energy("kinetic_energy") / implicit.energy("internal_energy")).max())
    name = "IDRFLG 5"
    return [
        Figure(name, "deflection at the start", ((1 - NU**2) * beam, beam), tip, 0.005),
        Figure(
            name,
            "shape beside IDRFLG 1, largest difference",
            0.0,
            float(np.abs(start - again).max()),
            2e-3,
            tip,
        ),
        Figure(name, "motion in the run, largest", 0.0, float(np.abs(end - start).max()), 1e-4, tip),
        Figure(name, "kinetic over internal energy, largest", 0.0, kinetic, 1e-6, 1.0),
        Figure(
            name, "external work at the start", 0.0, float(implicit.energy("external_work")[0]), 1e-12, 1.0
        ),
    ]


PROBLEM = Problem(
    "implicit relaxation",
    "A plate at rest under its weight before an explicit run: by an implicit step and by dynamic relaxation",
    "closed form: q L^4 / 8 E I of a beam, and of a wide plate",
    decks,
    measure,
    ranks=(1,),
)
