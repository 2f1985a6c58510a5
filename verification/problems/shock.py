"""A shock from a piston: the jump conditions of Rankine and Hugoniot, from an equation of state.

With the piston at speed u into a material at rest, mass, momentum and energy give the pressure
p = p0 + rho0 U u, the volume V = 1 - u / U and the energy per initial volume E = E0 + p0 u / U + rho0 u^2 / 2
behind a shock at speed U. In copper U = C + S1 u is the input; in an ideal gas
U = (g + 1) u / 4 + sqrt(((g + 1) u / 4)^2 + c^2).
"""

import numpy as np

from verification.deck import Card, Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

LENGTH, CELLS = 100.0, 200
REACHED = 0.8  #: of the length, by the shock at the end
# kg, mm, ms, GPa
C, S1, COPPER, PISTON = 3940.0, 1.489, 8.93e-6, 500.0
GAMMA, GAS, P0, PISTON_IN_GAS = 1.4, 1.2e-9, 1e-4, 300.0
E0 = P0 / (GAMMA - 1)
ROOT = (GAMMA + 1) / 4 * PISTON_IN_GAS
#: piston, shock, density, pressure and energy before it
METAL = (PISTON, C + S1 * PISTON, COPPER, 0.0, 0.0)
AIR = (PISTON_IN_GAS, ROOT + float(np.sqrt(ROOT**2 + GAMMA * P0 / GAS)), GAS, P0, E0)
GRUNEISEN: list[Card] = [[1, C, S1, 0.0, 0.0, 2.02, 0.47, 0.0], [1.0]]
IDEAL_GAS: list[Card] = [[1, 0.0, 0.0, 0.0, 0.0, GAMMA - 1, GAMMA - 1, 0.0], [E0, 1.0]]
#: formulation, law, equation of state, state
CASES = {
    "solid 1, MAT_009, EOS_GRUNEISEN": (1, "MAT_NULL", "EOS_GRUNEISEN", GRUNEISEN, METAL),
    "solid 2, MAT_009, EOS_GRUNEISEN": (2, "MAT_NULL", "EOS_GRUNEISEN", GRUNEISEN, METAL),
    "solid 1, MAT_010, EOS_GRUNEISEN": (1, "MAT_ELASTIC_PLASTIC_HYDRO", "EOS_GRUNEISEN", GRUNEISEN, METAL),
    "solid 1, MAT_009, EOS_LINEAR_POLYNOMIAL": (1, "MAT_NULL", "EOS_LINEAR_POLYNOMIAL", IDEAL_GAS, AIR),
}


def deck_name(case: str) -> str:
    """A directory's name."""
    return case.replace(",", "").replace(" ", "-")


def decks() -> dict[str, Deck]:
    """One row of bricks that move along it only, pushed at one end and held at the other."""
    decks = {}
    bar = hexahedra((CELLS, 1, 1), (LENGTH, 0.5, 0.5))
    ends = [bar.where(lambda p, at=at: abs(p[0] - at) < 1e-9) for at in (0.0, LENGTH)]
    for case, (form, law, state, cards, (piston, shock, density, _, _)) in CASES.items():
        deck = decks[deck_name(case)] = Deck("shock", REACHED * LENGTH / shock)
        deck.nodes(bar.nodes)
        deck.solids(1, bar.elements)
        deck.add("PART", "bar", [1, 1, 1, 1])
        deck.solid_section(1, form)
        if law == "MAT_NULL":
            deck.add(law, [1, density, -1e3])
        else:
            deck.add(law, [1, density, 1e-3, 1e-4], *[[0.0] * 8] * 4)
        deck.add(state, *cards)
        for number, (nodes, held) in enumerate(((bar.nodes, (0, 1, 1)), (ends[1], (1, 0, 0))), 1):
            deck.node_set(number, nodes)
            deck.add("BOUNDARY_SPC_SET", [number, 0, *held, 0, 0, 0])
        deck.node_set(3, ends[0])
        deck.curve(1, [(0.0, 1.0), (1.0, 1.0)])
        deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [3, 1, 0, 1, piston])
        deck.node_history(nodes_at(fraction) for fraction in (0.2, 0.6))
        deck.output(2e-3 * LENGTH / shock, "nodout", "glstat", "matsum")
    return decks


def nodes_at(fraction: float) -> int:
    """A node at a fraction of the length."""
    bar = hexahedra((CELLS, 1, 1), (LENGTH, 0.5, 0.5))
    return bar.where(lambda p: abs(p[0] - fraction * LENGTH) < 1e-9)[0]


def arrival(r: Results, node: int, half: float) -> float:
    """Time when the velocity first reaches `half`."""
    v, t = r.node(node, "x_velocity"), r.time("nodout")
    k = int(np.argmax(v >= half))
    return float(np.interp(half, v[k - 1 : k + 1], t[k - 1 : k + 1]))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Shock speed, and the state behind it: between a fifth and half of the length."""
    figures = []
    bar = hexahedra((CELLS, 1, 1), (LENGTH, 0.5, 0.5))
    behind = list(bar.elements)[CELLS // 5 : CELLS // 2]
    first, last = nodes_at(0.2), nodes_at(0.5)
    for case, (_, _, _, _, (piston, shock, density, p0, _)) in CASES.items():
        r = results[deck_name(case)]
        time = arrival(r, nodes_at(0.6), 0.5 * piston) - arrival(r, nodes_at(0.2), 0.5 * piston)
        pressure = np.mean([-np.mean(r.stress("solid", e)[..., :3]) for e in behind])
        volume = (r.position(last)[0] - r.position(first)[0]) / (0.3 * LENGTH)
        shocked = 0.25 * shock * r.end
        energy = r.part_at_end(1, "internal_energy") / shocked
        expected = p0 * piston / shock + 0.5 * density * piston**2
        figures += [
            Figure(case, "shock speed, mm/ms", shock, 0.4 * LENGTH / time, 0.005),
            Figure(case, "pressure behind it, GPa", p0 + density * shock * piston, float(pressure), 0.005),
            Figure(case, "relative volume behind it", 1 - piston / shock, float(volume), 0.005),
            Figure(case, "energy gained per volume behind it, GPa", expected, float(energy), 0.02),
        ]
    return figures


PROBLEM = Problem(
    "shock",
    "Shock in copper and in an ideal gas from a piston",
    "jump conditions of Rankine and Hugoniot",
    decks,
    measure,
)
