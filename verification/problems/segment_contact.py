"""Segment-based contact (SOFT = 2): plates flat on, and strips that cross with no node inside of either."""

import numpy as np

from verification.conservation import momentum_and_energy
from verification.deck import Deck
from verification.meshes import Mesh, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

# mm, ms, kg, GPa
E, RHO, SPEED = 210.0, 7.8e-6, 1.0
SIDE, THICKNESS, GAP, CELLS = 20.0, 1.0, 0.01, 4
MASS = RHO * SIDE**2 * THICKNESS
SCALE = 0.1  #: SLSFAC
LENGTH, HEIGHT = 20.0, 4.0  #: of a strip
STRIP = RHO * LENGTH * HEIGHT * THICKNESS
OFF = 0.3  #: where strips cross, of half the length
MISSED, CAUGHT = "strips, SOFT = 1", "strips, SOFT = 2, DEPTH = {}"


def rigid(deck: Deck, number: int, mesh: Mesh) -> None:
    """A rigid part of shells."""
    deck.add("MAT_RIGID", [number, RHO, E, 0.3], [0.0], [0.0])
    deck.part(number, 1, number, f"body {number}")
    deck.nodes(mesh.nodes)
    deck.shells(number, mesh.elements)


def finish(deck: Deck, soft: int, depth: int) -> Deck:
    """The first part flies at the second."""
    deck.add("INITIAL_VELOCITY_GENERATION", [1, 2, 0.0, 0.0, 0.0, SPEED], [0.0])
    name = "CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID"
    last = [soft, SCALE, 0, 0.0, 3, depth]
    deck.add(name, [1, "bodies"], [1, 2, 3, 3], [0.0], [1.0, 1.0], last)
    deck.output(5e-4, "glstat", "matsum", "rcforc")
    return deck


def plates(soft: int, depth: int, second: int = CELLS) -> Deck:
    """Two squares meet flat on."""
    deck = Deck("plates flat on", 0.06)
    deck.shell_section(1, 2, THICKNESS)
    for number, z, cells in ((1, 0.0, CELLS), (2, THICKNESS + GAP, second)):
        mesh = quadrilaterals(cells, cells, SIDE, SIDE, 1000 * number + 1)
        rigid(deck, number, mesh.moved(lambda p, z=z: (p[0], p[1], z)))
    return finish(deck, soft, depth)


def strips(soft: int, depth: int, off: float) -> Deck:
    """Two strips of two shells each, on edge and at right angles, meet where both are `off` their middles."""
    deck = Deck("crossing strips", 0.1)
    deck.shell_section(1, 2, THICKNESS)
    away, apart = 0.5 * LENGTH * off, THICKNESS + GAP
    one = quadrilaterals(1, 2, LENGTH, HEIGHT, 1001)
    rigid(deck, 1, one.moved(lambda p: (p[0] - 0.5 * LENGTH - away, 0.0, p[1] - HEIGHT)))
    two = quadrilaterals(1, 2, LENGTH, HEIGHT, 2001)
    rigid(deck, 2, two.moved(lambda p: (0.0, p[0] - 0.5 * LENGTH - away, p[1] + apart)))
    return finish(deck, soft, depth)


def decks() -> dict[str, Deck]:
    """Plates by DEPTH, on like and unlike meshes; strips that meet in their middles and off them."""
    return {
        "plates 2": plates(2, 2),
        "plates 3": plates(2, 3),
        "plates unlike": plates(2, 3, 5),
        "strips missed": strips(1, 2, OFF),
        "strips 3": strips(2, 3, 0.0),
        "strips 5": strips(2, 5, OFF),
    }


def step(r: Results) -> float:
    """The solution step."""
    return float(r.energy("time_step")[-1])


def plate_figures(r: Results, case: str) -> list[Figure]:
    """Two masses M and a spring: k = SLSFAC M / (4 dt^2) in all, so omega^2 = SLSFAC / (2 dt^2)."""
    omega = float(np.sqrt(SCALE / 2)) / step(r)
    force = np.abs(r.contact("z_force", 0))
    return [
        *momentum_and_energy(r, case, MASS * SPEED),
        Figure(case, "largest force", 0.5 * MASS * SPEED * omega, float(force.max()), 0.02),
        Figure(case, "momentum passed on", MASS * SPEED, float(r.part(2, "z_momentum")[-1]), 0.01),
    ]


def impulse(off: float) -> float:
    """Of an elastic impact, off the middles of strips whose inertia is that of their nodes.

    That is of their masses, half of them at half height, and of the rotary inertia A / 8 of each mass, A a
    shell's area.
    """
    r, inertia = 0.5 * LENGTH * off, STRIP * (LENGTH**2 / 4 + HEIGHT**2 / 8 + LENGTH * HEIGHT / 16)
    return 2 * SPEED / (2 / STRIP + 2 * r**2 / inertia)


def measure(results: dict[str, Results]) -> list[Figure]:
    """Forces and momenta."""
    figures = plate_figures(results["plates 2"], "plates, DEPTH = 2")
    figures += plate_figures(results["plates 3"], "plates, DEPTH = 3")
    figures += momentum_and_energy(results["plates unlike"], "plates of unlike meshes", MASS * SPEED)
    missed = float(results["strips missed"].part(2, "z_momentum")[-1])
    figures.append(Figure(MISSED, "momentum passed on", 0.0, missed, 1e-12, STRIP * SPEED))
    for depth, off in ((3, 0.0), (5, OFF)):
        r, case = results[f"strips {depth}"], CAUGHT.format(depth)
        passed = float(r.part(2, "z_momentum")[-1])
        figures += momentum_and_energy(r, case, STRIP * SPEED)
        figures.append(Figure(case, "momentum passed on", impulse(off), passed, 0.01))
    return figures


PROBLEM = Problem(
    "segment contact",
    "Segment-based contact of plates flat on and of strips that cross",
    "closed form: two masses and a spring; impulse of an elastic impact of rigid bodies",
    decks,
    measure,
)
