"""Eroding contact: a bar meets each layer of a block as the one above is gone, and shoots through a block."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms, kN
LAYERS, HEIGHT, CELL = 4, 2.0, 2.0
SPEED, GAP, PRESSED = 1.0, 0.5, 0.25  # each layer is gone once it is pressed by this share of its height
STEP = 0.01
BAR = 9001
KINDS = ("ERODING_SINGLE_SURFACE", "ERODING_SURFACE_TO_SURFACE", "ERODING_NODES_TO_SURFACE")
# The shot: steel against a block that fails at a plastic strain.
E, RHO, FAST = 210.0, 7.8e-6, 600.0


def meets(layer: int) -> float:
    """When the bar reaches a layer, counted from the top."""
    return (GAP + layer * HEIGHT) / SPEED


def contact(deck: Deck, kind: str, parts: int, erosop: int = 1) -> None:
    """Between the bar, part 9, and `parts` others. Nodes-to-surface: those of the bar."""
    deck.add("SET_PART_LIST", [9], list(range(1, parts + 1)))
    automatic = kind.replace("ERODING", "AUTOMATIC")
    sides = [0, 0, 5] if "SINGLE" in kind else [9, 9, 3, 2]
    cards = [sides, [0.0], [1.0, 1.0]]
    deck.add(f"CONTACT_{kind if erosop else automatic}", *cards, *([[0, erosop, 0]] if erosop else []))


def bar(bottom: float) -> Mesh:
    """A cube above the middle of the block, not over its nodes."""
    return hexahedra((1, 1, 1), (2.5, 2.5, 2.5), BAR).moved(lambda p: (p[0] + 1.7, p[1] + 1.8, p[2] + bottom))


def layered(kind: str) -> Deck:
    """Soft elastic layers on a held base, which vanish one by one; the bar moves down all the time.

    A third of the usual step: what is left of a pressed block springs back at once, in modes that the usual
    step hardly resolves, and the balance then errs by 3.6 % of the work done so far (0.5 % at TSSFAC 0.45).
    """
    deck = Deck(kind, meets(LAYERS - 1) + PRESSED * HEIGHT / SPEED, step_scale=0.3)
    block = hexahedra((3, 3, LAYERS), (3 * CELL, 3 * CELL, LAYERS * HEIGHT))
    deck.solid_section(1, 1)
    deck.nodes(block.nodes)
    numbers = sorted(block.elements)
    for layer in range(LAYERS):
        part = layer + 1
        deck.add("MAT_ELASTIC", [part, RHO, 0.2, 0.0])
        gone = meets(layer) + PRESSED * HEIGHT / SPEED
        deck.add("MAT_ADD_EROSION", [part], [0.0] * 7 + [gone])
        deck.part(part, 1, part, f"layer {part}")
        from_top = LAYERS - 1 - layer
        chosen = [e for e in numbers if height_of(block, e) == from_top]
        deck.solids(part, {e: block.elements[e] for e in chosen})
    deck.node_set(1, block.where(lambda p: p[2] == 0))
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1])
    put_bar(deck, LAYERS * HEIGHT + GAP)
    deck.curve(1, [(0.0, -1.0), (1000.0, -1.0)])
    deck.add("BOUNDARY_PRESCRIBED_MOTION_RIGID", [9, 3, 0, 1, SPEED])
    contact(deck, kind, LAYERS)
    deck.output(STEP, "glstat", "rcforc", "matsum")
    return deck


def height_of(mesh: Mesh, element: int) -> int:
    """Number of an element's layer from the bottom."""
    return int(min(mesh.nodes[n][2] for n in mesh.elements[element]) / HEIGHT)


def put_bar(deck: Deck, bottom: float) -> None:
    """Part 9, rigid."""
    mesh = bar(bottom)
    deck.add("MAT_RIGID", [9, RHO, E, 0.3], [1.0, 4, 7], [0.0])
    deck.part(9, 1, 9, "bar")
    deck.nodes(mesh.nodes)
    deck.solids(9, mesh.elements)
    deck.node_set(9, mesh.nodes)


def shot(erosop: int, enmass: int) -> Deck:
    """A free block, and the bar that flies through it."""
    deck = Deck("shot", 0.04, step_scale=0.6)
    block = hexahedra((6, 6, 6), (6.0, 6.0, 6.0))
    deck.solid_section(1, 1)
    deck.add("CONTROL_HOURGLASS", [4, 0.1])
    deck.add("CONTROL_CONTACT", [0.1, 0.0, 1, 0, 0, 0, 0, enmass])
    deck.add("MAT_PLASTIC_KINEMATIC", [1, 2.7e-6, 70.0, 0.3, 0.1, 0.1, 1.0], [0.0, 0.0, 0.3])
    deck.part(1, 1, 1, "block")
    deck.nodes(block.nodes)
    deck.solids(1, block.elements)
    put_bar(deck, 6.0 + 0.05)
    deck.add("SET_PART_LIST", [8], [9])
    deck.add("INITIAL_VELOCITY_GENERATION", [8, 1, 0.0, 0.0, 0.0, -FAST], [0.0])
    contact(deck, KINDS[0], 1, erosop)
    deck.output(0.0002, "glstat", "matsum", "rcforc")
    return deck


SHOTS = {"shot": (1, 0), "shot, loose nodes stay": (1, 1), "shot, outer faces only": (0, 0)}


def decks() -> dict[str, Deck]:
    """Layers under each kind of contact; shots."""
    return {kind: layered(kind) for kind in KINDS} | {name: shot(*how) for name, how in SHOTS.items()}


def onsets(r: Results) -> list[float]:
    """Times at which the contact begins to take energy: the first in each layer, which rings."""
    times = r.time("glstat")[1:]
    pushed = times[np.diff(r.energy("sliding_interface_energy")) > 0]
    starts = [meets(k) - 0.5 * HEIGHT / SPEED for k in range(LAYERS)]
    return [float(pushed[pushed > start].min(initial=np.inf)) for start in starts]


def measure(results: dict[str, Results]) -> list[Figure]:
    """When layers are met; what the shot keeps."""
    figures = []
    for kind in KINDS:
        r = results[kind]
        for layer, time in enumerate(onsets(r)):
            figures.append(
                Figure(kind, f"layer {layer + 1} is met, ms", meets(layer), time, 2 * STEP / SPEED)
            )
        ratio = float(np.abs(r.energy("energy_ratio")[80:] - 1).max())
        figures.append(Figure(kind, "total energy / work done, largest change", 0.0, ratio, 0.01, 1.0))
    speeds = {}
    for name in SHOTS:
        r = results[name]
        momentum = r.part(1, "z_momentum") + r.part(9, "z_momentum")
        wrong = float(np.abs(momentum / momentum[0] - 1).max())
        figures.append(Figure(name, "momentum / initial, largest change", 0.0, wrong, 1e-9, 1.0))
        ratio = float(np.abs(r.energy("energy_ratio") - 1).max())
        figures.append(Figure(name, "total energy / initial, largest change", 0.0, ratio, 0.02, 1.0))
        speeds[name] = float(r.part(9, "z_momentum")[-1] / r.part(9, "z_momentum")[0])
    share = speeds["shot"] / speeds["shot, outer faces only"]
    figures.append(Figure("shot", "speed left / with outer faces only", (0.2, 0.7), share, 0.0))
    return figures


PROBLEM = Problem(
    "eroding contact",
    "Eroding contact: a block that vanishes layer by layer, and shots through a block",
    "closed form: t = (gap + layers gone) / speed; momentum and energy are kept",
    decks,
    measure,
)
