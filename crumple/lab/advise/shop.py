"""Parts of the catalogue that could replace those of a cluster: the next better ones, and current ones."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.entries import CpuEntry, NetworkEntry, entries_of
from crumple.lab.catalogue.figure import CatalogueError, read_toml
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.loggp import mean_hops

BETTER = 1.02  #: a part counts as better from this ratio on
KINDS_OF_SWITCHES = ("star", "leaf-spine", "fat-tree", "dragonfly")  #: the simplest first

Changed = Callable[[Cluster], Cluster]
Tables = dict[str, dict]


@dataclass(frozen=True)
class CataloguePart:
    """A part of the catalogue that replaces one of the cluster."""

    kind: str  #: network, switches, CPU, memory, file system
    name: str
    was: str
    cluster: Cluster = field(repr=False)
    before: Cluster = field(repr=False)  #: the cluster without it, by the same rules
    better: float  #: ratio of the merit (rate of a node, bandwidth) to that before
    year: int  #: when it was first sold; 0: not known
    what_if: bool = False  #: it cannot be bought alone


def node_rate(cluster: Cluster) -> float:
    """Element updates per second of a node with all cores busy."""
    cpu = cluster.node.cpu
    return cluster.node.cores * cpu.rate_double * cpu.factor(cpu.cores)


def network_speed(cluster: Cluster) -> float:
    """Network bandwidth of a node in bytes per second."""
    return cluster.network.bandwidth * cluster.network.rails


def message_time(cluster: Cluster) -> float:
    """Time of a small message from application to application."""
    network = cluster.network
    return switching_time(cluster) + network.latency + network.send_overhead + network.receive_overhead


def switching_time(cluster: Cluster) -> float:
    """Mean time of a message in the switches between two nodes."""
    return mean_hops(cluster.topology, cluster.nodes) * cluster.topology.hop_latency


def through_switches(cluster: Cluster) -> float:
    """Bandwidth between leaves over the bandwidth of the adapters of all nodes."""
    topology = cluster.topology
    on_one = topology.kind == "star" or cluster.nodes <= topology.leaf_down
    return 1.0 if on_one or topology.kind == "dragonfly" else 1.0 / topology.oversubscription


def file_speed(cluster: Cluster) -> float:
    """Bytes per second that all servers, or a local disk, can write."""
    return cluster.file_system.write_bandwidth * cluster.file_system.servers


def current(parts: list[CataloguePart]) -> CataloguePart:
    """The best of the newest."""
    return max(parts, key=lambda p: (p.year, p.better, p.name))


class Shop:
    """Builds the cluster with other parts, but never with the same entry, an older or a slower one."""

    def __init__(self, path: Path, prices: Changed, there: Cluster) -> None:
        self.path, self.prices, self.there = path, prices, there
        self.tables: Tables = read_toml(path)[1]

    def parts(self) -> list[list[CataloguePart]]:
        """For each kind the parts that are better than the present one, the next better one first."""
        kinds = (self.networks(), self.switches(), self.cpus(), self.memories(), self.file_systems())
        return [sorted(parts, key=lambda p: (p.better, p.name)) for parts in kinds if parts]

    def cluster(self, instead: Tables) -> Cluster | None:
        """The cluster with some sections replaced; None if the parts do not fit together."""
        try:
            return self.prices(read_cluster(self.path, instead))
        except CatalogueError:
            return None

    def kept(self, section: str, *keys: str) -> dict:
        """The keys of a section that stay when the part is replaced."""
        return {k: v for k, v in self.tables.get(section, {}).items() if k in keys}

    def without_switch_watts(self) -> dict:
        """[cluster] without the power of the switches that are replaced."""
        return {k: v for k, v in self.tables["cluster"].items() if k != "switch_watts"}

    def better(
        self, kind: str, entries: Iterable[tuple[str, Tables]], merit: Callable[[Cluster], float], was: str
    ) -> list[CataloguePart]:
        """The parts that are better than the present one, and not older.

        Args:
            entries: names, and the sections that they replace
            merit: the figure of a cluster by which parts are compared
        """
        section = {"network": "network", "switches": "topology", "CPU": "cpu"}.get(kind, "file_system")
        least, oldest, parts = BETTER * merit(self.there), self.there.years.get(section, 0), []
        for name, instead in entries:
            cluster = self.cluster(instead)
            if not cluster or merit(cluster) <= least:
                continue
            year = cluster.years.get(section, 0)
            if not year or year >= oldest:
                better = merit(cluster) / merit(self.there)
                parts.append(CataloguePart(kind, name, was, cluster, self.there, better, year))
        return parts

    def others(self, kind: str) -> dict:
        """Entries of a kind, without the present one."""
        used = self.tables.get(kind, {}).get("use")
        own = {"network": self.there.network, "topology": self.there.topology}.get(
            kind, self.there.file_system
        )
        return {k: e for k, e in entries_of(kind).items() if k != used and e.name != own.name}

    def networks(self) -> list[CataloguePart]:
        """Networks with more bandwidth that are no slower for small messages, with the switches for them."""
        if self.there.nodes == 1:
            return []
        entries = []
        for name, entry in self.others("network").items():
            table = {"network": {"use": name, **self.kept("network", "rails")}}
            found = self.switches_for(entry, table)
            if found is not None:
                with_, instead = found
                entries.append((name + (f" with {with_}" if with_ else ""), instead))
        slowest = BETTER * message_time(self.there)

        def merit(cluster: Cluster) -> float:
            return network_speed(cluster) if message_time(cluster) <= slowest else 0.0

        return self.better("network", entries, merit, self.there.network.name)

    def switches_for(self, network: NetworkEntry, table: Tables) -> tuple[str, Tables] | None:
        """Switches for another network: name ("" if the present ones fit) and sections; None: none fit.

        Args:
            table: the sections of the network
        """
        if self.tables.get("topology", {}).get("use") in network.switches:
            return "", table
        known = entries_of("topology")
        mine = self.there.topology.kind
        order = sorted(
            network.switches, key=lambda n: (known[n].kind != mine, KINDS_OF_SWITCHES.index(known[n].kind))
        )
        for name in order:
            instead = table | {"topology": {"use": name}, "cluster": self.without_switch_watts()}
            if self.cluster(instead):
                return name, instead
        return None

    def switches(self) -> list[CataloguePart]:
        """Switches for this network with more bandwidth between leaves or less latency, and neither worse."""
        used = self.tables.get("network", {}).get("use")
        network = entries_of("network").get(used) if used else None
        if self.there.nodes == 1 or network is None:
            return []
        mine = (through_switches(self.there), switching_time(self.there))
        others = self.others("topology")
        cluster = self.without_switch_watts()
        entries = [
            (name, {"topology": {"use": name}, "cluster": cluster})
            for name in network.switches
            if name in others
        ]

        def merit(cluster: Cluster) -> float:
            wider, sooner = through_switches(cluster) / mine[0], mine[1] / (switching_time(cluster) or 1e-12)
            return max(wider, sooner) if min(wider, sooner) >= 1 / BETTER else 0.0

        return self.better("switches", entries, merit, self.there.topology.name)

    def cpus(self) -> list[CataloguePart]:
        """Nodes with the same number of sockets and faster processors, with all their other parts."""
        cpu = self.there.node.cpu
        if not cpu.rate_known:
            return []
        stays = self.kept("node", "price_per_hour", "detour_rate", "detour")
        used = self.used_cpu()
        entries = []
        for name, entry in entries_of("cpu").items():
            if name == used or entry.name == cpu.name:
                continue
            node = self.node_with(name)
            if node:
                entries.append((node, {"node": {"use": node, **stays}, "cpu": {}}))
            else:
                there = self.there.node
                own = stays | {"sockets": there.sockets, "memory_bytes": there.memory_bytes}
                entries.append((name, {"node": own, "cpu": {"use": name}}))
        return self.better("CPU", entries, node_rate, cpu.name)

    def used_cpu(self) -> str:
        """Entry of the present processor; "" if it is not in the catalogue."""
        if used := self.tables.get("cpu", {}).get("use"):
            return str(used)
        node = entries_of("node").get(self.tables.get("node", {}).get("use", ""))
        return node.cpu if node else ""

    def node_with(self, cpu: str) -> str:
        """Entry of a node with this processor and the same number of sockets; "" if there is none."""
        sockets = self.there.node.sockets
        several = entries_of("node").items()
        return next((n for n, e in several if e.cpu == cpu and e.sockets and e.sockets.value == sockets), "")

    def memories(self) -> list[CataloguePart]:
        """The same processor with the memory bandwidth of another (what if)."""
        cpu = {**self.tables.get("cpu", {}), "rate_when_busy": None}
        before = self.cluster({"cpu": cpu})
        if before is None or not before.node.cpu.element_bytes:
            return []
        mine, parts = before.node.cpu.memory_bandwidth, []
        for name, entry in entries_of("cpu").items():
            value = entry.memory_bandwidth.value
            cluster = self.cluster({"cpu": {**cpu, "memory_bandwidth": as_of(entry)}})
            if cluster and value > BETTER * mine:
                what = f"{value / 1e9:.3g} GB/s a socket, as {name} has"
                was, year = f"{mine / 1e9:.3g} GB/s", int(entry.year.value)
                parts.append(
                    CataloguePart("memory", what, was, cluster, before, value / mine, year, what_if=True)
                )
        return parts

    def file_systems(self) -> list[CataloguePart]:
        """File systems that write faster."""
        entries = [(name, {"file_system": {"use": name}}) for name in self.others("file_system")]
        return self.better("file system", entries, file_speed, self.there.file_system.name)


def as_of(entry: CpuEntry) -> dict:
    """A processor with the memory bandwidth of another."""
    return {"value": entry.memory_bandwidth.value, "source": f"that of {entry.name}", "estimated": True}
