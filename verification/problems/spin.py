"""A free body in slow rotation: energy is kept, and no hourglass energy appears, over a full turn."""

import numpy as np

from verification.deck import Deck
from verification.formulations import BEAMS, SHELLS, SOLIDS, Formulation, block
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, THICKNESS = 210.0, 0.3, 7.8e-6, 0.2
AXIS = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
OMEGA = 0.01 * np.sqrt(E / RHO)  # rim at about one percent of the speed of sound
TURN = 2 * np.pi / OMEGA
FORMULATIONS = SHELLS + SOLIDS + BEAMS
#: matsum counts translation only; rotations of nodes are in the balance of the whole model
WITHOUT_ROTATIONS = [*SOLIDS, BEAMS[2]]


def centre(f: Formulation) -> np.ndarray:
    """Of mass: shells and solids are uniform; beams weigh by length."""
    mesh = block(f)
    if f.kind != "beam":
        return np.mean(list(mesh.nodes.values()), axis=0)
    x = [np.array(p) for p in mesh.nodes.values()][:4]
    length = [np.linalg.norm(x[k + 1] - x[k]) for k in range(3)]
    return sum(length[k] * 0.5 * (x[k] + x[k + 1]) for k in range(3)) / sum(length)


def decks() -> dict[str, Deck]:
    """All formulations, each about its own centre of mass."""
    # Kinetic energy at t is of the mean of two half steps: of vibration it misses (omega dt)^2 / 4.
    deck = Deck("spin", float(TURN), 0.6)
    deck.elastic(1, RHO, E, NU)
    for f in FORMULATIONS:
        f.write(deck, block(f), material=1, thickness=THICKNESS)
        deck.add(
            "INITIAL_VELOCITY_GENERATION",
            [f.number, 2, float(OMEGA), 0.0, 0.0, 0.0],
            [*map(float, centre(f)), *map(float, AXIS)],
        )
    deck.output(float(TURN / 50), "glstat", "matsum")
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Balance of the whole model; energies of parts."""
    r = results["all"]
    change = spread(r.energy("energy_ratio"))
    figures = [Figure("all", "total energy / initial, largest change", 0.0, change, 1e-5, 1.0)]
    for f in FORMULATIONS:
        kinetic, internal = r.part(f.number, "kinetic_energy"), r.part(f.number, "internal_energy")
        hourglass = float(abs(r.part(f.number, "hourglass_energy")).max())
        figures.append(Figure(f.name, "hourglass energy, largest", 0.0, hourglass, 1e-12, kinetic[0]))
        if f in WITHOUT_ROTATIONS:
            change = spread(kinetic + internal)
            figures.append(
                Figure(f.name, "kinetic + internal energy, largest change", 0.0, change, 1e-5, kinetic[0])
            )
    return figures


def spread(values: np.ndarray) -> float:
    """Largest distance from the first."""
    return float(np.abs(values - values[0]).max())


PROBLEM = Problem(
    "spin",
    "Free rotation over a full turn of every formulation, rim at 1-2 % of the speed of sound",
    "closed form: energy is conserved; rigid motion has no hourglass mode",
    decks,
    measure,
)
