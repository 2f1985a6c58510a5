"""Bodies over the unit square, each meshed by one formulation; many lie side by side in a deck."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from verification.deck import Deck, Point
from verification.formulations import TEN_NODES, TETRAHEDRA, tetrahedra, triangles
from verification.implicit import Form
from verification.meshes import Mesh, hexahedra, quadrilaterals, with_middles

NUMBERS_APART = 10000  #: between the numbers of parts' nodes and elements
Held = Callable[[float, float], Sequence[bool]]


@dataclass(frozen=True)
class Piece:
    """Shells on a surface, or solids through its thickness.

    `place` takes u and v from 0 to 1 on the surface, and w from -1/2 to 1/2 through the thickness.
    """

    part: int
    form: Form
    cells: tuple[int, int]
    place: Callable[[float, float, float], Point]
    layers: int = 1

    @property
    def mesh(self) -> str:
        """Elements along u and v, and through the thickness of solids."""
        counts = self.cells if self.form.kind == "shell" else (*self.cells, self.layers)
        return " x ".join(map(str, counts))

    @cached_property
    def corners(self) -> Mesh:
        """In u, v, w, without nodes in the middle of edges; triangles and tetrahedra are cut cells."""
        first = NUMBERS_APART * self.part + 1
        if self.form.kind == "shell":
            mesh = quadrilaterals(*self.cells, 1.0, 1.0, first)
            cut = triangles if self.form.elform == 4 else None
        else:
            mesh = hexahedra((*self.cells, self.layers), (1.0, 1.0, 1.0), first)
            mesh = mesh.moved(lambda p: (p[0], p[1], p[2] - 0.5))
            cut = tetrahedra if self.form.elform in TETRAHEDRA else None
        if cut is None:
            return mesh
        cells = [piece for cell in mesh.elements.values() for piece in cut(cell)]
        return Mesh(mesh.nodes, dict(enumerate(cells, first)))

    @cached_property
    def flat(self) -> Mesh:
        """In u, v, w."""
        return with_middles(self.corners) if self._has_middles else self.corners

    @property
    def _has_middles(self) -> bool:
        return (self.form.kind, self.form.elform) == ("solid", TEN_NODES)

    def nodes(self, u: float | None = None, v: float | None = None, w: float | None = None) -> list[int]:
        """Where the parameters have these values."""
        given = (u, v, w)
        return self.flat.where(
            lambda p: all(g is None or abs(g - x) < 1e-9 for g, x in zip(given, p, strict=True))
        )

    def write(self, deck: Deck, section: int, material: int, title: str) -> None:
        """Part, nodes and elements; hourglass control has the number of the section."""
        mesh = self.corners.moved(lambda p: self.place(*p))
        if self._has_middles:
            mesh = with_middles(mesh)
        deck.part(self.part, section, material, title, hourglass=section)
        deck.nodes(mesh.nodes)
        (deck.shells if self.form.kind == "shell" else deck.solids)(self.part, mesh.elements)

    def hold(self, deck: Deck, held: Held) -> None:
        """Hold freedoms of the nodes at (u, v); solids have no rotations."""
        for n, (u, v, _) in self.flat.nodes.items():
            flags = [bool(h) for h in held(u, v)]
            if self.form.kind == "solid":
                flags[3:] = [False] * 3
            if any(flags):
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, flags)])

    def push(self, deck: Deck, nodes: Sequence[int], dof: int, force: float, curve: int = 1) -> None:
        """A force along x, y or z (dof 1 to 3) in equal shares."""
        deck.add("LOAD_NODE_POINT", *([n, dof, curve, force / len(nodes)] for n in nodes))

    def push_edge(self, deck: Deck, dof: int, force: float, u: float = 1.0) -> None:
        """A force spread evenly over the edge at u."""
        n_v = self.cells[1]
        for j in range(n_v + 1):
            share = (0.5 if j in (0, n_v) else 1.0) / n_v
            self.push(deck, self.nodes(u=u, v=j / n_v), dof, share * force)
