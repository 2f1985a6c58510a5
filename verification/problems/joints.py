"""Joints between rigid bodies: pendulums, sliders, and a universal joint between two shafts."""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms
STEP, END = 0.2, 600.0
GRAVITY = 0.00981  #: towards -z
MASS, INERTIA = 0.02, 3.0  #: of every body; isotropic, about its centre
GROUND, HINGED, SLIDING, SLIDING_STRAIGHT, DRIVING, DRIVEN, HUNG = range(1, 8)
#: hinged pendulum, from straight down
ARM, START = 30.0, np.radians(120.0)
#: sliders
SLOPE, TURNING, OFF_AXIS = np.radians(30.0), 0.04, 12.0
#: shafts
BEND, SPIN = np.radians(30.0), 0.05
#: ball
BALL_ARM, TILT, BALL_SPIN = 25.0, np.radians(50.0), (0.0, 0.012, 0.03)


class Bodies:
    """Rigid blocks, and nodes for their joints."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.next_node = 9001

    def add(self, number: int, centre, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)) -> None:
        """A rigid block with given mass properties."""
        mesh = hexahedra((2, 1, 1), (8.0, 4.0, 4.0), 100 * number + 1)
        mesh = mesh.moved(
            lambda p: tuple(float(a + b - c) for a, b, c in zip(p, centre, (4, 2, 2), strict=True))
        )
        self.deck.nodes(mesh.nodes)
        self.deck.solids(number, mesh.elements)
        self.deck.add(
            "PART_INERTIA",
            f"body {number}",
            [number, 1, 2 if number == GROUND else 1],
            [*map(float, centre), MASS, 0],
            [INERTIA, 0.0, 0.0, INERTIA, 0.0, INERTIA],
            [*map(float, velocity), *map(float, spin)],
        )

    def node(self, body: int, place) -> int:
        """A node that moves with a body."""
        number = self.next_node
        self.next_node += 1
        self.deck.nodes({number: tuple(map(float, place))})
        self.deck.add("CONSTRAINED_EXTRA_NODES_NODE", [body, number])
        return number

    def joint(self, kind: str, number: int, a: int, b: int, *pairs) -> None:
        """A joint; a pair is one place, or one on each body."""
        nodes = []
        for pair in pairs:
            on_a, on_b = pair if isinstance(pair[0], tuple) else (pair, pair)
            nodes += [self.node(a, on_a), self.node(b, on_b)]
        self.deck.add(f"CONSTRAINED_JOINT_{kind}_ID", [number, kind.lower()], nodes)


def along(axis: np.ndarray, length: float, origin) -> tuple:
    """A point on an axis."""
    return tuple(map(float, np.asarray(origin) + length * axis))


DOWN_HILL = np.array([np.cos(SLOPE), 0.0, -np.sin(SLOPE)])
BENT = np.array([np.cos(BEND), np.sin(BEND), 0.0])
HINGE, BALL = np.array([0.0, 300.0, 0.0]), np.array([0.0, 500.0, 0.0])
RAIL, STRAIGHT_RAIL = np.array([0.0, -300.0, 0.0]), np.array([0.0, -500.0, 0.0])


def decks() -> dict[str, Deck]:
    """All in one deck, apart from each other."""
    deck = Deck("joints", END)
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.curve(2, [(0.0, 1.0), (1e6, 1.0)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    deck.add("LOAD_BODY_Z", [2, GRAVITY])
    deck.add("MAT_RIGID", [1, 1e-6, 1.0, 0.3], [0.0], [0.0])
    deck.add("MAT_RIGID", [2, 1e-6, 1.0, 0.3], [1.0, 7, 7], [0.0])
    deck.solid_section(1, 1)
    bodies = Bodies(deck)
    bodies.add(GROUND, (0.0, 0.0, -100.0))

    hang = np.array([np.sin(START), 0.0, -np.cos(START)])
    bodies.add(HINGED, along(hang, ARM, HINGE))
    bodies.joint("REVOLUTE", 1, GROUND, HINGED, tuple(HINGE), tuple(HINGE + (0.0, 20.0, 0.0)))

    bodies.add(SLIDING, along(DOWN_HILL, 20.0, RAIL), spin=TURNING * DOWN_HILL)
    bodies.joint("CYLINDRICAL", 2, GROUND, SLIDING, tuple(RAIL), along(DOWN_HILL, 40.0, RAIL))
    beside = along(DOWN_HILL, 20.0, STRAIGHT_RAIL + (0.0, OFF_AXIS, 0.0))
    bodies.add(SLIDING_STRAIGHT, beside)
    bodies.joint(
        "TRANSLATIONAL",
        3,
        GROUND,
        SLIDING_STRAIGHT,
        tuple(STRAIGHT_RAIL),
        along(DOWN_HILL, 40.0, STRAIGHT_RAIL),
        tuple(STRAIGHT_RAIL + (5.0, 10.0, 0.0)),
    )

    x = np.array([1.0, 0.0, 0.0])
    bodies.add(DRIVING, along(x, -45.0, (0, 0, 0)), spin=SPIN * x)
    bodies.add(DRIVEN, along(BENT, 45.0, (0, 0, 0)), spin=SPIN * np.cos(BEND) * BENT)
    bodies.joint("REVOLUTE", 4, GROUND, DRIVING, along(x, -60.0, (0, 0, 0)), along(x, -30.0, (0, 0, 0)))
    bodies.joint("REVOLUTE", 5, GROUND, DRIVEN, along(BENT, 30.0, (0, 0, 0)), along(BENT, 60.0, (0, 0, 0)))
    across = (float(-10 * np.sin(BEND)), float(10 * np.cos(BEND)), 0.0)
    bodies.joint("UNIVERSAL", 6, DRIVING, DRIVEN, (0.0, 0.0, 0.0), ((0.0, 0.0, 10.0), across))

    arm = BALL_ARM * np.array([np.sin(TILT), 0.0, -np.cos(TILT)])
    bodies.add(HUNG, tuple(BALL + arm), velocity=np.cross(BALL_SPIN, arm), spin=BALL_SPIN)
    bodies.joint("SPHERICAL", 7, GROUND, HUNG, tuple(BALL))
    deck.output(END / 1200, "glstat", "rbdout", "jntforc")
    return {"joints": deck}


def wrapped(angle: np.ndarray) -> np.ndarray:
    """Between -pi and pi."""
    return np.angle(np.exp(1j * angle))


def quarter_period(modulus: float) -> float:
    """Complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, float(np.sqrt(1.0 - modulus**2))
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, float(np.sqrt(a * b))
    return np.pi / (2 * a)


