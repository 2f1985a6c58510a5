"""Links between nodes: pulleys by linear constraints, rods, and seams that fail by plastic strain."""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms, kN
STEP, END = 0.0025, 4.0
FORCE = 0.02
#: Atwood: one mass rises twice as fast as the other sinks
LIGHT, HEAVY = 0.3, 0.9
#: a mass that a moved node drives by a lever
LEVER, SPEED, DRIVEN = 3.0, 0.5, 0.2
#: a disc that turns as a mass goes
DISC, INERTIA, PINION = 0.4, 5.0, 4.0
#: a free rod that spins and flies, and a pendulum of two rods
ROD, ENDS, SPIN, FLIGHT = 8.0, (0.1, 0.3), 0.9, 1.5
ARM, BOB, START = 2.0, 0.15, np.radians(100.0)
GRAVITY = 0.4
BREAKS = 2.5  #: TF of a rod, ms
#: a seam between a shell that flows and one that does not
YOUNG, YIELD, LONG, SHORT, WIDE, EPPF = 200.0, 0.2, 2.0, 1.0, 1.0, 0.02


def bricks(deck: Deck, number: int) -> None:
    """A row of bricks far away, so that there is something to share out among ranks."""
    mesh = hexahedra((4, 1, 1), (80.0, 20.0, 20.0), 1001).moved(lambda p: (p[0], p[1] + 500.0, p[2]))
    deck.elastic(number, 1e-6, 1.0, 0.3)
    deck.solid_section(number, 1)
    deck.part(number, number, number, "bricks")
    deck.nodes(mesh.nodes)
    deck.solids(number, mesh.elements)


def masses(deck: Deck, points: dict[int, tuple], mass: dict[int, float]) -> None:
    """Nodes that carry nothing but mass."""
    deck.nodes(points)
    deck.add("ELEMENT_MASS", *([9000 + n, n, m] for n, m in mass.items()))


def linear(deck: Deck) -> None:
    """Pulleys, a lever whose other end is moved, and a pinion."""
    masses(deck, {1: (0, 0, 0), 2: (5, 0, 0)}, {1: LIGHT, 2: HEAVY})
    deck.add("CONSTRAINED_LINEAR_GLOBAL", [1], [1, 3, 1.0], [2, 3, 2.0])
    deck.add("LOAD_NODE_POINT", [2, 3, 2, -FORCE])
    deck.nodes({11: (0, 30, 0)})
    masses(deck, {12: (5, 30, 0)}, {12: DRIVEN})
    deck.add("CONSTRAINED_LINEAR_GLOBAL", [2], [12, 1, 1.0], [11, 2, -LEVER])
    deck.add("BOUNDARY_SPC_NODE", [11, 0, 1, 0, 1, 1, 1, 1])
    deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", [11, 2, 0, 3])
    masses(deck, {21: (0, 60, 0), 22: (9, 60, 0)}, {22: DRIVEN})
    deck.add("ELEMENT_INERTIA", [9121, 21], [INERTIA, 0.0, 0.0, INERTIA, 0.0, INERTIA, DISC])
    deck.add("CONSTRAINED_LINEAR_GLOBAL", [3], [22, 1, 1.0], [21, 6, -PINION])
    deck.add("LOAD_NODE_POINT", [22, 1, 2, FORCE])


def rods(deck: Deck) -> None:
    """A spinning rod, one that breaks, and a double pendulum."""
    offset = ROD * ENDS[1] / sum(ENDS)
    for first, y in ((31, 90.0), (41, 120.0)):
        masses(
            deck,
            {first: (-offset, y, 0), first + 1: (ROD - offset, y, 0)},
            dict(zip((first, first + 1), ENDS, strict=True)),
        )
        deck.add(
            "INITIAL_VELOCITY_NODE",
            [first, 0.0, -SPIN * offset, FLIGHT],
            [first + 1, 0.0, SPIN * (ROD - offset), FLIGHT],
        )
    deck.add("CONSTRAINED_RIVET", [31, 32])
    deck.add("CONSTRAINED_RIVET", [41, 42, BREAKS])
    elbow, hand = np.array([np.sin(START), 0, -np.cos(START)]) * ARM, np.array([0.0, ARM, 0.0])
    masses(
        deck,
        {51: (0, 150, 0), 52: tuple(elbow + (0, 150, 0)), 53: tuple(elbow + hand + (0, 150, 0))},
        {51: BOB, 52: BOB, 53: BOB},
    )
    deck.add("BOUNDARY_SPC_NODE", [51, 0, 1, 1, 1])
    deck.add("CONSTRAINED_RIVET", [51, 52], [52, 53])
    deck.add("LOAD_NODE_POINT", *([n, 3, 2, -GRAVITY * BOB] for n in (52, 53)))


