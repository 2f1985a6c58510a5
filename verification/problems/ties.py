"""Tied contacts carry waves, moments and momentum as if the parts were one."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, RHO = 210.0, 7.8e-6
WAVE = float(np.sqrt(E / RHO))
# Two half rods, the second finer, each ROD long; kg, mm, ms, kN.
ROD, SPEED, GAP = 50.0, 0.001, 0.2
FINE = 1001
ROD_TIES = {
    "TIED_NODES_TO_SURFACE": 0.0,
    "TIED_SURFACE_TO_SURFACE": 0.0,
    "TIED_NODES_TO_SURFACE_CONSTRAINED_OFFSET": GAP,
}
# A strip with a post on it that is pulled sideways at its top.
LENGTH, WIDTH, THICK, AT, POST, ARM, PULL = 40.0, 10.0, 2.0, 36.25, 8.0, 1.5, 0.02
POST_TIES = (
    "TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET",
    "TIED_SHELL_EDGE_TO_SURFACE_CONSTRAINED_OFFSET",
    "SPOTWELD",
)
BOTTOM = 5001


def halves(gap: float) -> tuple[Mesh, Mesh]:
    """A coarse rod along x, and a finer one behind it."""
    fine = hexahedra((100, 3, 3), (ROD, 2.0, 2.0), FINE)
    return hexahedra((50, 1, 1), (ROD, 2.0, 2.0)), fine.moved(lambda p: (p[0] + ROD + gap, p[1], p[2]))


def two_parts(deck: Deck, coarse: Mesh, fine: Mesh, poisson: float) -> None:
    """Bricks of parts 1 and 2."""
    deck.elastic(1, RHO, E, poisson)
    deck.solid_section(1, 1)
    for part, mesh in enumerate((coarse, fine), 1):
        deck.part(part, 1, 1, f"half {part}")
        deck.nodes(mesh.nodes)
        deck.solids(part, mesh.elements)


def tie(deck: Deck, keyword: str, a: int, a_type: int, thickness: float, death: float = 1e20) -> None:
    """A tied contact of surface `a` with part 1, for distances up to 1.2 `thickness`."""
    times = [0.0] * 7 + [death]
    deck.add(f"CONTACT_{keyword}", [a, 1, a_type, 3], times, [1.0, 1.0, -thickness, -thickness])


def rod(keyword: str, gap: float) -> Deck:
    """The coarse end is driven; the fine half is tied to the other one."""
    deck = Deck(keyword, 1.6 * 2 * ROD / WAVE)
    deck.add("CONTROL_BULK_VISCOSITY", [1e-9, 1e-9])
    coarse, fine = halves(gap)
    two_parts(deck, coarse, fine, 0.0)
    deck.curve(1, [(0.0, 1.0), (1.0, 1.0)])
    deck.node_set(1, coarse.where(lambda p: p[0] == 0))
    deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [1, 1, 0, 1, SPEED])
    deck.node_set(2, fine.where(lambda p: p[0] == ROD + gap))
    surface = keyword.startswith("TIED_SURFACE")
    tie(deck, keyword, 2, 3 if surface else 4, GAP)
    deck.node_history([1 + 25, max(fine.nodes)])
    deck.output(0.1 / WAVE, "nodout", "glstat", "rcforc")
    return deck


def thrown(gap: float, keyword: str = "", death: float = 1e20, spin: float = 0.0) -> Deck:
    """A short tied bar flies free with velocities that change along it: it turns, stretches and rings."""
    deck = Deck("thrown bar", 0.05)
    coarse = hexahedra((3, 1, 1), (6.0, 2.0, 2.0))
    fine = hexahedra((6, 3, 2), (6.0, 2.0, 2.0), FINE).moved(lambda p: (p[0] + 6.0 + gap, p[1], p[2]))
    two_parts(deck, coarse, fine, 0.3)
    for n, (x, y, z) in (coarse.nodes | fine.nodes).items():
        around = spin * (1.0 - z), spin * (y - 1.0)
        deck.add(
            "INITIAL_VELOCITY_NODE", [n, 3.0 + 0.2 * x, 20.0 - x + around[0], -12.0 + 0.1 * x + around[1]]
        )
    deck.node_set(2, fine.where(lambda p: p[0] == 6.0 + gap))
    rigid = "TIED_NODES_TO_SURFACE" + ("_CONSTRAINED_OFFSET" if gap else "")
    tie(deck, keyword or rigid, 2, 4, GAP, death)
    deck.output(0.0005, "glstat")
    return deck


def post(keyword: str) -> Deck:
    """A strip of shells clamped at x = 0, and on it a beam whose lower end is tied, ARM above it.

    Shells of one point would bend in their hourglass mode too, as the moment acts at one point.
    """
    deck = Deck(keyword, 3.0)
    strip = quadrilaterals(8, 2, LENGTH, WIDTH)
    deck.elastic(1, RHO, E, 0.0)
    deck.part(1, 1, 1, "strip")
    deck.shell_section(1, 16, THICK)
    deck.nodes(strip.nodes)
    deck.shells(1, strip.elements)
    deck.part(2, 2, 1, "post")
    deck.beam_section(2, 2, 4.0, 4.0)
    heights = (ARM, ARM + POST)
    deck.nodes({BOTTOM + k: (AT, WIDTH / 2, z) for k, z in enumerate(heights)})
    deck.nodes({BOTTOM + 9: (AT, WIDTH, 0.0)})
    deck.add("ELEMENT_BEAM", [BOTTOM, 2, BOTTOM, BOTTOM + 1, BOTTOM + 9])
    deck.node_set(1, strip.where(lambda p: p[0] == 0))
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1, 1, 1, 1])
    deck.node_set(2, [BOTTOM])
    tie(deck, keyword, 2, 4, ARM)
    deck.curve(1, [(0.0, 0.0), (1.0, 1.0), (100.0, 1.0)])
    deck.add("LOAD_NODE_POINT", [BOTTOM + 1, 1, 1, PULL])
    deck.add("DAMPING_GLOBAL", [0, 8.0])
    deck.node_history(strip.where(lambda p: p[0] == 20 and p[1] == WIDTH / 2))
    deck.output(0.01, "nodout", "rcforc")
    return deck


def decks() -> dict[str, Deck]:
    """Rods with a tied joint, free bars, and posts on a strip."""
    rods = {k: rod(k, gap) for k, gap in ROD_TIES.items()}
    return rods | {f"thrown, gap {g:g}": thrown(g) for g in (0.0, GAP)} | {k: post(k) for k in POST_TIES}


def measure_rods(results: dict[str, Results]) -> list[Figure]:
    """The wave passes the joint at its speed, and doubles at the free end."""
    figures = []
    for name, gap in ROD_TIES.items():
        r = results[name]
        t = r.time("nodout")
        v = r.node(max(halves(gap)[1].nodes), "x_velocity")
        k = int(np.argmax(v >= SPEED))
        time = float(np.interp(SPEED, v[k - 1 : k + 1], t[k - 1 : k + 1]))
        figures.append(Figure(name, "wave speed, mm/ms", WAVE, 2 * ROD / time, 0.01))
        mean = float(v[t > 1.15 * 2 * ROD / WAVE].mean())
        figures.append(Figure(name, "velocity of the free end, mm/ms", 2 * SPEED, mean, 0.01))
        ratio = float(r.energy("energy_ratio")[-1])
        figures.append(Figure(name, "total energy / work done", 1.0, ratio, 0.005))
    return figures


def measure_bars(results: dict[str, Results]) -> list[Figure]:
    """Mean velocity stays what it was; so does the energy."""
    figures = []
    for gap in (0.0, GAP):
        r = results[f"thrown, gap {gap:g}"]
        for axis in "xyz":
            v = r.energy(f"global_{axis}_velocity")
            worst = float(v[np.argmax(np.abs(v - v[0]))])
            figures.append(
                Figure(
                    f"thrown, gap {gap:g}", f"momentum along {axis} / mass, mm/ms", float(v[0]), worst, 1e-5
                )
            )
        energy = r.energy("total_energy")
        figures.append(Figure(f"thrown, gap {gap:g}", "energy, kN mm", energy[0], float(energy[-1]), 0.005))
    return figures


def measure_posts(results: dict[str, Results]) -> list[Figure]:
    """The strip bends under the moment of the pull about its middle plane: w = M x^2 / 2EI."""
    figures = []
    bending = E * WIDTH * THICK**3 / 12
    strip = quadrilaterals(8, 2, LENGTH, WIDTH)
    for name in POST_TIES:
        r = results[name]
        node = strip.where(lambda p: p[0] == 20 and p[1] == WIDTH / 2)[0]
        w = float(r.node(node, "z_displacement")[-1])
        expected = -PULL * (POST + ARM) * 20.0**2 / (2 * bending)
        figures.append(Figure(name, "deflection of the strip, mm", expected, w, 0.02))
        figures.append(Figure(name, "force of the tie, kN", -PULL, float(r.contact("x_force")[-1]), 0.005))
    return figures


def measure(results: dict[str, Results]) -> list[Figure]:
    """All figures."""
    return measure_rods(results) + measure_bars(results) + measure_posts(results)


PROBLEM = Problem(
    "ties",
    "Tied contacts: waves through a joint, a free bar, the moment of an offset",
    "closed form: c = sqrt(E / rho), momentum and energy are kept, w = M x^2 / 2EI",
    decks,
    measure,
)
