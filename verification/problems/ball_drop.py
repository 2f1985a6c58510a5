"""Balls dropped from one inch: when and how fast they meet a rigid wall and a plate in contact."""

import numpy as np

from verification.deck import Deck, Point
from verification.meshes import Mesh, hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

# in, s, lb
G, HEIGHT, RADIUS, THICKNESS = 386.0, 1.0, 0.5, 0.1
E, NU, RHO = 1e3, 0.3, 7.3e-4
IMPACT, SPEED = 0.071982, -27.785
CELLS = 4
END = 0.0735


def ball(number: int, y: float) -> Mesh:
    """A cube of hexahedra drawn into a sphere, its lowest point at z = HEIGHT."""
    cube = hexahedra((CELLS, CELLS, CELLS), (2.0, 2.0, 2.0), 1000 * number + 1)

    def place(p: Point) -> Point:
        q = np.array(p) - 1.0
        length = np.linalg.norm(q)
        if length > 0:
            q = q * RADIUS * np.abs(q).max() / length
        return (float(q[0]), float(q[1]) + y, float(q[2]) + HEIGHT + RADIUS)

    return cube.moved(place)


def decks() -> dict[str, Deck]:
    """One ball above a wall, one above a rigid plate."""
    deck = Deck("ball drop", END)
    deck.elastic(1, RHO, E, NU)
    deck.add("MAT_RIGID", [2, RHO, E, NU], [1.0, 7, 7], [0.0])
    deck.solid_section(1, 1)
    deck.shell_section(2, 2, THICKNESS)
    for number, y in ((1, 0.0), (2, 5.0)):
        mesh = ball(number, y)
        deck.part(number, 1, 1, f"ball {number}")
        deck.nodes(mesh.nodes)
        deck.solids(number, mesh.elements)
        deck.node_set(number, mesh.nodes)
    deck.add("RIGIDWALL_PLANAR", [1], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    plate = quadrilaterals(2, 2, 2.0, 2.0, 3001).moved(lambda p: (p[0] - 0.9, p[1] + 4.1, -THICKNESS / 2))
    deck.part(3, 2, 2, "plate")
    deck.nodes(plate.nodes)
    deck.shells(3, plate.elements)
    deck.add("CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID", [1, "plate"], [2, 3, 3, 3], [0.0], [1.0, 1.0])
    deck.curve(1, [(0.0, 1.0), (1.0, 1.0)])
    deck.add("LOAD_BODY_Z", [1, G])
    deck.output(1e-4, "rwforc", "rcforc", "matsum")
    return {"balls": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """First time with a force; mean speed of the ball just before."""
    r = results["balls"]
    t = r.time("matsum")
    figures = []
    for name, part, force in (
        ("rigid wall", 1, r.wall("normal_force")),
        ("contact", 2, r.contact("z_force")),
    ):
        mass = r.part(part, "part_mass")[0]
        first = int(np.argmax(np.abs(force) > 0))
        velocity = r.part(part, "z_momentum")[first - 1] / mass
        at_impact = float(velocity - G * (IMPACT - t[first - 1]))
        figures += [
            Figure(name, "impact, s", IMPACT, float(t[first]), 0.003),
            Figure(name, "speed at impact, in/s", SPEED, at_impact, 0.001),
        ]
    return figures


PROBLEM = Problem(
    "ball_drop",
    "Ball dropped from one inch",
    "Ansys LS-DYNA verification manual, SOLVE-061",
    decks,
    measure,
)
