"""Every element formulation, and how to write a patch of it into a deck."""

from dataclasses import dataclass

from verification.deck import Deck, Point
from verification.meshes import Mesh, hexahedra, quadrilaterals, with_middles

TEN_NODES = 16  #: form of tetrahedra with nodes in the middle of their edges
TETRAHEDRA = (10, 13, TEN_NODES)  #: forms of solids
NUMBERS_APART = 1000  #: between the numbers of parts' nodes and elements


@dataclass(frozen=True)
class Formulation:
    """An element form under a part number of its own; numbers and places of patches follow from it."""

    kind: str
    form: int
    number: int

    @property
    def name(self) -> str:
        """As in the tables."""
        return f"{self.kind} {self.form}"

    @property
    def first(self) -> int:
        """Its first node and element."""
        return self.number * NUMBERS_APART + 1

    def write(
        self, deck: Deck, mesh: Mesh, material: int, thickness: float = 0.1, at: Point = (0, 0, 0)
    ) -> None:
        """Section, part, nodes and elements; section and part have the formulation's number."""
        deck.part(self.number, self.number, material, self.name)
        deck.nodes(mesh.moved(lambda p: (p[0] + at[0], p[1] + at[1], p[2] + at[2])).nodes)
        if self.kind == "shell":
            deck.shell_section(self.number, self.form, thickness)
            deck.shells(self.number, mesh.elements)
        elif self.kind == "solid":
            deck.solid_section(self.number, self.form)
            deck.solids(self.number, mesh.elements)
        else:
            deck.beam_section(self.number, self.form, thickness, thickness)
            deck.add("ELEMENT_BEAM", *([e, self.number, *n] for e, n in mesh.elements.items()))


SHELLS = [
    Formulation("shell", 2, 1),
    Formulation("shell", 16, 2),
    Formulation("shell", 4, 3),
    Formulation("shell", 10, 21),
    Formulation("shell", -16, 22),
    Formulation("shell", 5, 25),
    Formulation("shell", 7, 27),
]
SOLIDS = [
    Formulation("solid", 1, 4),
    Formulation("solid", 2, 5),
    Formulation("solid", 10, 6),
    Formulation("solid", 15, 7),
    Formulation("solid", -1, 23),
    Formulation("solid", 13, 24),
    Formulation("solid", TEN_NODES, 26),
]
BEAMS = [
    Formulation("beam", 1, 8),
    Formulation("beam", 2, 9),
    Formulation("beam", 3, 10),
    Formulation("beam", 4, 28),
]


@dataclass(frozen=True)
class Patch:
    """A distorted mesh of the unit square or cube, and its outer nodes."""

    mesh: Mesh
    outer: list[int]


#: inner nodes: of a square (MacNeal and Harder's, scaled to it), and of a cube
SQUARE: list[Point] = [(0.17, 0.17, 0), (0.75, 0.25, 0), (0.67, 0.67, 0), (0.33, 0.67, 0)]
CUBE: list[Point] = [
    (0.249, 0.342, 0.192),
    (0.826, 0.288, 0.288),
    (0.850, 0.649, 0.263),
    (0.273, 0.750, 0.230),
    (0.320, 0.186, 0.643),
    (0.677, 0.305, 0.683),
    (0.788, 0.693, 0.644),
    (0.165, 0.745, 0.702),
]


def block(formulation: Formulation, size: float = 1.0) -> Mesh:
    """A small regular mesh: 2 x 2 shells, 2 x 2 x 1 hexahedra or as many cut ones, a bent row of 3 beams."""
    first = formulation.first
    if formulation.kind == "beam":
        points = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.5, 0.8, 0.0), (1.5, 0.8, 1.0), (-1.0, 2.0, 3.0)]
        nodes = {first + k: (size * p[0], size * p[1], size * p[2]) for k, p in enumerate(points)}
        return Mesh(nodes, {first + k: [first + k, first + k + 1, first + 4] for k in range(3)})
    if formulation.kind == "shell":
        mesh = quadrilaterals(2, 2, 2 * size, 2 * size, first)
        if formulation.form == 4:
            mesh = _renumbered(mesh, [t for q in mesh.elements.values() for t in triangles(q)])
        return mesh
    mesh = hexahedra((2, 2, 1), (2 * size, 2 * size, size), first)
    if formulation.form in TETRAHEDRA:
        mesh = _renumbered(mesh, [t for h in mesh.elements.values() for t in tetrahedra(h)])
    if formulation.form == TEN_NODES:
        mesh = with_middles(mesh)
    if formulation.form == 15:
        mesh = _renumbered(mesh, [w for h in mesh.elements.values() for w in wedges(h)])
    return mesh


