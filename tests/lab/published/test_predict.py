"""The clusters that published cases run on."""

from pathlib import Path

import pytest

from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.published.predict import inside_of
from crumple.lab.published.published_file import PublishedCase
from crumple.lab.simulate.simulated_machine import TWO_LEVELS

CLUSTER = Path(__file__).resolve().parents[3] / "benchmarks" / "clusters" / "5060-infiniband-sdr.toml"


def case(inside: str) -> PublishedCase:
    return PublishedCase(model="caravan", cluster=CLUSTER.stem, nodes=4, inside=inside)


def test_messages_within_nodes_through_the_adapter_are_as_those_between_them():
    whole = read_cluster(CLUSTER)
    through = inside_of(whole, case("network"))
    network = whole.network
    overheads = network.send_overhead + network.receive_overhead
    assert through.node.through_adapter
    assert through.node.intra_bandwidth == network.bandwidth  # out and in at the same time
    assert through.node.intra_latency == pytest.approx(
        network.latency + overheads + whole.topology.hop_latency
    )


def test_without_shared_memory_collectives_have_one_level():
    whole = read_cluster(CLUSTER)
    through = inside_of(whole, case("network"))
    assert whole.mpi.algorithm("allreduce", 64, 16) == TWO_LEVELS
    assert through.mpi.algorithm("allreduce", 64, 16) == "rdb"
    assert through.mpi.algorithm("allreduce", 1e6, 16) == whole.mpi.algorithm("allreduce", 1e6, 16)
    left = {name for choices in through.mpi.collectives.values() for _, _, name in choices}
    assert TWO_LEVELS not in left


def test_with_shared_memory_a_cluster_is_as_its_file_says():
    whole = read_cluster(CLUSTER)
    assert inside_of(whole, case("shared memory")) is whole
