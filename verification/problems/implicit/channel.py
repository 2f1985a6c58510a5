"""Draw bending of a U channel (NUMISHEET'93): drawn by explicit cycles, let go by implicit steps."""

from dataclasses import dataclass, field

import numpy as np

from verification.deck import Deck, Point
from verification.meshes import Mesh
from verification.problem import Figure, Problem
from verification.results import Array, Results

# mm, ms, kg, kN; the mild steel of the benchmark, here isotropic
YOUNG, POISSON, DENSITY = 206.0, 0.3, 7.8e-6
STRENGTH, OFFSET, EXPONENT = 0.56532, 0.007117, 0.2589  #: yield stress = STRENGTH (OFFSET + strain)^EXPONENT
THICKNESS, HALF_LENGTH, POINTS = 0.78, 175.0, 7
RADIUS, PUNCH, DIE, STROKE = 5.0, 50.0, 52.0, 70.0  #: of both profiles; width of the punch, of the opening
MIDDLE = RADIUS + THICKNESS / 2  #: radius of the bent sheet
HOLD, FRICTION = 2.45 / 35.0 / 2, 0.144  #: force of the holder on one flange, for each mm of the width
WIDTH = 1.0  #: of the strip, one shell
FINE, FINE_CELLS, COARSE_CELLS = 116.0, 116, 15  #: what is beyond passes no radius
SPEED, RAMP = 5.0, 1.5  #: of the punch; time in which it starts, and stops
TIME = STROKE / SPEED + RAMP
HEIGHT, ALONG = 15.0, 35.0  #: where the benchmark measures: A above the bottom, B on the wall from A
FIRST, RELEASE = 0.002, 2000.0  #: first implicit step; time of all of them, without meaning


def profile(kind: str) -> list[Point]:
    """Line of a tool's surface, from the middle of the channel on; the sheet is at z = 0."""
    arc = np.linspace(0.0, np.pi / 2, 31)
    if kind == "punch":
        x0, height = PUNCH / 2 - RADIUS, THICKNESS / 2
        line = [(x0 * i / 8, 0.0) for i in range(8)]
        line += [(x0 + RADIUS * np.sin(a), RADIUS * (1 - np.cos(a))) for a in arc]
        line += [(PUNCH / 2, RADIUS + 4.0 * i) for i in range(1, 20)]
    elif kind == "die":
        x0, height = DIE / 2 + RADIUS, -THICKNESS / 2
        line = [(DIE / 2, -RADIUS - 4.0 * i) for i in range(20, 0, -1)]
        line += [(x0 - RADIUS * np.cos(a), -RADIUS * (1 - np.sin(a))) for a in arc]
        line += [(x0 + 4.0 * i, 0.0) for i in range(1, 38)]
    else:
        height = THICKNESS / 2
        line = [(x, 0.0) for x in np.linspace(DIE / 2 + 1.0, HALF_LENGTH + 4.0, 41)]
    return [(float(x), 0.0, float(z) + height) for x, z in line]


def swept(line: list[Point], width: float, first: int) -> Mesh:
    """A strip around y = 0; its nodes at negative y come first."""
    mesh = Mesh()
    for j, y in enumerate((-width / 2, width / 2)):
        for i, (x, _, z) in enumerate(line):
            mesh.nodes[first + j * len(line) + i] = (x, y, z)
    for i in range(len(line) - 1):
        a = first + i
        mesh.elements[a] = [a, a + 1, a + 1 + len(line), a + len(line)]
    return mesh


def sheet() -> Mesh:
    """Half of it, from the plane of symmetry at x = 0."""
    fine = np.linspace(0.0, FINE, FINE_CELLS + 1)
    coarse = np.linspace(FINE, HALF_LENGTH, COARSE_CELLS + 1)[1:]
    return swept([(float(x), 0.0, 0.0) for x in (*fine, *coarse)], WIDTH, 1)


