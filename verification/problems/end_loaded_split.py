"""An end-loaded split: a glued cantilever bent at its split end, whose crack grows in mode II."""

import numpy as np

from verification.deck import Deck
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, RHO, ARM, WIDTH, LENGTH, SPLIT = 120.0, 1.6e-6, 1.5, 1.0, 60.0, 36.0
SIZE = 0.5
GIIC, PEAK, STIFFNESS, PER_AREA = 0.28e-3, 0.03, 100.0, 8e-7
DEFLECTION, END = 3.3, 10.0
LAWS = {
    "MAT_138": (
        "MAT_COHESIVE_MIXED_MODE",
        [3, PER_AREA, 1, 4.0, STIFFNESS, STIFFNESS, GIIC / 2, GIIC],
        [-1.5, PEAK, PEAK],
    ),
    "MAT_186": (
        "MAT_COHESIVE_GENERAL",
        [3, PER_AREA, 1, 4.0, 1.0, 7, GIIC / 2, GIIC],
        [1.5, PEAK, PEAK],
    ),
}


def deck_of(law: str) -> Deck:
    """Two strips of shells a thickness apart; the cohesive elements between them have offsets (ELFORM 20)."""
    deck = Deck("end-loaded split", END)
    n = round(LENGTH / SIZE)
    lower = quadrilaterals(n, 1, LENGTH, WIDTH)
    per_side = len(lower.nodes)
    upper = {k + per_side: (x, y, ARM) for k, (x, y, _) in lower.nodes.items()}
    deck.nodes(lower.nodes | upper)
    deck.elastic(1, RHO, E, 0.0)
    deck.add("SECTION_SHELL", [1, 16, 1.0, 2], [ARM] * 4)
    deck.part(1, 1, 1, "arms")
    above = {e + n: [a + per_side for a in nodes] for e, nodes in lower.elements.items()}
    deck.shells(1, lower.elements | above)
    keyword, *cards = LAWS[law]
    deck.add(keyword, *cards)
    deck.curve(7, [(0, 0), (0.016, 1), (1, 0)])
    deck.add("SECTION_SOLID", [3, 20])
    deck.part(3, 3, 3, "glue")
    glued = [c for c in lower.elements.values() if lower.nodes[c[0]][0] >= SPLIT]
    deck.solids(3, {10000 + k: [*c, *(a + per_side for a in c)] for k, c in enumerate(glued)})
    for k, x in (lower.nodes | upper).items():
        held = [1] * 6 if x[0] == LENGTH else [0, 1, 0, 1, 0, 1]
        deck.add("BOUNDARY_SPC_NODE", [k, 0, *held])
    t = np.linspace(0, END, 200)
    path = DEFLECTION * np.where(t < 2, 0.25 * t**2, t - 1) / (END - 1)
    deck.curve(1, [(float(a), float(b)) for a, b in zip(t, path, strict=True)])
    ends = [k for k, x in (lower.nodes | upper).items() if x[0] == 0.0]
    deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([k, 3, 2, 1, 1.0] for k in ends))
    deck.add("DAMPING_GLOBAL", [0, 2.0])
    deck.output(END / 2000, "glstat", "matsum", "bndout", "nodout")
    deck.node_history([1])
    return deck


def decks() -> dict[str, Deck]:
    """One specimen of each law."""
    return {law: deck_of(law) for law in LAWS}


def measure(results: dict[str, Results]) -> list[Figure]:
    """While the crack grows the energy release rate is GIIC; force and deflection give it and the length."""
    figures = []
    for law, r in results.items():
        deflection = np.abs(r.node(1, "z_displacement"))
        force = np.abs(r.moved("z_force").reshape(len(deflection), -1).sum(axis=1))
        growing = (deflection > 0.92 * DEFLECTION) & (deflection < 0.995 * DEFLECTION)
        p, d = float(force[growing].mean()), float(deflection[growing].mean())
        stiff = WIDTH * ARM**3 * E
        crack = ((2 * stiff * d / p - LENGTH**3) / 3) ** (1 / 3)
        released = 9 * p**2 * crack**2 / (4 * stiff * WIDTH)
        figures.append(Figure(law, "energy release rate, kN/mm", GIIC, released, 0.03))
        ratio = float(np.abs(r.energy("energy_ratio")[20:] - 1).max())
        figures.append(Figure(law, "total energy / external work, largest change", 0.0, ratio, 0.01, 1.0))
    return figures


PROBLEM = Problem(
    "end_loaded_split",
    "End-loaded split: mode II delamination of cohesive elements between shells",
    "beam theory, G = 9 P^2 a^2 / (4 b^2 h^3 E), deflection P (3 a^3 + L^3) / (2 b h^3 E)",
    decks,
    measure,
    ranks=(1,),
    slow=True,
)
