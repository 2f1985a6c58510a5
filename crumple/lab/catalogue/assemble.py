"""Builds a Cluster from entries of the catalogue."""

from pydantic import BaseModel

from crumple.lab.catalogue.cluster_file import ClusterHeader
from crumple.lab.catalogue.entries import (
    CpuEntry,
    FileSystemEntry,
    MpiEntry,
    NetworkEntry,
    NodeEntry,
    TopologyEntry,
)
from crumple.lab.catalogue.figure import Curve, SourcedFigure
from crumple.lab.catalogue.hardware import Cluster, Cpu, FileSystem, MpiLibrary, Network, Node, Topology
from crumple.lab.catalogue.power import node_watts
from crumple.lab.catalogue.rates import (
    RULE,
    rate_is_known,
    rate_of,
    rate_when_busy_of,
    reference,
    slowed_by_clock,
    speed_of,
)

Sources = dict[str, SourcedFigure | Curve]


def figures_of(entry: BaseModel, prefix: str) -> Sources:
    """All numbers of an entry by name, such as network.latency, except the year."""
    return {
        f"{prefix}.{key}": value
        for key, value in entry
        if isinstance(value, SourcedFigure | Curve) and key != "year"
    }


def years_of(**entries: CpuEntry | NetworkEntry | TopologyEntry | FileSystemEntry) -> dict[str, int]:
    """The years in which entries were first sold, if they give them."""
    return {kind: int(entry.year.value) for kind, entry in entries.items() if entry.year}


def numbers(sources: Sources, prefix: str, *keys: str) -> dict[str, float]:
    """The values of some numbers, for use as arguments."""
    return {key: sources[f"{prefix}.{key}"].value for key in keys}


def cpu_of(entry: CpuEntry, sources: Sources) -> Cpu:
    """The processor; rates that are not given are computed by the rule."""
    sources |= figures_of(entry, "cpu")
    sources["cpu.rate_double"] = rate_of(entry, "double")
    sources["cpu.rate_single"] = rate_of(entry, "single")
    sources["cpu.rate_when_busy"] = rate_when_busy_of(entry)
    keys = ["rate_double", "rate_single", "memory_bandwidth", "cache_bytes"]
    watts = {key: figure.value if (figure := getattr(entry, key)) else 0.0 for key in WATTS}
    caches = {}
    if not entry.rate_when_busy:
        core = reference().core
        sources |= {"cpu.element_bytes": core.element_bytes, "cpu.resident_bytes": core.resident_bytes}
        keys += ["element_bytes", "resident_bytes"]
        caches["clock_when_busy"] = slowed_by_clock(entry)
    falling = tuple((int(count), factor) for count, factor in sources["cpu.rate_when_busy"].value)
    return Cpu(
        entry.name,
        int(entry.cores.value),
        rate_when_busy=falling,
        rate_known=rate_is_known(entry),
        **watts,
        **caches,
        **numbers(sources, "cpu", *keys),
    )


def node_of(entry: NodeEntry, cpu_entry: CpuEntry, cpu: Cpu, sources: Sources) -> Node:
    """The node; figures that it does not give are derived from its processors."""
    sources |= figures_of(entry, "node")
    sockets = int(entry.sockets.value)
    sources |= node_watts(entry, cpu_entry, sockets)
    for key, figure in messages_within(cpu_entry).items():
        sources.setdefault(f"node.{key}", getattr(cpu_entry, key) or figure)
    for key, figure in reference().system:
        sources.setdefault(f"node.{key}", figure)
    free = SourcedFigure(value=0.0, source="no price given")
    sources.setdefault("node.price_per_hour", free)
    keys = ("memory_bytes", "idle_watts", "peak_watts", "intra_latency", "intra_bandwidth", "price_per_hour")
    keys += ("detour_rate", "detour")
    turns = {
        key: sources[f"node.{key}"].value
        for key in ("turn_messages", "turn_collectives")
        if f"node.{key}" in sources
    }
    name = entry.name or f"{sockets} x {cpu.name}"
    return Node(name, cpu, sockets, **numbers(sources, "node", *keys), **turns)


WATTS = ("idle_watts", "busy_watts")
OVERHEADS = {
    "send_overhead": "send_on_reference",
    "receive_overhead": "receive_on_reference",
    "overhead_per_byte": "byte_on_reference",
    "socket_look": "socket_on_reference",
}


def messages_within(cpu: CpuEntry) -> dict[str, SourcedFigure]:
    """Latency and bandwidth of messages within a node, by the rule."""
    core, speed = reference().core, speed_of(cpu)
    latency = core.message_latency.value / speed
    bandwidth = min(core.message_bandwidth.value * speed, cpu.memory_bandwidth.value / 2)
    source = f"{RULE}: the reference's, a core of {speed:.2f} times its speed"
    return {
        "intra_latency": SourcedFigure(value=latency, source=source, estimated=True),
        "intra_bandwidth": SourcedFigure(value=bandwidth, source=source, estimated=True),
    }