def add_tools(deck: Deck) -> None:
    """The punch moves in z by its velocity, the holder by its force; the die is fixed."""
    deck.shell_section(2, 2, 1.0)
    for part, (kind, held) in enumerate((("punch", 4), ("die", 7), ("holder", 4)), 2):
        deck.add("MAT_RIGID", [part, DENSITY, YOUNG, POISSON], [1.0, held, 7], [None])
        deck.part(part, 2, part, kind)
        mesh = swept(profile(kind), 2 * WIDTH, 10000 * part)
        deck.nodes(mesh.nodes)
        deck.shells(part, mesh.elements)
        deck.add(
            "CONTACT_FORMING_ONE_WAY_SURFACE_TO_SURFACE_ID",
            [part, kind],
            [1, part, 3, 3],
            [FRICTION, FRICTION, 0.0, 0.0, 20.0],
            [1.0, 1.0],
        )
    deck.curve(1, [(0.0, 0.0), (RAMP, -SPEED), (TIME - RAMP, -SPEED), (TIME, 0.0), (1e6, 0.0)])
    deck.curve(2, [(0.0, 0.0), (RAMP, -1.0), (TIME, -1.0), (TIME + 1e-9, 0.0), (1e6, 0.0)])
    deck.add("BOUNDARY_PRESCRIBED_MOTION_RIGID", [2, 3, 0, 1, 1.0, 0, TIME])
    deck.add("LOAD_RIGID_BODY", [4, 3, 2, HOLD * WIDTH])


def add_springback(deck: Deck, held: list[int]) -> None:
    """Implicit dynamics, damped so that little moves beyond rest and yields anew; in the end statics.

    One static step does not converge, as all contacts end at once. GAMMA = 3/2 and BETA = 1 leave nothing of
    what is much faster than a step (Hughes 2000, section 9.2): the waves of the release.
    """
    dead = TIME + 0.8 * RELEASE
    deck.add("SET_PART_LIST", [1], [1])
    deck.add("INTERFACE_SPRINGBACK_SEAMLESS", [1], *([n, 3, 0] for n in held))
    deck.add("CONTROL_IMPLICIT_GENERAL", [2, FIRST, 0, round(RELEASE / FIRST)])
    deck.add("CONTROL_IMPLICIT_AUTO", [1, 12, 3, FIRST / 100, RELEASE / 10])
    deck.add("CONTROL_IMPLICIT_SOLUTION", "12,1,50,1e-6,1e-8")
    deck.add("CONTROL_IMPLICIT_DYNAMICS", [1, 1.5, 1.0, 0.0, dead, dead])
    damping = [(0.0, 0.0), (TIME, 0.0), (TIME + FIRST / 10, 20.0), (TIME + 1.0, 20.0), (TIME + 100.0, 0.2)]
    deck.curve(3, [*damping, (1e6, 0.2)])
    deck.add("DAMPING_GLOBAL", [3, 0.0])


def decks() -> dict[str, Deck]:
    """Plane strain: no node moves across, or rotates but about y."""
    deck = Deck("U channel", TIME)
    first_yield = STRENGTH * OFFSET**EXPONENT
    deck.add("MAT_POWER_LAW_PLASTICITY", [1, DENSITY, YOUNG, POISSON, STRENGTH, EXPONENT], [first_yield])
    deck.shell_section(1, 16, THICKNESS, POINTS)
    deck.add("HOURGLASS", [1, 8, 0.05, 0, 1.5, 0.06, 0.05, 0.05])
    deck.part(1, 1, 1, "sheet", hourglass=1)
    mesh = sheet()
    deck.nodes(mesh.nodes)
    deck.shells(1, mesh.elements)
    middle = mesh.where(lambda p: p[0] == 0)
    deck.node_set(1, mesh.nodes)
    deck.node_set(2, middle)
    deck.add("BOUNDARY_SPC_SET", [1, 0, 0, 1, 0, 1, 0, 1])
    deck.add("BOUNDARY_SPC_SET", [2, 0, 1, 0, 0, 0, 1, 0])
    add_tools(deck)
    add_springback(deck, middle)
    deck.output(TIME / 500, "rcforc", "matsum", "glstat", "spcforc", plot=TIME / 10)
    return {"channel": deck}


