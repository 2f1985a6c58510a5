"""Files of ranks in simulations: seconds that can be worked out by hand; the order of messages of one tag."""

import shutil
from dataclasses import replace

import pytest
from small_clusters import cluster, write_trace

from crumple.lab.catalogue.hardware import FileSystem
from crumple.lab.simulate.experiment import Options, experiment_of
from crumple.lab.simulate.placement import PlacementWish
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.simulate.simulator_program import HEADER

pytestmark = pytest.mark.skipif(
    not HEADER.exists() or not shutil.which("g++"), reason="SimGrid (libsimgrid-dev) is not installed"
)
LOCAL = FileSystem("disk", "local", 100e6, 200e6, 1, 0.0)
PARALLEL = FileSystem("servers", "parallel", 300e6, 600e6, 4, 0.0)
BLOCK, BLOCKS = 10_000_000, 20
WHOLE = BLOCK * BLOCKS


def seconds(folder, ranks, lines, system, a_node=1):
    """Elapsed time of a trace of some ranks that do the same."""
    trace = write_trace(folder, ranks, lines)
    options = Options(PlacementWish(ranks_per_node=a_node), seeds=(0,), noise=0.0)
    return conduct([experiment_of(trace, replace(cluster(), file_system=system), options)], use_cache=False)[
        0
    ].window


def writing(_):
    return [f"write {BLOCK}"] * BLOCKS + ["flush"]


def test_each_node_writes_to_its_own_disk(tmp_path):
    assert seconds(tmp_path / "1", 1, writing, LOCAL) == pytest.approx(WHOLE / 100e6)
    assert seconds(tmp_path / "2", 2, writing, LOCAL) == pytest.approx(WHOLE / 100e6)


def test_ranks_of_a_node_share_its_disk(tmp_path):
    assert seconds(tmp_path, 2, writing, LOCAL, a_node=2) == pytest.approx(2 * WHOLE / 100e6)


def test_nodes_share_servers(tmp_path):
    assert seconds(tmp_path / "1", 1, writing, PARALLEL) == pytest.approx(WHOLE / 1.2e9)
    assert seconds(tmp_path / "4", 4, writing, PARALLEL) == pytest.approx(4 * WHOLE / 1.2e9)


def test_the_adapter_of_a_node_bounds_what_servers_take(tmp_path):
    fast = replace(PARALLEL, write_bandwidth=10e9)
    assert seconds(tmp_path, 1, writing, fast) == pytest.approx(WHOLE / 2e9)


def test_writing_goes_on_beside_compute(tmp_path):
    each = BLOCK / 100e6
    lines = [word for _ in range(BLOCKS) for word in (f"compute {round(1e9 * each)}", f"write {BLOCK}")]
    # All but the last block is written while the next is computed.
    found = seconds(tmp_path, 1, lambda _: [*lines, "flush"], LOCAL)
    assert found == pytest.approx((BLOCKS + 1) * each, rel=1e-3)


def test_reading_is_one_block_ahead_of_compute(tmp_path):
    each = BLOCK / 200e6
    lines = [word for _ in range(BLOCKS) for word in (f"read {BLOCK}", f"compute {round(1e9 * each)}")]
    assert seconds(tmp_path, 1, lambda _: lines, LOCAL) == pytest.approx((BLOCKS + 1) * each, rel=1e-3)
    alone = [f"read {BLOCK}"] * BLOCKS
    assert seconds(tmp_path / "alone", 1, lambda _: alone, LOCAL) == pytest.approx(WHOLE / 200e6)


def test_long_and_short_messages_of_a_tag_come_in_their_order(tmp_path):
    sizes = [1_000_000, 8, 2_000_000, 100, 8]

    def lines(rank):
        if rank == 0:
            return [*(f"isend 1 5 {size} 6" for size in sizes), f"waitall {len(sizes)}"]
        return [word for size in sizes for word in (f"irecv 0 5 {size} 6", "wait 0 1 5")]

    found = seconds(tmp_path, 2, lines, LOCAL)
    assert found == pytest.approx(sum(sizes) / 2e9, rel=0.05)
