"""Seconds that a job writes its results, modelled: a trace has no files in it."""

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.placement import Placement
from crumple.lab.simulate.simulated_machine import COPY_TRAFFIC

#: of a node's memory, that Linux lets be written to files and not be on disk yet before writers wait
#: (Documentation/sysctl/vm.txt: dirty_ratio, 20 % of what is available, half of which is taken as that)
UNWRITTEN = 0.1


def seconds_of_writing(
    cluster: Cluster, placement: Placement, written: float, states: int = 0, meanwhile: float = 0.0
) -> float:
    """Bytes that a job writes, through its first rank, over what the file system and the network take.

    Jobs side by side write at the same time: a local disk is shared by those whose first rank is on its node,
    a server by all. What goes to a local disk in states that memory holds is copied there, and gets to the
    disk while the job computes; the job waits for what is left then.

    Args:
        states: that it is written in, evenly over the job; 0: it is not known, and all of it is waited for
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
    return system.latency + written / min(server, network.bandwidth * network.rails / on_node)
