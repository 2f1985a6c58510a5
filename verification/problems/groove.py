"""A wide sheet with a groove in two meshes, with and without failure strains that depend on the size.

The sheet does not narrow (plane strain), and flows in the groove at 2 / sqrt(3) of the flow stress. From the
critical strain on it does not harden, so that one row of elements of height h goes on and all else unloads.
Plastic strain in this row is p = 2 / sqrt(3) ln(l / h) but for the elastic part. If it fails at the same p in
every mesh, its elongation from the critical strain to failure is proportional to h. Failure strains p(h) that
belong to the same elongation make the elongations agree. The forces at the same elongation still differ, as
softening goes with p and the section with 1 / l: by what the closed forms of both meshes differ, the bound.
"""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO = 210.0, 0.3, 7.8e-6
YIELD, FLOW, CRITICAL = (
    0.30,
    0.33,
    0.03,
)  #: stress at no and at the critical plastic strain, after which it stays
LENGTH, WIDTH, GROOVE = 12.0, 4.0, (4.0, 6.0)
THICKNESS, THIN, WEAK = 1.0, 0.90, 0.995  #: WEAK: of the row of a groove with two in which it fails
BEYOND = 0.20  #: elongation of the row from the critical strain to failure, mm
SPEED, RAMP = 0.05, 1.0  #: mm/ms, ms
HEIGHTS = {"coarse": 2.0, "fine": 1.0}
RATIO = 2 / np.sqrt(3)  #: plastic strain over the strain along the tension; also stress over flow stress


ELASTIC = RATIO * FLOW * (1 - NU / 2) / E  #: strain along the undamaged stress


def row_length(plastic: float, height: float) -> float:
    """Of a row that flows."""
    return float(height * np.exp(plastic / RATIO + ELASTIC))


def failure_strain(height: float) -> float:
    """The plastic strain at which a row is longer by BEYOND than at the critical strain."""
    return float(RATIO * np.log(np.exp(CRITICAL / RATIO) + BEYOND * np.exp(-ELASTIC) / height))


ALIKE = failure_strain(HEIGHTS["coarse"])  #: of both meshes, where it does not depend on the size
NAMES = [(mesh, regular) for mesh in HEIGHTS for regular in (True, False)]


def fails_at(mesh: str, regular: bool) -> float:
    """Plastic strain at failure."""
    return failure_strain(HEIGHTS[mesh]) if regular else ALIKE


def force(mesh: str, regular: bool, beyond: np.ndarray) -> np.ndarray:
    """On a unit of width, over that at the critical strain, at elongations of the row beyond it."""
    h, end = HEIGHTS[mesh], fails_at(mesh, regular)
    first = row_length(CRITICAL, h)
    plastic = CRITICAL + RATIO * np.log1p(beyond / first)
    left = np.clip(1 - (plastic - CRITICAL) / (end - CRITICAL), 0, 1)
    return left / (1 + beyond / first)


def sheet(mesh: str, regular: bool) -> Deck:
    """Rows of shells over the width; those of the groove are thinner."""
    h = HEIGHTS[mesh]
    end = 0.38 / SPEED + RAMP
    deck = Deck("groove", end)
    deck.add("CONTROL_SHELL", [20.0, 2, -1, 1])
    deck.curve(11, [(0.0, YIELD), (CRITICAL, FLOW), (5.0, FLOW)])
    deck.curve(12, [(-1.0, ALIKE), (1.0, ALIKE)])
    deck.curve(13, [(x, failure_strain(x) / ALIKE) for x in (1.0, 2.0)])
    deck.add("MAT_PIECEWISE_LINEAR_PLASTICITY", [1, RHO, E, NU], [0.0, 0.0, 11], [0.0] * 8, [0.0] * 8)
    size_factors = 13 if regular else 0
    deck.add("MAT_ADD_DAMAGE_GISSMO", [1, 0, 1.0, 0.0, 1.0], [12, CRITICAL, 1.0, 0.0, 1.0, size_factors])
    grid = quadrilaterals(round(LENGTH / h), round(WIDTH / h), LENGTH, WIDTH, 1)
    deck.nodes(grid.nodes)
    for number, (thickness, low, high) in enumerate(PIECES, 1):
        within = {
            e: n for e, n in grid.elements.items() if low < np.mean([grid.nodes[k][0] for k in n]) < high
        }
        if not within:
            continue
        deck.part(number, number, 1, f"thickness {thickness}")
        deck.shell_section(number, 2, thickness)
        deck.shells(number, within)
    pull(deck, grid, end)
    deck.node_history(row_ends(mesh, grid))
    deck.output(end / 2000, "glstat", "bndout", "nodout")
    return deck


