"""Seconds that a job writes its results, modelled: a trace has no files in it."""

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.placement import Placement


def seconds_of_writing(cluster: Cluster, placement: Placement, written: float) -> float:
    """Bytes that a job writes, through its first rank, over what the file system and the network take.

    Jobs side by side write at the same time: a local disk is shared by those whose first rank is on its node,
    a server by all.
    """
    system = cluster.file_system
    if not written:
        return 0.0
    places, network = placement.places, cluster.network
    on_node = sum(1 for job in places if job[0][0] == places[0][0][0])  # first ranks of jobs
    if system.kind == "local":
        return system.latency + written * on_node / system.write_bandwidth
    server = system.write_bandwidth * system.servers / len(places)
    return system.latency + written / min(server, network.bandwidth * network.rails / on_node)