@dataclass
class Fibres:
    """Points through a sheet's thickness in plane strain: J2 flow by radial return, as in the elements."""

    z: Array = field(default_factory=lambda: np.polynomial.legendre.leggauss(POINTS)[0] * THICKNESS / 2)
    weight: Array = field(default_factory=lambda: np.polynomial.legendre.leggauss(POINTS)[1] * THICKNESS / 2)
    total: Array = field(default_factory=lambda: np.zeros(POINTS))  #: stress along plus across
    difference: Array = field(default_factory=lambda: np.zeros(POINTS))  #: stress along minus across
    plastic: Array = field(default_factory=lambda: np.zeros(POINTS))
    curvature: float = 0.0
    work: float = 0.0  #: of bending

    def after(self, strain: Array) -> tuple[Array, Array, Array]:
        """Total, difference, plastic strain after an increment of the strain along (Simo and Taylor 1986)."""
        trial_t = self.total + YOUNG / (1 - POISSON) * strain
        trial_d = self.difference + YOUNG / (1 + POISSON) * strain

        def at(x: Array) -> tuple[Array, Array, Array, Array]:
            t = trial_t / (1 + x * YOUNG / (3 * (1 - POISSON)))
            d = trial_d / (1 + x * YOUNG / (1 + POISSON))
            stress = np.sqrt((t**2 + 3 * d**2) / 4)
            plastic = self.plastic + 2 / 3 * x * stress
            return t, d, plastic, stress - STRENGTH * (OFFSET + plastic) ** EXPONENT

        flows = at(np.zeros(POINTS))[3] > 0
        x = np.zeros(POINTS)
        for _ in range(10):
            step = 1e-6 * (x + 1e-3)
            value = at(x)[3]
            slope = np.where(flows, (at(x + step)[3] - value) / step, 1.0)
            x = np.where(flows, np.maximum(x - value / slope, 0.0), 0.0)
        return at(x)[:3]

    def bend(self, curvature: float, tension: float, steps: int = 30) -> float:
        """To a curvature under a tension for each mm of the width; the moment there."""
        for target in np.linspace(self.curvature, curvature, steps + 1)[1:]:
            before, more = self.moment, target - self.curvature
            middle = 0.0
            for _ in range(6):
                values = []
                for strain in (middle, middle + 1e-7):
                    t, d, _ = self.after(strain + more * self.z)
                    values.append(float(((t + d) / 2 * self.weight).sum()) - tension)
                middle -= values[0] * 1e-7 / (values[1] - values[0])
            self.total, self.difference, self.plastic = self.after(middle + more * self.z)
            self.work += (before + self.moment) / 2 * more
            self.curvature = float(target)
        return self.moment

    @property
    def moment(self) -> float:
        """For each mm of the width."""
        return float(((self.total + self.difference) / 2 * self.z * self.weight).sum())


@dataclass(frozen=True)
class Theory:
    """Of a sheet that lies on the radius of the die and is then straight (Pourboghrat and Chu 1995).

    Moments are released elastically. The bend at the punch and that at the die open by the same angle. The
    wall need not be straight: between punch and die it has some play, so the curl has a range.
    """

    tension: float  #: of the wall, for each mm of the width
    corner: float  #: angle by which a bend opens
    curls: tuple[float, float]  #: curvature of the wall

    @staticmethod
    def of_steel() -> "Theory":
        """The tension has friction on both sides, on the radius, and the work of bending there and back."""
        fibres = Fibres()
        modulus = YOUNG * THICKNESS**3 / 12 / (1 - POISSON**2)
        pull = 2 * FRICTION * HOLD
        bent = fibres.bend(1 / MIDDLE, pull)
        there = fibres.work
        straight = fibres.bend(0.0, pull)
        back = fibres.work - there
        tension = (pull + there) * np.exp(FRICTION * np.pi / 2) + back
        curl, play = -straight / modulus, (DIE - PUNCH) / 2 - THICKNESS
        either = 8 * play / ALONG**2
        corner = bent / modulus * MIDDLE * np.pi / 2
        return Theory(float(tension), corner, (curl - either, curl + either))

    def angles(self) -> list[tuple[float, float]]:
        """Ranges of theta 1, theta 2 and the fall of the flange, degrees."""
        ranges = []
        for curl in self.curls:
            leans = np.pi / 2 + self.corner + curl * (HEIGHT - MIDDLE + ALONG / 2)
            falls = curl * (STROKE - 2 * RADIUS)
            ranges.append(np.degrees([leans, leans - falls, falls]))
        return [(float(min(v)), float(max(v))) for v in zip(*ranges, strict=True)]


