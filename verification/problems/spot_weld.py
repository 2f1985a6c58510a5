"""Spot welds between point masses: force at failure in tension and shear, and the force of spinning."""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms, kN
STEP, END = 0.0025, 5.0
RATE = 0.01  #: of the force, kN / ms
#: tension: two masses, the second is pulled
MASSES, STRENGTH = (0.3, 0.5), 0.015
WINDOW = 0.8  #: of the mean of forces, ms
#: a chain of three, the middle is pulled askew
ENDS, MIDDLE, ANGLE = 0.2, 0.4, np.radians(35.0)
NORMAL, SHEAR = 0.013, 0.006
#: pairs that spin about their centres
SPINNING, ARM, SPIN = 0.1, 5.0, 0.8
FAILURE_TIME = 3.0


def elements(deck: Deck) -> None:
    """A row of bricks far away, so that there is something to share out among ranks."""
    mesh = hexahedra((4, 1, 1), (80.0, 20.0, 20.0), 1001).moved(lambda p: (p[0], p[1] + 500.0, p[2]))
    deck.elastic(1, 1e-6, 1.0, 0.3)
    deck.solid_section(1, 1)
    deck.part(1, 1, 1, "bricks")
    deck.nodes(mesh.nodes)
    deck.solids(1, mesh.elements)


def masses(deck: Deck, points: dict[int, tuple], mass: dict[int, float]) -> None:
    """Nodes that carry nothing but mass."""
    deck.nodes(points)
    deck.add("ELEMENT_MASS", *([9000 + n, n, m] for n, m in mass.items()))


