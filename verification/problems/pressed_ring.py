"""Thick ring of nearly incompressible tetrahedra under pressure from inside, plane strain; by damped motion.

Six tetrahedra in each brick: constant strain tetrahedra (ELFORM 10) lock, as they have more elements than
there are motions that keep all their volumes; nodal pressure (ELFORM 13) has one condition a node.
"""

import numpy as np

from verification.deck import Deck
from verification.formulations import tetrahedra
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

INNER, OUTER, HEIGHT = 10.0, 20.0, 1.0
CELLS = (8, 16, 1)
SHEAR, NU, RHO, PRESSURE = 1.0, 0.499, 1e-6, 1e-3
E = 2 * SHEAR * (1 + NU)
FIRST = {13: 1, 10: 1001}


def radial(r: float) -> float:
    """Displacement of a thick tube in plane strain under internal pressure (Lame)."""
    a2, b2 = INNER**2, OUTER**2
    return PRESSURE * (1 + NU) / E * a2 / (b2 - a2) * ((1 - 2 * NU) * r + b2 / r)


def ring(form: int) -> tuple[Mesh, Mesh]:
    """Flat coordinates (radius, angle, height), and the quarter of a ring."""
    n, first = CELLS, FIRST[form]
    bricks = hexahedra(n, (1.0, 1.0, HEIGHT), first)
    cells = [t for h in bricks.elements.values() for t in tetrahedra(h)]
    flat = Mesh(bricks.nodes, dict(enumerate(cells, first)))

    def place(p):
        r, a = INNER + (OUTER - INNER) * p[0], np.pi / 2 * p[1]
        return (float(r * np.cos(a)), float(r * np.sin(a)), p[2])

    return flat, flat.moved(place)


def inside(form: int) -> list[int]:
    """Nodes of the inner surface."""
    return ring(form)[0].where(lambda p: p[0] == 0)


def decks() -> dict[str, Deck]:
    """A quarter, held by symmetry and in height; pressure on the inner surface."""
    frequency = np.sqrt(SHEAR / RHO) / OUTER
    end = float(30 / frequency)
    deck = Deck("pressed ring", end)
    deck.elastic(1, RHO, E, NU)
    deck.curve(1, [(0.0, 1.0), (1e9, 1.0)])
    deck.curve(2, [(0.0, float(2 * frequency)), (1e9, float(2 * frequency))])
    deck.add("DAMPING_GLOBAL", [2])
    rows = CELLS[0] + 1
    for part, form in enumerate(FIRST, 1):
        flat, mesh = ring(form)
        deck.part(part, part, 1, f"solid {form}")
        deck.solid_section(part, form)
        deck.nodes(mesh.nodes)
        deck.solids(part, mesh.elements)
        for n, p in flat.nodes.items():
            deck.add("BOUNDARY_SPC_NODE", [n, 0, int(p[1] == 1), int(p[1] == 0), 1, 0, 0, 0])
        # Each cell's face between the angles k and k + 1: a quadrilateral whose normal points inwards.
        above = rows * (CELLS[1] + 1)
        for k in range(CELLS[1]):
            a = FIRST[form] + rows * k
            deck.add("LOAD_SEGMENT", [1, PRESSURE, 0.0, a, a + above, a + above + rows, a + rows])
    deck.node_history(n for form in FIRST for n in inside(form))
    deck.output(end / 100, "nodout", "glstat")
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Mean displacement of the inner surface outwards."""
    r = results["all"]
    figures = []
    for form in FIRST:
        _, mesh = ring(form)
        moved = []
        for n in inside(form):
            x = np.array(mesh.nodes[n])
            moved.append(r.vector(n, "displacement") @ np.array([x[0], x[1], 0.0]) / INNER)
        u = np.mean(moved, axis=0)
        known = radial(INNER) if form == 13 else (0.0, 0.85 * radial(INNER))
        figures.append(Figure(f"solid {form}", "inner displacement, mm", known, float(u[-1]), 0.015))
        change = float(u[-1] - u[-11])
        figures.append(Figure(f"solid {form}", "change in the last tenth", 0.0, change, 1e-3, radial(INNER)))
    ratio = float(r.energy("energy_ratio")[-1])
    figures.append(Figure("all", "total energy / external work", 1.0, ratio, 0.01))
    return figures


PROBLEM = Problem(
    "pressed_ring",
    "Thick ring of nearly incompressible tetrahedra (nu = 0.499) under pressure, by damped motion",
    "closed form: Lame's tube in plane strain; ELFORM 10 locks",
    decks,
    measure,
    slow=True,
)
