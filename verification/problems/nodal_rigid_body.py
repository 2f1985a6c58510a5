"""A nodal rigid body: the free symmetric top, and a pendulum about a held axis."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms
E, NU, RHO = 1.0, 0.3, 2e-6
CELLS, SIZE = (2, 2, 1), (24.0, 24.0, 8.0)
DRIFT, SPIN = (0.5, -0.2, 0.1), (0.02, 0.0, 0.05)
FLIGHT = 200.0
CENTRE_NODE = 900


def body() -> Mesh:
    """A block about the origin; z is its axis of symmetry."""
    return hexahedra(CELLS, SIZE, 1).moved(lambda p: tuple(np.array(p) - np.array(SIZE) / 2))


def lumped(mesh: Mesh) -> dict[int, float]:
    """Each brick gives an eighth of its mass to each of its nodes."""
    share = RHO * np.prod(np.array(SIZE) / CELLS) / 8
    mass = dict.fromkeys(mesh.nodes, 0.0)
    for corners in mesh.elements.values():
        for n in corners:
            mass[n] += float(share)
    return mass


def decks() -> dict[str, Deck]:
    """All nodes of an elastic block are one rigid body that drifts and spins."""
    mesh = body()
    deck = Deck("free symmetric top", FLIGHT)
    deck.curve(1, [(0.0, 0.25), (1e6, 0.25)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    deck.elastic(1, RHO, E, NU)
    deck.solid_section(1, 1)
    deck.part(1, 1, 1, "block")
    deck.nodes(mesh.nodes)
    deck.solids(1, mesh.elements)
    deck.nodes({CENTRE_NODE: (50.0, 0.0, 0.0)})
    deck.node_set(1, mesh.nodes)
    deck.add("CONSTRAINED_NODAL_RIGID_BODY", [99, 0, 1, CENTRE_NODE])
    velocities = [
        [n, *map(float, np.array(DRIFT) + np.cross(SPIN, np.array(p)))] for n, p in mesh.nodes.items()
    ]
    deck.add("INITIAL_VELOCITY_NODE", *velocities)
    deck.node_history([1, CENTRE_NODE])
    deck.output(FLIGHT / 100, "glstat", "nodout")
    return {"top": deck}


def turned(axis: np.ndarray, angle: float, v: np.ndarray) -> np.ndarray:
    """`v` rotated about `axis`, Rodrigues' formula."""
    u = axis / np.linalg.norm(axis)
    return v * np.cos(angle) + np.cross(u, v) * np.sin(angle) + u * (u @ v) * (1 - np.cos(angle))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Where a corner of the top is at the end, and what is kept on the way."""
    r = results["top"]
    mesh = body()
    mass = lumped(mesh)
    x = np.array([mesh.nodes[n] for n in mass])
    m = np.array(list(mass.values()))
    across = float((m * (x[:, 1] ** 2 + x[:, 2] ** 2)).sum())
    along = float((m * (x[:, 0] ** 2 + x[:, 1] ** 2)).sum())
    spin = np.array(SPIN)
    momentum = spin * (across, across, along)
    # Landau and Lifshitz, Mechanics, section 33: the figure axis goes round L at |L| / I1 while the body
    # turns about its axis at w3 (1 - I3 / I1).
    t = float(r.time("nodout")[-1])
    corner = turned(np.array([0.0, 0.0, 1.0]), spin[2] * (1 - along / across) * t, np.array(mesh.nodes[1]))
    corner = turned(momentum, float(np.linalg.norm(momentum)) / across * t, corner) + np.array(DRIFT) * t
    kinetic = 0.5 * float(m.sum()) * float(np.dot(DRIFT, DRIFT)) + 0.5 * float(spin @ momentum)
    off = float(np.linalg.norm(r.vector(1, "coordinate")[-1] - corner))
    centre = float(np.linalg.norm(r.vector(CENTRE_NODE, "coordinate")[-1] - np.array(DRIFT) * t))
    internal = float(r.energy("internal_energy")[-1])
    change = float(np.abs(r.energy("kinetic_energy") - kinetic).max())
    size = float(np.linalg.norm(SIZE))
    return [
        Figure("top", "a corner after 1.7 turns, distance off", 0.0, off, 2e-4, size),
        Figure("top", "PNODE at the centre, distance off", 0.0, centre, 1e-9, size),
        Figure("top", "kinetic energy, largest change", 0.0, change, 1e-4, kinetic),
        Figure("top", "internal energy at the end", 0.0, internal, 1e-6, kinetic),
    ]


PROBLEM = Problem(
    "nodal_rigid_body",
    "Nodal rigid body: the free symmetric top",
    "closed form (Landau and Lifshitz, Mechanics, section 33); inertia of the lumped masses",
    decks,
    measure,
)
