"""Clusters of round numbers, and traces written by hand."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from crumple.lab.catalogue.hardware import Cluster, Cpu, FileSystem, MpiLibrary, Network, Node, Topology
from crumple.lab.profile.trace.trace_folder import Trace, open_trace

ELEMENT_RATE = 1e6  #: of the machine of the traces; the clusters' cores are as fast

CPU = Cpu("cpu", 4, ELEMENT_RATE, 2 * ELEMENT_RATE, 30e9, ((1, 1.0), (4, 0.7)), 10.0, 80.0)
NODE = Node("node", CPU, 2, 64e9, 100.0, 300.0, 0.5e-6, 5e9, 1.5)
INFINIBAND = Network("ib", 1e-6, 2e9, 1, 5e6, 0.2e-6, 0.3e-6, 0.0, 16384, False, "RC", 0.0, 0.0, 10.0, 5.0)
ETHERNET = Network("eth", 30e-6, 0.115e9, 1, 1e5, 5e-6, 6e-6, 1e-9, 65536, True, "TCP", 5e-6, 0.0, 2.0, 2.0)
STAR = Topology("star", "star", 36, 0.1e-6, 1.0, 0, 0)
MPI = MpiLibrary("mpi", {"allreduce": ((10_000, float("inf"), "rdb"), (float("inf"), float("inf"), "lr"))})
DISK = FileSystem("nfs", "nfs", 100e6, 100e6, 1, 1e-3)


def cluster(nodes: int = 4, network: Network = INFINIBAND, topology: Topology = STAR) -> Cluster:
    """Nodes of two sockets of four cores."""
    return Cluster("small", "small", nodes, NODE, network, topology, DISK, MPI, 1.5, 0.2, "EUR", 120.0)


def with_node(whole: Cluster, **changes: object) -> Cluster:
    """The same of other nodes."""
    return replace(whole, node=replace(whole.node, **changes))


def with_network(whole: Cluster, **changes: object) -> Cluster:
    """The same with another network."""
    return replace(whole, network=replace(whole.network, **changes))


def write_trace(
    folder: Path, ranks: int, lines: Callable[[int], list[str]], window: str = "0:10", **meta: object
) -> Trace:
    """A trace of what each rank does, without its number in front."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for rank in range(ranks):
        actions = ["init", *lines(rank), "finalize"]
        count += len(actions)
        (folder / f"rank.{rank}.txt").write_text("".join(f"{rank} {action}\n" for action in actions))
    (folder / "trace.txt").write_text("".join(f"rank.{rank}.txt\n" for rank in range(ranks)))
    summary = {
        "ranks": ranks,
        "format": "crumple-trace",
        "version": 1,
        "operations_per_second": 1e9,
        "window": window,
        "cut": "",
        "lines": count,
        "reference": {"machine": "test", "element_rate": ELEMENT_RATE},
    }
    (folder / "trace.json").write_text(json.dumps(summary | meta))
    return open_trace(folder)
