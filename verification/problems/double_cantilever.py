"""A double cantilever beam whose glued halves are peeled apart: energy and length of the crack."""

import numpy as np

from verification.deck import Deck
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, RHO, ARM, WIDTH, LENGTH, GLUED_FROM = 120.0, 1.6e-6, 1.5, 1.0, 60.0, 20.0
SIZE = 0.5
GIC, PEAK, STIFFNESS, PER_AREA = 0.28e-3, 0.03, 100.0, 5e-7
OPENING, END = 1.8, 8.0
BENDING = E * WIDTH * ARM**3 / 12
LOWER, UPPER, GLUE = 1, 2, 3
#: The glue before the crack yields along some millimetres, by which the arms of beam theory are longer.
ZONE = 5.0
LAWS = {
    "MAT_138": (
        "MAT_COHESIVE_MIXED_MODE",
        [3, PER_AREA, 1, 4.0, STIFFNESS, STIFFNESS, GIC, 4 * GIC],
        [1.0, PEAK, PEAK],
    ),
    "MAT_185": (
        "MAT_COHESIVE_TH",
        [3, PER_AREA, 1, 4.0, PEAK, 2 * GIC / PEAK, 2 * GIC / PEAK],
        [0.016, 0.016, 1.0, 1.0],
    ),
    "MAT_186": (
        "MAT_COHESIVE_GENERAL",
        [3, PER_AREA, 1, 4.0, 0.0, 7, GIC, 4 * GIC],
        [1.0, PEAK, PEAK],
    ),
}


def deck_of(law: str) -> Deck:
    """Two strips of shells, glued from GLUED_FROM on, whose free ends are pulled apart slowly."""
    deck = Deck("double cantilever beam", END)
    n = round(LENGTH / SIZE)
    lower = quadrilaterals(n, 1, LENGTH, WIDTH)
    per_side = len(lower.nodes)
    upper = quadrilaterals(n, 1, LENGTH, WIDTH, per_side + 1)
    deck.nodes(lower.nodes | upper.nodes)
    deck.elastic(1, RHO, E, 0.0)  # no contraction across: beam theory
    deck.add("SECTION_SHELL", [1, 16, 1.0, 2], [ARM] * 4)
    deck.part(LOWER, 1, 1, "lower arm")
    deck.part(UPPER, 1, 1, "upper arm")
    deck.shells(LOWER, lower.elements)
    deck.shells(UPPER, {e + n: nodes for e, nodes in enumerate(upper.elements.values(), start=1)})
    keyword, *cards = LAWS[law]
    deck.add(keyword, *cards)
    deck.curve(7, [(0, 0), (0.016, 1), (1, 0)])
    deck.add("SECTION_SOLID", [3, 19])
    deck.part(GLUE, 3, 3, "glue")
    glued = [c for c in lower.elements.values() if lower.nodes[c[0]][0] >= GLUED_FROM]
    deck.solids(GLUE, {10000 + k: [*c, *(a + per_side for a in c)] for k, c in enumerate(glued)})
    for side in (lower, upper):
        far = side.where(lambda p: p[0] == LENGTH)
        deck.add("BOUNDARY_SPC_NODE", *([node, 0, 1, 1, 1, 1, 1, 1] for node in far))
        others = side.where(lambda p: p[0] < LENGTH)
        deck.add("BOUNDARY_SPC_NODE", *([node, 0, 0, 1, 0, 1, 0, 1] for node in others))
    t = np.linspace(0, END, 200)
    path = OPENING / 2 * np.where(t < 1, 0.5 * t**2, t - 0.5) / (END - 0.5)
    deck.curve(1, [(float(a), float(b)) for a, b in zip(t, path, strict=True)])
    for side, sign in ((lower, -1.0), (upper, 1.0)):
        ends = side.where(lambda p: p[0] == 0.0)
        deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([node, 3, 2, 1, sign] for node in ends))
    deck.add("DAMPING_GLOBAL", [0, 4.0])
    deck.output(END / 2000, "glstat", "matsum", "bndout", "nodout")
    deck.node_history([1, per_side + 1])
    return deck


def decks() -> dict[str, Deck]:
    """One specimen of each law."""
    return {law: deck_of(law) for law in LAWS}


def measure(results: dict[str, Results]) -> list[Figure]:
    """While the crack grows G is GIC, from force and opening alone; its length is that of beam theory."""
    figures = []
    for law, r in results.items():
        opening = 2 * np.abs(r.node(1, "z_displacement"))
        force = 0.5 * np.abs(r.moved("z_force")).reshape(len(opening), -1).sum(axis=1)
        growing = (opening > 1.0) & (opening < 0.98 * OPENING)
        d = opening[growing]
        # G b = P^2 a^2 / (E I) with 2 P a^3 = 3 E I d, over the mean of P d^(1/2), which is constant
        p = (force[growing] * np.sqrt(d)).mean()
        released = p**2 / (WIDTH * BENDING) * (1.5 * BENDING / p) ** (2 / 3)
        figures.append(Figure(law, "energy release rate, kN/mm", GIC, float(released), 0.02))
        eroded = float(r.part(GLUE, "eroded_internal_energy")[-1])
        crack = GLUED_FROM + eroded / (GIC * WIDTH)
        longest = float(np.sqrt(1.5 * opening[-1] * np.sqrt(BENDING / (GIC * WIDTH))))
        figures.append(Figure(law, "length of the crack, mm", (longest - ZONE, longest), crack, 0.0))
        ratio = float(np.abs(r.energy("energy_ratio")[20:] - 1).max())
        figures.append(Figure(law, "total energy / external work, largest change", 0.0, ratio, 0.01, 1.0))
    return figures


PROBLEM = Problem(
    "double_cantilever",
    "Double cantilever beam: mode I delamination of cohesive elements",
    "beam theory, G = P^2 a^2 / (b E I) and opening 2 P a^3 / (3 E I) (de Moura and others 2006)",
    decks,
    measure,
    ranks=(1,),
    slow=True,
)
