"""Two rigid boxes of gas, joined by a hole: one of air at a higher pressure, one of helium."""

import numpy as np
from scipy.integrate import solve_ivp

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms: J / (kg K) is (mm / ms)^2 / K
STEP, END = 0.05, 40.0
SIDE, DEEP, HEIGHT = 40.0, 25.0, 60.0
VOLUMES = (SIDE * DEEP * HEIGHT, 2 * SIDE * DEEP * HEIGHT)
MOLAR = 8.314
WEIGHTS = {"air": 0.02897, "helium": 0.0040026}
HEATS = {"air": (28.1, 2e-3), "helium": (20.786, 0.0)}  #: J / (mol K), J / (mol K2)
PRESSURE, OVER, WARM, HOT = 1.01325e-4, 3e-4, 293.0, 500.0
AREA, SHAPE = 60.0, 0.7


def box(deck: Deck, number: int, height: float) -> None:
    """A rigid box that stays where it is, as segments that point outwards."""
    first = 100 * number
    corners = [(0, 0), (SIDE, 0), (SIDE, DEEP), (0, DEEP)]
    points = {
        first + k + 1 + 4 * top: (x + 200.0 * number, float(y), height * top)
        for top in (0, 1)
        for k, (x, y) in enumerate(corners)
    }
    deck.nodes(points)
    around = [[first + n for n in (1 + k, 1 + (k + 1) % 4, 5 + (k + 1) % 4, 5 + k)] for k in range(4)]
    floor = [first + n for n in (1, 2, 3, 4)]
    deck.add("SET_SEGMENT", [number], floor[::-1], [first + n for n in (5, 6, 7, 8)], *around)
    deck.add("MAT_RIGID", [number, 1e-6, 1.0, 0.3], [1.0, 7, 7], [0.0])
    deck.shells(number, {number: floor})
    deck.shell_section(number, 2, 1.0)
    deck.part(number, number, number, f"box {number}")
    deck.add("CONSTRAINED_EXTRA_NODES_NODE", *([number, first + n] for n in (5, 6, 7, 8)))


def density(gas: str) -> float:
    """At ambient pressure and temperature."""
    return PRESSURE * WEIGHTS[gas] / (MOLAR * WARM)


def chambers() -> Deck:
    """A hot box of air, and helium; both as mixtures."""
    deck = Deck("two chambers", END)
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    box(deck, 1, HEIGHT)
    box(deck, 2, 2 * HEIGHT)
    a, b = HEATS["air"]
    deck.curve(2, [(0.0, 0.0), (1e6, 0.0)])
    deck.add(
        "AIRBAG_WANG_NEFSKE_ID",
        "11,air",
        [1, 0],
        [0.0, 0.0, HOT, 0, 2, 0.0, 0, HOT],
        [0.0, 0, 0.0, 0, 0.0, 0, 0.0, 0],
        [PRESSURE, density("air"), 1.0, 0, OVER, 0.0, 0],
        [WARM, a, b, WEIGHTS["air"], MOLAR],
    )
    deck.add(
        "AIRBAG_HYBRID_ID",
        "12,helium",
        [2, 0],
        [WARM, PRESSURE, density("helium"), MOLAR],
        [0.0, 0, 0.0, 0, 0.0, 0, 0.0, 0],
        [0, 0.0, 2],
        [0, 0, None, WEIGHTS["helium"], 1.0, *HEATS["helium"], 0.0],
        [0.0],
        [0, 0, None, WEIGHTS["air"], 0.0, a, b, 0.0],
        [0.0],
    )
    deck.add("AIRBAG_INTERACTION", [11, 12, AREA, SHAPE])
    spare = hexahedra((4, 1, 1), (80.0, 20.0, 20.0), 1001).moved(lambda p: (p[0], p[1] + 500.0, p[2]))
    deck.elastic(9, 1e-6, 1.0, 0.3)
    deck.solid_section(9, 1)
    deck.part(9, 9, 9, "spare")
    deck.nodes(spare.nodes)
    deck.solids(9, spare.elements)
    deck.output(END / 400, "glstat", "abstat")
    return deck


