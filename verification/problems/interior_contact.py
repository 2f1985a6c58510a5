"""Interior contact: the energy of a crushed cube, and one that would turn inside out."""

import numpy as np

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms, kN
SIZE, E, RHO = 10.0, 0.01, 1e-6
WAVE = float(np.sqrt(E / RHO))
SCALE, ACTIVE, MODULUS, LEFT = 0.5, 0.2, 0.02, 0.05
TURN = 0.4
HIT = 1.5 * WAVE


def cube(deck: Deck, turn: float) -> Mesh:
    """One element about the origin, turned about two axes."""
    deck.elastic(1, RHO, E, 0.0)
    deck.part(1, 1, 1, "cube")
    deck.solid_section(1, 1)
    mesh = hexahedra((1, 1, 1), (SIZE, SIZE, SIZE))
    c, s = float(np.cos(turn)), float(np.sin(turn))

    def place(p: tuple) -> tuple:
        x, y, z = (q - SIZE / 2 for q in p)
        x, z = c * x + s * z, c * z - s * x
        return (x, c * y + s * z, c * z - s * y)

    turned = mesh.moved(place)
    deck.nodes(turned.nodes)
    deck.solids(1, turned.elements)
    return turned


def interior(deck: Deck, form: int, modulus: float) -> None:
    """On part 1."""
    deck.add("SET_PART_LIST", [7, SCALE, ACTIVE, modulus, float(form)], [1])
    deck.add("CONTACT_INTERIOR", [7])


def crushed(form: int) -> Deck:
    """Two opposite faces move towards each other, to a share LEFT of the thickness."""
    time = 100 * SIZE / WAVE
    deck = Deck(f"crushed, TYPE {form}", time, step_scale=0.3)
    mesh = cube(deck, 0.0)
    speed = SIZE * (1 - LEFT) / time
    for number, side in ((1, -1.0), (2, 1.0)):
        deck.node_set(number, mesh.where(lambda p, side=side: p[2] * side > 0))
        deck.curve(number, [(0.0, -side), (10 * time, -side)])
        deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [number, 3, 0, number, speed / 2])
    interior(deck, form, MODULUS)
    deck.output(time / 200, "glstat", "matsum")
    return deck


def thrown_together(form: int) -> Deck:
    """A free cube whose opposite faces fly at each other, faster than its elasticity could stop."""
    deck = Deck(f"thrown together, TYPE {form}", 2 * SIZE / HIT, step_scale=0.02)
    deck.add("CONTROL_BULK_VISCOSITY", [1e-9, 1e-9])
    mesh = cube(deck, TURN)
    plain = hexahedra((1, 1, 1), (SIZE, SIZE, SIZE)).nodes
    c, s = float(np.cos(TURN)), float(np.sin(TURN))
    axis = np.array([s, s * c, c * c])  # where z has turned to
    for n in mesh.nodes:
        v = (-HIT if plain[n][2] > 0 else HIT) * axis
        if form == 2 and n % 2 == 0:
            v *= 0.5  # unevenly: one-point thicknesses would not see all of it
        deck.add("INITIAL_VELOCITY_NODE", [n, *(float(q) for q in v)])
    interior(deck, form, 20 * E)
    deck.output(0.02 * SIZE / HIT, "glstat", "matsum", plot=0.02 * SIZE / HIT)
    return deck


FORMS = (1, 2)


def decks() -> dict[str, Deck]:
    """Both forms, crushed slowly and in flight."""
    slow = {f"crushed, TYPE {f}": crushed(f) for f in FORMS}
    return slow | {f"thrown together, TYPE {f}": thrown_together(f) for f in FORMS}


def smallest_volume(r: Results) -> float:
    """Of the parallelepipeds at the corners, over their first."""
    mesh = hexahedra((1, 1, 1), (SIZE, SIZE, SIZE))
    nodes = sorted(mesh.nodes)
    least = 1.0
    for state in range(len(r.plot.arrays["timesteps"])):
        x = {n: r.position(n, state) for n in nodes}
        for n in nodes:
            corner = np.array(mesh.nodes[n])
            edges = []
            for axis in range(3):
                other = corner.copy()
                other[axis] = SIZE - other[axis]
                m = next(k for k in nodes if np.allclose(mesh.nodes[k], other))
                edges.append((x[m] - x[n]) * np.sign(other[axis] - corner[axis]))
            least = min(least, float(np.linalg.det(edges)) / SIZE**3)
    return least


def measure(results: dict[str, Results]) -> list[Figure]:
    """The energy of the springs: k/2 (F t - t)^2, k = PSF ED A / F t."""
    figures = []
    active = ACTIVE * SIZE
    energy = 0.5 * SCALE * MODULUS * SIZE**2 / active * (active - LEFT * SIZE) ** 2
    for form in FORMS:
        name = f"crushed, TYPE {form}"
        r = results[name]
        booked = float(r.energy("sliding_interface_energy")[-1])
        figures.append(Figure(name, "energy of the contact, kN mm", energy, booked, 0.005))
        ratio = float(np.abs(r.energy("energy_ratio")[20:] - 1).max())
        figures.append(Figure(name, "total energy / work done, largest change", 0.0, ratio, 0.01, 1.0))
        name = f"thrown together, TYPE {form}"
        r = results[name]
        ratio = float(np.abs(r.energy("energy_ratio") - 1).max())
        figures.append(Figure(name, "total energy / initial, largest change", 0.0, ratio, 0.01, 1.0))
        least = smallest_volume(r)
        figures.append(Figure(name, "smallest corner volume / first", (0.01, ACTIVE), least, 0.0))
        sums = [float(np.abs(np.diff(r.part(1, f"{axis}_momentum"))).max()) for axis in "xyz"]
        given = RHO * SIZE**3 * HIT
        figures.append(Figure(name, "momentum, largest change", 0.0, max(sums), 1e-9, given))
    return figures


PROBLEM = Problem(
    "interior contact",
    "Interior contact: a cube crushed to a twentieth, cubes thrown together",
    "closed form: k/2 (F t0 - t)^2; momentum and energy are kept",
    decks,
    measure,
    ranks=(1,),  # the crushed cube is a single element
)
