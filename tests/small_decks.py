"""Writes small keyword decks whose physics touches every part of the solver; units kg, mm, ms, kN."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

Point = tuple[float, float, float]

STEEL = "7.85e-6,210.,0.3"


@dataclass
class Deck:
    """Keywords in the order they were added; numbers nodes and elements as they come."""

    lines: list[str] = field(default_factory=lambda: ["*KEYWORD"])
    nodes: int = 0
    elements: int = 0

    def add(self, text: str) -> None:
        """Add keywords as they are."""
        self.lines += text.strip("\n").splitlines()

    def node(self, x: Point, held: int = 0) -> int:
        """Number of a new node; `held` = 7 fixes all translations and rotations."""
        self.nodes += 1
        x, y, z = x
        self.lines += ["*NODE", f"{self.nodes},{x:.9g},{y:.9g},{z:.9g},{held},{held}"]
        return self.nodes

    def element(self, kind: str, part: int, nodes: Sequence[int]) -> int:
        """Number of a new element: kind SHELL, SOLID, BEAM or DISCRETE."""
        self.elements += 1
        self.lines += [f"*ELEMENT_{kind}", ",".join(map(str, (self.elements, part, *nodes)))]
        return self.elements

    def part(self, number: int, section: str, material: str) -> None:
        """A part with a section and a material of its own number: the keywords with their cards after the id.

        `section` is e.g. "SHELL,2,0.8333,3|1.,1.,1.,1.": keyword, rest of card 1, more cards after bars.
        """
        self.add(f"*PART\npart {number}\n{number},{number},{number}")
        for what, text in (("SECTION", section), ("MAT", material)):
            keyword, _, cards = text.partition(",")
            first, *rest = cards.split("|")
            self.add("\n".join([f"*{what}_{keyword}", f"{number},{first}", *rest]))

    def plate(
        self,
        part: int,
        cells: tuple[int, int],
        place: Callable[[float, float], Point],
        triangles: bool = False,
    ) -> list[list[int]]:
        """A grid of shells over the unit square as `place` puts it; returns its nodes by row."""
        nx, ny = cells
        grid = [[self.node(place(i / nx, j / ny)) for i in range(nx + 1)] for j in range(ny + 1)]
        for j in range(ny):
            for i in range(nx):
                a, b, c, d = grid[j][i], grid[j][i + 1], grid[j + 1][i + 1], grid[j + 1][i]
                if triangles:
                    self.element("SHELL", part, (a, b, c, c))
                    self.element("SHELL", part, (a, c, d, d))
                else:
                    self.element("SHELL", part, (a, b, c, d))
        return grid

    def block(self, part: int, cells: tuple[int, int, int], low: Point, size: Point) -> list[int]:
        """A box of bricks; returns its nodes, x fastest."""
        nx, ny, nz = cells
        ids = [
            self.node((low[0] + size[0] * i / nx, low[1] + size[1] * j / ny, low[2] + size[2] * k / nz))
            for k in range(nz + 1)
            for j in range(ny + 1)
            for i in range(nx + 1)
        ]

        def at(i: int, j: int, k: int) -> int:
            return ids[(k * (ny + 1) + j) * (nx + 1) + i]

        for k in range(nz):
            for j in range(ny):
                for i in range(nx):
                    ring = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
                    self.element("SOLID", part, [at(*c, m) for m in (k, k + 1) for c in ring])
        return ids

    def set(self, kind: str, number: int, items: Iterable[int]) -> None:
        """A *SET_NODE_LIST or *SET_PART_LIST."""
        rows = list(items)
        self.add(f"*SET_{kind}_LIST\n{number}")
        for k in range(0, len(rows), 8):
            self.lines.append(",".join(map(str, rows[k : k + 8])))

    def control(self, end_time: float, plots: float, histories: float | None = None) -> None:
        """End time, plot interval, and intervals of all histories (default: of the plots)."""
        history = histories or plots
        self.add(
            f"*CONTROL_TERMINATION\n{end_time}\n*CONTROL_ENERGY\n2,2,2,2\n*DATABASE_BINARY_D3PLOT\n{plots}\n"
            f"*DATABASE_GLSTAT\n{history}\n*DATABASE_MATSUM\n{history}\n*DATABASE_RCFORC\n{history}\n"
            f"*DATABASE_RWFORC\n{history}"
        )

    def text(self) -> str:
        return "\n".join([*self.lines, "*END", ""])


def torn_plate(end_time: float = 0.06, speed: float = 200.0, rarer: int = 1) -> str:
    """A rigid block shoots through a plate that fails at a small plastic strain, onto a second plate.

    `rarer`: times the usual intervals of output, for runs that go on for long.
    """
    deck = Deck()
    deck.control(end_time, rarer * end_time / 4, rarer * end_time / 20)
    steel = "PIECEWISE_LINEAR_PLASTICITY," + STEEL + ",0.25,1.0,{fail}|40.,5.|,|,"
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", steel.format(fail=0.10))
    deck.part(2, "SHELL,16,0.8333,3|1.,1.,1.,1.", steel.format(fail=0.30))
    deck.part(3, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.plate(1, (14, 14), lambda u, v: (60 * u - 30, 60 * v - 30, 0.0))
    deck.plate(2, (9, 9), lambda u, v: (60 * u - 30, 60 * v - 30, -4.0))
    deck.block(3, (3, 3, 3), (-6.0, -7.0, 0.8), (12.0, 13.0, 14.0))
    deck.set("PART", 9, (1, 2, 3))
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1,0.01,0.,10.\n,")
    deck.set("PART", 3, (3,))
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n3,1,0.,0.,3.,-{speed}\n0.,0.,0.")
    return deck.text()


def falling_bodies(end_time: float = 0.05) -> str:
    """Two soft blocks and a rigid one run into each other and into rubbing walls; corners break off."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    soft = "PLASTIC_KINEMATIC,2.7e-6,70.,0.33,0.10,0.1,1.0|0.,0.,{fail},0."
    deck.part(1, "SOLID,1", soft.format(fail=0.15))
    deck.part(2, "SOLID,2", soft.format(fail=0.0))
    deck.part(3, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.part(4, "SHELL,2,0.8333,2|0.5,0.5,0.5,0.5", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.block(1, (5, 4, 5), (0.0, 0.0, 0.3), (10.0, 9.0, 10.0))
    deck.block(2, (4, 4, 3), (0.5, 0.7, 11.0), (9.0, 8.0, 6.0))
    deck.block(3, (3, 3, 2), (1.0, 0.5, 17.9), (8.0, 9.0, 5.0))
    deck.plate(4, (3, 3), lambda u, v: (11.0 + 6 * u, 1.0 + 7 * v, 18.0 + u))
    deck.add("*CONSTRAINED_RIGID_BODIES\n3,4")
    extra = deck.node((5.0, 5.0, 26.0))
    deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n3,{extra}\n*ELEMENT_MASS\n9001,{extra},0.002")
    deck.set("PART", 9, (1, 2, 3, 4))
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.3,0.3,0.,0.,5.\n,")
    deck.add(
        "*RIGIDWALL_PLANAR_FINITE\n0\n-20.,-20.,0.,-20.,-20.,1.,0.4\n30.,-20.,0.,60.,60.\n"
        "*RIGIDWALL_PLANAR\n0\n0.,14.,0.,0.,13.,0.,1.0"
    )
    for part, velocity in ((1, "20.,30.,-150."), (2, "10.,30.,-150."), (3, "0.,20.,-250.")):
        deck.set("PART", 10 + part, (part,) if part < 3 else (3, 4))
        deck.add(f"*INITIAL_VELOCITY_GENERATION\n{10 + part},1,0.,{velocity}\n0.,0.,0.")
    deck.add("*LOAD_BODY_Z\n1,9.81e-3\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.\n*CONTROL_CONTACT\n0.1,1.0")
    return deck.text()


def all_forms(
    end_time: float = 0.06,
    shells: tuple[int, int] = (2, 16),
    solids: tuple[int, int, int] = (1, 2, 10),
    spring: str = "SPRING_ELASTIC,0.5",
    extra: str = "",
) -> str:
    """Every element form in one linked structure, with springs, masses, every kind of load, and a wall."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    j2 = "PIECEWISE_LINEAR_PLASTICITY," + STEEL + ",0.25,1.0,0.6|40.,5.,0,0|,|,"
    elastic = "ELASTIC," + STEEL
    kinematic = "PLASTIC_KINEMATIC," + STEEL + ",0.25,1.0,0.5|40.,5.,0.8,0."
    shell = "SHELL,{form},0.8333,{nip}|1.,1.,1.,1."
    for number, form, nip, law in ((1, shells[0], 5, j2), (2, shells[1], 3, kinematic), (3, 4, 3, j2)):
        deck.part(number, shell.format(form=form, nip=nip), law)
    laws = (j2, kinematic, j2, elastic)
    for number, form, law in zip((11, 12, 13, 14), (*solids, 15), laws, strict=True):
        deck.part(number, f"SOLID,{form}", law)
    deck.part(21, "BEAM,1,1.0,2,1|2.,2.,0.,0.", kinematic)
    deck.part(22, "BEAM,2,1.0|4.,1.33,1.33,2.25,3.3", elastic)
    deck.part(23, "BEAM,3|3.", elastic)
    deck.part(31, "DISCRETE,0", spring)
    deck.part(32, "DISCRETE,0", "DAMPER_VISCOUS,0.001")

    rows = []
    for n, part in enumerate((1, 2, 3)):
        grid = deck.plate(
            part,
            (6, 5),
            lambda u, v, n=n: (14 * n + 12 * u * (1 - 0.1 * v), 10 * v + 0.3 * u, 0.4 * u * v + 0.2 * n),
            triangles=part == 3,
        )
        rows.append(grid)
    for left, right in zip(rows, rows[1:], strict=False):
        for j, row in enumerate(left):
            a, b = row[-1], right[j][0]
            deck.element("DISCRETE", 31, (a, b))
            deck.element("DISCRETE", 32, (a, b))
    bricks = deck.block(11, (3, 3, 3), (0.0, 12.0, 0.0), (6.0, 6.0, 6.0))
    more = deck.block(12, (3, 3, 3), (8.0, 12.0, 0.0), (6.0, 6.0, 6.0))
    base = [
        deck.node(p) for p in ((16.0, 12.0, 0.0), (22.0, 12.0, 0.0), (16.0, 18.0, 0.0), (16.0, 12.0, 6.0))
    ]
    centre = deck.node((17.5, 13.5, 1.5))
    a, b, c, d = base
    for tetra in ((a, b, c, centre), (a, b, centre, d), (a, centre, c, d), (centre, b, c, d)):
        n1, n2, n3, n4 = tetra
        deck.element("SOLID", 13, (n1, n2, n3, n4, n4, n4, n4, n4))
    wedge = [
        deck.node(p)
        for p in (
            (24.0, 12.0, 0.0),
            (29.0, 12.0, 0.0),
            (29.0, 12.0, 5.0),
            (24.0, 12.0, 5.0),
            (24.0, 17.0, 0.0),
            (24.0, 17.0, 5.0),
        )
    ]
    w = wedge
    deck.element("SOLID", 14, (w[1], w[0], w[3], w[2], w[4], w[4], w[5], w[5]))
    links = [
        (bricks[3], more[0]),
        (more[3], a),
        (b, w[0]),
        (rows[0][-1][0], bricks[0]),
        (rows[2][-1][6], w[1]),
    ]
    up = deck.node((10.0, 15.0, 40.0), held=7)
    for part, (n1, n2) in zip((21, 22, 23, 21, 22), links, strict=True):
        deck.element("BEAM", part, (n1, n2) if part == 23 else (n1, n2, up))
    deck.add(f"*ELEMENT_MASS\n9001,{rows[1][2][3]},0.001\n9002,{centre},0.0005")
    deck.add("*DEFINE_CURVE\n1\n0.,1.\n1000.,1.\n*DEFINE_CURVE\n2\n0.,0.\n0.05,1.\n10.,1.")
    deck.add("*LOAD_BODY_Z\n1,9.81e-3")
    deck.add(f"*LOAD_NODE_POINT\n{rows[1][2][2]},3,2,-0.5")
    for j in range(2):
        corners = (rows[0][j][0], rows[0][j][1], rows[0][j + 1][1], rows[0][j + 1][0])
        deck.add(f"*LOAD_SEGMENT\n2,0.02,0.,{','.join(map(str, corners))}")
    held = [row[0] for row in rows[0][:3]]
    deck.set("NODE", 1, held)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,0,0,0")
    for tail, head in (("3.1,0.,0.", "4.,0.1,0."), ("0.,13.,1.", "0.,14.,1."), ("20.,0.,0.", "21.,0.,0.")):
        deck.add(f"*DATABASE_CROSS_SECTION_PLANE\n0,{tail},{head}\n0,")
    deck.add(
        f"*SET_DISCRETE_GENERAL\n1\nPART,31\n*SET_NODE_GENERAL\n7\nSET_DISCRETE,1\nDNODE,{rows[0][0][-1]}"
    )
    deck.add("*DATABASE_CROSS_SECTION_SET_ID\n7,springs\n7,0,0,0,0,1")
    for name in ("SECFORC", "SPCFORC", "BNDOUT"):
        deck.add(f"*DATABASE_{name}\n{end_time / 20}")
    pulled = [row[-1] for row in rows[2]]
    deck.set("NODE", 2, pulled)
    deck.add("*DEFINE_CURVE\n3\n0.,0.\n0.02,20.\n10.,20.\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,1,0,3,0.5")
    deck.set("NODE", 3, sorted({*bricks, *base, centre, *wedge}))
    deck.set("NODE", 4, more)
    deck.add("*INITIAL_VELOCITY\n3\n5.,0.,-60.\n*INITIAL_VELOCITY\n4\n-60.,0.,-60.")
    deck.add("*RIGIDWALL_PLANAR\n0\n0.,0.,-1.,0.,0.,0.,0.3")
    deck.set("PART", 9, (1, 2, 3, 11, 12, 13, 14))
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.1,0.1\n,")
    if extra:
        deck.add(extra)
    return deck.text()


def other_forms(end_time: float = 0.06) -> str:
    """The same with the forms that are left, general springs, and parts that are damped."""
    curves = "*DEFINE_CURVE\n11\n-2.,-1.5\n-1.,-0.5\n0.,0.\n1.,0.5\n2.,1.5\n*DEFINE_CURVE\n12\n-1.,-2.\n1.,2."
    damping = (
        "*DAMPING_PART_STIFFNESS\n1,0.1\n2,-1e-4\n11,0.1\n13,0.05\n21,0.1\n22,-1e-4\n23,0.1\n"
        "*DAMPING_PART_STIFFNESS_SET\n8,-1e-4\n*DAMPING_PART_MASS\n2,2,0.5\n12,1,0.1,1\n1.,0.5,0.,0.,0.,1."
    )
    sets = "*SET_PART_LIST\n8\n3,12,14"
    return all_forms(
        end_time,
        shells=(10, -16),
        solids=(-1, -2, 13),
        spring="SPRING_GENERAL_NONLINEAR,11,12,0.",
        extra="\n".join((curves, sets, damping)),
    )


def joined_plates(end_time: float = 0.06) -> str:
    """Plates held together by nodal rigid bodies, welds and ties fold at a wall and tear at their joints."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    steel = "PIECEWISE_LINEAR_PLASTICITY," + STEEL + ",0.25,1.0,0.2|40.,5.|,|,"
    grids = []
    for k in range(3):
        deck.part(k + 1, f"SHELL,{(2, 16, 2)[k]},0.8333,3|1.,1.,1.,1.", steel)
        grids.append(
            deck.plate(k + 1, (10, 7), lambda u, v, k=k: (40 * u + 0.7 * k, 30 * v - k, 3.0 * k + 6 * u))
        )
    low, middle, high = grids
    free = deck.node((60.0, 60.0, 60.0))
    bodies = [
        [low[3][3], low[3][4], low[4][3], low[4][4], middle[3][3], middle[3][4], middle[4][3]],
        [middle[5][8], high[5][8]],
        [row[1] for row in middle[:6]] + [row[1] for row in high[:6]],
        [low[1][7], low[2][7], high[1][7], high[2][7]],
    ]
    for k, nodes in enumerate(bodies):
        deck.set("NODE", 101 + k, nodes)
    deck.add(f"*CONSTRAINED_NODAL_RIGID_BODY\n101,0,101,{free}\n102\n103,0,103")
    deck.add(
        "*CONSTRAINED_NODAL_RIGID_BODY_INERTIA\n104,0,104\n28.,6.,8.,0.002\n"
        "0.03,0.,0.,0.03,0.,0.05\n0.,0.,-150.,0.,0.,0."
    )
    for row in range(0, 7, 2):
        deck.add(f"*CONSTRAINED_SPOTWELD\n{low[row][9]},{middle[row][9]},0.8,0.6,2.,2.")
        deck.add(f"*CONSTRAINED_SPOTWELD\n{low[row][5]},{middle[row][5]}")
    deck.add(f"*CONSTRAINED_SPOTWELD\n{low[6][2]},{middle[6][2]},1.,1.,2.,2.,{end_time / 3}")
    deck.set("NODE", 111, [grid[7][7] for grid in grids])
    deck.set("NODE", 112, [grid[0][3] for grid in grids[:2]])
    deck.add("*CONSTRAINED_GENERALIZED_WELD_SPOT\n111\n0.,0.,0.5,0.5,1.,1.")
    deck.add(f"*CONSTRAINED_NODE_SET\n112,5,{end_time / 2}")
    deck.set("PART", 9, (1, 2, 3))
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1\n,")
    deck.add("*RIGIDWALL_PLANAR\n0\n0.,0.,-1.,0.,0.2,0.,0.3\n*INITIAL_VELOCITY\n\n0.,0.,-150.")
    return deck.text()


def tied_stack(end_time: float = 0.05) -> str:
    """Blocks, plates and a post tied to each other in a chain; a shot tears segments off their ties."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    steel = "PLASTIC_KINEMATIC," + STEEL + ",0.25,1.0,0.5|0.,0.,{fail},0."
    deck.part(1, "SOLID,1", steel.format(fail=0.0))
    deck.part(2, "SHELL,2,0.8333,3|1.,1.,1.,1.", steel.format(fail=0.04))
    deck.part(3, "SHELL,2,0.8333,3|1.,1.,1.,1.", "ELASTIC," + STEEL)
    deck.part(4, "BEAM,2,1.0|4.,1.33,1.33,2.25,3.3", "ELASTIC," + STEEL)
    deck.part(5, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.block(1, (4, 4, 2), (0.0, 0.0, 0.0), (12.0, 12.0, 4.0))
    deck.plate(2, (9, 7), lambda u, v: (-8 + 28 * u, -4 + 20 * v, 4.6))
    deck.plate(3, (7, 5), lambda u, v: (1 + 14 * u, 2 + 8 * v, 5.7))
    foot, top, up = (deck.node(p) for p in ((5.3, 6.1, 6.2), (5.3, 6.1, 12.0), (5.3, 20.0, 6.0)))
    deck.element("BEAM", 4, (foot, top, up))
    deck.block(5, (2, 2, 2), (13.5, 1.5, 6.8), (5.0, 5.0, 5.0))
    deck.set("NODE", 1, [foot])
    deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET\n1,3,4,3\n0.\n1.,1.,-1.,-1.")
    deck.add("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_CONSTRAINED_OFFSET\n3,2,3,3\n0.\n1.,1.,-1.,-1.")
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE_CONSTRAINED_OFFSET\n2,1,3,3\n0.\n1.,1.,-1.,-1.")
    deck.set("PART", 9, (2, 3, 5))
    deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1\n,")
    deck.set("PART", 5, (5,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n5,1,0.,0.,3.,-150.\n0.,0.,0.")
    return deck.text()


def sprung_stack(end_time: float = 0.05) -> str:
    """As `tied_stack`, tied by springs; loose nodes stay in contact, and interior contact acts."""
    text = tied_stack(end_time)
    for rigid in ("TIED_SHELL_EDGE_TO_SURFACE_BEAM", "_CONSTRAINED"):
        text = text.replace(
            f"{rigid}_OFFSET", rigid.removesuffix("_BEAM").replace("_CONSTRAINED", "") + "_OFFSET"
        )
    more = "*CONTROL_CONTACT\n0.1,0.,1,0,1,0,0,2\n*SET_PART_LIST\n6,5.,0.9\n1,\n*CONTACT_INTERIOR\n6,\n"
    return text.replace("*INITIAL_VELOCITY", more + "*INITIAL_VELOCITY", 1)


def eroded_block(end_time: float = 0.05) -> str:
    """A rigid block shoots into ones that fail at small strains; inner faces and loose nodes count."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    soft = "PLASTIC_KINEMATIC,2.7e-6,70.,0.3,0.10,0.1,1.0|0.,0.,0.25,0."
    deck.part(1, "SOLID,1", soft)
    deck.part(2, "SOLID,1", soft.replace("0.25,", "0.35,"))
    deck.part(3, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    nodes = deck.block(1, (6, 6, 3), (0.0, 0.0, 0.0), (9.0, 9.0, 4.5))
    deck.block(2, (5, 5, 3), (0.3, 0.2, 4.6), (8.4, 8.5, 4.0))
    deck.block(3, (2, 2, 2), (2.7, 3.1, 8.8), (3.2, 3.1, 3.0))
    deck.set("NODE", 1, nodes[:49])
    deck.add("*CONTROL_CONTACT\n0.1,0.,1,0,1,0,0,1")
    deck.set("PART", 9, (1, 2, 3))
    deck.add("*CONTACT_ERODING_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1\n,\n1,1,1")
    deck.add("*CONTACT_FORCE_TRANSDUCER_PENALTY\n3,1,3,3\n,\n,")
    deck.set("PART", 3, (3,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n3,1,0.,0.,3.,-500.\n0.,0.,0.")
    return deck.text()


def net_under_sheet(end_time: float = 0.06) -> str:
    """A block shoots through a sheet, segments on segments, into a net of bars and a rib on edge."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    steel = "PLASTIC_KINEMATIC," + STEEL + ",0.25,1.0,0.5|0.,0.,{fail},0."
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", steel.format(fail=0.10))
    deck.part(2, "SOLID,1", steel.format(fail=0.0))
    deck.part(3, "BEAM,1,1.0,2,1|2.,2.,0.,0.", steel.format(fail=0.0))
    deck.part(4, "SHELL,16,0.8333,3|1.,1.,1.,1.", steel.format(fail=0.20))
    deck.plate(1, (11, 11), lambda u, v: (40 * u - 20, 40 * v - 20, 0.0))
    deck.block(2, (3, 3, 3), (-5.0, -6.0, 0.7), (9.0, 10.0, 9.0))
    up = deck.node((3.0, 5.0, 50.0), held=7)
    for n in range(5):
        along = [deck.node((-18.0 + 6.1 * i, -9.0 + 4.3 * n, -1.8)) for i in range(7)]
        across = [deck.node((-8.0 + 4.1 * n, -18.0 + 5.9 * i, -4.1)) for i in range(7)]
        for chain in (along, across):
            for a, b in zip(chain, chain[1:], strict=False):
                deck.element("BEAM", 3, (a, b, up))
    deck.plate(4, (7, 2), lambda u, v: (30 * u - 15.3, 0.4 + 12 * u, -5.8 - 6 * v))
    deck.set("PART", 9, (1, 3, 4))
    deck.add("*CONTACT_AUTOMATIC_GENERAL_INTERIOR\n9,0,2,0,,,1\n0.2,0.1,0.01,0.,10.\n,\n1,0.1")
    deck.add(f"*DATABASE_NCFORC\n{end_time / 20}")
    for sides in ("3,0,3", "3,1,3,3", "1,3,3,3"):
        deck.add(f"*CONTACT_FORCE_TRANSDUCER_PENALTY\n{sides}\n,\n,")
    deck.add("*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE\n2,1,3,3\n0.2,0.1\n,\n2,0.1,0,0.,3,5")
    deck.set("PART", 2, (2,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n2,1,0.,0.,3.,-250.\n0.,0.,0.")
    return deck.text()


def jointed_tyre(end_time: float = 0.08) -> str:
    """A thin box full of gas bounces; it carries a chain of rigid blocks on joints, and a weighted mean."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", "ELASTIC,1.1e-6,5.,0.3")
    for part in (2, 3, 4, 5):
        deck.part(part, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    n, size = 5, 20.0
    made: dict[tuple, int] = {}

    def corner(*cell: int) -> int:
        if cell not in made:
            made[cell] = deck.node(tuple(size * c / n for c in cell))
        return made[cell]

    for axis in range(3):
        for side in (0, n):
            for i in range(n):
                for j in range(n):
                    square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                    cells = [[*c[:axis], side, *c[axis:]] for c in square]
                    nodes = [corner(*c) for c in cells]
                    deck.element("SHELL", 1, nodes if (side == n) == (axis != 1) else nodes[::-1])
    deck.set("PART", 1, (1,))
    deck.add("*AIRBAG_SIMPLE_PRESSURE_VOLUME_ID\n3,gas\n1,1,0,0.,0.,0.,20.\n0.02,1.")
    top = [made[i, j, n] for i in (2, 3) for j in (2, 3)]
    deck.set("NODE", 2, top)
    deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,2")
    for k, part in enumerate((2, 3, 4, 5)):
        deck.block(part, (2, 1, 1), (8.0 + 8 * k, 8.0, 23.0 + 4 * k), (6.0, 4.0, 3.0))
    bodies = (90, 2, 3, 4, 5)
    kinds = ("SPHERICAL", "REVOLUTE", "UNIVERSAL", "CYLINDRICAL")
    for k, kind in enumerate(kinds):
        x, z = 8.0 + 8 * k, 22.0 + 4 * k
        places = [(x, 10.0, z)] * 2
        if kind == "UNIVERSAL":
            places += [(x + 2, 10.0, z), (x, 12.0, z)]
        elif kind != "SPHERICAL":
            places += [(x, 13.0, z + 1)] * 2
        nodes = [deck.node(p) for p in places]
        for m, node in enumerate(nodes):
            deck.add(f"*CONSTRAINED_EXTRA_NODES_NODE\n{bodies[k + m % 2]},{node}")
        listed = ",".join(map(str, nodes + [0] * (6 - len(nodes))))
        deck.add(f"*CONSTRAINED_JOINT_{kind}_ID\n{k + 11},joint\n{listed}")
    mean = deck.node((11.0, 9.0, 8.0))
    deck.add(f"*ELEMENT_MASS\n9001,{mean},0.0005\n*CONSTRAINED_INTERPOLATION\n1,{mean},123,0,1")
    deck.set("NODE", 3, [made[i, j, 0] for i in range(1, n) for j in range(1, n)])
    deck.set("NODE", 4, [made[0, j, 1] for j in range(n + 1)])
    weights = deck.lines.index("*CONSTRAINED_INTERPOLATION") + 2
    deck.lines[weights:weights] = ["3,123,1.0", "4,123,0.5"]
    deck.set("PART", 9, (1, 2, 3, 4, 5))
    deck.add("*RIGIDWALL_PLANAR\n0\n0.,0.,-1.,0.,0.2,1.,0.1\n*DATABASE_JNTFORC\n0.02\n*DATABASE_RBDOUT\n0.02")
    deck.add("*DATABASE_ABSTAT\n0.02\n*INITIAL_VELOCITY\n\n20.,0.,-80.")
    return deck.text()


def mounted_block(end_time: float = 0.6) -> str:
    """A block on mounts, springs and cables in a frame: every law of discrete beams, some of which fail."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    deck.add(f"*DATABASE_ELOUT\n{end_time / 20}")
    steel = "ELASTIC," + STEEL
    deck.part(1, "SOLID,1", steel)
    deck.part(2, "SHELL,2,0.8333,3|2.,2.,2.,2.", steel)
    block = deck.block(1, (4, 4, 2), (0.0, 0.0, 0.0), (20.0, 20.0, 10.0))
    frame = deck.plate(2, (8, 8), lambda u, v: (40 * u - 10, 40 * v - 10, -4.0))
    laws = {
        3: ("LINEAR_ELASTIC_DISCRETE_BEAM,1.,0.4,0.3,0.5,2.,2.,3.|0.01,0.01,0.01|0.,0.,0.02", 0),
        4: ("NONLINEAR_ELASTIC_DISCRETE_BEAM,1.,1,1,2|3|,|0.8,0.8", 1),
        5: ("NONLINEAR_PLASTIC_DISCRETE_BEAM,1.,0.5,0.5,0.8|0.,0.,0.|5,5,5|,|0.,0.,2.5", -1),
        6: ("GENERAL_NONLINEAR_6DOF_DISCRETE_BEAM,1.,0.9,9.,2|2,2,2,6,6,6|4,4,4|3,3,3", 0),
        7: ("GENERAL_SPRING_DISCRETE_BEAM,1.|1,0,0.3|,|3,1,0.5,0.,2.,2.|5", 3),
        8: ("ELASTIC_6DOF_SPRING_DISCRETE_BEAM,1.,10,10,10", 0),
        9: ("INELASTIC_6DOF_SPRING_DISCRETE_BEAM,1.,11,,11", 0),
        10: ("ELASTIC_SPRING_DISCRETE_BEAM,1.,0.2,0.01,0.002|0,3", 0),
        11: ("INELASTIC_SPRING_DISCRETE_BEAM,1.,0.4|5,0,0.01", 0),
        12: ("GENERAL_NONLINEAR_1DOF_DISCRETE_BEAM,1.,0.9,2|2,4|3.", 0),
        13: ("CABLE_DISCRETE_BEAM,7.8e-6,60.,0,0.05,0.1,0.05", 0),
    }
    for part, (law, scoor) in laws.items():
        section = f"BEAM,6,,,,{scoor}|0.002,0.05,77" if part < 10 else "BEAM,6|0.002"
        deck.part(part, "BEAM,6|0.,0.,0,0.8" if part == 13 else section, law)
    deck.add("*DEFINE_COORDINATE_VECTOR\n77,1.,1.,0.,-1.,1.,0.")
    curves = {
        1: "0.,0.|5.,3.",
        2: "-5.,-6.|0.,0.|5.,4.",
        3: "-10.,-0.1|10.,0.1",
        4: "-5.,-3.|0.,0.|5.,1.",
        5: "0.,0.1|1.,0.3",
        6: "-1.,-9.|1.,9.",
    }
    for number, points in curves.items():
        deck.add(f"*DEFINE_CURVE\n{number}\n" + points.replace("|", "\n"))
    bottom = block[:25]
    # Mounts between nodes at one place: those of the block and new ones, carried by a cable to the frame.
    for k, part in enumerate((3, 4, 5, 6, 7, 8, 9) * 2):
        at = bottom[(k * 7) % 25]
        column, row = bottom.index(at) % 5, bottom.index(at) // 5
        foot = deck.node((5.0 * column, 5.0 * row, 0.0))
        mount = deck.element("BEAM", part, (at, foot))
        deck.element("BEAM", 10 + k % 4, (foot, frame[2 + row][2 + column]))
        deck.element("BEAM", 13, (foot, frame[0][k % 9]))
        deck.add(f"*DATABASE_HISTORY_BEAM\n{mount},{mount + 1},{mount + 2}")
    for j in (0, 8):
        for node in frame[j]:
            deck.add(f"*BOUNDARY_SPC_NODE\n{node},0,1,1,1,1,1,1")
    deck.set("PART", 1, (1,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,1,0.,2.,1.,-6.\n0.,0.,0.")
    return deck.text()


def stitched_plates(end_time: float = 0.05) -> str:
    """Two plates, stitched together by 40 small rigid bodies and by one along an edge, fall onto a wall."""
    deck = Deck()
    deck.control(end_time, end_time / 4, end_time / 20)
    steel = "PIECEWISE_LINEAR_PLASTICITY," + STEEL + ",0.25,1.0,0.|40.,5.|,|,"
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", steel)
    deck.part(2, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    lower = deck.plate(1, (16, 10), lambda u, v: (80 * u, 50 * v, 0.6 + 2 * u))
    upper = deck.plate(1, (16, 10), lambda u, v: (80 * u, 50 * v, 3.6 + 2 * u))
    deck.block(2, (2, 2, 2), (90.0, 10.0, 0.9), (10.0, 12.0, 9.0))
    stitches = [(lower[j][i], upper[j][i]) for j in range(1, 10, 2) for i in range(1, 16, 2)]
    for number, nodes in enumerate([*stitches, (*lower[10], *upper[10])], start=1):
        deck.set("NODE", number, nodes)
        deck.add(f"*CONSTRAINED_NODAL_RIGID_BODY\n{900 + number},0,{number}")
    deck.add("*RIGIDWALL_PLANAR\n0\n0.,0.,0.,0.,0.1,1.,0.2\n*CONTROL_CONTACT\n0.1,1.0")
    deck.set("PART", 1, (1, 2))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,1,0.,5.,3.,-60.\n0.,0.,0.")
    deck.add("*LOAD_BODY_Z\n1,9.81e-3\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add(f"*DATABASE_RBDOUT\n{end_time / 20}")
    return deck.text()


def tie_bricks(deck: Deck, offset: str, death: float | str) -> None:
    """Add a brick that leaves another one, which a tied contact with this DT holds. Sets 1 to 3."""
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    low = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    high = deck.block(1, (1, 1, 1), (0.0, 0.0, 10.1), (10.0, 10.0, 10.0))
    deck.set("NODE", 1, high[:4])
    deck.set("NODE", 2, high)
    deck.add(f"*SET_SEGMENT\n3\n{low[4]},{low[5]},{low[7]},{low[6]}")
    deck.add(f"*CONTACT_TIED_NODES_TO_SURFACE{offset}\n1,3,4,0\n,,,,,,,{death}\n,,-1.,-1.")
    deck.add("*INITIAL_VELOCITY\n2\n0.,0.,1.")


def block(
    end_time: float,
    plots: float,
    density: str = "7.85e-6",
    cells: int = 2,
    push: Sequence[tuple[float, float]] = ((0.0, -0.001), (1000.0, -0.001)),
    step_scale: float = 0.9,
    more: str = "",
) -> str:
    """An elastic 10 mm cube on a held base; its top moves down at the velocity of the curve `push`."""
    deck = Deck()
    deck.control(end_time, plots)
    deck.add(f"*CONTROL_TIMESTEP\n0.,{step_scale}")
    deck.part(1, "SOLID,1", f"ELASTIC,{density},210.,0.3")
    nodes = deck.block(1, (cells, cells, cells), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    layer = (cells + 1) ** 2
    deck.set("NODE", 1, nodes[:layer])
    deck.set("NODE", 2, nodes[-layer:])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,3,0,1\n*DEFINE_CURVE\n1")
    for point in push:
        deck.add(f"{point[0]},{point[1]}")
    if more:
        deck.add(more)
    return deck.text()


#: Runs with contact, erosion and ties, by name; each takes an end time.
CRASHES: dict[str, Callable[..., str]] = {
    "torn_plate": torn_plate,
    "falling_bodies": falling_bodies,
    "all_forms": all_forms,
    "other_forms": other_forms,
    "joined_plates": joined_plates,
    "tied_stack": tied_stack,
    "sprung_stack": sprung_stack,
    "eroded_block": eroded_block,
    "net_under_sheet": net_under_sheet,
}
