"""The report: what is drawn is what was simulated."""

import shutil

import numpy as np
import pytest
from small_clusters import cluster, write_trace

from crumple.lab.catalogue.hardware import Topology
from crumple.lab.simulate.experiment import Options, experiment_of
from crumple.lab.simulate.fabric import fabric_of
from crumple.lab.simulate.placement import PlacementWish
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.simulate.simulation_page import page
from crumple.lab.simulate.simulator_program import HEADER
from crumple.lab.simulate.timeline import BINS, raster, timeline_of
from crumple.lab.simulate.topology_picture import busiest, places_of


def simulation(folder):
    """Rank 1 computes 1 ms, then both reduce; rank 0 waits."""
    trace = write_trace(folder, 2, lambda r: [f"compute {1 + 999_999 * r}", "allreduce 8 0 6"], "0:1")
    options = Options(PlacementWish(ranks_per_node=1), seeds=(0,), noise=0.0)
    return conduct([experiment_of(trace, cluster(), options)], use_cache=False)[0]


@pytest.mark.skipif(not HEADER.exists() or not shutil.which("g++"), reason="SimGrid is not installed")
def test_timeline_and_page(tmp_path):
    done = simulation(tmp_path / "<b>trace")
    timeline = timeline_of(done)
    assert timeline.until == pytest.approx(1e-3, rel=0.01)
    assert (timeline.kinds[0, 1:990] == 1).all()  # waits
    assert (timeline.kinds[1, 1:990] == 0).all()  # computes
    text = page([done])
    assert "simulated, not measured" in text
    assert "<b>trace" not in text
    assert "&lt;b&gt;trace" in text
    loads = busiest(done)
    assert loads["node 0", "switch"].bytes == pytest.approx(24)


def test_raster_of_intervals():
    rows = np.array(
        [
            [0, 0, 0.0, 0.0, 0.25],  # computes
            [0, 5, 0.25, 0.5, 0.6],  # waits to 0.75, transfers to 0.85
            [1, 0, 0.0, 0.9, 2.0],  # the memory bus is not waiting
        ]
    )
    kinds = raster(rows, 2, 1.0)
    edges = [int(BINS * t) for t in (0.25, 0.75, 0.85)]
    assert (kinds[0, : edges[0]] == 0).all()
    assert (kinds[0, edges[0] : edges[1]] == 1).all()
    assert (kinds[0, edges[1] + 1 : edges[2]] == 2).all()
    assert (kinds[0, edges[2] + 1 :] == -1).all()
    assert (kinds[1] == 0).all()


def test_everything_has_a_place_of_its_own():
    for topology in (
        Topology("ft", "fat-tree", 4, 1e-7, 1.0, 0, 0),
        Topology("df", "dragonfly", 7, 1e-7, 1.0, 4, 2),
        Topology("ls", "leaf-spine", 8, 1e-7, 1.0, 0, 0),
    ):
        fabric = fabric_of(topology, 16)
        places = places_of(fabric)
        assert {end for ends in fabric.ends for end in ends} <= places.keys()
        assert len({(round(x, 6), round(y, 6)) for x, y in places.values()}) == len(places)
