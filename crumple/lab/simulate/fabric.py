"""Switches and cables of a topology: links, and the forwarding table of each switch."""

from dataclasses import dataclass, field
from functools import lru_cache

from crumple.lab.catalogue.hardware import Topology

NODE = -1  #: as the switch of a hop: the link ends at the node


@dataclass
class Fabric:
    """Links by number; their names give both ends."""

    nodes: int
    links: list[str] = field(default_factory=list)
    ends: list[tuple[str, str]] = field(default_factory=list)  #: both ends of each link
    switches: list[str] = field(default_factory=list)
    tables: list[list[tuple[int, int]]] = field(default_factory=list)  #: switch, node: link, next switch
    up: list[tuple[int, int]] = field(default_factory=list)  #: for each node: link, switch
    down: list[int] = field(default_factory=list)  #: link to each node

    def link(self, start: str, end: str, cable: int = 0) -> int:
        """Add a link in one direction."""
        self.links.append(f"{start} > {end}" + (f" ({cable + 1})" if cable else ""))
        self.ends.append((start, end))
        return len(self.links) - 1

    def add_switches(self, names: list[str]) -> list[int]:
        """Add switches with empty forwarding tables."""
        first = len(self.switches)
        self.switches += names
        self.tables += [[(0, NODE)] * self.nodes for _ in names]
        return list(range(first, first + len(names)))

    def attach(self, node: int, switch: int) -> None:
        """Connect a node to a switch."""
        name, at = f"node {node}", self.switches[switch]
        self.up.append((self.link(name, at), switch))
        self.down.append(self.link(at, name))
        self.tables[switch][node] = (self.down[node], NODE)

    def cable(self, a: int, b: int, number: int = 0) -> tuple[int, int]:
        """Add a cable between two switches: one link in each direction."""
        start, end = self.switches[a], self.switches[b]
        return self.link(start, end, number), self.link(end, start, number)

    def route(self, source: int, target: int) -> list[int]:
        """The links between two nodes, in order."""
        link, switch = self.up[source]
        links = [link]
        while switch != NODE:
            link, switch = self.tables[switch][target]
            links.append(link)
        return links

    def hops(self, source: int, target: int) -> int:
        """Number of switches between two nodes."""
        return 0 if source == target else len(self.route(source, target)) - 1


@lru_cache(maxsize=256)
def switches_of(topology: Topology, nodes: int) -> int:
    """Number of switches that connect some nodes."""
    return len(fabric_of(topology, nodes).switches)


def fabric_of(topology: Topology, nodes: int) -> Fabric:
    """The switches and cables that connect some nodes; routes depend only on the destination."""
    fabric = Fabric(nodes)
    build = {"star": star, "leaf-spine": leaf_spine, "fat-tree": fat_tree, "dragonfly": dragonfly}
    build[topology.kind](fabric, topology)
    return fabric


def star(fabric: Fabric, topology: Topology) -> None:
    """All nodes on one switch."""
    (switch,) = fabric.add_switches(["switch"])
    for node in range(fabric.nodes):
        fabric.attach(node, switch)


