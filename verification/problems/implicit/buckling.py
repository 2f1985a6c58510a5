"""Euler's column and a plate in compression: factors of small loads at which they buckle."""

import math

import numpy as np

from verification.deck import Deck
from verification.implicit import Form, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

YOUNG, DENSITY = 210.0, 7.85e-6
LENGTH, SIDE, CELLS, LOAD = 100.0, 2.0, 40, 1e-3
#: held freedoms of both ends, and the factors of pi^2 E I / L^2 of the first two modes in a plane
ENDS = {
    "pinned": ([1, 1, 1, 1, 0, 0], [0, 1, 1, 0, 0, 0], (1.0, 4.0)),
    "fixed and free": ([1] * 6, [0] * 6, (0.25, 2.25)),
    "fixed": ([1] * 6, [0, 1, 1, 1, 1, 1], (4.0, 8.1830)),
}
PLATE, THICKNESS, POISSON, STRESS = 100.0, 1.0, 0.3, 1e-5
PLATES = [(Form("shell", form), n) for form in (16, -16, 2) for n in (12, 24)]


def buckling(title: str, modes: int) -> Deck:
    """A static run that ends with buckling modes."""
    deck = static(title)
    deck.add("CONTROL_IMPLICIT_BUCKLE", [modes])
    return deck


def column(form: int, ends: str) -> Deck:
    """A square bar along x; the third of four modes is the first with two waves."""
    deck = buckling(f"column, {ends}", 4)
    deck.elastic(1, DENSITY, YOUNG, 0.0)
    deck.part(1, 1, 1, "column")
    deck.beam_section(1, form, SIDE, SIDE)
    nodes = {k + 1: (LENGTH * k / CELLS, 0.0, 0.0) for k in range(CELLS + 1)}
    third = CELLS + 2
    deck.nodes({**nodes, third: (0.0, 0.0, 10.0)})
    deck.add("ELEMENT_BEAM", *([k, 1, k, k + 1, third] for k in range(1, CELLS + 1)))
    first, last, _ = ENDS[ends]
    deck.add("BOUNDARY_SPC_NODE", [1, 0, *first], [CELLS + 1, 0, *last], [third, 0, *[1] * 6])
    deck.add("LOAD_NODE_POINT", [CELLS + 1, 1, 1, -LOAD])
    return deck


def plate(form: Form, cells: int) -> Deck:
    """A square with simply supported sides under a uniform stress along x."""
    deck = buckling("plate in compression", 2)
    deck.elastic(1, DENSITY, YOUNG, POISSON)
    sections(deck, [form], THICKNESS)
    piece = Piece(1, form, (cells, cells), lambda u, v, w: (PLATE * u, PLATE * v, 0.0))
    piece.write(deck, 1, 1, "plate")
    for n, (u, v, _) in piece.flat.nodes.items():
        held = [abs(u - 0.5) < 1e-9, abs(v - 0.5) < 1e-9, u in (0, 1) or v in (0, 1)]
        if any(held):
            deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, held), 0, 0, 0])
        if u in (0, 1):
            share = STRESS * THICKNESS * PLATE / cells * (0.5 if v in (0, 1) else 1.0)
            deck.add("LOAD_NODE_POINT", [n, 1, 1, share if u == 0 else -share])
    return deck


def decks() -> dict[str, Deck]:
    """Two beam formulations and three kinds of ends; plates in two meshes."""
    columns = {f"beam {form}, {ends}": column(form, ends) for form in (1, 2) for ends in ENDS}
    return columns | {f"{form.name}, {n} x {n}": plate(form, n) for form, n in PLATES}


def factors(results: Results) -> np.ndarray:
    """Of eigout."""
    return np.array([float(row.split()[1]) for row in results.modes.splitlines()[1:]])


def measure(results: dict[str, Results]) -> list[Figure]:
    """Loads over Euler's of pinned ends; coefficients k of the plate."""
    unit = math.pi**2 * YOUNG * SIDE**4 / 12 / LENGTH**2
    figures = []
    for form in (1, 2):
        for ends, (_, _, known) in ENDS.items():
            case = f"beam {form}, {ends}"
            found = np.sort(factors(results[case]))[[0, 2]] * LOAD / unit
            for k in range(2):
                figures.append(
                    Figure(case, f"mode {k + 1}, P L^2 / (pi^2 E I)", known[k], float(found[k]), 0.02)
                )
    unit = math.pi**2 * YOUNG / (12 * (1 - POISSON**2)) * (THICKNESS / PLATE) ** 2
    for form, n in PLATES:
        case = f"{form.name}, {n} x {n}"
        for known, found in zip((4.0, 6.25), factors(results[case]) * STRESS / unit, strict=True):
            figures.append(Figure(case, f"k = {known}", known, float(found), 0.04))
    return figures


PROBLEM = Problem(
    "implicit buckling",
    "Columns of 40 beams, a square plate in compression",
    "closed form: Euler (1744); Timoshenko and Gere (1961), Theory of Elastic Stability, section 9.2",
    decks,
    measure,
    ranks=(1,),
)
