"""Mechanisms of rigid bodies: gears, pulleys, racks, screws, motors, planes, locks, stoppers."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.problems.joints import INERTIA, MASS, Bodies
from verification.results import Results

# kg, mm, ms; every body has MASS and the isotropic INERTIA of problems/joints.py
STEP, END = 0.2, 200.0
GROUND, GEAR, WHEEL, PULLEY, PULLED, PINION, RACK, SCREW, TURNED, DRIVEN, SPUN, PLANE = range(1, 13)
LOCKED, MATE, LOOSE, STOPPED, PUSHED, LIMITED, GROWING = range(13, 20)
X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
TORQUE, FORCE = 0.006, 4e-5
GEAR_RATIO, PULLEY_RATIO, RADIUS = 2.5, 0.5, 10.0
RACK_WAY, PITCH = 8.0, 4.0  #: per radian
ANGLE, SPEED, SPIN_UP = 1.2, 0.1, 5e-4  #: of motors
SLOPE, TURNING = np.radians(35.0), 0.03
LOCK_SPIN, LOOSE_SPIN, LOOSE_ARM, FAILS = 0.02, 0.02, 20.0, 120.0
LAUNCH, WALL, PUSH, LIMIT, RATE = 0.1, 8.0, 0.05, 0.04, 0.01


class Machines(Bodies):
    """Places mechanisms apart from each other along y."""

    def related(self, kind: str, number: int, a: int, b: int, pairs, *cards, options: str = "") -> None:
        """A joint with cards after that of its nodes."""
        nodes = [self.node(body, place) for pair in pairs for body, place in zip((a, b), pair, strict=True)]
        self.deck.add(
            f"CONSTRAINED_JOINT_{kind}_ID{options}",
            [number, kind.lower()[:10]],
            nodes + [0] * (6 - len(nodes)),
            *cards,
        )

    def bearing(self, number: int, body: int, centre, axis) -> None:
        """A hinge on the ground."""
        self.joint("REVOLUTE", number, GROUND, body, tuple(centre), tuple(centre + 20.0 * axis))

    def load(self, body: int, direction: int, scale: float) -> None:
        """A constant force (1 to 3) or moment (5 to 7)."""
        self.deck.add("LOAD_RIGID_BODY", [body, direction, 2, scale])


def place(y: float, x: float = 0.0) -> np.ndarray:
    """A centre."""
    return np.array([x, y, 0.0])


def wheels(m: Machines) -> None:
    """Gears, pulleys, pinion and rack, each driven by a moment on the first."""
    for kind, y, one, two, number in (("GEARS", 100.0, GEAR, WHEEL, 1), ("PULLEY", 200.0, PULLEY, PULLED, 2)):
        centres = place(y), place(y, 60.0)
        for body, centre in zip((one, two), centres, strict=True):
            m.add(body, tuple(centre))
            m.bearing(20 + body, body, centre, Z)
        a, b = centres
        ratio = GEAR_RATIO if kind == "GEARS" else PULLEY_RATIO
        given = RADIUS if kind == "GEARS" else 0.0
        pairs = [(tuple(a), tuple(b)), (tuple(a + 5 * Z), tuple(b + 5 * Z))]
        pairs.append((tuple(a + RADIUS * X), tuple(b + ratio * RADIUS * X)))
        m.related(kind, number, one, two, pairs, [ratio, 0, 0, given])
        m.load(one, 7, TORQUE)
    a, b = place(300.0), place(320.0)
    m.add(PINION, tuple(a))
    m.bearing(20 + PINION, PINION, a, Z)
    m.add(RACK, tuple(b))
    m.joint("TRANSLATIONAL", 20 + RACK, GROUND, RACK, tuple(b), tuple(b + 20 * X), tuple(b + 20 * Z))
    pairs = [(tuple(a), tuple(b)), (tuple(a + 5 * Z), tuple(b + 5 * X))]
    m.related("RACK_AND_PINION", 3, PINION, RACK, pairs, [RACK_WAY])
    m.load(PINION, 7, TORQUE)
    c = place(400.0)
    m.add(SCREW, tuple(c))
    m.related(
        "SCREW", 4, GROUND, SCREW, [(tuple(c), tuple(c)), (tuple(c + 30 * X), tuple(c + 30 * X))], [PITCH]
    )
    m.load(SCREW, 1, FORCE)


def motors(m: Machines) -> None:
    """A smooth angle, a smooth velocity and a constant acceleration."""
    t = np.linspace(0.0, END, 2001)
    smooth = (1 - np.cos(np.pi * t / END)) / 2
    m.deck.curve(3, zip(t.tolist(), (ANGLE * smooth).tolist(), strict=True))
    m.deck.curve(4, zip(t.tolist(), (SPEED * np.sin(np.pi * t / END) ** 2).tolist(), strict=True))
    m.deck.curve(5, [(0.0, SPIN_UP), (2 * END, SPIN_UP)])
    for body, y, number, curve, kind in ((TURNED, 500.0, 5, 3, 2), (SPUN, 600.0, 6, 5, 1)):
        c = place(y)
        m.add(body, tuple(c))
        m.bearing(20 + body, body, c, Z)
        pairs = [(tuple(c), tuple(c)), (tuple(c + 5 * Z), tuple(c + 5 * Z))]
        m.related("ROTATIONAL_MOTOR", number, GROUND, body, pairs, [0.0, curve, kind])
    c = place(700.0)
    m.add(DRIVEN, tuple(c))
    m.joint("TRANSLATIONAL", 20 + DRIVEN, GROUND, DRIVEN, tuple(c), tuple(c + 20 * X), tuple(c + 20 * Z))
    pairs = [(tuple(c), tuple(c)), (tuple(c + 5 * X), tuple(c + 5 * X))]
    m.related("TRANSLATIONAL_MOTOR", 7, GROUND, DRIVEN, pairs, [0.0, 4, 0])


NORMAL = np.array([-np.sin(SLOPE), 0.0, np.cos(SLOPE)])
DOWN = np.array([np.cos(SLOPE), 0.0, np.sin(SLOPE)])


def links(m: Machines) -> None:
    """A plane, a lock in free flight, a hinge that fails."""
    c = place(800.0)
    m.add(PLANE, tuple(c), spin=TURNING * NORMAL)
    m.joint("PLANAR", 8, GROUND, PLANE, tuple(c), tuple(c + 10 * NORMAL))
    m.load(PLANE, 1, FORCE)
    one, two = place(900.0, -15.0), place(900.0, 15.0)
    spin = LOCK_SPIN * Z
    m.add(LOCKED, tuple(one), velocity=np.cross(spin, -15.0 * X), spin=spin)
    m.add(MATE, tuple(two), velocity=np.cross(spin, 15.0 * X), spin=spin)
    middle = place(900.0)
    m.joint("LOCKING", 9, LOCKED, MATE, tuple(middle), tuple(middle + 10 * X), tuple(middle + 10 * Z))
    c = place(1000.0)
    spin = LOOSE_SPIN * Z
    m.add(LOOSE, tuple(c + LOOSE_ARM * X), velocity=np.cross(spin, LOOSE_ARM * X), spin=spin)
    pairs = [(tuple(c), tuple(c)), (tuple(c + 20 * Z), tuple(c + 20 * Z))]
    m.related("REVOLUTE", 10, GROUND, LOOSE, pairs, [0, FAILS], [0.0], options="_FAILURE")


def bounds(m: Machines) -> None:
    """Stoppers of displacement, coordinate and speed, and a velocity over displacement."""
    deck = m.deck
    deck.curve(6, [(0.0, WALL), (2 * END, WALL)])
    deck.curve(7, [(0.0, 5.0), (END, 5.0 + PUSH * END)])
    deck.curve(8, [(0.0, LIMIT), (2 * END, LIMIT)])
    deck.curve(9, [(0.0, RATE), (100.0, 101 * RATE)])
    m.add(STOPPED, tuple(place(1100.0, 3.0)), velocity=(LAUNCH, 0.0, 0.0))
    m.add(PUSHED, tuple(place(1200.0, 10.0)))
    m.add(LIMITED, tuple(place(1300.0)))
    m.add(GROWING, tuple(place(1400.0)))
    deck.add("CONSTRAINED_RIGID_BODY_STOPPERS", [STOPPED, -6, 0, 0, 0, 0, 1, 0], [0.0, 0.0])
    deck.add("CONSTRAINED_RIGID_BODY_STOPPERS", [PUSHED, 0, 7, 0, 0, 0, 1, 0], [0.0, 0.0])
    deck.add("CONSTRAINED_RIGID_BODY_STOPPERS", [LIMITED, 0, 0, 0, 0, 8, 4, 1], [0.0, 150.0])
    deck.add("DEFINE_VECTOR", [1, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0])
    m.load(LIMITED, 3, 4 * FORCE)
    deck.add("BOUNDARY_PRESCRIBED_MOTION_RIGID", [GROWING, 1, 3, 9, 1.0])


def decks() -> dict[str, Deck]:
    """All in one deck, apart from each other."""
    deck = Deck("mechanisms", END)
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.curve(2, [(0.0, 1.0), (1e6, 1.0)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    deck.add("MAT_RIGID", [1, 1e-6, 1.0, 0.3], [0.0], [0.0])
    deck.add("MAT_RIGID", [2, 1e-6, 1.0, 0.3], [1.0, 7, 7], [0.0])
    deck.solid_section(1, 1)
    m = Machines(deck)
    m.add(GROUND, (0.0, 0.0, -100.0))
    wheels(m)
    motors(m)
    links(m)
    bounds(m)
    deck.output(END / 400, "glstat", "rbdout", "jntforc")
    return {"mechanisms": deck}


def driven_wheels(r: Results) -> list[Figure]:
    """Uniform acceleration of the reduced inertia; the second follows at the ratio."""
    t = r.time("rbdout")
    figures = []
    for case, one, two, ratio, number in (
        ("gears", GEAR, WHEEL, -1 / GEAR_RATIO, 1),
        ("pulleys", PULLEY, PULLED, 1 / PULLEY_RATIO, 2),
    ):
        first, second = r.body(one, "global_rdz"), r.body(two, "global_rdz")
        expected = TORQUE / (INERTIA * (1 + ratio**2)) * t[-1] ** 2 / 2
        moment = TORQUE - TORQUE / (1 + ratio**2)
        late = t > 0.5 * END
        figures += [
            Figure(case, "angle of the first", float(expected), float(first[-1]), 1e-4),
            Figure(case, "ratio of the angles", ratio, float(second[-1] / first[-1]), 1e-5),
            Figure(
                case,
                "moment on the first",
                moment,
                float(r.joint(number, "resultant_moment")[late].mean()),
                5e-3,
            ),
        ]
    turned, way = r.body(PINION, "global_rdz"), r.body(RACK, "global_dx")
    expected = TORQUE / (INERTIA + MASS * RACK_WAY**2) * t[-1] ** 2 / 2
    moved, twisted = r.body(SCREW, "global_dx"), r.body(SCREW, "global_rdx")
    along = FORCE / (MASS + INERTIA / PITCH**2) * t[-1] ** 2 / 2
    return [
        *figures,
        Figure("rack and pinion", "angle of the pinion", float(expected), float(turned[-1]), 1e-4),
        Figure("rack and pinion", "way per angle", RACK_WAY, float(way[-1] / turned[-1]), 1e-5),
        Figure("screw", "way", float(along), float(moved[-1]), 1e-4),
        Figure("screw", "way per angle", PITCH, float(moved[-1] / twisted[-1]), 1e-5),
    ]


def driven_by_motors(r: Results) -> list[Figure]:
    """What the curves say at all times, and what they add up to."""
    t = r.time("rbdout")
    smooth = ANGLE * (1 - np.cos(np.pi * t / END)) / 2
    off = float(np.abs(r.body(TURNED, "global_rdz") - smooth).max())
    return [
        Figure("rotational motor", "angle, largest error", 0.0, off, 1e-4, ANGLE),
        Figure(
            "rotational motor",
            "angle by an acceleration",
            SPIN_UP * float(t[-1]) ** 2 / 2,
            float(r.body(SPUN, "global_rdz")[-1]),
            1e-4,
        ),
        Figure(
            "translational motor",
            "way by a velocity",
            SPEED * END / 2,
            float(r.body(DRIVEN, "global_dx")[-1]),
            1e-4,
        ),
    ]


def linked(r: Results) -> list[Figure]:
    """Free motions are those of a body in the plane, of one body, and of a body that flies off."""
    t = r.time("rbdout")
    moved = r.body_vector(PLANE, "global_d")
    way = FORCE * np.cos(SLOPE) / MASS * float(t[-1]) ** 2 / 2
    turned = r.body_vector(PLANE, "global_rd")
    off = float(np.abs(moved @ NORMAL).max())
    apart = r.body_vector(MATE, "global_") - r.body_vector(LOCKED, "global_")
    angle = np.unwrap(np.arctan2(apart[:, 1], apart[:, 0]))
    loose = r.body_vector(LOOSE, "global_") - place(1000.0)
    distance = np.hypot(loose[:, 0], loose[:, 1])
    flown = LOOSE_SPIN * LOOSE_ARM * (float(t[-1]) - FAILS)
    return [
        Figure("planar", "way in the plane", float(way), float(moved[-1] @ DOWN), 1e-4),
        Figure("planar", "off the plane, largest", 0.0, off, 1e-4, float(way)),
        Figure("planar", "turned in the plane", TURNING * float(t[-1]), float(turned[-1] @ NORMAL), 1e-4),
        Figure("planar", "turned out of it", 0.0, float(np.abs(turned @ DOWN).max()), 1e-3, 1.0),
        Figure("locking", "angle of both", LOCK_SPIN * float(t[-1]), float(angle[-1] - angle[0]), 1e-3),
        Figure(
            "locking",
            "distance, largest change",
            0.0,
            float(np.abs(np.linalg.norm(apart, axis=1) - 30.0).max()),
            1e-3,
            30.0,
        ),
        Figure(
            "joint that fails",
            "distance before, largest change",
            0.0,
            float(np.abs(distance[t < FAILS] - LOOSE_ARM).max()),
            1e-3,
            LOOSE_ARM,
        ),
        Figure(
            "joint that fails",
            "distance at the end",
            float(np.hypot(LOOSE_ARM, flown)),
            float(distance[-1]),
            3e-3,
        ),
    ]


def bounded(r: Results) -> list[Figure]:
    """Bodies stop at bounds, go with them, at their speed."""
    t = r.time("rbdout")
    way = r.body(STOPPED, "global_dx")
    free = t < WALL / LAUNCH - 1
    limited = r.body(LIMITED, "global_dz")
    slow, fast = LIMIT * MASS / (4 * FORCE), 150.0
    expected = LIMIT * slow / 2 + LIMIT * (fast - slow)
    pushed = float(r.body(PUSHED, "global_x")[-1])
    expected += LIMIT * (END - fast) + 4 * FORCE / MASS * (END - fast) ** 2 / 2
    # The bound that pushes moves by 1e-5 of its way in a step.
    return [
        Figure("stopper", "way before the bound", LAUNCH * float(t[free][-1]), float(way[free][-1]), 1e-9),
        Figure("stopper", "way at the bound", WALL, float(way[-1]), 1e-9),
        Figure("stopper", "largest way", WALL, float(way.max()), 1e-9),
        Figure("stopper", "pushed by a bound to", 5 + PUSH * END, pushed, 2e-5),
        Figure("stopper", "way at a bounded speed, then free", float(expected), float(limited[-1]), 2e-3),
        Figure(
            "velocity over displacement",
            "way",
            float(np.expm1(RATE * t[-1])),
            float(r.body(GROWING, "global_dx")[-1]),
            1e-4,
        ),
    ]


def measure(results: dict[str, Results]) -> list[Figure]:
    """All of them, and the balance of energy."""
    r = results["mechanisms"]
    balance = r.energy("total_energy") - r.energy("external_work")
    return [
        *driven_wheels(r),
        *driven_by_motors(r),
        *linked(r),
        *bounded(r),
        Figure(
            "all",
            "energy but for work, largest change",
            0.0,
            float(np.abs(balance - balance[0]).max()),
            1e-4,
            float(r.energy("kinetic_energy").max()),
        ),
    ]


PROBLEM = Problem(
    "mechanisms",
    "Mechanisms: gears, pulleys, racks, screws, motors, stoppers",
    "closed forms: uniform acceleration of the reduced inertia, ratios, curves of motors and bounds",
    decks,
    measure,
    ranks=(1,),
)
