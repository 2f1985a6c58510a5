"""Patch test, and rigid rotations without stress, in one implicit step each."""

import numpy as np

from verification.deck import Deck, Point
from verification.formulations import Formulation, patch
from verification.implicit import Form, sections, static
from verification.problem import Figure, Problem
from verification.problems import patch as explicit_patch
from verification.problems.patch import DURATION, NU, RHO, SIZE, THICKNESS, E
from verification.problems.turn import AXIS, rotation
from verification.results import Results

SHELLS = [Formulation("shell", form, k) for k, form in enumerate((2, 16, -16, 4, 6, 10), 1)]
SOLIDS = [Formulation("solid", form, k) for k, form in enumerate((1, 2, -1, -2, 10, 13, 16, 18), 7)]
FORMULATIONS = SHELLS + SOLIDS
#: a bent chain of each form, its part, nodes and elements from FIRST plus 1000 times the form on
BEAMS = (1, 2, 13)
CHAIN = ((0.1, 0.02, 0.03), (0.2, 0.02, 0.03), (0.2, 0.12, 0.06), (0.3, 0.14, 0.12))
WIDTH, FIRST = 0.02, 100000
#: tight, since what remains of stress has no scale but that of the first iteration
SOLUTION = "12,1,,1e-11,1e-22,1e-11,,1e-20"
#: degrees by which all nodes turn, and by which those of a side turn, whom the others follow
ALL, SIDE = {"shell": 60.0, "solid": 100.0}, 10.0


def gradient(formulation: Formulation) -> np.ndarray:
    """Of displacement: what the explicit patch test reaches."""
    return DURATION * explicit_patch.gradient(formulation)


def motion(degrees: float) -> np.ndarray:
    """Displacement per position of a rigid rotation."""
    return rotation(np.radians(degrees)) - np.eye(3)


def prescribe(deck: Deck, node: int, first: int, values: np.ndarray) -> None:
    """Displacements (dofs from 1) or rotations (from 5) of a node; a scale of zero would mean one."""
    held = [0] * 6
    for axis, value in enumerate(values):
        if value:
            deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", [node, first + axis, 2, 1, float(value)])
        else:
            held[axis + (3 if first == 5 else 0)] = 1
    if any(held):
        deck.add("BOUNDARY_SPC_NODE", [node, 0, *held])


def base(title: str) -> Deck:
    """All formulations side by side, each a distorted patch."""
    deck = static(title, solution=SOLUTION)
    deck.elastic(1, RHO, E, NU)
    sections(deck, [Form(f.kind, f.form) for f in FORMULATIONS], THICKNESS)
    for f in FORMULATIONS:
        mesh = patch(f).mesh
        deck.part(f.number, f.number, 1, f.name, hourglass=f.number)
        deck.nodes(mesh.nodes)
        (deck.shells if f.kind == "shell" else deck.solids)(f.number, mesh.elements)
    return deck


def turned(degrees: dict[str, float], side: bool) -> Deck:
    """All nodes, or those of a side, are turned in one step."""
    deck = base("rigid rotations in one step")
    for f in FORMULATIONS:
        r = motion(degrees[f.kind])
        for n, x in patch(f).mesh.nodes.items():
            if side and x[0] != 0:
                continue
            prescribe(deck, n, 1, r @ np.array(x))
            if f.kind == "shell":
                prescribe(deck, n, 5, np.radians(degrees[f.kind]) * AXIS)
    if side:
        for form in BEAMS:
            hinge_chain(deck, form)
    return deck


def chain(form: int) -> dict[int, Point]:
    """Nodes of the beams of a form."""
    return {FIRST + 1000 * form + k: x for k, x in enumerate(CHAIN)}


def hinge_chain(deck: Deck, form: int) -> None:
    """A chain whose first node is turned, and the others follow."""
    nodes = chain(form)
    part = first = min(nodes)
    third = first + len(nodes)
    deck.part(part, part, 1, f"beam {form}")
    deck.beam_section(part, form, WIDTH, WIDTH)
    deck.nodes(nodes | {third: (0.15, 1.0, 1.0)})
    deck.add("ELEMENT_BEAM", *([n, part, n, n + 1, third] for n in nodes if n + 1 in nodes))
    prescribe(deck, first, 1, motion(SIDE) @ np.array(nodes[first]))
    prescribe(deck, first, 5, np.radians(SIDE) * AXIS)
    deck.add("BOUNDARY_SPC_NODE", [third, 0, 1, 1, 1, 1, 1, 1])


def decks() -> dict[str, Deck]:
    """The patch test, and both rotations."""
    stretched = base("patch tests in one step")
    for f in FORMULATIONS:
        p = patch(f)
        for n in p.outer:
            prescribe(stretched, n, 1, gradient(f) @ np.array(p.mesh.nodes[n]))
            if f.kind == "shell":
                prescribe(stretched, n, 5, np.zeros(3))
    side = {"shell": SIDE, "solid": SIDE}
    return {"patch": stretched, "all turned": turned(ALL, False), "side turned": turned(side, True)}


def error(r: Results, nodes: dict[int, Point], gradient: np.ndarray) -> float:
    """Largest distance of a coordinate from where `gradient` takes it."""
    return float(max(np.abs(r.displacement(n) - gradient @ np.array(x)).max() for n, x in nodes.items()))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Of each formulation under each deck."""
    figures = [
        f
        for form in FORMULATIONS
        for f in [*patch_figures(results["patch"], form), *turn_figures(results, form)]
    ]
    for form in BEAMS:
        moved = error(results["side turned"], chain(form), motion(SIDE))
        name = f"first node turned by {SIDE:g} degrees, displacement, largest error"
        figures.append(Figure(f"beam {form}", name, 0.0, moved, 1e-8, 1.0))
    return figures


def patch_figures(r: Results, form: Formulation) -> list[Figure]:
    """Stress of every element, displacement of every node."""
    mesh = patch(form).mesh
    exact = explicit_patch.exact_stress(form, DURATION)
    wrong = float(max(np.abs(r.stress(form.kind, e) - exact).max() for e in mesh.elements))
    moved = error(r, mesh.nodes, gradient(form))
    return [
        Figure(form.name, "patch, stress, largest error", 0.0, wrong, 1e-5, float(np.abs(exact).max())),
        Figure(form.name, "patch, displacement, largest error", 0.0, moved, 1e-5, SIZE),
    ]


def turn_figures(results: dict[str, Results], form: Formulation) -> list[Figure]:
    """Stress that a rotation leaves; where the other nodes go if a side turns."""
    mesh = patch(form).mesh
    figures = []
    for name, degrees in (("all turned", ALL[form.kind]), ("side turned", SIDE)):
        r, case = results[name], f"{name} by {degrees:g} degrees"
        stress = float(max(np.abs(r.stress(form.kind, e)).max() for e in mesh.elements)) / E
        moved = error(r, mesh.nodes, motion(degrees))
        figures += [
            Figure(form.name, f"{case}, stress over modulus", 0.0, stress, 1e-9, 1.0),
            Figure(form.name, f"{case}, displacement, largest error", 0.0, moved, 1e-8, 1.0),
        ]
    return figures


PROBLEM = Problem(
    "implicit one step",
    "A distorted patch in one implicit step: uniform strain, and rotations without stress",
    "closed form: Hooke's law, and no stress; meshes after MacNeal and Harder (1985)",
    decks,
    measure,
    ranks=(1,),
)
