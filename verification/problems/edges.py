"""*CONTACT_AUTOMATIC_GENERAL: beams across and along each other, on a sheet, and rims of sheets."""

from collections.abc import Callable

import numpy as np

from verification.conservation import momentum_and_energy
from verification.deck import Deck, Point
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

# mm, ms, kg, GPa
E, RHO, SPEED, GAP = 210.0, 7.8e-6, 1.0, 0.01
LENGTH, CELLS, DIAMETER = 40.0, 5, 2.0
BAR = RHO * np.pi * DIAMETER**2 / 4 * LENGTH
OFF = 0.3  #: where beams cross, of half the length
AHEAD = 0.5 * LENGTH / CELLS  #: of one beam along another
SIDE, THICKNESS = 20.0, 1.0
SHEET = RHO * SIDE**2 * THICKNESS


def beam(deck: Deck, number: int, start: Point, along: Point, rigid: bool) -> None:
    """A chain of round beams."""
    deck.add(
        "MAT_RIGID" if rigid else "MAT_ELASTIC", [number, RHO, E, 0.0], *([[0.0], [0.0]] if rigid else [])
    )
    deck.part(number, number, number, f"beam {number}")
    deck.add("SECTION_BEAM", [number, 1, 1.0, 2, 1], [DIAMETER, DIAMETER, 0.0, 0.0])
    first = 1000 * number + 1
    at = np.linspace(0.0, 1.0, CELLS + 1)[:, None] * np.array(along) + np.array(start)
    deck.nodes({first + i: tuple(map(float, p)) for i, p in enumerate(at)})
    third = 1000 * number
    deck.nodes({third: (start[0] + 3.0, start[1] + 5.0, start[2] + 11.0)})
    deck.add("ELEMENT_BEAM", *([first + i, number, first + i, first + i + 1, third] for i in range(CELLS)))


def sheet(deck: Deck, number: int, place: Callable[[Point], Point]) -> None:
    """A rigid square of shells."""
    deck.add("MAT_RIGID", [number, RHO, E, 0.3], [0.0], [0.0])
    deck.part(number, number, number, f"sheet {number}")
    deck.shell_section(number, 2, THICKNESS)
    mesh = quadrilaterals(CELLS, CELLS, SIDE, SIDE, 1000 * number + 1).moved(place)
    deck.nodes(mesh.nodes)
    deck.shells(number, mesh.elements)


def finish(deck: Deck) -> Deck:
    """The first part flies at the second."""
    deck.add("INITIAL_VELOCITY_GENERATION", [1, 2, 0.0, 0.0, 0.0, SPEED], [0.0])
    sides = [0, 0, 5, None, None, None, 1]
    deck.add("CONTACT_AUTOMATIC_GENERAL_ID", [1, "all"], sides, [0.0], [1.0, 1.0], [1, 0.1])
    deck.output(deck.end_time / 200, "glstat", "matsum")
    return deck


def across(off: float, rigid: bool) -> Deck:
    """Two beams at right angles, `off` their middles."""
    deck = Deck("beams across", 0.1 if rigid else 0.2, 0.9 if rigid else 0.45)
    away, half = 0.5 * LENGTH * off, 0.5 * LENGTH
    beam(deck, 1, (-half - away, 0.0, 0.0), (LENGTH, 0.0, 0.0), rigid)
    beam(deck, 2, (0.0, -half - away, DIAMETER + GAP), (0.0, LENGTH, 0.0), rigid)
    return finish(deck)


def along() -> Deck:
    """Two beams side by side, one half an element ahead of the other."""
    deck = Deck("beams along", 0.1)
    beam(deck, 1, (0.0, 0.0, 0.0), (LENGTH, 0.0, 0.0), True)
    beam(deck, 2, (AHEAD, 0.0, DIAMETER + GAP), (LENGTH, 0.0, 0.0), True)
    return finish(deck)


def on_sheet() -> Deck:
    """A beam that is longer than a sheet meets it flat."""
    deck = Deck("beam on a sheet", 0.1)
    beam(deck, 1, (-0.5 * LENGTH, 0.0, 0.0), (LENGTH, 0.0, 0.0), True)
    z = 0.5 * (DIAMETER + THICKNESS) + GAP
    sheet(deck, 2, lambda p: (p[0] - 0.5 * SIDE, p[1] - 0.5 * SIDE, z))
    return finish(deck)


def rims() -> Deck:
    """Two sheets on edge meet in the middles of elements of their rims, at right angles."""
    deck = Deck("sheets on edge", 0.1)
    sheet(deck, 1, lambda p: (p[0] - 0.5 * SIDE, 0.0, p[1] - SIDE))
    sheet(deck, 2, lambda p: (0.0, p[0] - 0.5 * SIDE, p[1] + THICKNESS + GAP))
    return finish(deck)


def decks() -> dict[str, Deck]:
    """Each shape once."""
    return {
        "across": across(OFF, True),
        "elastic": across(0.0, False),
        "along": along(),
        "on sheet": on_sheet(),
        "rims": rims(),
    }


def impulse(r: float, m1: float = BAR, m2: float = BAR) -> float:
    """Of an elastic impact of rigid bodies, r off the middles of beams.

    A beam's inertia is that of its nodes: their masses, and the rotary inertia L^2 / 12 of each mass, L an
    element's length.
    """
    cell = LENGTH / CELLS
    ends, inner = 0.5 * LENGTH, cell * (np.arange(1, CELLS) - CELLS / 2)
    inertia = (ends**2 + np.sum(inner**2)) / CELLS + cell**2 / 12
    return float(2 * SPEED / (1 / m1 + 1 / m2 + 2 * r**2 / (BAR * inertia)))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Momentum passed on, and what is kept."""
    figures = []
    expected = {
        "across": ("beams across", BAR, impulse(0.5 * LENGTH * OFF)),
        "along": ("beams along", BAR, impulse(0.5 * AHEAD)),
        "on sheet": ("beam on a sheet", BAR, impulse(0.0, BAR, SHEET)),
        "rims": ("rims of sheets", SHEET, SHEET * SPEED),
    }
    for name, (case, mass, momentum) in expected.items():
        r = results[name]
        figures += momentum_and_energy(r, case, mass * SPEED)
        passed = float(r.part(2, "z_momentum")[-1])
        figures.append(Figure(case, "momentum passed on", momentum, passed, 0.01))
    r, case = results["elastic"], "elastic beams across"
    left, start = float(r.energy("sliding_interface_energy")[-1]), float(r.energy("kinetic_energy")[0])
    figures += momentum_and_energy(r, case, BAR * SPEED)
    figures.append(Figure(case, "contact energy left after", 0.0, left, 0.01, start))
    return figures


PROBLEM = Problem(
    "edges",
    "Beams and edges of shells against each other",
    "closed form: impulse of an elastic impact of rigid bodies; momentum and energy are kept",
    decks,
    measure,
)
