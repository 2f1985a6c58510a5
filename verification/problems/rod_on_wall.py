"""Elastic rod on a rigid wall: contact for 2 L / c at the force rho c A v."""

from dataclasses import dataclass

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# in, s, lb
E, RHO, LENGTH = 3e7, 0.73, 10.0


@dataclass(frozen=True)
class Case:
    """A row of `cells` bricks; the cross-section is a square of `side`."""

    speed: float
    gap: float
    cells: int
    side: float
    tolerance: float


#: VM265 strains the rod by 3 %, which the logarithmic law feels: waves in the compressed rod are faster by
#: half of that, so a rod a hundred times slower is beside it. Bricks five times as wide as long have the
#: viscosity of their volume's cube root, not of their length, and the step must know.
CASES = {
    "VM265": Case(202.2, 0.01, 100, 0.1, 0.015),
    "VM265, flat bricks": Case(202.2, 0.01, 300, 0.5 / 3, 0.015),
    "a hundredth of its speed": Case(2.022, 0.0001, 100, 0.1, 0.007),
}
WAVE = float(np.sqrt(E / RHO))
IMPACT, RELEASE = 4.95e-5, 3.169e-3
CONTACT = 2 * LENGTH / WAVE


def deck_name(case: str) -> str:
    """A directory's name."""
    return case.replace(",", "").replace(" ", "-")


def decks() -> dict[str, Deck]:
    """A row of solids flies into the wall x = -gap."""
    decks = {}
    for name, case in CASES.items():
        deck = decks[deck_name(name)] = Deck("elastic rod on a rigid wall", 1.2 * RELEASE)
        mesh = hexahedra((case.cells, 1, 1), (LENGTH, case.side, case.side))
        deck.nodes(mesh.nodes)
        deck.solids(1, mesh.elements)
        deck.part(1, 1, 1, "rod")
        deck.solid_section(1, 1)
        deck.elastic(1, RHO, E, 0.0)
        deck.node_set(1, mesh.nodes)
        deck.add("INITIAL_VELOCITY", [1], [-case.speed, 0.0, 0.0])
        deck.add("RIGIDWALL_PLANAR", [1], [-case.gap, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        deck.output(RELEASE / 1000, "rwforc", "matsum")
    return decks


def measure(results: dict[str, Results]) -> list[Figure]:
    """Times and mean of the wall's force; momentum after the release."""
    figures = []
    for name, case in CASES.items():
        r, tolerance = results[deck_name(name)], case.tolerance
        t, force = r.time("rwforc"), r.wall("normal_force")
        exact = RHO * WAVE * case.side**2 * case.speed
        on = np.flatnonzero(force > 0.1 * exact)
        plateau = (t > IMPACT + 0.2 * LENGTH / WAVE) & (t < IMPACT + 1.8 * LENGTH / WAVE)
        momentum = RHO * LENGTH * case.side**2 * case.speed
        figures += [
            Figure(name, "impact, s (error: of contact time)", IMPACT, float(t[on[0]]), tolerance, CONTACT),
            Figure(name, "release, s", RELEASE, float(t[on[-1]]), tolerance),
            Figure(name, "force rho c A v, lb", exact, float(force[plateau].mean()), tolerance),
            # the last cells keep what the mesh scatters behind the front
            Figure(name, "momentum after, lb s", momentum, float(r.part(1, "x_momentum")[-1]), 0.03),
        ]
    return figures


PROBLEM = Problem(
    "rod_on_wall",
    "Elastic rod on a rigid wall",
    "Ansys VM265 (impact and release); closed form: force rho c A v, contact time 2 L / c",
    decks,
    measure,
)
