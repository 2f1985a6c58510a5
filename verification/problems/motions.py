"""Prescribed displacements, velocities and accelerations are met; pressure acts on projected areas."""

import numpy as np

from verification.deck import Deck
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, THICKNESS = 210.0, 0.3, 7.8e-6, 1.0
DURATION, SIZE, PRESSURE = 0.1, 10.0, 1e-6
STEP = 1e-3  #: longer than a step of the solver
VALUES = [(0.0, 0.0), (0.03, 0.4), (0.06, -0.2), (0.2, 0.3)]
FIRST = {"displacement": 1, "velocity": 101, "acceleration": 201}
CAP = 1001
RADIUS, ANGLE = 50.0, np.pi / 2


def decks() -> dict[str, Deck]:
    """A driven shell for each kind of motion, and a free quarter of a cylinder under pressure."""
    deck = Deck("prescribed motions and pressure", DURATION)
    deck.elastic(1, RHO, E, NU)
    deck.shell_section(1, 2, THICKNESS)
    deck.part(1, 1, 1, "driven shells")
    deck.part(2, 1, 1, "cylinder")
    deck.curve(1, VALUES)
    for kind, first in zip((2, 0, 1), FIRST.values(), strict=True):
        mesh = quadrilaterals(1, 1, SIZE, SIZE, first)
        deck.nodes(mesh.nodes)
        deck.shells(1, mesh.elements)
        number = first + 1
        deck.node_set(number, mesh.nodes)
        deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [number, 3, kind, 1, 1.0])
    cap = quadrilaterals(4, 12, 40.0, 1.0, CAP).moved(
        lambda p: (p[0], RADIUS * float(np.cos(ANGLE * p[1])), RADIUS * float(np.sin(ANGLE * p[1])))
    )
    deck.nodes(cap.nodes)
    deck.shells(2, cap.elements)
    deck.curve(2, [(0.0, 1.0), (1.0, 1.0)])
    deck.add("LOAD_SEGMENT", *([2, PRESSURE, 0.0, *n] for n in cap.elements.values()))
    deck.node_history(FIRST.values())
    deck.output(DURATION / 100, "nodout", "matsum", "glstat")
    return {"all": deck}


def integral(t: np.ndarray) -> np.ndarray:
    """Of the curve from 0."""
    fine = np.union1d(np.linspace(0, t.max(), 20001), t)
    values = np.interp(fine, *zip(*VALUES, strict=True))
    sums = np.concatenate([[0.0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(fine))])
    return np.interp(t, fine, sums)


def measure(results: dict[str, Results]) -> list[Figure]:
    """Each driven quantity beside its curve; momentum of the cylinder beside that of the pressure."""
    r = results["all"]
    t = r.time("nodout")
    curve = np.interp(t, *zip(*VALUES, strict=True))
    moved = r.node(FIRST["displacement"], "z_displacement")
    figures = [
        Figure("displacement", "largest error", 0.0, float(np.abs(moved - curve).max()), 1e-12, 0.4),
    ]
    speed = r.node(FIRST["velocity"], "z_velocity")
    smooth = (t > 0) & (np.abs(t - 0.03) > STEP) & (np.abs(t - 0.06) > STEP)
    wrong = float(np.abs(speed - curve)[smooth].max())
    figures.append(Figure("velocity", "largest error but at corners", 0.0, wrong, 1e-10, 0.4))
    moved = r.node(FIRST["velocity"], "z_displacement")
    wrong = float(np.abs(moved - integral(t)).max())
    figures.append(Figure("velocity", "displacement, largest error", 0.0, wrong, 1e-4, 0.4 * DURATION))
    speed = r.node(FIRST["acceleration"], "z_velocity")
    wrong = float(np.abs(speed - integral(t)).max())
    figures.append(Figure("acceleration", "velocity, largest error", 0.0, wrong, 1e-3, 0.4 * DURATION))
    time = r.time("matsum")[-1]
    # the cylinder's projections along y and z are both 40 * RADIUS; the normals point inwards
    for axis in "yz":
        impulse = PRESSURE * 40.0 * RADIUS * time
        computed = float(r.part(2, f"{axis}_momentum")[-1])
        figures.append(Figure("pressure", f"{axis} momentum, kN ms", impulse, computed, 1e-3))
    figures.append(
        Figure("pressure", "x momentum, kN ms", 0.0, float(r.part(2, "x_momentum")[-1]), 1e-9, abs(impulse))
    )
    return figures


PROBLEM = Problem(
    "motions",
    "Prescribed motion of each kind, and the resultant of a pressure",
    "closed form: the curve and its integral; pressure times projected area",
    decks,
    measure,
)
