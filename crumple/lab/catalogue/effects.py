"""Figures of a cluster file without effect: refused, or only noted if they are descriptions."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, get_args

from crumple.lab.catalogue.cluster_file import ClusterFile
from crumple.lab.catalogue.entries import Isa
from crumple.lab.catalogue.figure import CatalogueError
from crumple.lab.catalogue.hardware import Cluster, TopologyKind, Transport
from crumple.lab.catalogue.rates import generations

SECTIONS = ("node", "cpu", "network", "topology", "file_system", "mpi")
FACTORS = (1e-3, 0.5, 2.0, 1e3)  #: factors on a figure, to test whether it has an effect
COUNTS = ("cores", "sockets", "rails", "ports", "routers", "nodes_per_router", "servers", "interrupt_cores")
WORDS: dict[str, tuple[str, ...]] = {
    "isa": get_args(Isa),
    "transport": get_args(Transport),
    "kind": get_args(TopologyKind),
    "looks_at": ("what is ready", "all"),
}
#: figures that are only descriptions, or that are checked elsewhere
NO_FIGURE = ("use", "platform", "name", "year", "source", "estimated", "connections", "collectives")
CHECKED = {("node", "cores"), ("file_system", "kind"), ("file_system", "servers")}
#: figures that neither simulations nor models of jobs use
SHOWN_ONLY = {
    ("node", "memory_bytes"): "no job is checked against it",
    ("cpu", "cache_bytes"): "only predictions of published studies use it",
    ("network", "connection_bytes"): "no job is checked against it",
    ("file_system", "read_bandwidth"): "only predictions of published studies read files",
}
REASONS = {
    ("topology", "oversubscription"): "only a leaf-spine and a fat tree have links up",
    ("topology", "routers"): "only a dragonfly has them",
    ("topology", "nodes_per_router"): "only a dragonfly has them",
    ("network", "interrupt_cores"): "only adapters over TCP interrupt cores for each message",
    ("network", "socket_on_reference"): "only ranks over TCP poll connections",
    ("network", "socket_look"): "only ranks over TCP poll connections",
}


Built = Callable[[Any], Cluster]


def check_effects(file: ClusterFile, cluster: Cluster, built: Built) -> tuple[str, ...]:
    """Refuse a figure that replaces one of an entry but has no effect, whatever its value.

    Args:
        cluster: the cluster of the file
        built: makes the cluster of a file

    Returns:
        Notes on such figures that replace those of a platform file, which may be descriptions.

    Raises:
        CatalogueError: there is such a figure; the message has the reason.
    """
    notes = []
    for section in SECTIONS:
        if not over_an_entry(file, section):
            continue
        for key in file.tables.get(section, {}):
            if key in NO_FIGURE or (section, key) in CHECKED or acts(file, section, key, cluster, built):
                continue
            said = f"[{section}] {key}: it changes nothing here: "
            if section not in ("node", "cpu") or "platform" not in file.tables.get("node", {}):
                raise file.wrong((section, key), said + why_not(file, section, key, built))
            notes.append(f"{file.path.name}: {said}the figures that depend on it are given, too, or measured")
    return tuple(notes)


def over_an_entry(file: ClusterFile, section: str) -> bool:
    """Whether the section's figures replace those of the catalogue (or else of a platform file)."""
    node = file.tables.get("node", {})
    return "use" in file.tables.get(section, {}) or (
        section in ("node", "cpu") and {"use", "platform"} & {*node}
    )


def acts(file: ClusterFile, section: str, key: str, cluster: Cluster, built: Built) -> bool:
    """Whether another value gives another cluster; also true if every other value is refused."""
    before, refused = what_counts(cluster), True
    for value in others(key, file.tables[section][key]):
        tables = deepcopy(file.tables)
        tables[section][key] = value
        try:
            after = built(replace(file, tables=tables))
        except CatalogueError:
            continue
        refused = False
        if what_counts(after) != before:
            return True
    return refused


