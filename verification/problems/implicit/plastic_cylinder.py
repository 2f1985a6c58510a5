"""Hill's thick cylinder that yields from its bore: stresses while the front of yielding moves outwards."""

import numpy as np
from scipy.optimize import brentq

from verification.deck import Deck, Point
from verification.implicit import SOLIDS, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

INNER, OUTER, CELLS = 100.0, 200.0, 20
YOUNG, POISSON, YIELD = 210.0, 0.3, 0.24  # mm, GPa
PRESSURE = 0.18  #: 94 % of what the cylinder can bear, 2 / sqrt(3) Y log(b / a)
SECTOR = np.radians(3.0)
LAYER = INNER * float(SECTOR)
SHEAR = YIELD / np.sqrt(3.0)  #: yield stress in shear of von Mises


def front(pressure: float) -> float:
    """Radius up to which it has yielded: p = k (2 log(c / a) + 1 - c^2 / b^2) (Hill 1950, chapter V)."""

    def miss(c: float) -> float:
        return float(SHEAR * (2 * np.log(c / INNER) + 1 - (c / OUTER) ** 2) - pressure)

    return float(brentq(miss, INNER, OUTER))


def stresses(r: np.ndarray, pressure: float) -> tuple[np.ndarray, np.ndarray]:
    """Radial and hoop stress at radii."""
    c = front(pressure)
    elastic = SHEAR * (c / OUTER) ** 2 * (OUTER / r) ** 2
    mean = SHEAR * (c / OUTER) ** 2
    radial = np.where(r < c, SHEAR * (2 * np.log(r / c) - 1) + mean, mean - elastic)
    hoop = np.where(r < c, radial + 2 * SHEAR, mean + elastic)
    return radial, hoop


def place(u: float, v: float, w: float) -> Point:
    """u along the radius, v around; half of the sector on each side of x."""
    r, a = INNER + (OUTER - INNER) * u, float(SECTOR) * (v - 0.5)
    return (float(r * np.cos(a)), float(r * np.sin(a)), LAYER * w)


def pieces() -> list[Piece]:
    """One sector for each form."""
    return [Piece(p, form, (CELLS, 1), place) for p, form in enumerate(SOLIDS, 1)]


def decks() -> dict[str, Deck]:
    """All forms side by side in plane strain; sides of the sector are held across."""
    deck = static("plastic cylinders", steps=9)
    deck.add("MAT_PLASTIC_KINEMATIC", [1, 7.85e-6, YOUNG, POISSON, YIELD, 0.0, 1.0], [None])
    for number, side in ((1, -1), (2, 1)):
        a = side * float(SECTOR) / 2
        x, y = float(np.cos(a)), float(np.sin(a))
        deck.add("DEFINE_COORDINATE_VECTOR", [number, x, y, 0.0, -y, x, 0.0])
    sections(deck, SOLIDS)
    for section, piece in enumerate(pieces(), 1):
        piece.write(deck, section, 1, piece.form.name)
        for v, frame in ((0.0, 1), (1.0, 2)):
            deck.add("BOUNDARY_SPC_NODE", *([n, frame, 0, 1, 1, 0, 0, 0] for n in piece.nodes(v=v)))
        a, b, c, d = (piece.nodes(u=0.0, v=v, w=w)[0] for v, w in ((0, -0.5), (0, 0.5), (1, 0.5), (1, -0.5)))
        deck.add("LOAD_SEGMENT", [1, PRESSURE, 0.0, a, b, c, d])
    return {"cylinders": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stresses at the centres of all elements; errors are relative to the yield stress."""
    r = results["cylinders"]
    radii = INNER + (OUTER - INNER) * (np.arange(CELLS) + 0.5) / CELLS
    radial, hoop = stresses(radii, PRESSURE)
    figures = []
    for piece in pieces():
        found = np.array([r.stress("solid", e).mean(axis=0) for e in sorted(piece.flat.elements)])
        for name, known, got in (("radial", radial, found[:, 0]), ("hoop", hoop, found[:, 1])):
            worst = float(np.abs(got - known).max())
            figures.append(Figure(piece.form.name, f"{name} stress, largest error", 0.0, worst, 0.03, YIELD))
        yielded = [float(r.plastic_strain("solid", e).max()) > 0 for e in sorted(piece.flat.elements)]
        reached = INNER + (OUTER - INNER) * sum(yielded) / CELLS
        figures.append(Figure(piece.form.name, "front of yielding", front(PRESSURE), reached, 0.05))
    return figures


PROBLEM = Problem(
    "implicit plastic cylinder",
    "Thick cylinder under pressure in its bore, elastic and ideally plastic, 20 solids along the radius",
    "Hill (1950), The Mathematical Theory of Plasticity, chapter V, for von Mises in plane strain; elastic "
    "strains change its volume, which the closed form leaves out",
    decks,
    measure,
    ranks=(1,),
)
