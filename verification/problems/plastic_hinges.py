"""Beams moved across between a clamp and a guide: hinges at both ends, with the plastic moment of a section.

The guided end moves along t without a turn, and freely along the beam. Once both ends are plastic the force
is 2 Mp / L; the growth of the internal energy over the path is that force. One element of ELFORM 4 or 5 has
its hinges at the ends. In a row of elements of the length h the curvature of the last one is linear, and the
least dissipation over the path is that of hinges h / 3 from the ends (it yields at its end and its middle):
L - 2 h / 3. Those of ELFORM 1 are in the middle of the last elements: L - h. Mp is that of the points of the
section.
"""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, YIELD = 210.0, 0.3, 7.8e-6, 0.3
LENGTH, SPEED, END = 100.0, 0.3, 20.0
FROM = 3.5  #: of the path, from which both hinges are plastic
SIDE = 5.0
I_SECTION = (5.0, 0.5, 8.0, 0.4)  #: flange width and thickness, depth, web
TUBE = (6.0, 5.0)
GAUSS = {
    3: ((0.7745966692, 5 / 9), (0.0, 8 / 9)),
    4: ((0.8611363116, 0.3478548451), (0.3399810436, 0.6521451549)),
}


def lever(points: int) -> float:
    """Sum of weights times |x| of Gauss points on -1 to 1: 1 for many."""
    return 2 * sum(w * x for x, w in GAUSS[points])


def rectangle() -> float:
    """Plastic modulus of 4 x 4 points."""
    return SIDE**3 / 4 * lever(4)


def i_section(refinement: int) -> float:
    """Flanges have two points across, the web 3 + K along."""
    w, tf, d, tw = I_SECTION
    return w * tf * (d - tf) + tw * (d - 2 * tf) ** 2 / 4 * lever(3 + refinement)


def tube() -> float:
    """16 points on a circle of the tube's second moment."""
    outer, inner = TUBE
    radius = np.sqrt((outer**2 + inner**2) / 8)
    angles = 2 * np.pi * (np.arange(16) + 0.5) / 16
    return float(np.pi / 4 * (outer**2 - inner**2) * radius * np.abs(np.sin(angles)).mean())


#: name, ELFORM, elements, plastic modulus
CASES = (
    ("beam 4, square", 4, 1, rectangle()),
    ("beam 4, square", 4, 4, rectangle()),
    ("beam 5, tube", 5, 1, tube()),
    ("beam 4, ICST 1", 4, 1, i_section(0)),
    ("beam 4, ICST 1, K 1", 4, 1, i_section(1)),
    ("beam 1, ICST 1", 1, 20, i_section(0)),
)


def section(deck: Deck, part: int, name: str, form: int) -> None:
    """Of a case; rules of sections have the number of the part."""
    rule = -part if "ICST" in name else 5
    sizes = [0.0] * 4 if "ICST" in name else [TUBE[0]] * 2 + [TUBE[1]] * 2 if form == 5 else [SIDE] * 4
    deck.add("SECTION_BEAM", [part, form, 5.0 / 6.0, rule, 0], sizes)
    if "ICST" in name:
        deck.add("INTEGRATION_BEAM", [part, 0, 0.0, 1, int("K 1" in name)], list(I_SECTION))


def decks() -> dict[str, Deck]:
    """All side by side."""
    deck = Deck("plastic hinges", END)
    deck.add("MAT_PIECEWISE_LINEAR_PLASTICITY", [1, RHO, E, NU, YIELD, 0.0])
    deck.curve(1, [(0.0, 0.0), (1.0, SPEED), (10 * END, SPEED)])
    for part, (name, form, cells, _) in enumerate(CASES, 1):
        first = 100 * part
        deck.part(part, part, 1, name)
        section(deck, part, name, form)
        deck.nodes({first + i: (LENGTH * i / cells, 0.0, 0.0) for i in range(cells + 1)})
        third = first + 99
        deck.nodes({third: (0.0, 1.0, 0.0)})
        deck.add("ELEMENT_BEAM", *([first + i, part, first + i, first + i + 1, third] for i in range(cells)))
        deck.add("BOUNDARY_SPC_NODE", [first, 0, 1, 1, 1, 1, 1, 1], [first + cells, 0, 0, 1, 0, 1, 1, 1])
        deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", [first + cells, 3, 0, 1, 1.0])
    deck.output(0.1, "matsum")
    return {"beams": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """The force from the slope of the internal energy."""
    r = results["beams"]
    figures = []
    for part, (name, form, cells, modulus) in enumerate(CASES, 1):
        time = r.time("matsum")
        path = np.where(time < 1.0, 0.5 * SPEED * time**2, SPEED * (time - 0.5))
        late = path > FROM
        force = np.polyfit(path[late], r.part(part, "internal_energy")[late], 1)[0]
        short = 1 / cells if form == 1 else 2 / (3 * cells) if cells > 1 else 0.0
        length = LENGTH * (1 - short)
        figures.append(
            Figure(
                f"{name}, elements: {cells}", "force, kN", 2 * YIELD * modulus / length, float(force), 0.015
            )
        )
    return figures


PROBLEM = Problem(
    "plastic_hinges",
    "Beam between a clamp and a guide, moved across to its collapse load",
    "closed form: 2 Mp / L with the plastic moment of the section's points",
    decks,
    measure,
)