#: thickness and ends of the parts; the middle of a coarse groove lies in none but the second
PIECES = [
    (THICKNESS, 0.0, GROOVE[0]),
    (THIN, GROOVE[0], 5.0 + 1e-6),
    (WEAK * THIN, 5.0 + 1e-6, GROOVE[1]),
    (THICKNESS, GROOVE[1], LENGTH),
]


def row_ends(mesh: str, grid: Mesh) -> list[int]:
    """A node at each end of the row that fails."""
    return [
        grid.where(lambda p, x=x: p[0] == x and p[1] == 0)[0] for x in (GROOVE[1] - HEIGHTS[mesh], GROOVE[1])
    ]


def pull(deck: Deck, grid: Mesh, end: float) -> None:
    """One end is held, the other one moves; nothing moves across."""
    for n, x in grid.nodes.items():
        deck.add("BOUNDARY_SPC_NODE", [n, 0, int(x[0] == 0), 1, 1, 1, 1, 1])
    t = np.linspace(0, 1.1 * end, 400)
    start = 0.5 * (t - np.sin(np.pi * t / RAMP) * RAMP / np.pi)
    moved = SPEED * np.where(t < RAMP, start, t - RAMP / 2)
    deck.curve(1, [(float(a), float(b)) for a, b in zip(t, moved, strict=True)])
    driven = grid.where(lambda p: p[0] == LENGTH)
    deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", *([n, 1, 2, 1, 1.0] for n in driven))


def name_of(mesh: str, regular: bool) -> str:
    """Of a deck, and a case."""
    return f"{mesh}, {'by size' if regular else 'one strain'}"


def decks() -> dict[str, Deck]:
    """Both meshes with failure strains by size, and with one."""
    return {name_of(*n).replace(", ", "_").replace(" ", "_"): sheet(*n) for n in NAMES}


def curve(mesh: str, regular: bool, r: Results, at: np.ndarray) -> tuple[np.ndarray, float]:
    """Force over that at the critical strain at elongations `at` of the row, and the last with a force."""
    h = HEIGHTS[mesh]
    grid = quadrilaterals(round(LENGTH / h), round(WIDTH / h), LENGTH, WIDTH, 1)
    low, high = row_ends(mesh, grid)
    length = h + r.node(high, "x_displacement") - r.node(low, "x_displacement")
    beyond = length - row_length(CRITICAL, h)
    thickness = THIN * (WEAK if mesh == "fine" else 1.0)
    critical = WIDTH * thickness * RATIO * FLOW * h / row_length(CRITICAL, h)
    forces = np.interp(r.time("nodout"), r.time("glstat"), np.abs(r.moved("x_total"))) / critical
    last = int(np.flatnonzero(forces > 2e-3)[-1])
    return np.interp(at, beyond[: last + 1], forces[: last + 1], right=0.0), float(beyond[last])


def measure(results: dict[str, Results]) -> list[Figure]:
    """Elongations at failure, and how far the curves of two meshes are apart."""
    at = np.linspace(0.0, BEYOND, 400)
    of = {n: curve(*n, results[name_of(*n).replace(", ", "_").replace(" ", "_")], at) for n in NAMES}
    figures = []
    for mesh, regular in NAMES:
        forces, last = of[mesh, regular]
        end = row_length(fails_at(mesh, regular), HEIGHTS[mesh]) - row_length(CRITICAL, HEIGHTS[mesh])
        miss = float(np.abs(forces - force(mesh, regular, at)).max())
        case = name_of(mesh, regular)
        figures += [
            Figure(case, "elongation of the row to failure, mm", end, last, 0.01),
            Figure(case, "largest miss of the force, of the largest", 0.0, miss, 0.02, 1.0),
        ]
    for regular, case in ((True, "both meshes, by size"), (False, "both meshes, one strain")):
        bound = float(np.abs(force("coarse", regular, at) - force("fine", regular, at)).max())
        apart = float(np.abs(of["coarse", regular][0] - of["fine", regular][0]).max())
        figures.append(Figure(case, "largest difference of the forces", bound, apart, 0.02, 1.0))
    return figures


PROBLEM = Problem(
    "groove",
    "A grooved sheet in two meshes, with and without failure strains by size",
    "closed form of a row in plane strain",
    decks,
    measure,
    ranks=(1,),
)
