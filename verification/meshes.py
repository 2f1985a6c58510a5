"""Meshes of the decks: grids of quadrilaterals and hexahedra, and the small distorted patches."""

from collections.abc import Callable
from dataclasses import dataclass, field

from verification.deck import Point


@dataclass
class Mesh:
    """Nodes by number, elements by number as lists of nodes."""

    nodes: dict[int, Point] = field(default_factory=dict)
    elements: dict[int, list[int]] = field(default_factory=dict)

    def where(self, chosen: Callable[[Point], bool]) -> list[int]:
        """Numbers of nodes at points that are chosen."""
        return [n for n, p in self.nodes.items() if chosen(p)]

    def moved(self, place: Callable[[Point], Point]) -> "Mesh":
        """The same elements with nodes elsewhere."""
        return Mesh({n: place(p) for n, p in self.nodes.items()}, self.elements)


def quadrilaterals(nx: int, ny: int, lx: float, ly: float, first: int = 1) -> Mesh:
    """nx x ny elements on the rectangle lx x ly in the xy plane; numbers count from `first`."""
    mesh = Mesh()
    for j in range(ny + 1):
        for i in range(nx + 1):
            mesh.nodes[first + j * (nx + 1) + i] = (lx * i / nx, ly * j / ny, 0.0)
    for j in range(ny):
        for i in range(nx):
            a = first + j * (nx + 1) + i
            mesh.elements[first + j * nx + i] = [a, a + 1, a + nx + 2, a + nx + 1]
    return mesh


def hexahedra(n: tuple[int, int, int], size: Point, first: int = 1) -> Mesh:
    """n[0] x n[1] x n[2] elements on a box with a corner at the origin; numbers count from `first`."""
    nx, ny, nz = n
    mesh = Mesh()

    def node(i: int, j: int, k: int) -> int:
        return first + (k * (ny + 1) + j) * (nx + 1) + i

    for k in range(nz + 1):
        for j in range(ny + 1):
            for i in range(nx + 1):
                mesh.nodes[node(i, j, k)] = (size[0] * i / nx, size[1] * j / ny, size[2] * k / nz)
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                lower = [node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k)]
                upper = [m + (nx + 1) * (ny + 1) for m in lower]
                mesh.elements[first + len(mesh.elements)] = lower + upper
    return mesh


def with_middles(mesh: Mesh) -> Mesh:
    """Tetrahedra of four nodes with nodes in the middle of their edges, in the order of *ELEMENT_SOLID."""
    nodes, elements = dict(mesh.nodes), {}
    known: dict[tuple[int, int], int] = {}
    last = max(nodes)
    for number, corners in mesh.elements.items():
        elements[number] = list(corners)
        for i, j in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
            a, b = sorted((corners[i], corners[j]))
            if (a, b) not in known:
                last += 1
                known[a, b] = last
                x, y = nodes[a], nodes[b]
                nodes[known[a, b]] = ((x[0] + y[0]) / 2, (x[1] + y[1]) / 2, (x[2] + y[2]) / 2)
            elements[number].append(known[a, b])
    return Mesh(nodes, elements)


def swept(flat: Mesh, height: float, layers: int) -> Mesh:
    """Hexahedra from a mesh of quadrilaterals in the xy plane, swept along z."""
    step = max(flat.nodes)
    mesh = Mesh()
    for k in range(layers + 1):
        mesh.nodes |= {k * step + n: (x, y, height * k / layers) for n, (x, y, _) in flat.nodes.items()}
    for k in range(layers):
        for quad in flat.elements.values():
            lower = [k * step + n for n in quad]
            mesh.elements[len(mesh.elements) + 1] = lower + [n + step for n in lower]
    return mesh
