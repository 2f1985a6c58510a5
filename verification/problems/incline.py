"""Blocks on an incline: they slide at g (sin a - mu cos a), or stick where mu > tan a."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

# mm, ms, kg
E, NU, RHO, G = 1.0, 0.3, 2e-6, 0.00981
ANGLE = np.radians(30.0)
SLIDES, STICKS = 0.3, 0.7
SIDE, HEIGHT, DURATION = 20.0, 10.0, 20.0
ACCELERATION = G * (np.sin(ANGLE) - SLIDES * np.cos(ANGLE))
#: name: number, mu, contact or wall
BLOCKS = {
    "wall, slides": (1, SLIDES),
    "wall, sticks": (2, STICKS),
    "contact, slides": (3, SLIDES),
    "contact, sticks": (4, STICKS),
}


def block(number: int) -> Mesh:
    """On the plane z = 0, side by side along y."""
    mesh = hexahedra((2, 2, 1), (SIDE, SIDE, HEIGHT), 1000 * number + 1)
    return mesh.moved(lambda p: (p[0], p[1] + 100.0 * number, p[2]))


def decks() -> dict[str, Deck]:
    """The frame is inclined: gravity has components along x and against z."""
    deck = Deck("incline", DURATION)
    deck.elastic(1, RHO, E, NU)
    deck.add("MAT_RIGID", [2, RHO, E, NU], [1.0, 7, 7], [0.0])
    deck.solid_section(1, 1)
    deck.shell_section(2, 2, 1.0)
    for name, (number, mu) in BLOCKS.items():
        mesh = block(number)
        deck.part(number, 1, 1, name)
        deck.nodes(mesh.nodes)
        deck.solids(number, mesh.elements)
        if name.startswith("wall"):
            deck.node_set(number, mesh.nodes)
            deck.add("RIGIDWALL_PLANAR", [number], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, mu])
            continue
        # the floor's middle lies half its thickness below the blocks
        floor = quadrilaterals(3, 1, 120.0, 60.0, 1000 * number + 501)
        floor = floor.moved(lambda p, n=number: (p[0] - 40.0, p[1] + 100.0 * n - 20.0, -0.5))
        deck.part(10 + number, 2, 2, "floor")
        deck.nodes(floor.nodes)
        deck.shells(10 + number, floor.elements)
        deck.add(
            "CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID",
            [number, name],
            [number, 10 + number, 3, 3],
            [mu, mu, 0.0, 0.0, 20.0],
            [1.0, 1.0],
        )
    deck.curve(1, [(0.0, 1.0), (1e6, 1.0)])
    deck.add("LOAD_BODY_X", [1, float(-G * np.sin(ANGLE))])
    deck.add("LOAD_BODY_Z", [1, float(G * np.cos(ANGLE))])
    deck.output(DURATION / 50, "matsum", "rwforc", "rcforc", "glstat")
    return {"blocks": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Mean speed of each block at the end; of those that stick, against the speed of free sliding."""
    r = results["blocks"]
    time = float(r.time("matsum")[-1])
    mass = RHO * SIDE**2 * HEIGHT
    figures = []
    for name, (number, mu) in BLOCKS.items():
        speed = float(r.part(number, "x_momentum")[-1]) / mass
        if mu == SLIDES:
            figures.append(Figure(name, "speed, mm/ms", float(ACCELERATION * time), speed, 0.01))
        else:
            free = G * float(np.sin(ANGLE)) * time
            figures.append(Figure(name, "speed, mm/ms (error: of free fall)", 0.0, speed, 1e-3, free))
    return figures


PROBLEM = Problem(
    "incline",
    "Blocks on a plane of 30 degrees, friction of contact and of a rigid wall",
    "closed form: a = g (sin a - mu cos a), 0 where mu > tan a",
    decks,
    measure,
)
