"""Newmark's period, the damping of Hilber, Hughes and Taylor, and a body that spins."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

SPRING, MASS, SPEED = 2.0, 0.5, 0.01
OMEGA = float(np.sqrt(SPRING / MASS))
PERIODS = {"8 steps a period": 8, "40 steps a period": 40}
#: alpha, and the step times the circular frequency
DAMPED = {f"alpha {alpha}, {step} / omega": (alpha, step) for alpha in (-0.05, -0.3) for step in (0.3, 3.0)}
TURNS, STEPS_A_TURN = 3, 128


def dynamic(title: str, steps: int, end: float, *fields: float | None) -> Deck:
    """Steps of equal length; `fields` follow IMASS = 1."""
    deck = Deck(title, end)
    deck.add("CONTROL_IMPLICIT_GENERAL", [1, end / steps])
    deck.add("CONTROL_IMPLICIT_SOLUTION", "12,1,,1e-9,1e-18,1e-9,1e6,1e-20", ",,,3,4.")
    deck.add("CONTROL_IMPLICIT_DYNAMICS", [1, *fields])
    deck.output(end / steps, "nodout", "glstat", plot=end)
    return deck


def oscillator(title: str, steps: int, end: float, *fields: float | None) -> Deck:
    """A mass on a spring along x that begins with a velocity."""
    deck = dynamic(title, steps, end, *fields)
    deck.add("SECTION_DISCRETE", [1, 0])
    deck.add("MAT_SPRING_ELASTIC", [1, SPRING])
    deck.part(1, 1, 1, "spring")
    deck.nodes({1: (0.0, 0.0, 0.0), 2: (1.0, 0.0, 0.0)})
    deck.add("ELEMENT_DISCRETE", [1, 1, 1, 2])
    deck.add("ELEMENT_MASS", [91, 2, MASS])
    deck.add("BOUNDARY_SPC_NODE", [1, 0, 1, 1, 1, 0, 0, 0], [2, 0, 0, 1, 1, 0, 0, 0])
    deck.add("INITIAL_VELOCITY_NODE", [2, SPEED])
    deck.node_history([2])
    return deck


def decks() -> dict[str, Deck]:
    """All of them."""
    found = {}
    for name, n in PERIODS.items():
        found[name] = oscillator(name, 5 * n, 5 * n * 2 * np.pi / OMEGA / n)
    for name, (alpha, step) in DAMPED.items():
        count = 120 if step < 1 else 45
        found[name] = oscillator(name, count, count * step / OMEGA, *[None] * 6, alpha)
    return found | {f"shell {form}": spinning_plate(form) for form in (2, 16)}


def phase(r: Results) -> np.ndarray:
    """Of u and v / omega, without jumps."""
    u, v = r.node(2, "x_displacement"), r.node(2, "x_velocity")
    return np.unwrap(np.arctan2(OMEGA * u, v))


def spectral_radius(alpha: float, step: float) -> float:
    """Of the amplification matrix of (u, dt v, dt^2 a) (Hilber, Hughes and Taylor 1977)."""
    gamma, beta = 0.5 - alpha, 0.25 * (1 - alpha) ** 2
    w2 = step**2
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 + alpha) * w2, 0, 1]])
    right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [alpha * w2, 0, 0]])
    return float(np.abs(np.linalg.eigvals(np.linalg.solve(left, right))).max())


def damping(r: Results) -> float:
    """What the amplitude loses in a step, as a share: from the slope of its logarithm."""
    u = r.node(2, "x_displacement")[3:]  # where the third root of the method is gone
    # A^2 rho^(2 n) sin^2(angle), where u_n = A rho^n sin(n angle + phase)
    square = u[1:-1] ** 2 - u[:-2] * u[2:]
    slope = np.polyfit(np.arange(len(square)), np.log(square), 1)[0]
    return float(1 - np.exp(slope / 2))


BASIS = np.array([[0.48, 0.6, 0.64], [-0.8, 0.6, 0.0], [-0.384, -0.512, 0.768]])


def spinning_plate(form: int) -> Deck:
    """2 x 2 soft shells turn over about an axis in their plane, which lies across x, y and z."""
    deck = dynamic("spinning plate", TURNS * STEPS_A_TURN, 2 * np.pi * TURNS)
    deck.elastic(1, 7.85e-6, 0.03, 0.3)
    deck.shell_section(1, form, 0.5, 3)
    deck.part(1, 1, 1, "plate")
    points = {}
    for j in range(3):
        for i in range(3):
            x, y, z = np.array([3.0 * (i - 1), 3.0 * (j - 1), 0.0]) @ BASIS
            points[3 * j + i + 1] = (float(x), float(y), float(z))
    deck.nodes(points)
    deck.shells(1, {k: [a, a + 1, a + 4, a + 3] for k, a in enumerate((1, 2, 4, 5), 1)})
    axis = [float(c) for c in BASIS[0]]
    rows = [[n, *map(float, np.cross(axis, p)), *axis] for n, p in points.items()]
    deck.add("INITIAL_VELOCITY_NODE", *rows)
    deck.node_history(points)
    return deck


def measure(results: dict[str, Results]) -> list[Figure]:
    """Periods and amplitudes by the theory of each method; energies of what should keep them."""
    figures = []
    for name, n in PERIODS.items():
        r = results[name]
        angle = float(np.diff(phase(r)).mean())
        exact = 2 * np.arctan(np.pi / n)
        longer = 2 * np.pi / n / angle
        figures.append(Figure(name, "period over the exact one", 2 * np.pi / n / exact, longer, 1e-6))
        total = r.energy("total_energy")
        figures.append(
            Figure(name, "energy, largest change", 0.0, float(np.abs(total / total[0] - 1).max()), 1e-8, 1.0)
        )
    for name, (alpha, step) in DAMPED.items():
        lost = 1 - spectral_radius(alpha, step)
        figures.append(Figure(name, "amplitude lost in a step", lost, damping(results[name]), 1e-3))
    for form in (2, 16):
        total = results[f"shell {form}"].energy("total_energy")
        drift = float(np.abs(total / total[0] - 1).max())
        figures.append(Figure(f"shell {form}, 3 turns", "energy, largest change", 0.0, drift, 2.5e-3, 1.0))
    return figures


PROBLEM = Problem(
    "implicit time integration",
    "Oscillators by Newmark's and Hilber, Hughes and Taylor's methods; soft plates that turn over",
    "closed forms: Hughes (2000), The Finite Element Method, section 9.1; Hilber, Hughes and Taylor (1977), "
    "Earthq. Eng. Struct. Dyn. 5, 283-292",
    decks,
    measure,
    ranks=(1,),
)