def hinged(r: Results) -> list[Figure]:
    """Period from the first passage of the bottom to the third, and the hinge's force there."""
    t, x = r.time("rbdout"), r.body(HINGED, "global_x")
    crossings = np.flatnonzero(np.sign(x[:-1]) != np.sign(x[1:]))
    passed = [t[k] - x[k] * (t[k + 1] - t[k]) / (x[k + 1] - x[k]) for k in crossings]
    about_pivot = INERTIA + MASS * ARM**2
    period = 4 * np.sqrt(about_pivot / (MASS * GRAVITY * ARM)) * quarter_period(float(np.sin(START / 2)))
    spin2 = 2 * MASS * GRAVITY * ARM * (1 - np.cos(START)) / about_pivot
    force = MASS * (GRAVITY + ARM * spin2)
    late = t > 10.0
    return [
        Figure("revolute, pendulum", "quarter of the period", period / 4, float(passed[0]), 1e-5),
        Figure("revolute, pendulum", "half of the period", period / 2, float(passed[1] - passed[0]), 1e-5),
        Figure(
            "revolute, pendulum",
            "largest force",
            force,
            float(r.joint(1, "resultant_force")[late].max()),
            5e-3,
        ),
        Figure(
            "revolute, pendulum",
            "distance from the hinge, change",
            0.0,
            float(np.abs(np.hypot(x, r.body(HINGED, "global_z")) - ARM).max()),
            2e-4,
            ARM,
        ),
    ]


