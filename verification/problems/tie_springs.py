"""Ties by penalty: what a joint of springs delays, a free bar, and moments that reach shells and solids."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.problems.ties import (
    ARM,
    AT,
    BOTTOM,
    FINE,
    LENGTH,
    POST,
    PULL,
    RHO,
    ROD,
    SPEED,
    THICK,
    WAVE,
    WIDTH,
    E,
    post,
    thrown,
    tie,
    two_parts,
)
from verification.results import Results

GAP, ROD_GAP = 0.2, 0.02
FREE = "TIED_NODES_TO_SURFACE_OFFSET"
SHARE = 0.5  #: of the reduced mass over the square of the step: what the springs are stiff
CELLS = 50
# A block that a post bends through its end, and a strip that is turned in its plane.
DEEP, TORQUE = 8.0, 0.2
DEATH, SPIN = 0.02, 20.0


def rod() -> Deck:
    """Two halves of the same mesh, face to face across a gap; the end of the first is driven."""
    deck = Deck("rod with a joint of springs", 1.0 * 4 * ROD / WAVE)
    deck.add("CONTROL_BULK_VISCOSITY", [1e-9, 1e-9])
    first = hexahedra((CELLS, 1, 1), (ROD, 2.0, 2.0))
    second = hexahedra((CELLS, 1, 1), (ROD, 2.0, 2.0), FINE).moved(
        lambda p: (p[0] + ROD + ROD_GAP, p[1], p[2])
    )
    two_parts(deck, first, second, 0.0)
    deck.curve(1, [(0.0, 1.0), (1.0, 1.0)])
    deck.node_set(1, first.where(lambda p: p[0] == 0))
    deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [1, 1, 0, 1, SPEED])
    deck.node_set(2, second.where(lambda p: p[0] == ROD + ROD_GAP))
    tie(deck, FREE, 2, 4, ROD_GAP)
    deck.node_history([max(second.nodes)])
    deck.output(0.1 / WAVE, "nodout", "glstat", "rcforc")
    return deck


def block() -> Deck:
    """A bar of solids clamped at x = 0; the post on its end is pulled along x."""
    deck = Deck("post on a block", 6.0)
    bar = solid_bar()
    deck.elastic(1, RHO, E, 0.0)
    deck.part(1, 1, 1, "block")
    deck.solid_section(1, 1)
    deck.add("CONTROL_HOURGLASS", [4, 0.05])
    deck.nodes(bar.nodes)
    deck.solids(1, bar.elements)
    deck.part(2, 2, 1, "post")
    deck.beam_section(2, 2, 4.0, 4.0)
    deck.nodes({BOTTOM + k: (AT, WIDTH / 2, DEEP + k * POST) for k in (0, 1)})
    deck.nodes({BOTTOM + 9: (AT, WIDTH, DEEP)})
    deck.add("ELEMENT_BEAM", [BOTTOM, 2, BOTTOM, BOTTOM + 1, BOTTOM + 9])
    deck.node_set(1, bar.where(lambda p: p[0] == 0))
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1, 0, 0, 0])
    deck.node_set(2, [BOTTOM])
    tie(deck, "TIED_SHELL_EDGE_TO_SOLID", 2, 4, ARM)
    deck.curve(1, [(0.0, 0.0), (1.0, 1.0), (100.0, 1.0)])
    deck.add("LOAD_NODE_POINT", [BOTTOM + 1, 1, 1, 10 * PULL])
    deck.add("DAMPING_GLOBAL", [0, 8.0])
    deck.node_history(middle(bar, DEEP / 2))
    deck.output(0.02, "nodout", "rcforc")
    return deck


def solid_bar() -> Mesh:
    """As long and wide as the strip of `ties`, DEEP thick."""
    return hexahedra((20, 4, 8), (LENGTH, WIDTH, DEEP))


def middle(mesh: Mesh, z: float) -> list[int]:
    """The node half way along, on the axis."""
    return mesh.where(lambda p: p[0] == LENGTH / 2 and p[1] == WIDTH / 2 and p[2] == z)


def twisted(keyword: str) -> Deck:
    """A strip of shells clamped at x = 0; the post on it is twisted about its own axis."""
    deck = Deck(keyword, 6.0)
    strip = quadrilaterals(32, 8, LENGTH, WIDTH)
    deck.elastic(1, RHO, E, 0.0)
    deck.part(1, 1, 1, "strip")
    deck.shell_section(1, 2, THICK)
    deck.add("CONTROL_HOURGLASS", [4, 0.02])
    deck.nodes(strip.nodes)
    deck.shells(1, strip.elements)
    deck.part(2, 2, 1, "post")
    deck.beam_section(2, 2, 4.0, 4.0)
    x = AT - LENGTH / 64  # not at a node
    deck.nodes({BOTTOM + k: (x, WIDTH / 2 + 0.4, ARM + k * POST) for k in (0, 1)})
    deck.nodes({BOTTOM + 9: (x, WIDTH, ARM)})
    deck.add("ELEMENT_BEAM", [BOTTOM, 2, BOTTOM, BOTTOM + 1, BOTTOM + 9])
    deck.node_set(1, strip.where(lambda p: p[0] == 0))
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1, 1, 1, 1])
    deck.node_set(2, [BOTTOM])
    tie(deck, keyword, 2, 4, ARM)
    deck.curve(1, [(0.0, 0.0), (1.0, 1.0), (100.0, 1.0)])
    deck.add("LOAD_NODE_POINT", [BOTTOM + 1, 7, 1, TORQUE])
    deck.add("DAMPING_GLOBAL", [0, 8.0])
    deck.node_history(middle(strip, 0.0))
    deck.output(0.02, "nodout", "rcforc")
    return deck


TORSION = ("SPOTWELD_WITH_TORSION", "SPOTWELD_WITH_TORSION_PENALTY")
POSTED = "TIED_SHELL_EDGE_TO_SURFACE_OFFSET"


def decks() -> dict[str, Deck]:
    """A rod, free bars, posts on shells and solids, posts that are twisted."""
    runs = {"rod": rod(), "thrown": thrown(GAP, FREE), "released": thrown(0.0, death=DEATH, spin=SPIN)}
    return runs | {POSTED: post(POSTED), "block": block()} | {k: twisted(k) for k in TORSION}


def measure_rod(r: Results) -> list[Figure]:
    """A joint of stiffness k between rods of impedance Z passes v (1 - exp(-2 k t / Z)).

    Each of the four nodes is tied to one of the other face, both of mass m: k = SHARE m / (1 + c^2) dt^2,
    with c = 1 but for the gap, across which a side force also pulls and pushes at all four corners.
    """
    t, v = r.time("nodout"), r.node(FINE + 4 * (CELLS + 1) - 1, "x_velocity") / (2 * SPEED)
    dt = float(r.energy("time_step").max())
    area, cell = 4.0, ROD / CELLS
    mass, impedance = RHO * area * cell / 2, RHO * WAVE * area
    reach = 1 + 3 * ROD_GAP / 2
    lag = impedance * (1 + reach**2) * dt**2 / (2 * SHARE * mass)
    window = t < 3.9 * ROD / WAVE
    late = float(np.trapezoid(1 - v[window], t[window])) - 2 * ROD / WAVE
    ratio = float(np.abs(r.energy("energy_ratio")[5:] - 1).max())
    return [
        Figure("rod", "delay of the joint, ms", lag, late, 0.03),
        Figure("rod", "total energy / work done, largest change", 0.0, ratio, 0.01, 1.0),
    ]


def measure_bars(results: dict[str, Results]) -> list[Figure]:
    """Momentum and energy are kept, by ties that hold and by those that let go."""
    figures = []
    for name in ("thrown", "released"):
        r = results[name]
        for axis in "xyz":
            v = r.energy(f"global_{axis}_velocity")
            worst = float(v[np.argmax(np.abs(v - v[0]))])
            figures.append(Figure(name, f"momentum along {axis} / mass, mm/ms", float(v[0]), worst, 1e-5))
        energy = r.energy("total_energy")
        worst = float(energy[np.argmax(np.abs(energy - energy[0]))])
        figures.append(Figure(name, "energy, kN mm", float(energy[0]), worst, 0.005))
    return figures


def measure(results: dict[str, Results]) -> list[Figure]:
    """All figures."""
    figures = measure_rod(results["rod"]) + measure_bars(results)
    strip = quadrilaterals(8, 2, LENGTH, WIDTH)
    w = float(results[POSTED].node(middle(strip, 0.0)[0], "z_displacement")[-1])
    bent = -PULL * (POST + ARM) * 20.0**2 / (2 * E * WIDTH * THICK**3 / 12)
    figures.append(Figure(POSTED, "deflection of the strip, mm", bent, w, 0.02))
    force = float(results[POSTED].contact("x_force")[-1])
    figures.append(Figure(POSTED, "force of the tie, kN", -PULL, force, 0.005))
    w = float(results["block"].node(middle(solid_bar(), DEEP / 2)[0], "z_displacement")[-1])
    bent = -10 * PULL * (POST + DEEP / 2) * 20.0**2 / (2 * E * WIDTH * DEEP**3 / 12)
    figures.append(Figure("TIED_SHELL_EDGE_TO_SOLID", "deflection of the block, mm", bent, w, 0.03))
    for name in TORSION:
        v = float(
            results[name].node(middle(quadrilaterals(32, 8, LENGTH, WIDTH), 0.0)[0], "y_displacement")[-1]
        )
        bent = TORQUE * 20.0**2 / (2 * E * THICK * WIDTH**3 / 12)
        figures.append(Figure(name, "deflection of the strip in its plane, mm", bent, v, 0.03))
    return figures


PROBLEM = Problem(
    "tie springs",
    "Ties by penalty: the delay of a joint, free bars, moments on shells and solids",
    "closed form: v (1 - exp(-2 k t / Z)), momentum and energy are kept, w = M x^2 / 2EI",
    decks,
    measure,
)
