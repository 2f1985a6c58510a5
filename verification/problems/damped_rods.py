"""Damping of parts: rods whose first mode dies away, and blocks that are slowed as a whole."""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, RHO, LENGTH, CELLS, SIZE = 210.0, 7.8e-6, 20.0, 20, 1.0
WAVE = float(np.sqrt(E / RHO))
OMEGA = float(np.pi * WAVE / (2 * LENGTH))  # of a rod held at one end
ZETA = 0.05  #: of the first mode, where Rayleigh's factor is given
HIGH = 0.3  #: COEF > 0: fraction at an element's highest frequency
SPEED = 1e-3
END = 2.2 * 2 * np.pi / OMEGA
RODS = {"solid 1": 1, "solid 2": 101, "solid -1": 201, "shell 2": 301, "shell 16": 401, "shell 4": 501,
        "beam 1": 601, "beam 2": 701, "beam 3": 801}  # fmt: skip
POSITIVE = {"shell 2, COEF > 0": 1001, "beam 3, COEF > 0": 1101}
BLOCK, SLOWED = 2001, 0.4  #: rate of the block in units of OMEGA


def kind(name: str) -> tuple[str, int]:
    """Kind and form."""
    words = name.split(",")[0].split()
    return words[0], int(words[1])


def length(x: float) -> float:
    """The mode of a rod held at x = 0."""
    return float(np.sin(np.pi * x / (2 * LENGTH)))


def add_rod(deck: Deck, name: str, part: int, first: int) -> None:
    """One row of elements without Poisson's effect that starts with its mode's velocity."""
    form = kind(name)
    deck.part(part, part, 1, name)
    if form[0] == "beam":
        deck.beam_section(part, form[1], SIZE, SIZE)
        nodes = {first + i: (SIZE * i, 0.0, 0.0) for i in range(CELLS + 1)}
        deck.nodes({first + CELLS + 1: (0.0, 1.0, 0.0)})
        deck.add(
            "ELEMENT_BEAM",
            *([first + i, part, first + i, first + i + 1, first + CELLS + 1] for i in range(CELLS)),
        )
    elif form[0] == "shell":
        mesh = quadrilaterals(CELLS, 1, LENGTH, SIZE, first)
        nodes = mesh.nodes
        deck.shell_section(part, form[1], SIZE)
        cut = [[a, b, c] for a, b, c, _ in mesh.elements.values()]
        cut += [[a, c, d] for a, _, c, d in mesh.elements.values()]
        deck.shells(part, dict(enumerate(cut, first)) if form[1] == 4 else mesh.elements)
    else:
        mesh = hexahedra((CELLS, 1, 1), (LENGTH, SIZE, SIZE), first)
        nodes = mesh.nodes
        deck.solid_section(part, form[1])
        deck.solids(part, mesh.elements)
    deck.nodes(nodes)
    for n, x in nodes.items():
        deck.add("BOUNDARY_SPC_NODE", [n, 0, int(x[0] == 0), 1, 1, 1, 1, 1])
        deck.add("INITIAL_VELOCITY_NODE", [n, SPEED * length(x[0]), 0.0, 0.0])


