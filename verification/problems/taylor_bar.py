"""Taylor's bar: a copper cylinder against a rigid wall.

The published analyses hold the foot on a wall without friction: no motion along the bar, all other
nodes start with the speed (Abaqus Benchmarks Guide, "Impact of a copper rod"). A wall that only pushes
is another problem: the rim of the mushroom curls up by 0.2 mm, and less of the foot resists. After 80 us
the shape is reached: the bar is shortest at 78 us and 0.01 mm longer at the end. What moves the figures
(layers along the bar; length and radius in mm; largest plastic strain; published 21.4 to 21.5, 7.0 to
7.2, 2.95 to 3.25):

    foot        solid  hourglass    layers  length  radius  strain
    wall        1      5, QM 0.05   36      21.541  7.13    3.07
    wall        1      2, QM 0.1    36      21.564  7.14    3.12
    wall        2                   36      21.520  7.26    3.28
    wall        2                   54      21.505  7.31    3.40
    held        1      5, QM 0.05   36      21.503  7.00    2.90
    held        1      5, QM 0.05   54      21.490  7.15    2.89
    held        1      2, QM 0.1    36      21.528  7.02    2.98
    held        1      3, QM 0.05   36      21.512  7.07    3.05
    held        1      5, QM 0.02   36      21.493  7.09    2.99
    held        1      5, QM 0.02   54      21.477  7.20    2.98
    held        2                   36      21.484  7.13    3.06
    held        2                   54      21.465  7.18    3.10

Hourglass forces add to the resistance; without them (solid 2) the bar is shortest, and QM 0.02 is near that.
"""

import numpy as np

from verification.deck import Deck, Point
from verification.meshes import Mesh, swept
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms, GPa
LENGTH, RADIUS, SPEED = 32.4, 3.2, 227.0
E, NU, RHO, YIELD, HARDENING = 117.0, 0.35, 8.93e-6, 0.4, 0.1
ETAN = E * HARDENING / (E + HARDENING)
CORE, RINGS, LAYERS = 4, 4, 36
END = 0.08
#: formulation and its part's hourglass control
CASES = {"solid 1, MAT_003": (1, [5, 0.02]), "solid 2, MAT_003": (2, None)}


def quarter_disc() -> Mesh:
    """CORE x CORE quadrilaterals in a square, and RINGS rings of 2 CORE around it."""
    half = 0.5 * RADIUS / CORE
    nodes: dict[int, Point] = {}

    def core(i: int, j: int) -> int:
        n = 1 + i * (CORE + 1) + j
        nodes[n] = (half * i, half * j, 0.0)
        return n

    def ring(m: int, k: int) -> int:
        inner = core(CORE, k) if k <= CORE else core(2 * CORE - k, CORE)
        if m == 0:
            return inner
        n = (CORE + 1) ** 2 + (m - 1) * (2 * CORE + 1) + k + 1
        angle, s = np.pi / 4 * k / CORE, m / RINGS
        x, y, _ = nodes[inner]
        nodes[n] = (
            float((1 - s) * x + s * RADIUS * np.cos(angle)),
            float((1 - s) * y + s * RADIUS * np.sin(angle)),
            0.0,
        )
        return n

    cells = [
        [core(i, j), core(i + 1, j), core(i + 1, j + 1), core(i, j + 1)]
        for i in range(CORE)
        for j in range(CORE)
    ]
    cells += [
        [ring(m, k), ring(m + 1, k), ring(m + 1, k + 1), ring(m, k + 1)]
        for m in range(RINGS)
        for k in range(2 * CORE)
    ]
    return Mesh(nodes, dict(enumerate(cells, 1)))


def mesh() -> Mesh:
    """A quarter of the bar, standing on z = 0."""
    return swept(quarter_disc(), LENGTH, LAYERS)


def deck_name(case: str) -> str:
    """A directory's name."""
    return case.replace(",", "").replace(" ", "-")


def decks() -> dict[str, Deck]:
    """Symmetry at x = 0 and y = 0; the foot slides on z = 0."""
    decks = {}
    bar = mesh()
    for name, (formulation, hourglass) in CASES.items():
        deck = decks[deck_name(name)] = Deck("Taylor bar", END)
        deck.nodes(bar.nodes)
        deck.solids(1, bar.elements)
        deck.part(1, 1, 1, "bar", hourglass=1 if hourglass else 0)
        deck.solid_section(1, formulation)
        if hourglass:
            deck.add("HOURGLASS", [1, *hourglass])
        deck.add("MAT_PLASTIC_KINEMATIC", [1, RHO, E, NU, YIELD, ETAN, 1.0], [0.0, 0.0, 0.0])
        for axis in range(3):
            held = [0] * 6
            held[axis] = 1
            deck.node_set(axis + 1, bar.where(lambda p, axis=axis: abs(p[axis]) < 1e-9))
            deck.add("BOUNDARY_SPC_SET", [axis + 1, 0, *held])
        deck.node_set(4, bar.where(lambda p: p[2] > 1e-9))
        deck.add("INITIAL_VELOCITY", [4], [0.0, 0.0, -SPEED])
        deck.output(END / 80, "glstat", "matsum")
    return decks


def measure(results: dict[str, Results]) -> list[Figure]:
    """Shape and plastic strain at the end; energy."""
    bar = mesh()
    figures = []
    for case in CASES:
        r = results[deck_name(case)]
        end = {n: r.position(n) for n in bar.nodes}
        top = max(x[2] for x in end.values())
        radius = max(float(np.hypot(x[0], x[1])) for x in end.values())
        strain = max(float(r.plastic_strain("solid", e)[0]) for e in bar.elements)
        ratio = float(r.energy("energy_ratio")[-1])
        figures += [
            Figure(case, "length, mm", (21.4, 21.5), float(top), 0.0),
            Figure(case, "mushroom radius, mm", (7.0, 7.2), radius, 0.0),
            Figure(case, "largest plastic strain", (2.95, 3.25), strain, 0.0),
            Figure(case, "total energy / initial", 1.0, ratio, 0.02),
        ]
    return figures


PROBLEM = Problem(
    "taylor_bar",
    "Taylor bar of copper, 227 m/s, after 80 us",
    "range over published codes",
    decks,
    measure,
)