def leaves_of(fabric: Fabric, topology: Topology) -> list[int]:
    """Add leaf switches with their nodes."""
    down = topology.leaf_down
    leaves = fabric.add_switches([f"leaf {k}" for k in range(-(-fabric.nodes // down))])
    for node in range(fabric.nodes):
        fabric.attach(node, leaves[node // down])
    return leaves


def leaf_spine(fabric: Fabric, topology: Topology) -> None:
    """Two levels: each leaf has the same number of cables to every spine."""
    leaves, down, up = leaves_of(fabric, topology), topology.leaf_down, topology.leaf_up
    if len(leaves) == 1:
        return
    spines = fabric.add_switches(
        [f"spine {k}" for k in range(min(up, -(-len(leaves) * up // topology.ports)))]
    )
    for number, leaf in enumerate(leaves):
        cables = [fabric.cable(leaf, spines[k % len(spines)], k // len(spines)) for k in range(up)]
        for node in range(fabric.nodes):
            k = node % up
            if node // down == number:
                for spine in range(len(spines)):  # back down on a cable of the spine, by destination
                    mine = [c for c in range(up) if c % len(spines) == spine]
                    fabric.tables[spines[spine]][node] = (
                        cables[mine[node // len(spines) % len(mine)]][1],
                        leaf,
                    )
            else:
                fabric.tables[leaf][node] = (cables[k][0], spines[k % len(spines)])


def fat_tree(fabric: Fabric, topology: Topology) -> None:
    """Three levels: pods of leaves and aggregation switches, and cores; destination modulo k."""
    half, up, down = max(1, topology.ports // 2), topology.leaf_up, topology.leaf_down
    leaves = leaves_of(fabric, topology)
    if len(leaves) == 1:
        return
    pods = -(-len(leaves) // half)
    middle = [fabric.add_switches([f"pod {p} aggregation {a}" for a in range(up)]) for p in range(pods)]
    core = (
        [fabric.add_switches([f"core {a}.{c}" for c in range(half)]) for a in range(up)] if pods > 1 else []
    )
    lower = {
        (leaf, a): fabric.cable(leaf, middle[k // half][a])
        for k, leaf in enumerate(leaves)
        for a in range(up)
    }
    upper = {
        (p, a, c): fabric.cable(middle[p][a], core[a][c])
        for p in range(pods)
        for a in range(up)
        for c in range(half)
        if pods > 1
    }
    for node in range(fabric.nodes):
        home, a, c = node // down, node % up, node // up % half
        for k, leaf in enumerate(leaves):
            if k != home:
                fabric.tables[leaf][node] = (lower[leaf, a][0], middle[k // half][a])
        for p in range(pods):
            for b in range(up):
                inside = p == home // half
                fabric.tables[middle[p][b]][node] = (
                    (lower[leaves[home], b][1], leaves[home]) if inside else (upper[p, b, c][0], core[b][c])
                )
        for b, row in enumerate(core):
            for d, switch in enumerate(row):
                fabric.tables[switch][node] = (upper[home // half, b, d][1], middle[home // half][b])


def dragonfly(fabric: Fabric, topology: Topology) -> None:
    """Groups of routers, all connected within a group, and all groups with each other; shortest paths."""
    routers, each = topology.routers, topology.nodes_per_router
    groups = -(-fabric.nodes // (routers * each))
    all_of = [fabric.add_switches([f"group {g} router {r}" for r in range(routers)]) for g in range(groups)]
    for node in range(fabric.nodes):
        fabric.attach(node, all_of[node // (routers * each)][node // each % routers])
    local, far = {}, {}
    for g in range(groups):
        for r in range(routers):
            for s in range(r):
                local[g, r, s], local[g, s, r] = fabric.cable(all_of[g][r], all_of[g][s])
    out = routers * max(1, topology.ports - each - (routers - 1))
    many = max(1, out // max(1, groups - 1))  # cables between two groups
    for g in range(groups):
        for h in range(g):
            for m in range(many):
                ends = [((o - 1) + m * (groups - 1)) % routers for o in ((h - g) % groups, (g - h) % groups)]
                there, back = fabric.cable(all_of[g][ends[0]], all_of[h][ends[1]], m)
                far[g, h, m], far[h, g, m] = (ends[0], there, ends[1]), (ends[1], back, ends[0])
    for node in range(fabric.nodes):
        home, last = node // (routers * each), node // each % routers
        for g in range(groups):
            for r in range(routers):
                if g != home:
                    leave, link, arrive = far[g, home, node % many]
                    step = (
                        (link, all_of[home][arrive]) if r == leave else (local[g, r, leave], all_of[g][leave])
                    )
                elif r != last:
                    step = (local[g, r, last], all_of[g][last])
                else:
                    continue
                fabric.tables[all_of[g][r]][node] = step
