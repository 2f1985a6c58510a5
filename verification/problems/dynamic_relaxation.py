"""Dynamic relaxation: what hangs at rest, what is let go, and what starts to move about its rest."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

MASS, STIFFNESS, FORCE, SPEED = 2.0, 8.0, 4e-4, 2e-4
E, RHO, AREA, LENGTH, GRAVITY = 80.0, 0.03, 0.1, 1.0, 1e-3  # of the truss
OMEGA = float(np.sqrt(STIFFNESS / MASS))
PERIOD = 2 * np.pi / OMEGA
STEP = PERIOD / 400


def base(title: str, pairs: int) -> Deck:
    """Pairs of nodes a length apart along x, the first of each held, steps of one length, and relaxation."""
    deck = Deck(title, float(1.5 * PERIOD))
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.add("CONTROL_DYNAMIC_RELAXATION", [250, 1e-11, 0.99])
    ends = range(1, 2 * pairs + 1)
    deck.nodes({n: (LENGTH * (n % 2 == 0), float((n - 1) // 2), 0.0) for n in ends})
    deck.add("BOUNDARY_SPC_NODE", *([n, 0, int(n % 2), 1, 1, 1, 1, 1] for n in ends))
    deck.node_history([n for n in ends if n % 2 == 0])
    deck.output(STEP, "nodout", "glstat")
    return deck


def acting(deck: Deck, number: int, sidr: int) -> None:
    """A constant curve that acts in the run (0), in dynamic relaxation (1) or in both (2)."""
    deck.add("DEFINE_CURVE", [number, sidr], [0.0, 1.0], [1e6, 1.0])


def decks() -> dict[str, Deck]:
    """Masses on springs under forces; on trusses under gravity, which has a curve for each phase."""
    springs = base("springs relaxed", 3)
    springs.add("SECTION_DISCRETE", [1, 0], [0.0])
    springs.add("MAT_SPRING_ELASTIC", [1, STIFFNESS])
    springs.part(1, 1, 1, "springs")
    springs.add("ELEMENT_DISCRETE", [1, 1, 1, 2], [2, 1, 3, 4], [3, 1, 5, 6])
    springs.add("ELEMENT_MASS", *([n, n, MASS] for n in (2, 4, 6)))
    for number, sidr in ((2, 1), (3, 2), (4, 0)):
        acting(springs, number, sidr)
    springs.add("LOAD_NODE_POINT", [2, 1, 2, FORCE], [4, 1, 3, FORCE], [6, 1, 4, FORCE])
    springs.add("INITIAL_VELOCITY_NODE", [4, SPEED, 0.0, 0.0])
    hanging = base("trusses relaxed", 3)
    hanging.part(1, 1, 1, "trusses")
    hanging.elastic(1, RHO, E, 0.0)
    hanging.add("SECTION_BEAM", [1, 3], [AREA])
    hanging.add("ELEMENT_BEAM", [1, 1, 1, 2], [2, 1, 3, 4], [3, 1, 5, 6])
    hanging.add("ELEMENT_MASS", *([n, n, MASS] for n in (2, 4, 6)))
    acting(hanging, 2, 0)
    acting(hanging, 3, 1)
    hanging.add("LOAD_BODY_X", [2, -GRAVITY, 3])
    return {"springs": springs, "hanging": hanging}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Displacement at all times."""
    r = results["springs"]
    t = r.time("nodout")
    rest = FORCE / STIFFNESS
    exact = {
        "let go": (2, rest * np.cos(OMEGA * t)),
        "set off about its rest": (4, rest + SPEED / OMEGA * np.sin(OMEGA * t)),
        "loaded by the run only": (6, rest * (1 - np.cos(OMEGA * t))),
    }
    figures = []
    for name, (node, x) in exact.items():
        wrong = float(np.abs(r.node(node, "x_displacement") - x).max())
        figures.append(Figure(name, "displacement, largest error", 0.0, wrong, 1e-3, rest))
    still = results["hanging"]
    x = still.node(2, "x_displacement")
    weight = (MASS + RHO * AREA * LENGTH / 2) * GRAVITY
    stretch = LENGTH * float(np.expm1(weight / (E * AREA)))  # stress follows the logarithm of length
    for name, value in (("at the start", x[0]), ("at the end", x[-1])):
        figures.append(Figure("hanging by a truss", f"displacement {name}", stretch, float(value), 1e-5))
    for name, one in results.items():
        ratio = np.abs(one.energy("energy_ratio") - 1).max()
        figures.append(Figure(name, "energy ratio, largest error", 0.0, float(ratio), 1e-3, 1.0))
    return figures


PROBLEM = Problem(
    "dynamic_relaxation",
    "Dynamic relaxation: rest under loads, and motion from there",
    "closed form: x = F / k, x = F / k cos(w t), x = F / k + v / w sin(w t)",
    decks,
    measure,
)
