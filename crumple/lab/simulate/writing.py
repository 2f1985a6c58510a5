"""Seconds that a job writes its results, modelled: a trace has no files in it."""

from crumple.lab.simulate.experiment import Experiment


def seconds_of_writing(experiment: Experiment) -> float:
    """Bytes that a job writes, through its first rank, over what the file system and the network take.

    Jobs side by side write at the same time: a local disk is shared by those whose first rank is on its node,
    a server by all.
    """
    written, system = experiment.options.written, experiment.cluster.file_system
    if not written:
        return 0.0
    places = experiment.placement.places
    if system.kind == "local":
        writers = sum(1 for job in places if job[0][0] == places[0][0][0])
        return system.latency + written * writers / system.write_bandwidth
    network = experiment.cluster.network
    on_node = sum(1 for job in places if job[0][0] == places[0][0][0])
    rate = min(
        system.write_bandwidth * system.servers / len(places), network.bandwidth * network.rails / on_node
    )
    return system.latency + written / rate
