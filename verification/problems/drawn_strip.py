"""Strips drawn over a rigid radius: the forces at their ends differ by exp(mu pi / 2) (Euler, Eytelwein)."""

import numpy as np

from verification.deck import Deck, Point
from verification.meshes import Mesh, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

# mm, ms, kg, kN
E, NU, RHO = 210.0, 0.3, 7.85e-6
RADIUS, THICKNESS, WIDTH, FLAT = 20.0, 0.2, 4.0, 12.0
MIDDLE = RADIUS + 0.5 * THICKNESS
ARC = 0.5 * np.pi * MIDDLE
LENGTH = 2 * FLAT + ARC
TENSION, SPEED, DURATION = 0.1, 0.2, 4.0
FRICTION = {1: 0.0, 2: 0.1, 3: 0.3}  #: by number of the strip


def on_strip(p: Point) -> Point:
    """Along -x, around the radius, and down."""
    s = p[0]
    if s < FLAT:
        return s - FLAT, p[1], MIDDLE
    if s > FLAT + ARC:
        return MIDDLE, p[1], FLAT + ARC - s
    angle = (s - FLAT) / MIDDLE
    return MIDDLE * np.sin(angle), p[1], MIDDLE * np.cos(angle)


def on_tool(p: Point) -> Point:
    """A quarter of a cylinder and a little more."""
    angle = np.radians(p[0])
    return RADIUS * np.sin(angle), p[1], RADIUS * np.cos(angle)


def strip(number: int) -> Mesh:
    """Side by side along y; its first nodes are those of the held end, row by row."""
    flat = quadrilaterals(36, 2, LENGTH, WIDTH, 1000 * number + 1)
    return flat.moved(on_strip).moved(lambda p: (p[0], p[1] + 50.0 * number, p[2]))


def tool(number: int) -> Mesh:
    """Wider than the strip."""
    flat = quadrilaterals(64, 3, 106.0, 2 * WIDTH, 1000 * number + 501)
    around = flat.moved(lambda p: on_tool((p[0] - 8.0, p[1], 0.0)))
    return around.moved(lambda p: (p[0], p[1] + 50.0 * number - 0.5 * WIDTH, p[2]))


def decks() -> dict[str, Deck]:
    """A dead load holds one end of each strip back, the other is drawn down."""
    deck = Deck("drawn strips", DURATION)
    deck.elastic(1, RHO, E, NU)
    deck.add("MAT_RIGID", [2, RHO, E, NU], [1.0, 7, 7], [0.0])
    deck.shell_section(1, 2, THICKNESS)
    deck.shell_section(2, 2, 1.0)
    deck.curve(1, [(0.0, 0.0), (1.0, 1.0), (1e6, 1.0)])
    deck.curve(2, [(0.0, 0.0), (1.0, 0.0), (1.5, 1.0), (1e6, 1.0)])
    for number, mu in FRICTION.items():
        sheet, radius = strip(number), tool(number)
        deck.part(number, 1, 1, f"mu = {mu}")
        deck.nodes(sheet.nodes)
        deck.shells(number, sheet.elements)
        deck.part(10 + number, 2, 2, "radius")
        deck.nodes(radius.nodes)
        deck.shells(10 + number, radius.elements)
        held = sheet.where(lambda p: p[0] < -FLAT + 1e-6)
        drawn = sheet.where(lambda p: p[2] < -FLAT + 1e-6)
        deck.node_set(number, sheet.nodes)
        deck.node_set(10 + number, drawn)
        deck.add("BOUNDARY_SPC_SET", [number, 0, 0, 1, 0, 1, 0, 1])
        for node in held:
            y = sheet.nodes[node][1] - 50.0 * number
            share = 0.25 if min(y, WIDTH - y) < 1e-6 else 0.5
            deck.add("LOAD_NODE_POINT", [node, 1, 1, -TENSION * share])
        deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [10 + number, 3, 0, 2, -SPEED])
        deck.add(
            "CONTACT_FORMING_ONE_WAY_SURFACE_TO_SURFACE_ID",
            [number, f"mu = {mu}"],
            [number, 10 + number, 3, 3],
            [mu, mu, 0.0, 0.0, 20.0],
            [1.0, 1.0],
        )
    deck.add("DAMPING_GLOBAL", [0, 2.0])
    deck.output(DURATION / 1000, "rcforc", "glstat")
    return {"strips": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Mean forces of the radius on each strip in the last quarter: along x that of the held end."""
    r = results["strips"]
    late = r.time("rcforc") > 0.75 * DURATION
    figures = []
    for k, mu in enumerate(FRICTION.values()):
        held, drawn = (abs(float(r.contact(f"{c}_force", 2 * k)[late].mean())) for c in "xz")
        case = f"mu = {mu}"
        figures.append(Figure(case, "force at the held end, kN", TENSION, held, 0.005))
        figures.append(
            Figure(case, "drawing force, kN", TENSION * float(np.exp(0.5 * np.pi * mu)), drawn, 0.01)
        )
    return figures


PROBLEM = Problem(
    "drawn-strip",
    "Strips drawn over a rigid quarter of a cylinder, forming contact",
    "closed form: exp(mu pi / 2) times the force that holds back (Euler 1769, Eytelwein 1808)",
    decks,
    measure,
    ranks=(1,),
)