def gas_at(masses: np.ndarray, energy: float, volume: float) -> tuple[float, float, float, float]:
    """Temperature, pressure, exponent and enthalpy per mass of air and helium."""
    constants = np.array([MOLAR / WEIGHTS[g] for g in ("air", "helium")])
    heat = np.array([HEATS[g][0] / WEIGHTS[g] for g in ("air", "helium")])
    slope = np.array([HEATS[g][1] / WEIGHTS[g] for g in ("air", "helium")])
    r, a, b = masses @ constants, masses @ heat, masses @ slope
    t = 2 * energy / ((a - r) + np.sqrt((a - r) ** 2 + 2 * b * energy))
    return t, r * t / volume, (a + b * t) / (a + b * t - r), (a * t + b * t * t / 2) / masses.sum()


def rates(_: float, state: np.ndarray) -> np.ndarray:
    """Of the masses of air and helium, and the energy, of both boxes."""
    change = np.zeros(6)
    boxes = [gas_at(state[3 * k : 3 * k + 2], state[3 * k + 2], VOLUMES[k]) for k in (0, 1)]
    high = 0 if boxes[0][1] > boxes[1][1] else 1
    t, p, g, h = boxes[high]
    low = boxes[1 - high][1]
    masses = state[3 * high : 3 * high + 2]
    q = max(low / p, (2 / (g + 1)) ** (g / (g - 1)))
    flow = max(q ** (2 / g) - q ** ((g + 1) / g), 0.0)
    constant = p * VOLUMES[high] / (t * masses.sum())
    flux = SHAPE * AREA * p / np.sqrt(constant * t) * np.sqrt(2 * g / (g - 1) * flow)
    taken = np.array([*(flux * masses / masses.sum()), flux * h])
    change[3 * high : 3 * high + 3] -= taken
    change[3 * (1 - high) : 3 * (1 - high) + 3] += taken
    return change


def expected(times: np.ndarray) -> np.ndarray:
    """States at `times`, integrated by another program."""
    air, helium = (MOLAR / WEIGHTS[g] for g in ("air", "helium"))
    a, b = HEATS["air"][0] / WEIGHTS["air"], HEATS["air"][1] / WEIGHTS["air"]
    m = (PRESSURE + OVER) * VOLUMES[0] / (air * HOT)
    n = PRESSURE * VOLUMES[1] / (helium * WARM)
    start = [
        m,
        0.0,
        m * ((a - air) * HOT + b / 2 * HOT**2),
        0.0,
        n,
        n * (HEATS["helium"][0] / WEIGHTS["helium"] - helium) * WARM,
    ]
    return solve_ivp(rates, (0, times[-1]), start, t_eval=times, rtol=1e-9, atol=1e-15, max_step=0.02).y


def measure(results: dict[str, Results]) -> list[Figure]:
    """Pressures while gas flows, and at the end."""
    r = results["chambers"]
    time, energy = r.time("abstat"), r.airbags("internal_energy")
    pressure, mass = r.airbags("pressure") + PRESSURE, r.airbags("total_mass")
    some = np.searchsorted(time, [0.5, 1.0, 2.0, 4.0])
    y = expected(np.array([0.0, *time[some], time[-1]]))
    known = np.array(
        [[gas_at(y[3 * k : 3 * k + 2, i], y[3 * k + 2, i], VOLUMES[k])[1] for k in (0, 1)] for i in range(6)]
    )
    figures = [
        Figure(
            f"pressures at {time[i]:.3g} ms, box {k + 1}",
            "pressure",
            float(known[j + 1, k]),
            float(pressure[i, k]),
            2e-4,
        )
        for j, i in enumerate(some)
        for k in (0, 1)
    ]
    total, sum_of = float(mass[0].sum()), float(energy[0].sum())
    return [
        *figures,
        Figure("at the end", "pressure of the first", float(known[-1, 0]), float(pressure[-1, 0]), 2e-4),
        Figure("at the end", "ratio of both pressures", 1.0, float(pressure[-1, 1] / pressure[-1, 0]), 1e-5),
        Figure("throughout", "mass, largest error", 0.0, float(np.ptp(mass.sum(axis=1))), 1e-6, total),
        Figure("throughout", "energy, largest error", 0.0, float(np.ptp(energy.sum(axis=1))), 1e-6, sum_of),
    ]


PROBLEM = Problem(
    "gas_chambers",
    "Chambers of an airbag: gas flows from one to another and mixes",
    "isentropic flow through a hole, integrated by scipy; conservation of mass and energy",
    lambda: {"chambers": chambers()},
    measure,
    slow=True,
)
