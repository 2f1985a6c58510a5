"""Modelled seconds that a job writes its results and dumps: a trace has no files."""

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.placement import Placement
from crumple.lab.simulate.simulated_machine import COPY_TRAFFIC

#: share of a node's memory for written data that are not on disk yet, before Linux lets writers wait
#: (Documentation/sysctl/vm.txt: dirty_ratio, 20 % of what is available, half of which is taken as that)
UNWRITTEN = 0.1


def seconds_of_writing(
    cluster: Cluster,
    placement: Placement,
    written: float,
    states: int = 0,
    meanwhile: float = 0.0,
    *,
    by_all: bool = False,
) -> float:
    """Bytes that a job writes, over the rate of the file system and the network.

    They go through its first rank, or to a parallel file system through the adapters of all of its nodes, in
    equal parts. Jobs side by side write at the same time: jobs whose first rank is on a node share its local
    disk, all jobs share a server. States for a local disk that fit into memory are copied there, and are
    written to disk while the job computes; the job waits only for the rest.

    Args:
        by_all: all ranks write where they see the same file, as our solver writes plot states
        states: number of states, evenly over the job; 0: not known, and the job waits for all of it
        meanwhile: seconds of the job without writing
    """
    system = cluster.file_system
    if not written:
        return 0.0
    places, network = placement.places, cluster.network
    on_node = sum(1 for job in places if job[0][0] == places[0][0][0])  # first ranks of jobs
    if system.kind == "local":
        disk = system.latency + written * on_node / system.write_bandwidth
        if not states or written * on_node / states > UNWRITTEN * cluster.node.memory_bytes:
            return disk
        copy = written * COPY_TRAFFIC / cluster.node.cpu.memory_bandwidth
        return copy + max(0.0, disk - meanwhile)
    server = system.write_bandwidth * system.servers / len(places)
    adapters = network.bandwidth * network.rails / on_node
    if by_all and system.kind == "parallel":
        nodes = {node for node, _ in places[0]}
        jobs = max(sum(any(n == node for n, _ in job) for job in places) for node in nodes)
        adapters = network.bandwidth * network.rails * len(nodes) / jobs
    return system.latency + written / min(server, adapters)


def seconds_of_dumping(cluster: Cluster, placement: Placement, dumped: float, dumps: int) -> float:
    """Bytes of all dumps of a job, over the rate of the file system and the network.

    Every rank writes its part, and the job waits until it is on the disk. Jobs side by side share all.

    Args:
        dumps: number of dumps
    """
    system = cluster.file_system
    if not dumped:
        return 0.0
    places, network = placement.places, cluster.network
    nodes = {node for job in places for node, *_ in job}
    waits, all_jobs = max(1, dumps) * system.latency, dumped * len(places)
    if system.kind == "local":
        return waits + all_jobs / (len(nodes) * system.write_bandwidth)
    server = system.write_bandwidth * system.servers
    return waits + all_jobs / min(server, network.bandwidth * network.rails * len(nodes))
