"""Switches: every node reaches every other, in as many hops as the topology has, over whole cables."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest
from small_clusters import STAR, cluster

from crumple.lab.catalogue.hardware import MpiLibrary, Topology
from crumple.lab.simulate.fabric import fabric_of
from crumple.lab.simulate.placement import PlacementWish, place
from crumple.lab.simulate.simulated_machine import collectives_of
from crumple.lab.simulate.simulator_program import SimulationError

LEAF_SPINE = Topology("ls", "leaf-spine", 8, 1e-7, 1.0, 0, 0)
OVERSUBSCRIBED = Topology("ls", "leaf-spine", 8, 1e-7, 3.0, 0, 0)
FAT_TREE = Topology("ft", "fat-tree", 4, 1e-7, 1.0, 0, 0)
DRAGONFLY = Topology("df", "dragonfly", 7, 1e-7, 1.0, 4, 2)


@pytest.mark.parametrize(
    ("topology", "nodes", "hops"),
    [
        (STAR, 9, {1}),
        (LEAF_SPINE, 32, {1, 3}),
        (LEAF_SPINE, 13, {1, 3}),
        (OVERSUBSCRIBED, 48, {1, 3}),
        (FAT_TREE, 16, {1, 3, 5}),
        (FAT_TREE, 3, {1, 3}),
        (DRAGONFLY, 8, {1, 2}),
        (DRAGONFLY, 72, {1, 2, 3, 4}),
        (DRAGONFLY, 30, {1, 2, 3, 4}),
    ],
)
def test_every_pair_is_connected(topology, nodes, hops):
    fabric = fabric_of(topology, nodes)
    assert len(set(fabric.links)) == len(fabric.links)
    seen = set()
    for a, b in itertools.permutations(range(nodes), 2):
        route = fabric.route(a, b)
        at = f"node {a}"
        for link in route:  # each cable begins where the last one ended
            start, end = fabric.ends[link]
            assert start == at
            at = end
        assert at == f"node {b}"
        seen.add(fabric.hops(a, b))
    assert seen == hops


def test_ports_are_enough():
    for topology, nodes in ((LEAF_SPINE, 32), (OVERSUBSCRIBED, 48), (FAT_TREE, 16), (DRAGONFLY, 72)):
        fabric = fabric_of(topology, nodes)
        used = Counter(start for start, _ in fabric.ends)
        assert max(used[name] for name in fabric.switches) <= topology.ports


def test_routes_spread_over_the_spines():
    fabric = fabric_of(LEAF_SPINE, 32)
    used = Counter(fabric.route(0, b)[1] for b in range(4, 32))
    assert len(used) == LEAF_SPINE.leaf_up
    assert set(used.values()) == {7}


def sockets(job):
    """Ranks on each socket."""
    return Counter(job)


def test_jobs_by_share_of_a_node():
    whole = cluster(4)  # nodes of two sockets of four cores
    one = place(whole, 32, PlacementWish())
    assert (one.nodes, one.ranks_per_node) == (4, 8)
    assert set(sockets(one.places[0]).values()) == {4}
    two = place(whole, 16, PlacementWish(2))  # a socket of every node each
    assert {s for _, s in two.places[0]} == {0}
    assert {s for _, s in two.places[1]} == {1}
    assert two.nodes == 4
    four = place(whole, 8, PlacementWish(4))
    assert [{s for _, s in job} for job in four.places] == [{0}, {0}, {1}, {1}]
    eight = place(whole, 4, PlacementWish(8, "core"))
    assert sockets(place for job in eight.places for place in job) == {
        (n, s): 4 for n in range(4) for s in range(2)
    }
    apart = place(whole, 8, PlacementWish(4, "node"))
    assert [{n for n, _ in job} for job in apart.places] == [{0}, {1}, {2}, {3}]


def test_few_ranks_are_spread_over_sockets():
    few = place(cluster(4), 8, PlacementWish(ranks_per_node=4))
    assert few.nodes == 2
    assert set(sockets(few.places[0]).values()) == {2}


def test_more_ranks_than_cores_need_leave():
    with pytest.raises(SimulationError, match="33 ranks, 8 per node and job, need 5 nodes; small has 4"):
        place(cluster(4), 33, PlacementWish())
    many = place(cluster(4), 64, PlacementWish(oversubscribe=True))
    assert many.oversubscribed
    assert set(sockets(many.places[0]).values()) == {8}


def test_algorithms_by_number_of_ranks():
    mpi = MpiLibrary("mpi", {"allreduce": ((1e4, 8, "rdb"), (float("inf"), float("inf"), "lr"))})
    whole = replace(cluster(), mpi=mpi)
    assert collectives_of(whole, 8)["allreduce"] == [[1e4, "rdb"], [1e300, "lr"]]
    assert collectives_of(whole, 9)["allreduce"] == [[1e300, "lr"]]
    assert collectives_of(whole, 9)["bcast"] == [[1e300, "binomial_tree"]]  # where the library is silent
