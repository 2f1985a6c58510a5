"""The machine in the simulator's input: links, sockets, nodes and switches of a cluster."""

from dataclasses import dataclass

from crumple.lab.catalogue.hardware import RETRANSMISSION, Cluster, Network
from crumple.lab.simulate.fabric import Fabric, fabric_of
from crumple.lab.simulate.placement import Placement

#: bytes over the memory bus per copied byte: read, fetched before the write, written (McCalpin's STREAM)
COPY_TRAFFIC = 3.0

Choices = dict[str, list[list]]  #: algorithms of collectives by operation: largest bytes, name

#: the simulator's own algorithm of collectives: one rank of each node communicates with other nodes
TWO_LEVELS = "two-levels"

#: default algorithms if the MPI library names none: (largest bytes, algorithm); only those that can replay
ALGORITHMS: dict[str, tuple[tuple[float, str], ...]] = {
    "allreduce": ((10_000, "rdb"), (1e300, "lr")),
    "bcast": ((1e300, "binomial_tree"),),
    "reduce": ((1e300, "binomial"),),
    "barrier": ((1e300, "ompi_bruck"),),
    "allgather": ((1e300, "ring"),),
    "allgatherv": ((1e300, "ring"),),
    "alltoall": ((1e300, "ring"),),
    "alltoallv": ((1e300, "ring"),),
    "gather": ((1e300, "ompi_binomial"),),
    "scatter": ((1e300, "ompi_binomial"),),
    "reducescatter": ((1e300, "ompi_basic_recursivehalving"),),
}


@dataclass(frozen=True)
class Change:
    """Changes to the cluster file, for experiments with latency and contention."""

    latency_factor: float = 1.0  #: for adapters and switches
    extra_hops: int = 0  #: additional switches between any two nodes
    shared_links: bool = True  #: messages share links; False: each message has them alone


def latencies(network: Network, hop_latency: float, change: Change) -> tuple[float, float]:
    """Latency in s of one adapter's side and of a switch; extra switches are counted at the adapters."""
    side = network.latency / 2 + change.extra_hops * hop_latency / 2
    return change.latency_factor * side, change.latency_factor * hop_latency


def links_of(cluster: Cluster, fabric: Fabric, change: Change) -> list[list]:
    """Name, bandwidth (bytes/s), latency (s) and whether messages share it, for the links of the fabric, then
    for the inside of each node and the memory of each of its sockets.
    """
    network, node = cluster.network, cluster.node
    side, hop = latencies(network, cluster.topology.hop_latency, change)
    ups, downs = {link for link, _ in fabric.up}, set(fabric.down)
    links = []
    for k, name in enumerate(fabric.links):
        latency = side + hop if k in ups else side if k in downs else hop
        links.append([name, network.bandwidth * network.rails, latency, change.shared_links])
    memory = max(node.cpu.memory_bandwidth / COPY_TRAFFIC, node.intra_bandwidth)
    for n in range(fabric.nodes):
        links.append([f"node {n} inside", node.intra_bandwidth, node.intra_latency, False])
        links += [
            [f"node {n} socket {s} memory", memory, 0.0, change.shared_links] for s in range(node.sockets)
        ]
    return links


def machine_of(cluster: Cluster, placement: Placement, speed: float, change: Change) -> tuple[dict, Fabric]:
    """The machine of an experiment.

    Args:
        speed: operations of the trace per second on one core alone
    """
    nodes, node = placement.nodes, cluster.node
    sockets = node.sockets
    fabric = fabric_of(cluster.topology, nodes)
    first = len(fabric.links)
    inside = [first + n * (sockets + 1) for n in range(nodes)]
    falls = [[float(n), factor] for n, factor in cluster.node.cpu.rate_when_busy]
    network = cluster.network
    side, hop = latencies(network, cluster.topology.hop_latency, change)
    machine = {
        "links": links_of(cluster, fabric, change),
        "hosts": [
            {
                "name": f"n{n}s{s}",
                "node": n,
                "cores": cluster.node.cpu.cores,
                "speed": speed,
                "rate_when_busy": falls,
                "memory": inside[n] + 1 + s,
            }
            for n in range(nodes)
            for s in range(sockets)
        ],
        "nodes": [[fabric.up[n][0], inside[n], fabric.up[n][1]] for n in range(nodes)],
        "switches": [
            {"name": name, "next": [list(hop) for hop in table]}
            for name, table in zip(fabric.switches, fabric.tables, strict=True)
        ],
        "messages": {
            "send_overhead": network.send_overhead,
            "receive_overhead": network.receive_overhead,
            "overhead_per_byte": network.overhead_per_byte,
            "gap": 1.0 / (network.message_rate * network.rails),
            "latency": 2 * side + hop,
            "jitter": network.jitter,
            "loss": network.loss,
            "retransmission": RETRANSMISSION,
            "look": cluster.look(placement.sockets),
        },
        "detours": {"rate": node.detour_rate, "mean": node.detour},
        "turns": {
            "messages": [list(pair) for pair in cluster.node.turn_messages],
            "collectives": [list(pair) for pair in cluster.node.turn_collectives],
        },
        "eager_limit": network.eager_limit,
        "files": files_of(cluster),
    }
    return machine, fabric


def files_of(cluster: Cluster) -> dict:
    """The file system for the files of ranks: rates of a node's disk, or of all servers."""
    system, network = cluster.file_system, cluster.network
    servers = 1 if system.kind == "local" else system.servers
    return {
        "local": system.kind == "local",
        "write": servers * system.write_bandwidth,
        "read": servers * system.read_bandwidth,
        "adapter": network.bandwidth * network.rails,
        "latency": system.latency,
    }


def collectives_of(cluster: Cluster, ranks: int) -> Choices:
    """Algorithms for a job of some ranks."""
    found = {operation: [list(c) for c in choices] for operation, choices in ALGORITHMS.items()}
    for operation, choices in cluster.mpi.collectives.items():
        mine = [[min(most, 1e300), name] for most, most_ranks, name in choices if ranks <= most_ranks]
        if mine:
            found[operation.replace("_", "")] = mine
    return found


def algorithm_of(choices: Choices, operation: str, size: int) -> str:
    """The algorithm that is used; "" if there is only one."""
    return next((name for most, name in choices.get(operation, ()) if size <= most), "")