def overheads(entry: NetworkEntry, cpu: CpuEntry) -> Sources:
    """Processor time of messages on the node's cores."""
    speed, found = speed_of(cpu), {}
    for key, of_reference in OVERHEADS.items():
        there = getattr(entry, of_reference)
        if there is None:
            found[f"network.{key}"] = getattr(entry, key) or SourcedFigure(value=0.0, source="not used")
            continue
        source = f"{of_reference} over {speed:.2f}, the core's speed over the reference's; {there.source}"
        figure = SourcedFigure(value=there.value / speed, source=source, estimated=True)
        found[f"network.{key}"] = getattr(entry, key) or figure
    return found


def taken_in(entry: NetworkEntry, key: str, each: SourcedFigure, of: str) -> SourcedFigure:
    """Messages or bytes per second of an adapter; over TCP limited by the cores that handle its interrupts.

    Args:
        key: message_rate or bandwidth
        each: processor time of one message or byte in s
        of: name of `each`
    """
    figure, cores = getattr(entry, key), entry.interrupt_cores.value if entry.interrupt_cores else 1.0
    if entry.transport != "TCP" or each.value * figure.value <= cores:
        return figure
    who = "one core takes" if cores == 1 else f"{cores:g} cores take"
    source = f"{who} in what an adapter brings: {of} of each"
    return SourcedFigure(value=cores / each.value, source=source, estimated=True)


def network_of(entry: NetworkEntry, cpu: CpuEntry, sources: Sources) -> Network:
    """The network, with overheads of the node's cores."""
    sources |= figures_of(entry, "network") | overheads(entry, cpu)
    for key, each in (("message_rate", "receive_overhead"), ("bandwidth", "overhead_per_byte")):
        name = f"network.{each}"
        sources[f"network.{key}"] = taken_in(entry, key, sources[name], name)
    plain = ("latency", "bandwidth", "message_rate", "send_overhead", "receive_overhead", "overhead_per_byte")
    more = ("jitter", "connection_bytes", "adapter_watts", "port_watts", "socket_look", "loss")
    sources.setdefault("network.loss", SourcedFigure(value=0.0, source="no loss given"))
    return Network(
        name=entry.name,
        rails=int(entry.rails.value),
        eager_limit=int(entry.eager_limit.value),
        tcp=entry.transport == "TCP",
        transport=entry.transport,
        **numbers(sources, "network", *plain, *more),
    )


def topology_of(entry: TopologyEntry, sources: Sources) -> Topology:
    """The switches."""
    sources |= figures_of(entry, "topology")
    return Topology(
        name=entry.name,
        kind=entry.kind,
        ports=int(entry.ports.value),
        routers=int(entry.routers.value) if entry.routers else 0,
        nodes_per_router=int(entry.nodes_per_router.value) if entry.nodes_per_router else 0,
        **numbers(sources, "topology", "hop_latency", "oversubscription"),
    )


def file_system_of(entry: FileSystemEntry, sources: Sources) -> FileSystem:
    """The file system."""
    sources |= figures_of(entry, "file_system")
    figures = numbers(sources, "file_system", "write_bandwidth", "read_bandwidth", "latency")
    return FileSystem(entry.name, entry.kind, servers=int(entry.servers.value), **figures)


def mpi_of(entry: MpiEntry, sources: Sources) -> MpiLibrary:
    """The MPI library."""
    sources["mpi.collectives"] = Curve(value=(), source=entry.source, estimated=entry.estimated)
    choices = {
        operation: tuple((c.max_bytes, c.max_ranks, c.algorithm) for c in found)
        for operation, found in entry.collectives.items()
    }
    return MpiLibrary(entry.name, choices, entry.looks_at == "all")


def assemble(
    header: ClusterHeader,
    node: NodeEntry,
    cpu: CpuEntry,
    network: NetworkEntry,
    topology: TopologyEntry,
    file_system: FileSystemEntry,
    mpi: MpiEntry,
) -> Cluster:
    """The cluster of some entries."""
    sources: Sources = {}
    processor = cpu_of(cpu, sources)
    ports = topology_of(topology, sources)
    links = network_of(network, cpu, sources)
    watts = links.port_watts * ports.ports
    if topology.switch_watts:
        watts = topology.switch_watts.value
    whole = node_of(node, cpu, processor, sources)
    system, library = file_system_of(file_system, sources), mpi_of(mpi, sources)
    if header.nodes == 1:  # there is no network, so it has no figures
        sources = {k: v for k, v in sources.items() if not k.startswith(("network.", "topology."))}
    return Cluster(
        name=header.name,
        title=header.title,
        nodes=header.nodes,
        node=whole,
        network=links,
        topology=ports,
        file_system=system,
        mpi=library,
        pue=header.pue,
        price_per_kwh=header.price_per_kwh,
        currency=header.currency,
        switch_watts=watts if header.switch_watts is None else header.switch_watts,
        sources=sources,
        years=years_of(cpu=cpu, network=network, topology=topology, file_system=file_system),
    )


def does_not_fit(cluster: Cluster) -> str:
    """Why the switches cannot connect the nodes; empty if they can."""
    topology, nodes = cluster.topology, cluster.nodes
    most = topology.most_nodes
    if nodes <= most:
        return ""
    return f"{nodes} nodes: a {topology.kind} of switches with {topology.ports} ports connects {most}"
