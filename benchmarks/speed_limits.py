"""How fast a kernel could be: bytes it must move and operations it makes, against the machine's rates.

Bytes are counted by hand from the kernels (docs/limits.md says how), operations by running them on a
number that counts (benchmarks/kernels/counted.hpp). For contact, ties and rigid bodies count_work has both
(benchmarks/kernels/work_beside_elements.cpp).
"""

from dataclasses import dataclass

from speed_figure import Figure

Work = dict[
    str, dict[str, float]
]  #: of kernels by name: sums, products, divisions, roots, choices an element; beside elements bytes, too
SIZE = {"double": 8, "single": 4}  #: bytes of a number of the state
LINE = 2 * 64  #: of sums and their scales, read and written
NODE_OF_SHELL = 3 * 24 + LINE  #: x, v, w read
NODE_OF_SOLID = 2 * 24 + LINE  #: x, v read


@dataclass(frozen=True)
class Traffic:
    """What an element reads and writes in a call, MAT_024."""

    variables: int  #: of its state, counted once for reading and once for writing
    energies: int  #: doubles read and written
    corners: int
    nodes: float  #: bytes of nodes: each node's once a cycle, by the nodes an element has in the mesh
    outside: int  #: operations outside of the vectors: products with the sums' scales, energies

    def bytes(self, precision: str) -> float:
        """With survival and step, which are read and written, the corners and a node to prefetch."""
        values = (self.variables + 4) * SIZE[precision] + 16 * self.energies
        return values + 4 * (self.corners + 1) + self.nodes


#: Bytes by hand. Points of MAT_024 keep stresses (a shell's without zz) and plastic strain.
TRAFFIC = {
    # thickness read; failed points read and written; 5 points x 6 variables read and written
    "shell 2": Traffic(1 + 2 + 5 * 6 * 2, 2, 4, NODE_OF_SHELL * 225**2 / 224**2, 24 + 2),
    # the same with 20 points; no hourglass energy
    "shell 16": Traffic(1 + 2 + 20 * 6 * 2, 1, 4, NODE_OF_SHELL * 225**2 / 224**2, 24 + 1),
    # first volume read; viscosity, length, 7 variables of the point, 12 hourglass stresses read and written
    "solid 1 hg6": Traffic(1 + 2 * (2 + 7 + 12), 2, 8, NODE_OF_SOLID * 38**3 / 37**3, 24 + 2),
    # first volume read; viscosity, length and 8 x 7 variables read and written
    "solid -1": Traffic(1 + 2 * (2 + 8 * 7), 1, 8, NODE_OF_SOLID * 38**3 / 37**3, 24 + 1),
    "solid 2": Traffic(1 + 2 * (2 + 8 * 7), 1, 8, NODE_OF_SOLID * 38**3 / 37**3, 24 + 1),
}

#: Kernels beside elements, all in double, by their names in `Work`: benchmarks that measure them.
BESIDE_ELEMENTS = {
    "closest points": "contact/projection",
    "contact forces": "contact/forces",
    "sort": "contact/search",
    "tie forces": "ties/transfer",
    "tie motion": "ties/motion",
    "body loads": "bodies/loads",
    "body motion": "bodies/motion",
}


def benchmark_of(name: str, precision: str) -> str:
    """The benchmark of a kernel that has a limit."""
    return BESIDE_ELEMENTS.get(name, f"element/{name}/024/50000/{precision}")


@dataclass(frozen=True)
class Limit:
    """Nanoseconds an element, or another item, by each of three limits."""

    bytes: float
    flops: float
    divisions: float
    memory_ns: float  #: at the triad's bandwidth, arrays of as much memory as 50,000 elements have
    flops_ns: float  #: at the rate of fused multiply-adds, all operations fused
    divisions_ns: float  #: divisions and roots at theirs

    @property
    def ns(self) -> float:
        """The longest."""
        return max(self.memory_ns, self.flops_ns, self.divisions_ns)

    @property
    def by(self) -> str:
        """What limits."""
        named = {"memory": self.memory_ns, "flops": self.flops_ns, "div": self.divisions_ns}
        return max(named, key=lambda name: named[name])


def limit_of(
    of: dict[str, float], moved: float, outside: int, precision: str, kernels: dict[str, Figure]
) -> Limit | None:
    """For the work `of` an item, `moved` bytes and more operations; None where rates were not measured."""
    rates = {rate: kernels.get(f"machine/{rate}/{precision}") for rate in ("multiply-add", "divide", "root")}
    memory = kernels.get("machine/triad/32 MiB")
    if not memory or not all(rates.values()):
        return None
    flops = sum(of[kind] for kind in ("sums", "products", "divisions", "roots")) + outside
    return Limit(
        moved,
        flops,
        of["divisions"] + of["roots"],
        moved * memory.median,
        flops * rates["multiply-add"].median,
        of["divisions"] * rates["divide"].median + of["roots"] * rates["root"].median,
    )


def limits(kernels: dict[str, Figure], work: Work) -> dict[str, Limit]:
    """Of each kernel and precision (`shell 2/double`), where the machine's rates were measured.

    Rates are those of the instruction set that the kernels were measured with.
    """
    found = {
        f"{name}/{precision}": limit_of(
            work[name], traffic.bytes(precision), traffic.outside, precision, kernels
        )
        for name, traffic in TRAFFIC.items()
        if name in work
        for precision in SIZE
    }
    for name in BESIDE_ELEMENTS:
        if name in work:
            found[f"{name}/double"] = limit_of(work[name], work[name].get("bytes", 0.0), 0, "double", kernels)
    return {name: limit for name, limit in found.items() if limit}
