"""Rigid bodies: a tumbling body free of torque, and a physical pendulum."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms
E, NU, RHO = 1e-3, 0.3, 2e-6
SIZE = (30.0, 20.0, 8.0)
MASS = RHO * SIZE[0] * SIZE[1] * SIZE[2]
#: principal moments of the solid block, given on *PART_INERTIA
MOMENTS = [MASS / 12 * (SIZE[(k + 1) % 3] ** 2 + SIZE[(k + 2) % 3] ** 2) for k in range(3)]
SPIN = (0.02, 0.3, 0.01)  # rad / ms; about the middle axis, which is unstable
FLIGHT = 300.0
GRAVITY, ARM, START, STIFFNESS = 0.00981, 30.0, np.radians(10.0), 3e-3


def body(number: int) -> Mesh:
    """A block about the origin."""
    mesh = hexahedra((3, 2, 1), SIZE, 1000 * number + 1)
    return mesh.moved(lambda p: (p[0] - SIZE[0] / 2, p[1] - SIZE[1] / 2, p[2] - SIZE[2] / 2))


def inertia_part(deck: Deck, number: int, centre: tuple, velocity: tuple, spin: tuple) -> None:
    """A rigid part with its mass properties given."""
    deck.add(
        "PART_INERTIA",
        "rigid block",
        [number, 1, 1],
        [*map(float, centre), MASS, 0],
        [MOMENTS[0], 0.0, 0.0, MOMENTS[1], 0.0, MOMENTS[2]],
        [*map(float, velocity), *map(float, spin)],
    )


def decks() -> dict[str, Deck]:
    """The tumbling block; a block whose one node is held by stiff springs."""
    tumbling = Deck("tumbling block", FLIGHT)
    tumbling.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    tumbling.curve(1, [(0.0, 0.3), (1e6, 0.3)])
    mesh = body(1)
    rigid_block(tumbling, mesh)
    inertia_part(tumbling, 1, (0, 0, 0), (0.5, 0, 0), SPIN)
    tumbling.node_history([1001, 1004, 1009])
    tumbling.output(FLIGHT / 100, "glstat", "nodout")

    pendulum = Deck("physical pendulum", 1.3 * period())
    pendulum.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    pendulum.curve(1, [(0.0, period() / 800), (1e6, period() / 800)])
    pendulum.curve(2, [(0.0, 1.0), (1e6, 1.0)])
    c, s = float(np.cos(START)), float(np.sin(START))
    # the block hangs below the pivot at the origin, turned about y
    mesh = body(1).moved(lambda p: (c * p[0] + s * (p[2] - ARM), p[1], -s * p[0] + c * (p[2] - ARM)))
    rigid_block(pendulum, mesh)
    inertia = rotated_moments(c, s)
    pendulum.add(
        "PART_INERTIA",
        "rigid block",
        [1, 1, 1],
        [-s * ARM, 0.0, -c * ARM, MASS, 0],
        [inertia[0, 0], inertia[0, 1], inertia[0, 2], inertia[1, 1], inertia[1, 2], inertia[2, 2]],
        [0.0] * 6,
    )
    pendulum.nodes({1: (0.0, 0.0, 0.0)})
    pendulum.add("CONSTRAINED_EXTRA_NODES_NODE", [1, 1])
    pendulum.add("SECTION_DISCRETE", [2, 0], [0.0])
    pendulum.part(2, 2, 2, "springs to the ground")
    pendulum.add("MAT_SPRING_ELASTIC", [2, STIFFNESS])
    for k, axis in enumerate(np.eye(3), 1):
        pendulum.add("DEFINE_SD_ORIENTATION", [k, 0, *map(float, axis)])
        pendulum.add("ELEMENT_DISCRETE", [9000 + k, 2, 1, 0, k])
    pendulum.add("LOAD_BODY_Z", [2, GRAVITY])
    pendulum.node_history([1, 1001])
    pendulum.output(period() / 200, "glstat", "nodout")
    return {"tumbling": tumbling, "pendulum": pendulum}


def rigid_block(deck: Deck, mesh: Mesh) -> None:
    """Material, section, nodes and elements."""
    deck.add("MAT_RIGID", [1, RHO, E, NU], [0.0], [0.0])
    deck.solid_section(1, 1)
    deck.nodes(mesh.nodes)
    deck.solids(1, mesh.elements)


def rotated_moments(c: float, s: float) -> np.ndarray:
    """Inertia tensor of the block turned about y."""
    r = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return r @ np.diag(MOMENTS) @ r.T


def period() -> float:
    """Of the pendulum, about y; the amplitude counts to second order."""
    inertia = MOMENTS[1] + MASS * ARM**2
    return float(2 * np.pi * np.sqrt(inertia / (MASS * GRAVITY * ARM)) * (1 + START**2 / 16))


def frame(r: Results, k: int) -> np.ndarray:
    """Rotation since the start from three nodes of the block."""
    at = [r.vector(n, "coordinate")[k] for n in (1001, 1004, 1009)]
    a, b = (at[1] - at[0]) / SIZE[0], (at[2] - at[0]) / SIZE[1]
    return np.column_stack([a, b, np.cross(a, b)])


def angular_momentum(r: Results, k: int) -> np.ndarray:
    """About the centre of mass."""
    q = frame(r, k)
    spin = np.array([r.node(1001, f"r{axis}_velocity")[k] for axis in "xyz"])
    return q @ np.diag(MOMENTS) @ q.T @ spin


def measure(results: dict[str, Results]) -> list[Figure]:
    """Energy, momentum and angular momentum over the flight; time between zeros of the pendulum."""
    r = results["tumbling"]
    kinetic = 0.5 * sum(i * w**2 for i, w in zip(MOMENTS, SPIN, strict=True)) + 0.5 * MASS * 0.25
    exact = np.array(MOMENTS) * SPIN
    rows = range(len(r.time("nodout")))
    wrong = max(float(np.linalg.norm(angular_momentum(r, k) - exact)) for k in rows)
    turned = min(float(frame(r, k)[1, 1]) for k in rows)
    change = float(np.abs(r.energy("kinetic_energy") - kinetic).max())
    figures = [
        Figure("tumbling", "kinetic energy, largest change", 0.0, change, 1e-3, kinetic),
        Figure(
            "tumbling",
            "angular momentum, largest change",
            0.0,
            wrong,
            2e-3,
            float(np.linalg.norm(exact)),
        ),
        Figure("tumbling", "x velocity of the centre", 0.5, float(r.energy("global_x_velocity")[-1]), 1e-9),
        Figure("tumbling", "turns over: least cosine of the middle axis", (-1.0, -0.9), turned, 0.0),
    ]
    r = results["pendulum"]
    t = r.time("nodout")
    x = r.node(1001, "x_coordinate")
    zero = -SIZE[0] / 2  # of the node when the block hangs straight down
    k = np.flatnonzero((x[:-1] - zero) * (x[1:] - zero) < 0)
    zeros = [float(t[i] - (x[i] - zero) * (t[i + 1] - t[i]) / (x[i + 1] - x[i])) for i in k]
    figures.append(Figure("pendulum", "period, ms", period(), zeros[2] - zeros[0], 1e-3))
    return figures


PROBLEM = Problem(
    "rigid_body",
    "Rigid bodies: torque-free tumbling, physical pendulum",
    "closed form: energy and angular momentum are kept; T = 2 pi sqrt(I / (m g l)) (1 + a^2 / 16)",
    decks,
    measure,
)
