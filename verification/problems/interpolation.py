"""A node that is the mean of four: a force on it is handed on, and it follows rigid motion."""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms, kN
STEP, END = 0.01, 4.0
SIDE, HEIGHT = 40.0, 15.0
CORNER, TOP = 0.2, 0.1  #: masses
FORCE = 1e-3
SPIN = (0.5, -0.9, 0.6)
#: pulled square, skew figure with weights, rigid square
SQUARE, SKEW, RIGID = 100, 200, 300
WEIGHTS = (1.0, 2.0, 0.5, 1.5)


def square(first: int, y: float) -> dict[int, tuple]:
    """Four corners, and a node above their centre."""
    s = SIDE / 2
    points = {first + 1: (-s, y - s, 0.0), first + 2: (s, y - s, 0.0), first + 3: (s, y + s, 0.0)}
    return points | {first + 4: (-s, y + s, 0.0), first + 5: (0.0, y, HEIGHT)}


def skew(first: int, y: float) -> dict[int, tuple]:
    """Four nodes that are in no plane, and one beside them."""
    points = [(0, 0, 0), (30, 5, -4), (22, 31, 9), (-6, 18, 17), (25, -8, 21)]
    return {first + 1 + k: (float(a), float(b) + y, float(c)) for k, (a, b, c) in enumerate(points)}


def masses(deck: Deck, points: dict[int, tuple]) -> None:
    """Nodes that carry mass only."""
    deck.nodes(points)
    last = max(points)
    deck.add("ELEMENT_MASS", *([9000 + n, n, TOP if n == last else CORNER] for n in points))


def mean_of(deck: Deck, first: int, weights=(1.0, 1.0, 1.0, 1.0)) -> None:
    """The last node of five is the mean of the others."""
    cards = [[first + 1 + k, 123456, w] for k, w in enumerate(weights)]
    deck.add("CONSTRAINED_INTERPOLATION", [first, first + 5, 123], *cards)


def decks() -> dict[str, Deck]:
    """All in one."""
    deck = Deck("interpolation", END)
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.curve(2, [(0.0, 1.0), (1e6, 1.0)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    masses(deck, square(SQUARE, 0.0))
    mean_of(deck, SQUARE)
    masses(deck, skew(SKEW, 300.0))
    mean_of(deck, SKEW, WEIGHTS)
    deck.add(
        "LOAD_NODE_POINT", [SQUARE + 5, 1, 2, FORCE], [SKEW + 5, 2, 2, FORCE], [SKEW + 5, 3, 2, 2 * FORCE]
    )

    block = hexahedra((3, 2, 1), (SIDE, SIDE, 10.0), 1001)
    block = block.moved(lambda p: (p[0] - SIDE / 2, p[1] - SIDE / 2 - 300.0, p[2] - 5.0))
    deck.add("MAT_RIGID", [1, 2e-6, 1.0, 0.3], [0.0], [0.0])
    deck.solid_section(1, 1)
    deck.nodes(block.nodes)
    deck.solids(1, block.elements)
    inertia = [50.0, 0.0, 0.0, 50.0, 0.0, 50.0]
    deck.add("PART_INERTIA", "block", [1, 1, 1], [0.0, -300.0, 0.0, 1.0, 0], inertia, [0.1, 0.0, 0.0, *SPIN])
    masses(deck, square(RIGID, -300.0))
    deck.add("CONSTRAINED_EXTRA_NODES_NODE", *([1, RIGID + k] for k in range(1, 5)))
    mean_of(deck, RIGID)
    deck.node_history([*square(SQUARE, 0), *skew(SKEW, 0), *square(RIGID, 0)])
    deck.output(END / 400, "glstat", "nodout")
    return {"means": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Accelerations of the square, momenta of the skew figure, place of the node on the rigid block."""
    r = results["means"]
    t = r.time("nodout")
    end = float(t[-1])
    each = CORNER + TOP / 4
    # The square hardly moves while it is pulled.
    ahead = [float(r.vector(SQUARE + k, "velocity")[-1][0]) for k in range(1, 5)]
    lift = [float(r.vector(SQUARE + k, "velocity")[-1][2]) for k in (2, 3)]
    figures = [
        Figure(
            "pulled square",
            "speed of the corners along the force",
            FORCE * end / (4 * each),
            min(ahead),
            1e-3,
        ),
        Figure("pulled square", "the same, largest", FORCE * end / (4 * each), max(ahead), 1e-3),
        Figure(
            "pulled square",
            "speed across of those in front",
            -HEIGHT * FORCE / (2 * SIDE) * end / each,
            float(np.mean(lift)),
            1e-3,
        ),
    ]
    weights = np.array(WEIGHTS) / sum(WEIGHTS)
    force = FORCE * np.array([0.0, 1.0, 2.0])
    mass = CORNER + weights * TOP
    x = [r.vector(SKEW + k, "coordinate") for k in range(1, 6)]
    v = [r.vector(SKEW + k, "velocity") for k in range(1, 5)]
    momentum = sum(m * w for m, w in zip(mass, v, strict=True))
    angular = sum(m * np.cross(p, w) for m, p, w in zip(mass, x[:4], v, strict=True))
    moment = np.cross(x[4], force)
    given = np.vstack(
        [np.zeros(3), np.cumsum(0.5 * (moment[1:] + moment[:-1]) * np.diff(t)[:, None], axis=0)]
    )
    figures += [
        Figure(
            "skew figure",
            "momentum, largest error",
            0.0,
            float(np.abs(momentum - np.outer(t, force)).max()),
            1e-6,
            float(np.linalg.norm(force)) * end,
        ),
        Figure(
            "skew figure",
            "angular momentum, largest error",
            0.0,
            float(np.abs(angular - given).max()),
            1e-4,
            float(np.abs(given).max()),
        ),
    ]
    corners = [r.vector(RIGID + k, "coordinate") for k in range(1, 5)]
    normal = np.cross(corners[1] - corners[0], corners[3] - corners[0]) / SIDE**2
    off = float(
        np.linalg.norm(r.vector(RIGID + 5, "coordinate") - sum(corners) / 4 - HEIGHT * normal, axis=1).max()
    )
    turns = float(np.linalg.norm(SPIN)) * end / (2 * np.pi)
    balance = r.energy("total_energy") - r.energy("external_work")
    return [
        *figures,
        Figure("rigid block", "turns", (0.7, 0.8), turns, 0.0),
        Figure("rigid block", "the node off its place, largest", 0.0, off, 1e-9, HEIGHT),
        Figure(
            "all",
            "energy but for work, largest change",
            0.0,
            float(np.abs(balance - balance[0]).max()),
            1e-9,
            float(r.energy("kinetic_energy").max()),
        ),
    ]


PROBLEM = Problem(
    "interpolation",
    "A node as the mean of others",
    "closed form: Newton's second law for momentum and angular momentum; rigid motion",
    decks,
    measure,
)