def decks() -> dict[str, Deck]:
    """Point masses joined by welds."""
    deck = Deck("spot welds", END)
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.curve(2, [(0.0, 0.0), (100.0, 100.0)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    elements(deck)
    masses(deck, {1: (0, 0, 0), 2: (0, 0, 3)}, dict(zip((1, 2), MASSES, strict=True)))
    deck.add("CONSTRAINED_SPOTWELD", [1, 2, STRENGTH, 0.0, 1.0, 1.0])
    deck.add("LOAD_NODE_POINT", [2, 3, 2, RATE])
    masses(deck, {5: (0, 60, 0), 6: (0, 60, 3)}, dict(zip((5, 6), MASSES, strict=True)))
    deck.add("CONSTRAINED_SPOTWELD_FILTERED_FORCE", [5, 6, STRENGTH, 0.0, 1.0, 1.0], [400, WINDOW])
    deck.add("LOAD_NODE_POINT", [6, 3, 2, RATE])

    line = {11: (20, 0, 0), 12: (20, 0, 4), 13: (20, 0, 8)}
    masses(deck, line, {11: ENDS, 12: MIDDLE, 13: ENDS})
    deck.add("CONSTRAINED_SPOTWELD", [11, 12, NORMAL, SHEAR, 2.0, 2.0])
    deck.add("CONSTRAINED_SPOTWELD", [13, 12, NORMAL, 0.0, 2.0, 2.0])  # compressed: holds whatever the force
    deck.add(
        "LOAD_NODE_POINT", [12, 3, 2, RATE * float(np.cos(ANGLE))], [12, 1, 2, RATE * float(np.sin(ANGLE))]
    )

    tension = SPINNING * ARM * SPIN**2
    for first, strength, time in ((21, 1.002, 0.0), (31, 0.998, 0.0), (41, 0.0, FAILURE_TIME)):
        y = 20.0 * (first // 10)
        masses(
            deck,
            {first: (-ARM, y, 0), first + 1: (ARM, y, 0)},
            {first: SPINNING, first + 1: SPINNING},
        )
        speed = ARM * SPIN
        deck.add(
            "INITIAL_VELOCITY_NODE",
            [first, 0.0, -speed, 0.0, 0.0, 0.0, SPIN],
            [first + 1, 0.0, speed, 0.0, 0.0, 0.0, SPIN],
        )
        deck.add("CONSTRAINED_SPOTWELD", [first, first + 1, strength * tension, 0.0, 1.0, 1.0, time])
    deck.node_history([1, 2, 5, 11, 12, 13, 22, 32, 42])
    deck.output(END / 40, "glstat", "nodout")
    return {"welds": deck}


def circle(angle: float, first: int) -> np.ndarray:
    """Where the second mass of a pair is after it turned."""
    return np.array([ARM * np.cos(angle), 20.0 * (first // 10) + ARM * np.sin(angle), 0.0])


def measure(results: dict[str, Results]) -> list[Figure]:
    """Speeds that masses keep after their weld broke give the force that broke it."""
    r = results["welds"]
    figures = []

    def speed(node: int) -> np.ndarray:
        return r.vector(node, "velocity")[-1]

    total = sum(MASSES)
    broke = STRENGTH * total / (MASSES[0] * RATE)  # the first mass takes its share of the pull
    kept = 0.5 * RATE * broke**2 / total
    figures.append(Figure("tension", "speed at which the weld lets go", kept, float(speed(1)[2]), 2e-3))
    kept = 0.5 * RATE * (broke + 0.5 * WINDOW) ** 2 / total  # the mean is the force half the window ago
    figures.append(Figure("mean force", "speed at which the weld lets go", kept, float(speed(5)[2]), 2e-3))
    total = 2 * ENDS + MIDDLE
    used = np.hypot(np.cos(ANGLE) / NORMAL, np.sin(ANGLE) / SHEAR)  # per force on one end
    broke = total / (ENDS * RATE * used)
    kept = 0.5 * RATE * broke**2 / total
    figures += [
        Figure(
            "tension and shear",
            "speed at which the weld lets go",
            kept,
            float(np.hypot(*speed(11)[[0, 2]])),
            2e-3,
        ),
        Figure(
            "tension and shear", "direction of that speed", ANGLE, float(np.arctan2(*speed(11)[[0, 2]])), 1e-6
        ),
        Figure("compression", "length of the weld", 4.0, float(np.linalg.norm(gap(r, 12, 13))), 1e-9),
    ]
    t = float(r.time("nodout")[-1])
    flight = circle(0.0, 31) + np.array([0.0, ARM * SPIN * t, 0.0])
    let_go = circle(SPIN * FAILURE_TIME, 41)
    ahead = np.array([-np.sin(SPIN * FAILURE_TIME), np.cos(SPIN * FAILURE_TIME), 0.0])
    # A weld lets go at the end of a step, so the direction is off by up to half the turn of a step.
    for case, node, where in (
        ("spin, strength 0.2 % above its force", 22, circle(SPIN * t, 21)),
        ("spin, strength 0.2 % below its force", 32, flight),
        ("spin, failure time", 42, let_go + ARM * SPIN * (t - FAILURE_TIME) * ahead),
    ):
        off = float(np.linalg.norm(r.vector(node, "coordinate")[-1] - where))
        figures.append(
            Figure(case, "a mass at the end, distance off", 0.0, off, 0.75 * SPIN * STEP, ARM * SPIN * t)
        )
    spinning = 6 * 0.5 * SPINNING * (ARM * SPIN) ** 2
    ratio = r.energy("total_energy") - r.energy("external_work")
    figures.append(
        Figure(
            "all",
            "energy but for work, largest change",
            0.0,
            float(np.abs(ratio - spinning).max()),
            1e-4,
            spinning,
        )
    )
    return figures


def gap(r: Results, a: int, b: int) -> np.ndarray:
    """From node a to node b at the end."""
    return r.vector(b, "coordinate")[-1] - r.vector(a, "coordinate")[-1]


PROBLEM = Problem(
    "spot_weld",
    "Spot welds: force at failure",
    "closed form: Newton's second law for the mass behind the weld",
    decks,
    measure,
)