def others(key: str, value: object) -> Iterator[object]:
    """Other values for a key."""
    if key == "generation":
        yield from generations()
    elif key in WORDS:
        yield from WORDS[key]
    elif isinstance(value, list):
        yield [[first, 0.5 * second] for first, second in value]
    elif isinstance(value, dict) and isinstance(value.get("value"), list):
        yield value | {"value": [[first, 0.5 * second] for first, second in value["value"]]}
    else:
        number = value["value"] if isinstance(value, dict) else value
        for other in (1, 2, 3) if key in COUNTS else [number * f or f for f in FACTORS]:
            yield value | {"value": other} if isinstance(value, dict) else other


def what_counts(cluster: Cluster) -> Cluster:
    """The cluster without the parts that have no effect of their own."""
    cpu = replace(cluster.node.cpu, name="", idle_watts=0.0, busy_watts=0.0)
    network, topology = cluster.network, cluster.topology
    if not network.tcp:
        network = replace(network, socket_look=0.0)
    if topology.kind != "dragonfly":
        topology = replace(topology, routers=0, nodes_per_router=0)
    if topology.kind in ("star", "dragonfly"):
        topology = replace(topology, oversubscription=1.0)
    return replace(cluster, node=replace(cluster.node, name="", cpu=cpu), network=network, topology=topology)


def why_not(file: ClusterFile, section: str, key: str, built: Built) -> str:
    """Why a figure has no effect: another one that is also given, or the kind of cluster."""
    given = [
        (s, k) for s, table in file.tables.items() for k in table if (s, k) != (section, key) and k != "use"
    ]
    for other_section, other in given:
        tables = deepcopy(file.tables)
        del tables[other_section][other]
        without = replace(file, tables=tables)
        try:
            cluster = built(without)
        except CatalogueError:
            continue
        if acts(without, section, key, cluster, built):
            return f"[{other_section}] {other} is given, too"
    return REASONS.get((section, key), "no figure that is used depends on it")


def notes_of(file: ClusterFile, cluster: Cluster) -> tuple[str, ...]:
    """Notes on figures that are not used as given, and on figures that are not known."""
    found = []
    for section in SECTIONS:
        table = file.tables.get(section, {})
        where = f"{file.path.name}: [{section}]"
        if cluster.nodes == 1 and section in ("network", "topology"):
            found += [f"{where}: not used: one node"] if table else []
            continue
        over = over_an_entry(file, section)
        for key, value in table.items():
            if over and (why := SHOWN_ONLY.get((section, key))):
                found.append(f"{where} {key}: it is only shown: {why}")
            if over and (why := not_as_given(section, key, value, cluster)):
                found.append(f"{where} {key}: {why}")
    if not cluster.node.cpu.rate_known:
        found.append(rate_unknown(cluster))
    if not cluster.node.peak_watts:
        give = "give idle_watts and peak_watts in [node]"
        found.append(f"{file.path.name}: power and energy of the nodes are not known: {give}")
    return tuple(found)


def not_as_given(section: str, key: str, value: object, cluster: Cluster) -> str:
    """Why a figure of a network or an MPI library is not used as given; "" if it is."""
    network, number = cluster.network, value.get("value") if isinstance(value, dict) else value
    if (section, key) == ("mpi", "looks_at") and not network.tcp:
        return "not used: only ranks over TCP poll connections"
    if section != "network":
        return ""
    if key == "transport" and not network.tcp:
        return "it is only shown: RC, XRC and DCT differ in the memory of connections"
    if key in ("bandwidth", "message_rate") and (used := getattr(network, key)) < number:
        return f"{number:g} is given and {used:g} is used: {cluster.sources[f'network.{key}'].source}"
    if key in ("socket_on_reference", "socket_look") and not cluster.mpi.looks_at_all:
        return f"not used: {cluster.mpi.name} does not poll all of its connections"
    return ""


def rate_unknown(cluster: Cluster) -> str:
    """The assumption about a processor whose rate is not known."""
    return (
        f"[cpu]: the speed of {cluster.node.cpu.name} is not known: one of its cores alone is taken to be as "
        "fast as one of the trace's machine; give rate_double, or clock_alone, isa and generation"
    )