def decks() -> dict[str, Deck]:
    """All rods, and a free block of shells of two parts."""
    deck = Deck("damped rods", float(END))
    deck.elastic(1, RHO, E, 0.0)
    deck.add("CONTROL_BULK_VISCOSITY", [1e-9, 1e-9])
    rods = RODS | POSITIVE
    for part, (name, first) in enumerate(rods.items(), 1):
        add_rod(deck, name, part, first)
    deck.add("SET_PART_LIST", [1], list(range(1, 9)), list(range(9, len(RODS) + 1)))
    deck.add("DAMPING_PART_STIFFNESS_SET", [1, -2 * ZETA / OMEGA])
    deck.add("DAMPING_PART_STIFFNESS", *([len(RODS) + 1 + k, HIGH] for k in range(len(POSITIVE))))
    # Two parts in one row of three shells, damped along x, and half as much along y.
    block = quadrilaterals(3, 1, 3 * SIZE, SIZE, BLOCK)
    deck.nodes(block.nodes)
    part = len(rods) + 1
    deck.shell_section(part, 2, SIZE)
    deck.part(part, part, 1, "damped")
    deck.part(part + 1, part, 1, "damped, too")
    deck.shells(part, {BLOCK: block.elements[BLOCK]})
    deck.shells(part + 1, {e: block.elements[e] for e in (BLOCK + 1, BLOCK + 2)})
    deck.curve(1, [(0.0, OMEGA), (10 * END, OMEGA)])
    deck.curve(2, [(0.0, OMEGA), (END, 2 * OMEGA), (10 * END, 2 * OMEGA)])
    deck.add("SET_PART_LIST", [2], [part, part + 1])
    deck.add("DAMPING_PART_MASS_SET", [2, 1, SLOWED, 1], [1.0, 0.5, 0.0])
    deck.add("INITIAL_VELOCITY_NODE", *([n, SPEED, SPEED, SPEED] for n in block.nodes))
    # A single shell under a rate that grows.
    single = quadrilaterals(1, 1, SIZE, SIZE, BLOCK + 100)
    deck.nodes(single.nodes)
    deck.part(part + 2, part, 1, "damped more and more")
    deck.shells(part + 2, single.elements)
    deck.add("DAMPING_PART_MASS", [part + 2, 2, 0.1])
    deck.add("INITIAL_VELOCITY_NODE", *([n, SPEED, 0.0, 0.0] for n in single.nodes))
    ends = [first + CELLS for first in rods.values()]
    deck.node_history([*ends, BLOCK, BLOCK + 3, BLOCK + 100])
    deck.output(float(END / 200), "nodout", "glstat", "matsum")
    return {"all": deck}


def free(t: np.ndarray, zeta: float) -> np.ndarray:
    """Displacement of the free end."""
    w = OMEGA * np.sqrt(1 - zeta**2)
    return SPEED / w * np.exp(-zeta * OMEGA * t) * np.sin(w * t)


def measure(results: dict[str, Results]) -> list[Figure]:
    """Displacements of the free ends at all times; velocities of the blocks; the balance of energies."""
    r = results["all"]
    t = r.time("nodout")
    figures = []
    fractions = dict.fromkeys(RODS, ZETA)
    # COEF > 0: Rayleigh's factor is COEF times the element's step, SIZE / WAVE
    fractions |= dict.fromkeys(POSITIVE, HIGH * SIZE / WAVE * OMEGA / 2)
    for name, first in (RODS | POSITIVE).items():
        wrong = np.abs(r.node(first + CELLS, "x_displacement") - free(t, fractions[name])).max()
        scale = SPEED / OMEGA
        figures.append(Figure(name, "displacement, largest error", 0.0, float(wrong), 3e-3, scale))
    last = t[-1]
    for axis, share in (("x", 1.0), ("y", 0.5), ("z", 0.0)):
        known = SPEED * np.exp(-SLOWED * share * OMEGA * last)
        v = float(r.node(BLOCK + 3, f"{axis}_velocity")[-1])
        figures.append(Figure("mass damping, constant", f"{axis} velocity, mm/ms", float(known), v, 2e-3))
    known = SPEED * np.exp(-0.1 * OMEGA * (last + last**2 / (2 * END)))
    v = float(r.node(BLOCK + 100, "x_velocity")[-1])
    figures.append(Figure("mass damping, growing", "x velocity, mm/ms", float(known), v, 2e-3))
    ratio = float(np.abs(r.energy("energy_ratio") - 1).max())
    figures.append(Figure("all", "total energy / initial energy, largest error", 0.0, ratio, 2e-3, 1.0))
    return figures


PROBLEM = Problem(
    "damped_rods",
    "Damping of parts: stiffness (rods in their first mode) and mass (free blocks)",
    "closed form: x = v0 / w exp(-z w0 t) sin(w t), z = b w0 / 2; v = v0 exp(-integral of D)",
    decks,
    measure,
)