def measured(line: Array) -> tuple[float, float, float, float]:
    """theta 1, theta 2, the fall of the flange in degrees, and the radius through A, B and between."""
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])

    def at(place: float) -> Array:
        return np.array([np.interp(place, s, line[:, c]) for c in (0, 1)])

    a = float(
        np.interp(line[0, 1] + HEIGHT, line[: int(line[:, 1].argmax()), 1], s[: int(line[:, 1].argmax())])
    )
    start, centre, end = (at(a + part * ALONG) for part in (0.0, 0.5, 1.0))
    chord, flange = end - start, line[-1] - line[-COARSE_CELLS]
    wall, fall = np.arctan2(chord[1], chord[0]), -np.arctan2(flange[1], flange[0])
    one, two = centre - start, end - centre
    area = one[0] * two[1] - one[1] * two[0]
    radius = np.linalg.norm(one) * np.linalg.norm(two) * np.linalg.norm(chord) / (2 * abs(area))
    theta1, theta2, fall = (float(np.degrees(v)) for v in (np.pi - wall, np.pi - wall - fall, fall))
    return theta1, theta2, fall, float(radius)


def rows(r: Results) -> tuple[Array, Array]:
    """Positions of the nodes at both edges of the strip at the end: [node, xyz]."""
    numbers = list(sheet().nodes)
    half = len(numbers) // 2
    return (
        np.array([r.position(n) for n in numbers[:half]]),
        np.array([r.position(n) for n in numbers[half:]]),
    )


def measure(results: dict[str, Results]) -> list[Figure]:
    """The shape beside that of theory; what must be zero in balance and in plane strain."""
    r = results["channel"]
    one, other = rows(r)
    theta1, theta2, fall, radius = measured(one[:, [0, 2]])
    theory = Theory.of_steel()
    known1, known2, known_fall = theory.angles()
    drawing = (r.time("rcforc") > TIME / 2) & (r.time("rcforc") < TIME - RAMP)
    pull = abs(float(r.contact("z_force", 0)[drawing].mean())) / WIDTH
    late = (r.time("matsum") > TIME / 2) & (r.time("matsum") < TIME)
    kinetic = float((r.part(1, "kinetic_energy")[late] / r.part(1, "internal_energy")[late]).max())
    apart = float(np.abs(one[:, [0, 2]] - other[:, [0, 2]]).max())
    support = float(np.hypot(*(r.constraints(f"{c}_resultant")[-1] for c in "xz")))
    case = "shell 16, 131 in a half"
    return [
        Figure(case, "theta 1, degrees", known1, theta1, 0.03),
        Figure(case, "theta 2, degrees", known2, theta2, 0.03),
        Figure(case, "fall of the flange, degrees", known_fall, fall, 0.1),
        Figure(case, "radius of the wall, mm", (1 / theory.curls[1], 1 / theory.curls[0]), radius, 0.1),
        Figure(case, "force of the punch on a half, kN/mm", theory.tension, pull, 0.15),
        Figure(case, "kinetic / internal energy, second half of the stroke", (0.0, 0.04), kinetic, 0.0),
        Figure(case, "force of supports after springback, kN", 0.0, support, 1e-9, theory.tension * WIDTH),
        Figure(case, "difference between both edges, mm", 0.0, apart, 1e-9, THICKNESS),
    ]


PROBLEM = Problem(
    "implicit channel",
    "Draw bending of a U channel of mild steel and its springback: 2-D draw bending of NUMISHEET'93 with the "
    "low force of the holder, a strip in plane strain. Explicit, then implicit in the same run",
    "approximate theory: the sheet is bent around the die, straightened but for the play of the tools "
    "(ranges), released elastically (Pourboghrat and Chu 1995); benchmark: Makinouchi, Nakamachi, Onate and "
    "Wagoner (1993)",
    decks,
    measure,
    ranks=(1,),
)
