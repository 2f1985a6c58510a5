"""Writes keyword decks: cards as comma-separated fields, numbers without rounding."""

from collections.abc import Iterable, Sequence

Field = int | float | str | None
Card = Sequence[Field] | str
Point = tuple[float, float, float]


def _field(value: Field) -> str:
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, float) else str(value)


def _card(fields: Sequence[Field]) -> str:
    """Fields between commas; one field needs a comma too, to be free of columns."""
    return ",".join(map(_field, fields)) + ("," if len(fields) == 1 else "")


class Deck:
    """A keyword deck that grows line by line.

    Histories go to binout and to text files, so that either can be read back.
    """

    def __init__(self, title: str, end_time: float, step_scale: float = 0.9) -> None:
        self._lines = ["*KEYWORD", "*TITLE", title]
        self.end_time = end_time
        self.add("CONTROL_TERMINATION", [end_time])
        self.add("CONTROL_TIMESTEP", [0.0, step_scale])
        self.add("CONTROL_ENERGY", [2, 2, 2, 1])

    def add(self, keyword: str, *cards: Card) -> None:
        """Append a keyword; a card is a list of fields, or a line as it is."""
        self._lines.append(f"*{keyword}")
        self._lines += [c if isinstance(c, str) else _card(c) for c in cards]

    def text(self) -> str:
        """The whole deck."""
        return "\n".join([*self._lines, "*END", ""])

    def output(self, interval: float, *histories: str, plot: float | None = None) -> None:
        """Write `histories` (glstat, nodout, ...) every `interval`, plot states every `plot`."""
        for name in histories:
            self.add(f"DATABASE_{name.upper()}", [interval, 3])
        self.add("DATABASE_BINARY_D3PLOT", [plot or self.end_time])

    def node_history(self, nodes: Iterable[int]) -> None:
        """Nodes of nodout."""
        self.add("DATABASE_HISTORY_NODE", *_rows(nodes))

    def nodes(self, points: dict[int, Point]) -> None:
        """Coordinates by node number."""
        self.add("NODE", *([n, *map(float, p)] for n, p in points.items()))

    def node_set(self, number: int, nodes: Iterable[int]) -> None:
        """A set of nodes."""
        self.add("SET_NODE_LIST", [number], *_rows(nodes))

    def part(self, number: int, section: int, material: int, title: str, hourglass: int = 0) -> None:
        """A part."""
        self.add("PART", title, [number, section, material, 0, hourglass])

    def shells(self, part: int, elements: dict[int, Sequence[int]]) -> None:
        """Shells of four nodes; triangles of three."""
        self.add(
            "ELEMENT_SHELL",
            *([e, part, *n, *([n[-1]] if len(n) == 3 else [])] for e, n in elements.items()),
        )

    def solids(self, part: int, elements: dict[int, Sequence[int]]) -> None:
        """Hexahedra (8 nodes), wedges (6) and tetrahedra (4, or 10 on a line of their own)."""
        cards = [
            card
            for e, n in elements.items()
            for card in (([e, part], n) if len(n) == 10 else ([e, part, *eight_nodes(n)],))
        ]
        self.add("ELEMENT_SOLID", *cards)

    def curve(self, number: int, points: Iterable[tuple[float, float]]) -> None:
        """A curve."""
        self.add("DEFINE_CURVE", [number], *([float(x), float(y)] for x, y in points))

    def elastic(self, number: int, density: float, young: float, poisson: float) -> None:
        """*MAT_ELASTIC."""
        self.add("MAT_ELASTIC", [number, density, young, poisson])

    def shell_section(self, number: int, form: int, thickness: float, points: int = 2) -> None:
        """*SECTION_SHELL of constant thickness, shear factor 5/6."""
        self.add("SECTION_SHELL", [number, form, 5.0 / 6.0, points], [thickness] * 4)

    def solid_section(self, number: int, form: int) -> None:
        """*SECTION_SOLID."""
        self.add("SECTION_SOLID", [number, form])

    def beam_section(self, number: int, form: int, width: float, height: float) -> None:
        """*SECTION_BEAM of a rectangle: `width` along s, `height` along t; a truss of its area."""
        area = width * height
        if form == 1:
            self.add("SECTION_BEAM", [number, 1, 5.0 / 6.0, 2, 0], [width, width, height, height])
        elif form == 4:
            self.add("SECTION_BEAM", [number, 4, 1.0, 2, 0], [width, width, height, height])
        elif form in (2, 13):
            iss, itt = width * height**3 / 12, height * width**3 / 12
            self.add("SECTION_BEAM", [number, form], [area, iss, itt, iss + itt, 5.0 / 6.0 * area])
        else:
            self.add("SECTION_BEAM", [number, 3], [area])


def eight_nodes(nodes: Sequence[int]) -> list[int]:
    """Nodes of a solid as *ELEMENT_SOLID wants them: degenerate forms repeat nodes."""
    n = list(nodes)
    if len(n) == 4:
        return [n[0], n[1], n[2], n[3], n[3], n[3], n[3], n[3]]
    if len(n) == 6:
        return [n[0], n[1], n[2], n[3], n[4], n[4], n[5], n[5]]
    return n


def _rows(numbers: Iterable[int]) -> list[list[int]]:
    n = list(numbers)
    return [n[i : i + 8] for i in range(0, len(n), 8)]
