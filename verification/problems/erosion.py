"""A bar pulled to its failure strain: when it fails, and where its energy is booked."""

import numpy as np

from verification.deck import Deck
from verification.formulations import SHELLS, SOLIDS, Formulation
from verification.meshes import Mesh, hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, YIELD, ETAN, FAIL = 210.0, 0.3, 7.8e-6, 0.4, 2.0, 0.05
MODULUS = E * ETAN / (E - ETAN)
RATE, RAMP, SIZE = 0.1, 0.05, 10.0
STRESS = YIELD + MODULUS * FAIL
STRAIN = FAIL + STRESS / E
FAILURE = STRAIN / RATE + RAMP / 2
FORMULATIONS = [SHELLS[0], SHELLS[1], SOLIDS[0], SOLIDS[1]]


def decks() -> dict[str, Deck]:
    """One element of each, pulled along x at a constant true rate after a ramp."""
    end = 1.1 * FAILURE
    deck = Deck("erosion", end)
    deck.add(
        "MAT_PIECEWISE_LINEAR_PLASTICITY",
        [1, RHO, E, NU, YIELD, ETAN, FAIL],
        [0.0, 0.0],
        [0.0] * 8,
        [0.0] * 8,
    )
    t = np.linspace(0, 1.1 * end, 1000)
    strain = np.where(t < RAMP, 0.5 * RATE * t**2 / RAMP, RATE * (t - RAMP / 2))
    deck.curve(1, [(float(a), float(b)) for a, b in zip(t, SIZE * np.expm1(strain), strict=True)])
    deck.add("CONTROL_SHELL", [20.0, 2, -1, 1])  # shells thin as they stretch
    for f in FORMULATIONS:
        mesh = mesh_of(f)
        f.write(deck, mesh, material=1, thickness=1.0)
        turns = [1, 1, 1] if f.kind == "shell" else [0, 0, 0]
        for n, x in mesh.nodes.items():
            deck.add("BOUNDARY_SPC_NODE", [n, 0, int(x[0] == 0), int(x[1] == 0), int(x[2] == 0), *turns])
        driven = mesh.where(lambda p: p[0] == SIZE)
        deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 1, 2, 1, 1.0] for n in driven))
    deck.output(FAILURE / 500, "glstat", "matsum")
    return {"bars": deck}


def mesh_of(f: Formulation) -> Mesh:
    """One element."""
    if f.kind == "shell":
        return quadrilaterals(1, 1, SIZE, SIZE, f.first)
    return hexahedra((1, 1, 1), (SIZE, SIZE, SIZE), f.first)


def work() -> float:
    """Of the stress per initial volume, to failure; the volume grows by the elastic part."""
    elastic = 0.5 * YIELD**2 / E
    p = np.linspace(0, FAIL, 2001)
    s = YIELD + MODULUS * p
    volume = np.exp((1 - 2 * NU) * s / E)
    along = p + s / E
    density = 0.5 * (s[1:] * volume[1:] + s[:-1] * volume[:-1]) * np.diff(along)
    return float(elastic + density.sum())


def measure(results: dict[str, Results]) -> list[Figure]:
    """Time at which a part's energy becomes eroded, how much it is; the balance."""
    r = results["bars"]
    t = r.time("matsum")
    figures = []
    for f in FORMULATIONS:
        eroded = r.part(f.number, "eroded_internal_energy")
        first = int(np.argmax(eroded > 0))
        volume = SIZE**2 * (1.0 if f.kind == "shell" else SIZE)
        figures += [
            Figure(f.name, "time of failure, ms", FAILURE, float(t[first]), 0.005),
            Figure(f.name, "eroded internal energy, kN mm", work() * volume, float(eroded[-1]), 0.005),
            Figure(
                f.name,
                "internal energy left, kN mm",
                0.0,
                float(r.part(f.number, "internal_energy")[-1]),
                1e-9,
                work() * volume,
            ),
        ]
    ratio = float(np.abs(r.energy("energy_ratio")[10:] - 1).max())
    figures.append(Figure("all", "total energy / external work, largest change", 0.0, ratio, 0.01, 1.0))
    return figures


PROBLEM = Problem(
    "erosion",
    "Uniaxial bars of MAT_024 to their failure strain",
    "closed form: strain FAIL + stress / E; work of the stress",
    decks,
    measure,
)
