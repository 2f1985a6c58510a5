"""Writes one deck with every material law in every kind of element, and every kind of hourglass control."""

from dataclasses import dataclass, field

from small_decks import STEEL, Deck

#: Cards of each law after *MAT_, as `Deck.part` takes them.
LAWS = {
    "elastic": f"ELASTIC,{STEEL}",
    "kinematic": f"PLASTIC_KINEMATIC,{STEEL},0.25,1.0,0.4|40.,5.,0.3,0.",
    "isotropic": "ISOTROPIC_ELASTIC_PLASTIC,7.85e-6,80.,0.25,1.0,170.",
    "piecewise": f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},,,0.6|40.,5.,0,0|0.,0.02,0.1,0.3|0.25,0.3,0.36,0.4",
    "viscoplastic": f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.0,0.6|40.,5.,0,0,1.|,|,",
    "johnson_cook": f"SIMPLIFIED_JOHNSON_COOK,{STEEL}|0.25,0.2,0.4,0.02,0.4,,,1e-3",
    "damage": f"PLASTICITY_WITH_DAMAGE,{STEEL},0.25,1.0,0.1|0.,0.,0,0,0.3,0.|,|,",
    "modified": f"MODIFIED_PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.0,0.6|0.,0.,0,0,0.,0.1,0.3|,|,",
    "rubber": "MOONEY-RIVLIN_RUBBER,1.1e-6,0.495,0.003,0.0008",
    "eroded": f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.0,0.6|40.,5.,0,0|,|,",
}
BEAMS = ("elastic", "kinematic", "piecewise", "viscoplastic", "johnson_cook", "eroded")


@dataclass
class Strips:
    """Pieces of a few elements, of which one end is held and the other one is pulled."""

    deck: Deck = field(default_factory=Deck)
    parts: int = 0
    held: list[int] = field(default_factory=list)
    pulled: list[int] = field(default_factory=list)

    def part(self, section: str, material: str) -> int:
        """Number of a new part."""
        self.parts += 1
        self.deck.part(self.parts, section, material)
        return self.parts

    def bricks(self, form: int, law: str, x: float, y: float) -> int:
        """Two by two by two of them."""
        part = self.part(f"SOLID,{form}", law)
        nodes = self.deck.block(part, (2, 2, 2), (x, y, 0.0), (8.0, 7.0, 6.0))
        self.held += nodes[:9]
        self.pulled += nodes[18:26]  # all but one, for shapes of all kinds
        return part

    def tetrahedron(self, law: str, x: float, y: float) -> int:
        """One, whose tip is pulled."""
        part = self.part("SOLID,10", law)
        corners = ((0, 0, 0), (5, 0, 0), (0, 5, 0), (0, 0, 4))
        nodes = [self.deck.node((x + a, y + b, float(c))) for a, b, c in corners]
        self.deck.element("SOLID", part, (*nodes, *[nodes[3]] * 4))
        self.held += nodes[:3]
        self.pulled.append(nodes[3])
        return part

    def shells(self, form: int, law: str, x: float, y: float, layers: int = 5) -> int:
        """Two by two, warped."""
        part = self.part(f"SHELL,{form},0.8333,{layers}|1.,1.,1.,1.", law)
        grid = self.deck.plate(part, (2, 2), lambda u, v: (x + 7 * u, y + 8 * v, 0.4 * u * v))
        self.held += grid[0]
        self.pulled += grid[-1][:2]
        return part

    def beams(self, form: str, law: str, x: float, y: float) -> int:
        """Two in a row."""
        part = self.part(f"BEAM,{form}", law)
        up = self.deck.node((x, y, 50.0), held=7)
        nodes = [self.deck.node((x, y + 4 * i, 0.0)) for i in range(3)]
        for a, b in zip(nodes, nodes[1:], strict=False):
            self.deck.element("BEAM", part, (a, b, up))
        self.held.append(nodes[0])
        self.pulled.append(nodes[-1])
        return part


def every_law(end_time: float = 0.03) -> str:
    """Strips of each law and form, and of each type of hourglass control, pulled until some break."""
    strips = Strips()
    deck = strips.deck
    deck.control(end_time, end_time / 2, end_time / 10)
    for k, (name, law) in enumerate(LAWS.items()):
        y = 14.0 * k
        parts = [strips.bricks(form, law, x, y) for x, form in ((0.0, 1), (20.0, -1))]
        parts.append(strips.tetrahedron(law, 40.0, y))
        parts += [strips.shells(form, law, x, y) for x, form in ((60.0, 2), (70.0, 16), (80.0, -16))]
        if name in BEAMS:
            parts.append(strips.beams("1,1.0,2,1|2.,2.,0.,0.", law, 90.0, y))
        if name == "eroded":
            for part in parts:
                deck.add(f"*MAT_ADD_EROSION\n{part},0.,0.8,,0.05,0.,1.\n,,,,0.08")
    weld = f"SPOTWELD,{STEEL},0.3,1.,0.,0.|3.,3.,3."
    strips.beams("9,1.0,2,1|3.,3.,0.,0.", weld, 90.0, 14.0 * len(LAWS))
    for kind in (1, 2, 3, 4, 5, 6):
        part = strips.bricks(1, LAWS["piecewise"], 12.0 * kind, -20.0)
        add_hourglass(deck, part, kind)
    for kind, form in ((1, 2), (3, 2), (4, 2), (5, 10), (8, 16)):
        part = strips.shells(form, LAWS["kinematic"], 12.0 * kind, -40.0, 3)
        add_hourglass(deck, part, kind)
    deck.set("NODE", 1, strips.held)
    deck.set("NODE", 2, strips.pulled)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.002,60.\n10.,60.")
    for direction, scale in ((1, 0.3), (2, 0.6), (3, 1.0), (6, 0.002)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{scale}")
    deck.add("*CONTROL_SHELL\n20.,1,-1,1,2,2,1\n,,,,1")
    return deck.text()


def add_hourglass(deck: Deck, part: int, kind: int) -> None:
    """Give a part an *HOURGLASS of its own."""
    deck.add(f"*HOURGLASS\n{part},{kind},0.08,0,1.5,0.06,0.07,0.06")
    row = deck.lines.index(f"part {part}") + 1
    deck.lines[row] += f",0,{part}"