def sliders(r: Results) -> list[Figure]:
    """Free fall along the rail, with and without spin."""
    t = r.time("rbdout")
    way = 0.5 * GRAVITY * np.sin(SLOPE) * t**2
    figures = []
    for case, body in (("cylindrical", SLIDING), ("translational", SLIDING_STRAIGHT)):
        moved = r.body_vector(body, "global_d")
        on_rail = moved @ DOWN_HILL
        off = np.linalg.norm(moved - np.outer(on_rail, DOWN_HILL), axis=1)
        figures += [
            Figure(f"{case}, slider", "way at the end", float(way[-1]), float(on_rail[-1]), 1e-5),
            Figure(f"{case}, slider", "off the rail, largest", 0.0, float(off.max()), 1e-4, float(way[-1])),
        ]
    turn = float(r.body_vector(SLIDING, "global_rd")[-1] @ DOWN_HILL)
    turned = float(np.abs(r.body_vector(SLIDING_STRAIGHT, "global_rd")).max())
    return [
        *figures,
        Figure("cylindrical, slider", "turned about the rail", TURNING * float(t[-1]), turn, 1e-4),
        Figure("translational, slider", "turned, largest", 0.0, turned, 1e-3, 1.0),
    ]


def shafts(r: Results) -> list[Figure]:
    """Cardan's speed ratio: tan(angle 2) = cos b tan(angle 1), counted from where the first arm is across."""
    one = r.body(DRIVING, "global_rdx")
    two = r.body_vector(DRIVEN, "global_rd") @ BENT
    expected = np.arctan2(np.cos(BEND) * np.sin(one), np.cos(one))
    speed = r.body_vector(DRIVEN, "global_rv") @ BENT / r.body(DRIVING, "global_rvx")
    ratio = np.cos(BEND) / (1 - np.sin(BEND) ** 2 * np.sin(one) ** 2)
    turns = float(one[-1]) / (2 * np.pi)
    return [
        Figure("universal, two shafts", "turns of the first shaft", (4.0, 6.0), turns, 0.0),
        Figure(
            "universal, two shafts",
            "angle of the second, largest error",
            0.0,
            float(np.abs(wrapped(two - expected)).max()),
            2e-3,
            1.0,
        ),
        Figure(
            "universal, two shafts",
            "speed ratio, largest error",
            0.0,
            float(np.abs(speed - ratio).max()),
            1e-2,
            1.0,
        ),
    ]


def hung(r: Results) -> list[Figure]:
    """Gravity has no moment about the vertical through the ball."""
    arm = r.body_vector(HUNG, "global_") - BALL
    momentum = MASS * np.cross(arm, r.body_vector(HUNG, "global_v")) + INERTIA * r.body_vector(
        HUNG, "global_rv"
    )
    energy = (
        0.5 * MASS * (r.body_vector(HUNG, "global_v") ** 2).sum(axis=1)
        + 0.5 * INERTIA * (r.body_vector(HUNG, "global_rv") ** 2).sum(axis=1)
        + MASS * GRAVITY * arm[:, 2]
    )
    moment = float(momentum[0, 2])
    return [
        Figure(
            "spherical, pendulum",
            "angular momentum about the vertical, change",
            0.0,
            float(np.abs(momentum[:, 2] - moment).max()),
            1e-4,
            moment,
        ),
        Figure(
            "spherical, pendulum",
            "energy, change",
            0.0,
            float(np.abs(energy - energy[0]).max()),
            1e-3,
            MASS * GRAVITY * BALL_ARM,
        ),
    ]


def measure(results: dict[str, Results]) -> list[Figure]:
    """All joints, and the energy of all."""
    r = results["joints"]
    balance = r.energy("total_energy") - r.energy("external_work")
    start = float(r.energy("kinetic_energy")[0])
    taken = float(np.abs(r.energy("joint_internal_energy")).max())
    return [
        *hinged(r),
        *sliders(r),
        *shafts(r),
        *hung(r),
        Figure(
            "all",
            "energy but for work, largest change",
            0.0,
            float(np.abs(balance - start).max()),
            1e-5,
            start,
        ),
        Figure(
            "all", "energy in the joints, largest", 0.0, taken, 1e-3, float(r.energy("kinetic_energy").max())
        ),
    ]


PROBLEM = Problem(
    "joints",
    "Joints: pendulums, sliders and shafts",
    "closed forms: elliptic integral, free fall, Cardan's ratio, conserved angular momentum",
    decks,
    measure,
)