def decks() -> dict[str, Deck]:
    """Point masses in one deck, the seam in another."""
    deck = Deck("links", END)
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.curve(2, [(0.0, 1.0), (100.0, 1.0)])
    deck.curve(3, [(0.0, 0.0), (100.0, 100.0 * SPEED)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    bricks(deck, 1)
    linear(deck)
    rods(deck)
    deck.node_history([1, 2, 12, 21, 22, 31, 32, 41, 42, 51, 52, 53])
    deck.output(END / 40, "glstat", "nodout")
    return {"masses": deck, **{kind: seam(kind) for kind in ("nodes", "edges", "welds")}}


def seam(kind: str) -> Deck:
    """A long shell, left, and a short one, or two side by side ("edges"); what is between them is tied.

    The long one flows; in "edges" the two, whose nodes are tied.
    """
    edges = kind == "edges"
    deck = Deck(kind, 1.0)
    bricks(deck, 3)
    low, high = {1: (0, 0, 0), 2: (LONG, 0, 0), 3: (LONG, WIDE, 0), 4: (0, WIDE, 0)}, {}
    for n, x in ((5, LONG), (6, LONG + SHORT)):
        high |= {n: (x, 0, 0), n + 2: (x, WIDE, 0), n + 4: (x, 0.5 * WIDE, 0)}
    deck.nodes(low | high if edges else {n: p for n, p in (low | high).items() if n < 9})
    for part, limit in ((1, 100.0 if edges else YIELD), (2, YIELD if edges else 100.0)):
        deck.add("MAT_PLASTIC_KINEMATIC", [part, 7.85e-6, YOUNG, 0.0, limit, 0.0, 1.0], [0.0, 0.0, 0.0])
        deck.shell_section(part, 2, 0.5)
        deck.part(part, part, part, "shell")
    deck.shells(1, {1: (1, 2, 3, 4)})
    if edges:
        deck.shells(2, {2: (5, 6, 10, 9), 3: (9, 10, 8, 7)})
        deck.node_set(1, [5, 7, 9])
        deck.node_set(2, [2, 3])
        deck.add("CONSTRAINED_TIE-BREAK", [1, 2, EPPF])
    else:
        deck.shells(2, {2: (5, 6, 8, 7)})
    if kind == "nodes":
        deck.node_set(1, [2, 3, 5, 7])
        deck.add("CONSTRAINED_TIED_NODES_FAILURE", [1, EPPF])
    if kind == "welds":
        strain = [0.0, 0.0, 0.0, 0.0, 0.0, EPPF]
        deck.add("CONSTRAINED_SPOTWELD", [2, 5, *strain], [3, 7, *strain])
    deck.add("CONSTRAINED_GLOBAL", [1, 7, 1, 0.0, 0.0, 0.0, 1e-6])
    deck.add("BOUNDARY_SPC_NODE", [1, 0, 0, 1, 1], [4, 0, 0, 0, 1])
    deck.curve(1, [(0.0, 0.0), (1.0, 0.1)])
    ends = (6, 8, 10) if edges else (6, 8)
    deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 1, 2, 1] for n in ends))
    deck.node_history([2, 5, 6])
    deck.output(0.002, "glstat", "nodout")
    return deck


