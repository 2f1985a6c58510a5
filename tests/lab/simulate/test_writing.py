"""Seconds of writing results, by hand."""

from dataclasses import replace

import pytest
from small_clusters import cluster, with_node

from crumple.lab.catalogue.hardware import FileSystem
from crumple.lab.simulate.placement import PlacementWish, place
from crumple.lab.simulate.writing import seconds_of_dumping, seconds_of_writing


@pytest.fixture
def whole():
    disk = FileSystem("disk", "local", 100e6, 100e6, 1, 0.0)
    return with_node(replace(cluster(2), file_system=disk), memory_bytes=10e9)


def seconds(whole, *more):
    return seconds_of_writing(whole, place(whole, 16, PlacementWish()), 3e9, *more)


def test_all_of_it_is_waited_for_where_states_are_not_known(whole):
    assert seconds(whole) == pytest.approx(30.0)


def test_states_that_memory_holds_are_copied_and_get_to_the_disk_meanwhile(whole):
    """A byte copied is three over the bus of 30 GB/s; states of 1 GB are as many as memory takes."""
    assert seconds(whole, 3, 100.0) == pytest.approx(0.3)
    assert seconds(whole, 3, 20.0) == pytest.approx(0.3 + 10.0)
    assert seconds(whole, 2, 100.0) == pytest.approx(30.0)


def test_all_nodes_write_to_a_parallel_file_system(whole):
    """Two nodes with adapters of some rate, and servers that are faster."""
    adapter = whole.network.bandwidth * whole.network.rails
    system = FileSystem("fast", "parallel", 10 * adapter, 10 * adapter, 1, 0.0)

    def of(kind, by_all, jobs=1):
        there = replace(whole, file_system=replace(system, kind=kind))
        placement = place(there, 16 // jobs, PlacementWish(jobs=jobs))
        assert placement.nodes == 2
        return seconds_of_writing(there, placement, 3e9, by_all=by_all)

    assert of("parallel", by_all=False) == pytest.approx(3e9 / adapter)
    assert of("parallel", by_all=True) == pytest.approx(3e9 / adapter / 2)
    assert of("parallel", by_all=True, jobs=2) == pytest.approx(3e9 / adapter)
    assert of("nfs", by_all=True) == pytest.approx(3e9 / adapter)


def test_a_server_is_waited_for(whole):
    remote = replace(whole, file_system=FileSystem("nfs", "nfs", 100e6, 100e6, 1, 0.0))
    assert seconds(remote, 3, 100.0) == pytest.approx(30.0)


def test_dumps_go_to_the_disks_of_all_nodes_or_to_all_servers(whole):
    """2 nodes of 8 ranks; a dump waits for its latency once."""
    both = place(whole, 16, PlacementWish())
    assert seconds_of_dumping(whole, both, 0.0, 0) == 0.0
    assert seconds_of_dumping(whole, both, 3e9, 5) == pytest.approx(15.0)
    slow = replace(whole, file_system=FileSystem("disk", "local", 100e6, 100e6, 1, 0.1))
    assert seconds_of_dumping(slow, both, 3e9, 5) == pytest.approx(15.5)
    parallel = replace(whole, file_system=FileSystem("parallel", "parallel", 100e6, 100e6, 4, 0.0))
    assert seconds_of_dumping(parallel, both, 3e9, 5) == pytest.approx(7.5)
    fast = replace(whole, file_system=FileSystem("parallel", "parallel", 1e15, 1e15, 4, 0.0))
    network = whole.network.bandwidth * whole.network.rails
    assert seconds_of_dumping(fast, both, 3e9, 5) == pytest.approx(3e9 / (2 * network))
