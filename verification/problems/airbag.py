"""Gas in a closed box: its volume, and the oscillation of a lid on it, isothermal and adiabatic."""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms
STEP = 0.1
SIDE, DEEP, HEIGHT = 40.0, 25.0, 60.0
AREA = SIDE * DEEP
PRESSURE, GAMMA = 2e-4, 1.4
MASS = 0.3
SPEED = 0.01
AMPLITUDES = 3  #: periods that are run
DRIFT, SPIN = (0.4, -0.3, 0.2), (0.03, 0.02, -0.01)


def frequency(gamma: float) -> float:
    """Of small oscillations: gas of pressure p and exponent gamma in a column of height h is a spring."""
    return float(np.sqrt(gamma * PRESSURE * AREA / (MASS * HEIGHT)))


def rigid(
    deck: Deck, part: int, nodes: list[int], mass: float, held: tuple, velocity=(0, 0, 0), spin=(0, 0, 0)
):
    """A rigid shell with given mass properties; `held` are CMO, CON1, CON2."""
    deck.add("MAT_RIGID", [part, 1e-6, 1.0, 0.3], [*held], [0.0])
    deck.shells(part, {part: nodes})
    deck.add(
        "PART_INERTIA",
        f"part {part}",
        [part, 1, part],
        [SIDE / 2, DEEP / 2, HEIGHT / 2, mass, 0],
        [100.0, 0.0, 0.0, 100.0, 0.0, 100.0],
        [*map(float, velocity), *map(float, spin)],
    )


def box(deck: Deck) -> None:
    """Eight nodes and the six segments between them, which point outwards."""
    corners = [(0, 0), (SIDE, 0), (SIDE, DEEP), (0, DEEP)]
    deck.nodes({k + 1 + 4 * top: (*c, HEIGHT * top) for top in (0, 1) for k, c in enumerate(corners)})
    around = [[1 + k, 1 + (k + 1) % 4, 5 + (k + 1) % 4, 5 + k] for k in range(4)]
    deck.add("SET_SEGMENT", [1], [4, 3, 2, 1], [5, 6, 7, 8], *around)
    deck.add("SECTION_SHELL", [1, 2], [1.0, 1.0, 1.0, 1.0])


def deck_of(title: str, end: float) -> Deck:
    """What all have."""
    deck = Deck(title, end)
    deck.curve(1, [(0.0, STEP), (1e6, STEP)])
    deck.curve(2, [(0.0, 1.0), (1e6, 1.0)])
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    box(deck)
    spare = hexahedra((4, 1, 1), (80.0, 20.0, 20.0), 1001).moved(lambda p: (p[0], p[1] + 500.0, p[2]))
    deck.elastic(9, 1e-6, 1.0, 0.3)  # so that there is something to share out among ranks
    deck.solid_section(9, 1)
    deck.part(9, 9, 9, "spare")
    deck.nodes(spare.nodes)
    deck.solids(9, spare.elements)
    deck.output(end / 600, "glstat", "abstat", "rbdout")
    return deck


def lid(gamma: float) -> Deck:
    """The floor is fixed, the lid moves up and down under a constant pressure from outside."""
    deck = deck_of("lid on gas", AMPLITUDES * 2 * np.pi / frequency(gamma))
    rigid(deck, 1, [1, 2, 3, 4], 1.0, (1.0, 7, 7))
    rigid(deck, 2, [5, 6, 7, 8], MASS, (1.0, 4, 7), velocity=(0, 0, SPEED))
    deck.add("LOAD_SEGMENT", [2, PRESSURE, 0.0, 5, 6, 7, 8])
    if gamma == 1.0:
        deck.add("AIRBAG_SIMPLE_PRESSURE_VOLUME_ID", "7,isothermal gas", [1, 0], [PRESSURE / 2, 2.0])
    else:
        volumes = np.linspace(0.9, 1.1, 2001)
        deck.curve(3, zip(volumes, PRESSURE * volumes**-gamma, strict=True))
        deck.add("AIRBAG_SIMPLE_PRESSURE_VOLUME", [1, 0], [0.0, 0.0, 3])
    return deck


def flying() -> Deck:
    """The whole box flies and tumbles: its gas must not notice, and must not push it."""
    deck = deck_of("flying box", 60.0)
    rigid(deck, 1, [1, 2, 3, 4], MASS, (0.0, 0, 0), DRIFT, SPIN)
    deck.add("CONSTRAINED_EXTRA_NODES_NODE", *([1, n] for n in (5, 6, 7, 8)))
    deck.add("AIRBAG_SIMPLE_PRESSURE_VOLUME", [1, 0, 0, 1.0, 1.0, 0.0, 0.0, 0.0], [PRESSURE, 1.0])
    return deck


def decks() -> dict[str, Deck]:
    """Two gases under a lid, and a flying box."""
    return {"isothermal": lid(1.0), "adiabatic": lid(GAMMA), "flying": flying()}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Frequencies from the lid's last passage upwards; volumes; energy."""
    figures = []
    for case, gamma in (("isothermal", 1.0), ("adiabatic", GAMMA)):
        r = results[case]
        t, z = r.time("rbdout"), r.body(2, "global_dz")
        crossings = np.flatnonzero(np.sign(z[1:-1]) * np.sign(z[2:]) < 0) + 1
        k = crossings[2 * AMPLITUDES - 3]  # upwards: whole periods, though the gas is softer when it expands
        passed = t[k] - z[k] * (t[k + 1] - t[k]) / (z[k + 1] - z[k])
        computed = np.pi * (2 * AMPLITUDES - 2) / float(passed)
        volume = AREA * (HEIGHT + z)
        gas = np.trapezoid(r.airbag("pressure"), r.airbag("volume"))
        balance = r.energy("total_energy") - r.energy("external_work")
        kinetic = float(r.energy("kinetic_energy").max())
        figures += [
            Figure(f"{case} gas under a lid", "circular frequency", frequency(gamma), computed, 5e-5),
            Figure(
                f"{case} gas under a lid",
                "volume, largest error",
                0.0,
                float(np.abs(r.airbag("volume") - volume).max()),
                1e-6,
                AREA * HEIGHT,
            ),
            Figure(
                f"{case} gas under a lid",
                "internal energy of the gas, against p dV",
                float(-gas),
                float(r.airbag("internal_energy")[-1]),
                1e-3,
                kinetic,
            ),
            Figure(
                f"{case} gas under a lid",
                "energy but for work, largest change",
                0.0,
                float(np.abs(balance - balance[0]).max()),
                1e-6,
                kinetic,
            ),
        ]
    r = results["flying"]
    surface = 2 * (AREA + SIDE * HEIGHT + DEEP * HEIGHT)
    velocity = r.body_vector(1, "global_v")
    return [
        *figures,
        Figure("flying box", "volume", AREA * HEIGHT, float(r.airbag("volume")[-1]), 1e-9),
        Figure("flying box", "surface", surface, float(r.airbag("surface_area")[-1]), 1e-9),
        Figure(
            "flying box",
            "velocity of the centre, largest change",
            0.0,
            float(np.abs(velocity - np.array(DRIFT)).max()),
            1e-9,
            float(np.linalg.norm(DRIFT)),
        ),
    ]


PROBLEM = Problem(
    "airbag",
    "Gas in a closed box: volume, and a lid that oscillates on it",
    "closed form: gas spring, w^2 = gamma p A / (m h)",
    decks,
    measure,
)
