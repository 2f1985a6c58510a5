"""A joint with a tightened bolt: its force until the parts separate, and beyond."""

import numpy as np

from verification.deck import Deck
from verification.implicit import static
from verification.meshes import Mesh
from verification.problem import Figure, Problem
from verification.problems.implicit.mortar_contact import DENSITY, POISSON, YOUNG, box, hold
from verification.results import Results

FORCE, STEPS = 0.1, 20  # kN
SMALL = 1e-9


def parts() -> tuple[Mesh, Mesh]:
    """Two blocks, the upper one a little into the lower one: the contact alone holds it."""
    return (
        box((2, 2, 2), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0), 1),
        box((2, 2, 2), (0.0, 0.0, 9.999), (10.0, 10.0, 10.0), 101),
    )


def deck() -> Deck:
    """Steps 1 to 3 tighten the bolt; then a force pulls the upper face, at the end twice the bolt's."""
    deck = static("bolt", STEPS, "12,1,,1e-9,1e-18,1e-9,,1e-13")
    deck.elastic(1, DENSITY, YOUNG, POISSON)
    deck.solid_section(1, 1)
    for part, mesh in enumerate(parts(), 1):
        deck.part(part, 1, 1, f"block {part}")
        deck.nodes(mesh.nodes)
        deck.solids(part, mesh.elements)
    lower, upper = parts()
    bottom = lower.where(lambda p: p[2] < SMALL)
    top = upper.where(lambda p: p[2] > 19.999 - SMALL)
    hold(deck, bottom, "xyz")
    hold(deck, [n for n in [*lower.nodes, *upper.nodes] if n not in {*bottom, *top}], "xy")
    deck.add("MAT_SPOTWELD", [2, DENSITY, YOUNG, POISSON, 10.0, 1.0], [None])
    deck.add("SECTION_BEAM", [2, 9, 1.0, 2, 1], [1.0, 1.0, 0.0, 0.0])
    deck.part(3, 2, 2, "bolt")
    deck.nodes({201: (20.0, 5.0, 5.0)})
    deck.add("BOUNDARY_SPC_NODE", [201, 0, 1, 1, 1, 1, 1, 1])
    deck.add("ELEMENT_BEAM", [1001, 3, bottom[4], top[4], 201])
    deck.node_set(11, top)
    deck.add("CONSTRAINED_NODAL_RIGID_BODY", [11, 0, 11])
    deck.add("SET_BEAM", [4], [1001])
    deck.add("INITIAL_AXIAL_FORCE_BEAM", [4, 5, FORCE, 0])
    deck.add(
        "CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_MORTAR", [1, 2, 3, 3, None, None, 1, 1], [0.0], [10.0, 10.0]
    )
    deck.curve(5, [(0.0, 0.0), (2 / STEPS, 1.0), (3 / STEPS, 1.0)])
    deck.curve(6, [(0.0, 0.0), (4 / STEPS, 0.0), (1.0, 2.0 * FORCE)])
    deck.add("LOAD_NODE_POINT", [top[4], 3, 6, 1.0])
    deck.add("DATABASE_ELOUT", [1 / STEPS, 3])
    deck.add("DATABASE_HISTORY_BEAM", [1001])
    return deck


def measure(results: dict[str, Results]) -> list[Figure]:
    """The force of the bolt after each step beside the load."""
    force = results["bolt"].beam_force(1001)[-STEPS:]
    load = np.interp(np.arange(1, STEPS + 1), [4, STEPS], [0, 2 * FORCE])
    closed, opened = load < 0.9 * FORCE, load > 1.05 * FORCE
    closed[:3] = False
    apart = float(np.abs(force - load)[opened].max())
    return [
        Figure("bolt", "force when tightened, kN", FORCE, float(force[3]), 1e-3),
        Figure(
            "bolt",
            "force added until the parts separate, kN",
            0.0,
            float(force[closed].max() - FORCE),
            0.02,
            FORCE,
        ),
        Figure("bolt", "force less the load, apart, kN", 0.0, apart, 1e-4, FORCE),
    ]


PROBLEM = Problem(
    "implicit bolt",
    "Bolt preload and separation of a joint: the bolt has 1 % of the stiffness of the parts",
    "closed form: springs of parts and bolt side by side until they separate",
    lambda: {"bolt": deck()},
    measure,
    ranks=(1,),
)