def of_pulleys(r: Results) -> list[Figure]:
    """Newton's second law with the constraint's force."""
    t = float(r.time("nodout")[-1])
    both = HEAVY + 4 * LIGHT
    rack = DRIVEN + INERTIA / PINION**2
    return [
        Figure("pulleys", "way of the heavy mass", -0.5 * FORCE * t**2 / both, last(r, 2, 2), 2e-3),
        Figure("pulleys", "way of the light mass over it", -2.0, last(r, 1, 2) / last(r, 2, 2), 1e-6),
        Figure("lever", "way of the driven mass", LEVER * 0.5 * SPEED * t**2, last(r, 12, 0), 2e-3),
        Figure("pinion", "way of the rack", 0.5 * FORCE * t**2 / rack, last(r, 22, 0), 2e-3),
    ]


def last(r: Results, node: int, axis: int) -> float:
    """A component of the displacement at the end."""
    return float(r.vector(node, "displacement")[-1, axis])


def of_rods(r: Results) -> list[Figure]:
    """Lengths, the turn of the free rod, the flight after a break, and the energy of the pendulum."""
    t = r.time("nodout")
    figures = []
    for case, a, b, length in (
        ("free rod", 31, 32, ROD),
        ("pendulum", 51, 52, ARM),
        ("pendulum", 52, 53, ARM),
    ):
        d = np.linalg.norm(r.vector(b, "coordinate") - r.vector(a, "coordinate"), axis=1)
        figures.append(
            Figure(case, f"length {a}-{b}, largest error", 0.0, float(np.abs(d - length).max()), 1e-6, length)
        )
    angle = SPIN * t[-1]
    tip = ROD * ENDS[0] / sum(ENDS) * np.array([np.cos(angle), np.sin(angle), 0.0])
    off = r.vector(32, "coordinate")[-1] - tip - (0, 90.0, FLIGHT * t[-1])
    figures.append(Figure("free rod", "its end, distance off", 0.0, float(np.linalg.norm(off)), 2e-3, ROD))
    v = r.vector(42, "velocity")
    late = np.flatnonzero(t > BREAKS + 2 * STEP)
    straight = float(np.abs(v[late] - v[late[0]]).max())
    figures += [
        Figure("rod that breaks", "change of its velocity afterwards", 0.0, straight, 1e-6, SPIN * ROD),
        Figure(
            "rod that breaks",
            "direction of flight",
            np.cos(SPIN * BREAKS),
            float(v[-1, 1] / np.hypot(v[-1, 0], v[-1, 1])),
            0.75 * SPIN * STEP,
            1.0,
        ),
    ]
    total, work = r.energy("total_energy"), r.energy("external_work")
    change = float(np.abs(total - work - (total[0] - work[0])).max())
    figures.append(
        Figure("all", "energy but for work, largest change", 0.0, change, 1e-4, float(total.max()))
    )
    return figures


def of_seam(case: str, r: Results, share: float, flows: float) -> list[Figure]:
    """The elongation at which the seam fails.

    What flows has the length `flows` and the `share` of the volume that counts.
    """
    gap = r.node(5, "x_displacement") - r.node(2, "x_displacement")
    end = r.node(6, "x_displacement")
    held = np.flatnonzero(np.abs(gap) > 1e-9)[0] - 1
    flowed = EPPF / share
    strain = YIELD / YOUNG
    wanted = flows * np.expm1(flowed + strain) + (LONG + SHORT - flows) * np.expm1(strain)
    return [
        Figure(case, "gap before, largest", 0.0, float(np.abs(gap[: held + 1]).max()), 1e-9, 1.0),
        Figure(case, "elongation when it fails", float(wanted), float(end[held]), 1e-2),
    ]


def measure(results: dict[str, Results]) -> list[Figure]:
    """Of both decks."""
    r = results["masses"]
    figures = of_pulleys(r) + of_rods(r)
    for case, kind, share, flows in (
        ("tied nodes", "nodes", LONG / (LONG + SHORT), LONG),
        ("tied edges", "edges", 1.0, SHORT),
        ("welds by strain", "welds", 1.0, LONG),
    ):
        figures += of_seam(case, results[kind], share, flows)
    return figures


PROBLEM = Problem(
    "node_links",
    "Links between nodes: linear constraints, rods, a seam",
    "closed form: Newton's second law with the forces of the constraints; uniaxial plastic flow",
    decks,
    measure,
)
