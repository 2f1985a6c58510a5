"""Free fall: gravity accelerates every formulation the same, exactly, whatever its lumped masses."""

import numpy as np

from verification.deck import Deck
from verification.formulations import BEAMS, SHELLS, SOLIDS, Formulation, block
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, THICKNESS = 210.0, 0.3, 7.8e-6, 0.1
G = np.array([0.001, -0.002, -0.00981])
DURATION = 0.01
RIGID, SPRING = Formulation("solid", 1, 11), 12
FORMULATIONS = SHELLS + SOLIDS + BEAMS
BEAM_LENGTH = 2 + np.hypot(0.5, 0.8)


def decks() -> dict[str, Deck]:
    """All formulations, a rigid body, and two masses with a spring between them."""
    deck = Deck("free fall", DURATION)
    deck.elastic(1, RHO, E, NU)
    deck.add("MAT_RIGID", [2, RHO, E, NU], [0], [0])
    for f in FORMULATIONS:
        f.write(deck, block(f), material=1, thickness=THICKNESS)
    RIGID.write(deck, block(RIGID), material=2)
    deck.part(SPRING, SPRING, 3, "spring")
    deck.add("SECTION_DISCRETE", [SPRING, 0], [0.0])
    deck.add("MAT_SPRING_ELASTIC", [3, 1.0])
    a = SPRING * 1000 + 1
    deck.nodes({a: (0.0, 0.0, 0.0), a + 1: (1.0, 0.0, 0.0)})
    deck.add("ELEMENT_MASS", [a, a, 1e-5], [a + 1, a + 1, 3e-5])
    deck.add("ELEMENT_DISCRETE", [a, SPRING, a, a + 1])
    deck.curve(1, [(0.0, 1.0), (1.0, 1.0)])
    for axis, g in zip("XYZ", G, strict=True):
        deck.add(f"LOAD_BODY_{axis}", [1, float(-g)])
    deck.output(DURATION / 4, "glstat", "matsum")
    return {"all": deck}


def masses() -> dict[int, float]:
    """Of the parts, by number."""
    known = {f.number: RHO * 4 * (THICKNESS if f.kind == "shell" else 1.0) for f in SHELLS + SOLIDS}
    known |= {f.number: RHO * THICKNESS**2 * float(BEAM_LENGTH) for f in BEAMS}
    return known


def measure(results: dict[str, Results]) -> list[Figure]:
    """Accelerations of all nodes, fall of all nodes, masses."""
    r = results["all"]
    size, fall = float(np.linalg.norm(G)), 0.5 * G * r.end**2
    bodies = {f.name: list(block(f).nodes) for f in FORMULATIONS}
    bodies = {name: nodes[:4] if name.startswith("beam") else nodes for name, nodes in bodies.items()}
    bodies["rigid body"] = list(block(RIGID).nodes)
    bodies["masses and spring"] = [SPRING * 1000 + 1, SPRING * 1000 + 2]
    figures = []
    for name, nodes in bodies.items():
        wrong = max(np.abs(r.acceleration(n) - G).max() for n in nodes)
        figures.append(Figure(name, "acceleration, largest error", 0.0, float(wrong), 1e-9, size))
        wrong = max(np.abs(r.displacement(n) - fall).max() for n in nodes)
        scale = float(np.linalg.norm(fall))
        figures.append(Figure(name, "fall, largest error", 0.0, float(wrong), 1e-6, scale))
    for f in FORMULATIONS:
        figures.append(Figure(f.name, "mass", masses()[f.number], r.part(f.number, "part_mass")[-1], 1e-12))
    return figures


PROBLEM = Problem(
    "free_fall",
    "Free fall of every formulation, a rigid body and discrete masses",
    "closed form: a = g, x = g t^2 / 2",
    decks,
    measure,
)
