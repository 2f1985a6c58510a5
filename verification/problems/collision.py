"""Bars and plates that collide elastically: momentum is exact, energy is kept, bars swap their speeds."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

# mm, ms, kg, GPa
E, RHO, LENGTH, CELLS, SIDE, GAP, SPEED = 210.0, 7.8e-6, 40.0, 40, 1.0, 0.01, 1.0
WAVE = float(np.sqrt(E / RHO))
INNER = 0.8  #: side of the first bar where the second is wider
PLATE, THICKNESS = 20.0, 1.0


def bar(number: int, x: float, side: float) -> Mesh:
    """A row of solids from x on, about the x axis."""
    mesh = hexahedra((CELLS, 1, 1), (LENGTH, side, side), 1000 * number + 1)
    return mesh.moved(lambda p: (p[0] + x, p[1] - side / 2, p[2] - side / 2))


def plate(number: int, z: float, cells: int, turn: float) -> Mesh:
    """A square of shells about the z axis at height z, turned in its plane."""
    mesh = quadrilaterals(cells, cells, PLATE, PLATE, 1000 * number + 1)
    c, s = float(np.cos(turn)), float(np.sin(turn))

    def place(p: tuple) -> tuple:
        x, y = p[0] - PLATE / 2, p[1] - PLATE / 2
        return (c * x - s * y, 100.0 + s * x + c * y, z)

    return mesh.moved(place)


def decks() -> dict[str, Deck]:
    """Two bars end on; two plates of unlike meshes flat on."""
    return {"bars": bars(INNER), "aligned": bars(SIDE), "plates": plates()}


def bars(side: float) -> Deck:
    """The first bar flies at the second, which is as heavy and as stiff but may be wider."""
    deck = Deck("colliding bars", float(GAP / SPEED + 3 * LENGTH / WAVE))
    deck.solid_section(1, 1)
    for number, x, width in ((1, 0.0, side), (2, LENGTH + GAP, SIDE)):
        mesh, share = bar(number, x, width), (SIDE / width) ** 2
        deck.elastic(number, RHO * share, E * share, 0.0)
        deck.part(number, 1, number, f"bar {number}")
        deck.nodes(mesh.nodes)
        deck.solids(number, mesh.elements)
    deck.node_set(1, bar(1, 0.0, side).nodes)
    deck.add("INITIAL_VELOCITY", [1], [SPEED, 0.0, 0.0])
    deck.add("CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID", [1, "bars"], [1, 2, 3, 3], [0.0], [1.0, 1.0])
    deck.output(LENGTH / WAVE / 100, "glstat", "matsum", "rcforc")
    return deck


def plates() -> Deck:
    """Two squares of shells meet flat on.

    Half the usual step: an impact's energy errs by omega^2 dt^2 / 4 at most (`ImpactOfANode` in
    tests/unit/contact/impact.cpp), up or down by its phase, and here all nodes touch in the same phase. Of
    the initial energy the contact makes 2.2 % at TSSFAC 0.9, 1.6 % at 0.675, 0.3 % at 0.45, and takes 0.2 %
    at 0.225. At 0.9 it takes 1.9 % if the gap is 0.0098, 2.4 % at 0.0104, and makes 3.4 % at 0.0106. The
    total in glstat, which has all that as sliding energy, stays within 0.2 %.
    """
    deck = Deck("colliding plates", 0.4, step_scale=0.45)
    deck.elastic(1, RHO, E, 0.3)
    deck.shell_section(1, 2, THICKNESS)
    for number, z, cells, turn in ((1, 0.0, 4, 0.0), (2, THICKNESS + GAP, 5, 0.3)):
        mesh = plate(number, z, cells, turn)
        deck.part(number, 1, 1, f"plate {number}")
        deck.nodes(mesh.nodes)
        deck.shells(number, mesh.elements)
        deck.node_set(number, mesh.nodes)
    deck.add("INITIAL_VELOCITY", [1], [0.0, 0.0, SPEED])
    deck.add("CONTACT_AUTOMATIC_SINGLE_SURFACE_ID", [1, "plates"], [0, 0, 5], [0.0], [1.0, 1.0])
    deck.output(0.01, "glstat", "matsum")
    return deck


def measure(results: dict[str, Results]) -> list[Figure]:
    """Momentum of both bodies and energy, before and after; speeds of the bars."""
    figures = []
    momentum = RHO * LENGTH * SIDE**2 * SPEED
    for name, case in (("bars", "bars"), ("aligned", "bars of the same section")):
        r = results[name]
        sums = r.part(1, "x_momentum") + r.part(2, "x_momentum")
        wrong = float(np.abs(sums - momentum).max())
        last = float(r.part(2, "x_momentum")[-1])
        figures += [
            Figure(case, "momentum, largest change", 0.0, wrong, 1e-9, momentum),
            Figure(case, "total energy / initial, largest change", 0.0, change(r), 0.01, 1.0),
            Figure(case, "momentum of the second bar", momentum, last, 0.01),
        ]
    r = results["plates"]
    momentum = RHO * PLATE**2 * THICKNESS * SPEED
    sums = r.part(1, "z_momentum") + r.part(2, "z_momentum")
    wrong = float(np.abs(sums - momentum).max())
    sliding = r.energy("sliding_interface_energy")
    figures += [
        Figure("plates", "momentum, largest change", 0.0, wrong, 1e-9, momentum),
        Figure("plates", "total energy / initial, largest change", 0.0, change(r), 0.01, 1.0),
        Figure(
            "plates",
            "contact energy left after",
            0.0,
            float(sliding[-1]),
            0.005,
            float(r.energy("kinetic_energy")[0]),
        ),
    ]
    moved = float(r.part(2, "z_momentum")[-1] / momentum)
    figures.append(Figure("plates", "share of momentum passed on", (0.5, 1.0), moved, 0.0))
    return figures


def change(r: Results) -> float:
    """Of the energy ratio."""
    return float(np.abs(r.energy("energy_ratio") - 1).max())


PROBLEM = Problem(
    "collision",
    "Colliding bars of solids and plates of shells",
    "closed form: momentum and energy are kept; equal elastic bars swap their speeds",
    decks,
    measure,
)
