"""Which one part of the cluster, taken from the catalogue's next better, would pay most."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from crumple.lab.advise.question import AdviceError, Question
from crumple.lab.advise.search import Search
from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.entries import entries_of
from crumple.lab.catalogue.figure import CatalogueError, read_toml
from crumple.lab.catalogue.hardware import Cluster

NEXT = 2  #: better ones that are tried of each kind
BETTER = 1.02  #: what is less than so many times as good is the same

Changed = Callable[[Cluster], Cluster]
Tables = dict[str, dict]


@dataclass(frozen=True)
class Part:
    """A part of the catalogue in the place of the cluster's."""

    kind: str  #: network, CPU, memory, file system
    name: str
    was: str
    cluster: Cluster = field(repr=False)
    before: Cluster = field(repr=False)  #: without it, by the same rules
    better: float  #: times as good: node's rate, bandwidth


@dataclass(frozen=True)
class Upgrade:
    """What a part would give."""

    part: Part
    gain: float  #: of the objective, relative
    found: Search | None = field(repr=False)  #: with the part; None: nothing keeps the limits
    without: Search | None = field(repr=False)
    label: str = "modelled"


def node_rate(cluster: Cluster) -> float:
    """Element updates a second of a node with all cores busy."""
    cpu = cluster.node.cpu
    return cluster.node.cores * cpu.rate_double * cpu.factor(cpu.cores)


def network_speed(cluster: Cluster) -> float:
    """Bytes a second of a node."""
    return cluster.network.bandwidth * cluster.network.rails


def message_time(cluster: Cluster) -> float:
    """Of a small message from application to application, without switches."""
    network = cluster.network
    return network.latency + network.send_overhead + network.receive_overhead


def file_speed(cluster: Cluster) -> float:
    """Bytes a second that are written by all servers, or by a local disk."""
    return cluster.file_system.write_bandwidth * cluster.file_system.servers


class Shop:
    """Builds the cluster with other parts; keeps count of none that do not fit."""

    def __init__(self, path: Path, prices: Changed) -> None:
        self.path, self.prices = path, prices
        self.tables: Tables = read_toml(path)[1]

    def cluster(self, instead: Tables) -> Cluster | None:
        """The cluster with some sections replaced; None where the parts do not fit together."""
        try:
            return self.prices(read_cluster(self.path, instead))
        except CatalogueError:
            return None

    def next_better(
        self, kind: str, entries: list[tuple[str, Tables]], before: Cluster, merit: Callable, was: str
    ) -> list[Part]:
        """Of several parts the next ones that are better than what is there."""
        parts = []
        for name, instead in entries:
            cluster = self.cluster(instead)
            if cluster and merit(cluster) > BETTER * merit(before):
                parts.append(Part(kind, name, was, cluster, before, merit(cluster) / merit(before)))
        return sorted(parts, key=lambda p: (p.better, p.name))[:NEXT]

    def networks(self, there: Cluster) -> list[Part]:
        """With more bandwidth, and no slower for small messages."""
        if there.nodes == 1:
            return []
        kept = {k: v for k, v in self.tables.get("network", {}).items() if k == "rails"}
        entries = [(name, {"network": {"use": name, **kept}}) for name in entries_of("network")]
        slowest = BETTER * message_time(there)

        def merit(cluster: Cluster) -> float:
            return network_speed(cluster) if message_time(cluster) <= slowest else 0.0

        return self.next_better("network", entries, there, merit, there.network.name)

    def cpus(self, there: Cluster) -> list[Part]:
        """Nodes of as many sockets whose processors do more, with all that belongs to them."""
        price = {k: v for k, v in self.tables.get("node", {}).items() if k == "price_per_hour"}
        entries = [
            (name, {"node": {"use": name, **price}, "cpu": {}})
            for name, entry in entries_of("node").items()
            if entry.cpu
        ]
        return self.next_better("CPU", entries, there, node_rate, there.node.cpu.name)

    def memories(self, there: Cluster) -> list[Part]:
        """The same processor with the memory bandwidth of another."""
        cpu = {**self.tables.get("cpu", {}), "rate_when_busy": None}
        before = self.cluster({"cpu": cpu})
        if before is None or not before.node.cpu.element_bytes:
            return []
        entries = []
        for name, entry in entries_of("cpu").items():
            figure = entry.memory_bandwidth
            memory = {"value": figure.value, "source": f"that of {entry.name}", "estimated": True}
            entries.append(
                (
                    f"{figure.value / 1e9:.3g} GB/s a socket, as of {name}",
                    {"cpu": {**cpu, "memory_bandwidth": memory}},
                )
            )
        was = f"{there.node.cpu.memory_bandwidth / 1e9:.3g} GB/s"
        return self.next_better("memory", entries, before, lambda c: c.node.cpu.memory_bandwidth, was)

    def file_systems(self, there: Cluster) -> list[Part]:
        """That write faster."""
        entries = [(name, {"file_system": {"use": name}}) for name in entries_of("file_system")]
        return self.next_better("file system", entries, there, file_speed, there.file_system.name)


def upgrades_of(
    path: Path, there: Cluster, question: Question, prices: Changed, searched: Callable[[Cluster], Search]
) -> list[Upgrade]:
    """What each of the next better parts would give, the most first.

    Args:
        searched: finds the best of a cluster
    """
    shop, found = Shop(path, prices), []
    for part in (*shop.networks(there), *shop.cpus(there), *shop.memories(there), *shop.file_systems(there)):
        if part.kind == "file system" and not question.written:
            continue
        try:
            after, before = searched(part.cluster), searched(part.before)
        except AdviceError:
            found.append(Upgrade(part, 0.0, None, None))
            continue
        found.append(Upgrade(part, after.best.gain(before.best, question.objective), after, before))
    return sorted(found, key=lambda u: (-u.gain, u.part.better))
