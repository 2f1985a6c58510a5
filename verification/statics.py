"""Static problems of shells by damped motion: what their decks and figures share."""

from collections.abc import Callable
from dataclasses import dataclass

from verification.deck import Deck, Point
from verification.meshes import Mesh, quadrilaterals
from verification.problem import Figure
from verification.results import Results

NUMBERS_APART = 2000  #: between the numbers of parts' nodes and elements
WARPING = {
    2: 4,
    10: 4,
    16: 8,
    -16: 4,
}  #: type of hourglass control: stiffness; for form 16, terms of warped elements
HOURGLASS = {form: number for number, form in enumerate(WARPING, 1)}  #: number of its control
COEFFICIENT = 0.05  #: of hourglass control


@dataclass(frozen=True)
class Case:
    """One mesh of one shell formulation. ELFORM 2 has stiffness hourglass control and BWC = 1."""

    form: int
    cells: tuple[int, int]
    drilling: bool = True

    @property
    def name(self) -> str:
        """As in the tables."""
        text = f"shell {self.form}, {self.cells[0]} x {self.cells[1]}"
        return text + ("" if self.drilling else ", no drilling stiffness")


@dataclass(frozen=True)
class Shell:
    """A shell over the unit square of parameters (u, v), of which a corner node's motion is measured.

    `held` says which of the six freedoms of the node at (u, v) are held; `corner` is where `component` is
    measured.
    """

    title: str
    place: Callable[[Point], Point]
    held: Callable[[float, float], list[bool]]
    thickness: float
    young: float
    poisson: float
    density: float
    damping: float  #: twice the lowest circular frequency is critical
    end: float
    corner: tuple[float, float]
    component: str
    expected: float
    cases: tuple[Case, ...]

    def flat(self, part: int) -> Mesh:
        """The unit square of the case of a part."""
        return quadrilaterals(*self.cases[part - 1].cells, 1.0, 1.0, NUMBERS_APART * part + 1)

    def nodes(self, part: int, u: float | None = None, v: float | None = None) -> list[int]:
        """Nodes where the parameters have these values."""
        return self.flat(part).where(lambda p: u in (None, p[0]) and v in (None, p[1]))

    def deck(self, load: Callable[[Deck, int], None]) -> Deck:
        """All cases side by side; `load` loads a part by constant curve 1."""
        deck = Deck(self.title, self.end)
        deck.elastic(1, self.density, self.young, self.poisson)
        deck.curve(1, [(0.0, 1.0), (self.end, 1.0)])
        deck.curve(2, [(0.0, self.damping), (self.end, self.damping)])
        deck.add("DAMPING_GLOBAL", [2])
        tied = [part for part, case in enumerate(self.cases, 1) if case.drilling]
        deck.add("SET_PART_LIST", [1], tied)
        deck.add("CONTROL_SHELL", [None] * 5 + [1], [1.0], [0], [None] * 5 + [1, 1.0])
        for form in sorted({case.form for case in self.cases}):
            deck.add(
                "HOURGLASS",
                [HOURGLASS[form], WARPING[form], COEFFICIENT, 0, 1.5, 0.06, COEFFICIENT, COEFFICIENT],
            )
        for part, case in enumerate(self.cases, 1):
            flat = self.flat(part)
            mesh = flat.moved(self.place)
            deck.nodes(mesh.nodes)
            deck.shells(part, mesh.elements)
            deck.part(part, part, 1, case.name, hourglass=HOURGLASS[case.form])
            deck.shell_section(part, case.form, self.thickness)
            for n, (u, v, _) in flat.nodes.items():
                if any(held := self.held(u, v)):
                    deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, held)])
            load(deck, part)
        deck.node_history(n for part in range(1, len(self.cases) + 1) for n in self.nodes(part, *self.corner))
        deck.output(self.end / 100, "nodout", "glstat")
        return deck

    def figures(self, r: Results, share: float, tolerances: tuple[float, ...]) -> list[Figure]:
        """Deflection under `share` of the load, of each case within its tolerance, and whether it rests."""
        figures = []
        for part, (case, tolerance) in enumerate(zip(self.cases, tolerances, strict=True), 1):
            (node,) = self.nodes(part, *self.corner)
            u = r.node(node, self.component) / share
            figures += [
                Figure(case.name, "deflection", self.expected, float(u[-1]), tolerance),
                Figure(
                    case.name,
                    "change in the last tenth",
                    0.0,
                    float(u[-1] - u[-11]),
                    1e-3,
                    abs(self.expected),
                ),
            ]
        ratio = float(r.energy("energy_ratio")[-1])
        figures.append(Figure("all", "total energy / external work", 1.0, ratio, 0.01))
        return figures
