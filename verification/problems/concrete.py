"""Concrete: bricks of one element of three sizes, pulled and crushed; the energy of their cracks."""

import numpy as np

from verification.deck import Deck
from verification.formulations import Formulation
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

#: MPa, mm, ms, g: concrete of 30 MPa by the published fits (Murray 2007)
FC, AGGREGATE, RHO = 30.0, 19.0, 2.4e-3
F = FC / 10
ALPHA, LAMDA = -0.003 * FC**2 + 0.3169747 * FC + 7.7047, 10.5
BETA, THETA = 1.929e-2, 1.3216e-5 * FC**2 + 2.3548e-3 * FC + 0.2140058
RATIO, FIRST_CAP = 5.0, 8.769178e-3 * FC**2 - 7.3302306e-2 * FC + 84.85
YOUNG = 18275.0 * F ** (1 / 3)
CRACK = (4.6875e-5 * AGGREGATE**2 - 5e-4 * AGGREGATE + 0.026) * F**0.7
SIZES = (10.0, 20.0, 40.0)
KINDS = (("solid", 1), ("solid", 2))
WAYS = {"tension": 0.25, "compression": -0.16}  #: elongation in mm, in compression of the largest
END, RAMP = 60.0, 3.0


def meridian(i: float) -> float:
    """Strength in triaxial compression, the root of J2, over the first invariant."""
    return float(ALPHA - LAMDA * np.exp(-BETA * i) + THETA * i)


def strength(way: str) -> float:
    """Where the ray of a uniaxial test meets the surface, with its cap."""
    low, high = 0.0, FIRST_CAP if way == "compression" else 6.0
    edge_low, edge_high = 0.0, FIRST_CAP
    for _ in range(100):
        edge = 0.5 * (edge_low + edge_high)
        over = edge + RATIO * meridian(edge) > FIRST_CAP
        edge_low, edge_high = (edge_low, edge) if over else (edge, edge_high)
    for _ in range(100):
        f = 0.5 * (low + high)
        if way == "compression":
            q = max(f - edge_low, 0.0) / (FIRST_CAP - edge_low)
            inside = f / np.sqrt(3) < meridian(f) * np.sqrt(max(1 - q * q, 0.0))
        else:
            inside = f / np.sqrt(3) < 0.5 * meridian(-f)
        low, high = (f, high) if inside else (low, f)
    return low


def elements() -> list[tuple[float, Formulation]]:
    """One of each size and kind; parts, nodes and elements have the number of the place here."""
    all_of = [(size, kind) for size in SIZES for kind in KINDS]
    return [(size, Formulation(*kind, n)) for n, (size, kind) in enumerate(all_of, 1)]


def share(t: np.ndarray) -> np.ndarray:
    """Of the elongation: at a constant rate after a ramp."""
    rate = 1 / (END - RAMP / 2)
    return np.where(t < RAMP, 0.5 * rate * t**2 / RAMP, rate * (t - RAMP / 2))


def decks() -> dict[str, Deck]:
    """Bricks on three planes, whose top moves."""
    made = {}
    for way, elongation in WAYS.items():
        deck = Deck(f"concrete_{way}", END)
        deck.add("MAT_CSCM_CONCRETE", [1, RHO, 1, 0.0, 0, 0.0, 0.0, 0], [0.0], [FC, AGGREGATE, 1])
        t = np.linspace(0, 1.1 * END, 500)
        moved = [(float(a), float(b)) for a, b in zip(t, elongation * share(t), strict=True)]
        for size, f in elements():
            mesh = hexahedra((1, 1, 1), (size, size, size), f.first)
            f.write(deck, mesh, material=1)
            for n, x in mesh.nodes.items():
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *(int(x[k] == 0) for k in range(3)), 0, 0, 0])
            top = [n for n, x in mesh.nodes.items() if x[2] == size]
            scale = 1.0 if way == "tension" else size / SIZES[-1]
            deck.curve(f.number, [(a, scale * b) for a, b in moved])
            deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 3, 2, f.number, 1.0] for n in top))
        deck.output(END / 400, "matsum", "glstat", plot=END / 400)
        made[way] = deck
    return made


def measure(results: dict[str, Results]) -> list[Figure]:
    """Peak stresses; in tension also the work of the crack, and of the stretch before it."""
    figures = []
    for way in WAYS:
        r, f = results[way], strength(way)
        states = len(r.plot.arrays["timesteps"])
        for size, of in elements():
            case = f"{way}, {size:g} mm, {of.name}"
            stress = [float(r.stress(of.kind, of.first, s)[0][2]) for s in range(states)]
            figures.append(Figure(case, "strength", f, max(map(abs, stress)), 0.03))
            if way == "tension":
                work = r.part_at_end(of.number, "internal_energy") / size**2
                figures.append(Figure(case, "work per area", CRACK + f * f * size / (2 * YOUNG), work, 0.03))
    return figures


PROBLEM = Problem(
    "concrete",
    "Concrete: bricks that crack and are crushed",
    "the yield surface of Murray (2007), met by the rays of uniaxial tests; its fracture energy",
    decks,
    measure,
)
