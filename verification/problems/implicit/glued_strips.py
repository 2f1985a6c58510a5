"""Two strips glued by cohesive elements with offsets and bent as a cantilever: partial composite action."""

import math

from verification.deck import Deck
from verification.implicit import static
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

YOUNG, DENSITY, THICKNESS, WIDTH, LENGTH, CELLS, LOAD = 70.0, 2.7e-6, 1.0, 5.0, 50.0, 50, 3e-4
NORMAL, STIFFNESSES = 100.0, (0.003, 0.03, 100.0)  #: GPa/mm, across the layer and along it
FORMS = (20, 22)


def decks() -> dict[str, Deck]:
    """Each form with a layer that slips much, some, and next to nothing."""
    return {name(f, s): strips(f, s) for f in FORMS for s in STIFFNESSES}


def name(form: int, stiffness: float) -> str:
    """Of a case."""
    return f"solid {form}, ET = {stiffness:g}"


def strips(form: int, stiffness: float) -> Deck:
    """Shells a thickness apart, clamped at x = 0, loaded at the other end."""
    deck = static("glued strips")
    lower = quadrilaterals(CELLS, 1, LENGTH, WIDTH)
    per_side = len(lower.nodes)
    upper = {n + per_side: (x, y, THICKNESS) for n, (x, y, _) in lower.nodes.items()}
    deck.nodes(lower.nodes | upper)
    deck.elastic(1, DENSITY, YOUNG, 0.0)
    deck.add("SECTION_SHELL", [1, 16, 1.0, 2], [THICKNESS] * 4)
    deck.part(1, 1, 1, "strips")
    above = {e + CELLS: [a + per_side for a in nodes] for e, nodes in lower.elements.items()}
    deck.shells(1, lower.elements | above)
    deck.add("MAT_COHESIVE_ELASTIC", [2, 1e-6, 1, 0.0, stiffness, NORMAL])
    deck.add("SECTION_SOLID", [2, form])
    deck.part(2, 2, 2, "glue")
    faces = [list(nodes) for nodes in lower.elements.values()]
    if form == 22:
        faces = [[n[a], n[b], n[c], n[c]] for n in faces for a, b, c in ((0, 1, 2), (0, 2, 3))]
    deck.solids(2, {1000 + k: [*f, *(a + per_side for a in f)] for k, f in enumerate(faces)})
    every = lower.nodes | upper
    clamped = [n for n, x in every.items() if x[0] == 0.0]
    deck.add("BOUNDARY_SPC_NODE", *([n, 0, 1, 1, 1, 1, 1, 1] for n in clamped))
    ends = [n for n, x in every.items() if x[0] == LENGTH]
    deck.add("LOAD_NODE_POINT", *([n, 3, 1, LOAD / len(ends)] for n in ends))
    deck.node_history([min(ends)])
    return deck


def deflection(stiffness: float) -> float:
    """Of the end. With N the force in a strip and the slip s, N' = K s and K (2 N / EA - h w'') = N''.

    With xi from the loaded end, N = k P (xi - sinh(a xi) / (a cosh(a L))), k = K h / (2 EI a^2),
    a^2 = K (2 / EA + h^2 / 2 EI), and 2 EI w'' = P xi - h N.
    """
    bending = 2 * YOUNG * WIDTH * THICKNESS**3 / 12  # of both strips
    slip = stiffness * WIDTH
    a = math.sqrt(slip * (2 / (YOUNG * WIDTH * THICKNESS) + THICKNESS**2 / bending))
    k = slip * THICKNESS / (bending * a**2)
    decay = LENGTH / a - math.tanh(a * LENGTH) / a**2
    return LOAD / bending * (LENGTH**3 / 3 - THICKNESS * k * (LENGTH**3 / 3 - decay / a))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Deflections."""
    return [
        Figure(
            name(f, s),
            "deflection, mm",
            deflection(s),
            float(results[name(f, s)].node(CELLS + 1, "z_displacement")[-1]),
            0.002,
        )
        for f in FORMS
        for s in STIFFNESSES
    ]


PROBLEM = Problem(
    "glued_strips",
    "Implicit: two strips glued by cohesive elements with offsets",
    "closed form: beams with a layer that slips (Newmark, Siess and Viest 1951)",
    decks,
    measure,
    ranks=(1,),
)