def patch(formulation: Formulation) -> Patch:
    """A distorted patch of a shell or solid formulation."""
    first = formulation.first
    if formulation.kind == "shell":
        mesh = _ring(quadrilaterals(1, 1, 1.0, 1.0, first), SQUARE, [[0, 1, 2, 3]], corners=[0, 1, 3, 2])
        outer = list(mesh.nodes)[:4]
        if formulation.form == 4:
            mesh = _renumbered(mesh, [t for q in mesh.elements.values() for t in triangles(q)])
    elif formulation.form == 15:
        return _wedges(first)
    else:
        mesh = _cube(first)
        outer = list(mesh.nodes)[:8]
        if formulation.form in TETRAHEDRA:
            mesh = _renumbered(mesh, [t for h in mesh.elements.values() for t in tetrahedra(h)])
        if formulation.form == TEN_NODES:
            mesh = with_middles(mesh)
            outer = mesh.where(lambda p: any(c in (0.0, 1.0) for c in p))
    return Patch(mesh, outer)


def _ring(outer: Mesh, inner: list[Point], middle: list[list[int]], corners: list[int]) -> Mesh:
    """The square `outer` cut into a quadrilateral at `inner` and four around it."""
    first = min(outer.nodes)
    o = [first + c for c in corners]
    i = [first + 4 + k for k in range(4)]
    nodes = outer.nodes | dict(zip(i, inner, strict=True))
    around = [[o[k], o[(k + 1) % 4], i[(k + 1) % 4], i[k]] for k in range(4)]
    elements = [[i[k] for k in m] for m in middle] + around
    return Mesh(nodes, dict(enumerate(elements, first)))


def _cube(first: int) -> Mesh:
    """The unit cube cut into a hexahedron in the middle and six around it."""
    whole = hexahedra((1, 1, 1), (1.0, 1.0, 1.0), first)
    o = whole.elements[first]
    i = [first + 8 + k for k in range(8)]
    faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    elements = [i] + [[o[k] for k in reversed(f)] + [i[k] for k in reversed(f)] for f in faces]
    return Mesh(whole.nodes | dict(zip(i, CUBE, strict=True)), dict(enumerate(elements, first)))


def _wedges(first: int) -> Patch:
    """Two layers of wedges on the square's patch; the inner nodes of the middle plane are moved."""
    flat = _ring(quadrilaterals(1, 1, 1.0, 1.0, 0), SQUARE, [[0, 1, 2, 3]], corners=[0, 1, 3, 2])
    moves = [(0.05, -0.04, 0.1), (-0.06, 0.03, -0.08), (0.02, 0.05, 0.06), (-0.03, -0.05, -0.1)]
    nodes: dict[int, Point] = {}
    for layer in range(3):
        for n, (x, y, _) in flat.nodes.items():
            inner = layer == 1 and n >= 4
            d = moves[n - 4] if inner else (0.0, 0.0, 0.0)
            nodes[first + 8 * layer + n] = (x + d[0], y + d[1], 0.5 * layer + d[2])
    cells = [
        [first + 8 * layer + t[1], first + 8 * layer + t[0], first + 8 * (layer + 1) + t[0],
         first + 8 * (layer + 1) + t[1], first + 8 * layer + t[2], first + 8 * (layer + 1) + t[2]]
        for layer in range(2)
        for q in flat.elements.values()
        for t in triangles(q)
    ]  # fmt: skip
    outer = [n for n in nodes if not first + 12 <= n < first + 16]
    return Patch(Mesh(nodes, dict(enumerate(cells, first))), outer)


def triangles(quad: list[int]) -> list[list[int]]:
    """A quadrilateral cut in two."""
    a, b, c, d = quad
    return [[a, b, c], [a, c, d]]


def wedges(hexahedron: list[int]) -> list[list[int]]:
    """A hexahedron cut in two across its faces 1-2-3-4 and 5-6-7-8."""
    n = hexahedron
    return [[n[1], n[0], n[4], n[5], n[2], n[6]], [n[3], n[2], n[6], n[7], n[0], n[4]]]


def tetrahedra(hexahedron: list[int]) -> list[list[int]]:
    """A hexahedron cut into six: a fan from its least node, faces cut from their least nodes."""
    faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    apex = min(hexahedron)
    cells = []
    for face in ([hexahedron[k] for k in f] for f in faces):
        if apex in face:
            continue
        k = face.index(min(face))
        for t in triangles(face[k:] + face[:k]):
            cells.append([t[0], t[2], t[1], apex])
    return cells


def _renumbered(mesh: Mesh, elements: list[list[int]]) -> Mesh:
    return Mesh(mesh.nodes, dict(enumerate(elements, min(mesh.nodes))))
