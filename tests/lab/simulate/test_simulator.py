"""Figures of a cluster come back out of simulated traces; seconds that can be worked out by hand."""

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from small_clusters import ETHERNET, INFINIBAND, NODE, cluster, with_network, with_node, write_trace

from crumple.lab.catalogue import cluster as cluster_file
from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.hardware import MpiLibrary
from crumple.lab.catalogue.platform_file import read_platform
from crumple.lab.simulate.experiment import Options, experiment_of
from crumple.lab.simulate.placement import PlacementWish
from crumple.lab.simulate.results import Simulation
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.simulate.simulated_machine import Change
from crumple.lab.simulate.simulator_program import HEADER, SimulationError

pytestmark = pytest.mark.skipif(
    not HEADER.exists() or not shutil.which("g++"), reason="SimGrid (libsimgrid-dev) is not installed"
)
CLUSTERS = Path(__file__).parents[3] / "benchmarks/clusters"
QUIET = {"seeds": (0,), "noise": 0.0}
ONE_A_NODE = PlacementWish(ranks_per_node=1)


def simulate(trace, whole, **options) -> Simulation:
    """One simulation without noise, and without what was simulated before."""
    experiment = experiment_of(trace, whole, Options(**(QUIET | options)))
    return conduct([experiment], use_cache=False)[0]


def spent(simulation, name):
    """Of one kind of work."""
    return next(s for s in simulation.spent if s.name == name)


def ping_pong(folder: Path, size: int, times: int = 50):
    """Two ranks, there and back."""

    def lines(rank):
        say, hear = f"send {1 - rank} 0 {size} 6", f"recv {1 - rank} 0 {size} 6"
        return [say, hear] * times if rank == 0 else [hear, say] * times

    return write_trace(folder, 2, lines)


@pytest.mark.parametrize("network", [INFINIBAND, ETHERNET], ids=["infiniband", "ethernet"])
@pytest.mark.parametrize("size", [8, 4000, 2_000_000])
def test_ping_pong_between_nodes_is_what_the_cluster_says(network, size, tmp_path):
    whole = cluster(network=network)
    seconds = simulate(ping_pong(tmp_path, size), whole, wish=ONE_A_NODE).window / 100
    expected = network.latency + whole.topology.hop_latency + size / network.bandwidth
    if size < network.eager_limit:  # copied, and the processor's time counts
        expected += network.send_overhead + network.receive_overhead + 2 * size * network.overhead_per_byte
    assert seconds == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("size", [8, 4000, 2_000_000])
def test_ping_pong_within_a_node(size, tmp_path):
    seconds = simulate(ping_pong(tmp_path, size), cluster()).window / 100
    # SimGrid adds an envelope of 16 bytes to a message
    assert seconds == pytest.approx(NODE.intra_latency + size / NODE.intra_bandwidth, rel=0.02)


@pytest.mark.parametrize(("ranks", "rounds"), [(2, 1), (4, 2), (16, 4)])
def test_allreduce_of_eight_bytes_takes_its_rounds(ranks, rounds, tmp_path):
    """Recursive doubling: log2(P) messages one after the other."""
    trace = write_trace(tmp_path, ranks, lambda _: ["allreduce 8 0 6"] * 20)
    done = simulate(trace, cluster(16), wish=ONE_A_NODE)
    one = INFINIBAND.send_overhead + INFINIBAND.latency + 0.1e-6 + 8 / 2e9 + INFINIBAND.receive_overhead
    assert done.window / 20 == pytest.approx(rounds * one, rel=0.03)
    assert spent(done, "allreduce").calls == 20


def test_latency_and_hops_are_scaled(tmp_path):
    trace, whole = ping_pong(tmp_path, 8), cluster()
    usual = simulate(trace, whole, wish=ONE_A_NODE).window
    three = simulate(trace, whole, wish=ONE_A_NODE, change=Change(latency_factor=3)).window
    assert three - usual == pytest.approx(100 * 2 * 1.1e-6, rel=0.01)
    far = simulate(trace, whole, wish=ONE_A_NODE, change=Change(extra_hops=2)).window
    assert far - usual == pytest.approx(100 * 2 * 0.1e-6, rel=0.01)


def test_memory_saturates_as_cores_of_a_socket_fill(tmp_path):
    trace = write_trace(tmp_path, 4, lambda _: ["compute 1000000"])
    assert simulate(trace, cluster(), wish=ONE_A_NODE).window == pytest.approx(1e-3, rel=1e-6)
    full = simulate(trace, cluster(), wish=PlacementWish(share="socket"))
    assert full.window == pytest.approx(1e-3 / 0.7, rel=1e-6)
    assert full.memory_slowdown == pytest.approx(1 / 0.7, rel=1e-6)
    spread = simulate(trace, cluster(), wish=PlacementWish(ranks_per_node=4))  # two on each socket
    assert spread.window == pytest.approx(1e-3 / 0.9, rel=1e-6)


def test_faster_cores_and_single_precision(tmp_path):
    trace = write_trace(tmp_path, 1, lambda _: ["compute 1000000"])
    assert simulate(trace, cluster(), precision="single").window == pytest.approx(0.5e-3)
    assert simulate(trace, cluster(), reference_rate=4e6).window == pytest.approx(4e-3)


def shared_cores(cores: int, **turns: object):
    """One node of so many cores, all of the same rate when busy."""
    cpu = replace(NODE.cpu, cores=cores, rate_when_busy=((1, 1.0),))
    return with_node(cluster(1), cpu=cpu, sockets=1, **turns)


def sharing(ranks: int) -> PlacementWish:
    """Leave to share cores."""
    return PlacementWish(ranks_per_node=ranks, oversubscribe=True)


def test_ranks_stay_on_the_cores_that_they_share(tmp_path):
    """Ranks 0 and 2 have one core and all of the work; that of ranks 1 and 3, who poll, is no help."""
    trace = write_trace(tmp_path, 4, lambda rank: [f"compute {1000000 * (rank % 2 == 0)}", "allreduce 8 0 6"])
    done = simulate(trace, shared_cores(2), wish=sharing(4))
    assert done.window == pytest.approx(2e-3, rel=2e-3)
    even = write_trace(tmp_path, 4, lambda rank: [f"compute {1000000 * (rank < 2)}", "allreduce 8 0 6"])
    assert simulate(even, shared_cores(2), wish=sharing(4)).window == pytest.approx(1e-3, rel=2e-3)


def test_turns_cost_what_was_measured(tmp_path):
    """Of each wait one with two ranks a core: the last to come goes on. By the work before it."""
    trace = write_trace(tmp_path, 2, lambda _: ["compute 1000000", "allreduce 8 0 6"] * 100)
    free = simulate(trace, shared_cores(1), wish=sharing(2)).window
    assert free == pytest.approx(0.2, rel=1e-3)
    costs = {"turn_collectives": ((0.5e-3, 10e-6), (1.5e-3, 30e-6)), "turn_messages": ((1.0, 1.0),)}
    assert simulate(trace, shared_cores(1, **costs), wish=sharing(2)).window - free == pytest.approx(
        100 * 20e-6, rel=0.02
    )
    alone = simulate(trace, shared_cores(2, **costs), wish=sharing(2)).window
    assert alone == simulate(trace, shared_cores(2), wish=sharing(2)).window


def test_a_message_that_is_there_takes_no_turn(tmp_path):
    """Rank 1 computes while rank 0 waits; then rank 1 finds all of rank 0's messages, and goes on."""
    lines = {
        0: ["isend 1 0 8 6"] * 3 + ["waitall 3"],
        1: ["compute 1000", *["recv 0 0 8 6", "compute 1000"] * 3],
    }
    trace = write_trace(tmp_path, 2, lambda rank: ["barrier", *lines[rank]])
    whole = shared_cores(1, turn_messages=((0.0, 1.0),))
    assert simulate(trace, whole, wish=sharing(2)).window < 1.5


def test_a_long_turn_is_cut_where_others_wait_for_the_core(tmp_path):
    trace = write_trace(tmp_path, 2, lambda rank: [f"compute {(100, 1)[rank]}000000"])
    done = simulate(trace, shared_cores(1), wish=sharing(2))
    assert done.ranks_spent[1]["compute"] == pytest.approx((5e-3, 4e-3), rel=1e-6)
    assert done.window == pytest.approx(0.101, rel=1e-6)


def test_late_sender_is_waiting(tmp_path):
    trace = write_trace(
        tmp_path,
        2,
        lambda rank: ["irecv 1 0 8 6", "waitall 1"] if rank == 0 else ["compute 1000000", "send 0 0 8 6"],
    )
    done = simulate(trace, cluster(), wish=ONE_A_NODE)
    seconds, waiting = done.ranks_spent[0]["waitall"]
    assert waiting == pytest.approx(1e-3, rel=1e-6)
    assert seconds - waiting == pytest.approx(1.6e-6, rel=0.02)


def test_late_rank_is_waiting_in_a_collective(tmp_path):
    trace = write_trace(tmp_path, 4, lambda rank: [f"compute {1000000 * (rank == 2)}", "allreduce 8 0 6"])
    done = simulate(trace, cluster(), wish=ONE_A_NODE)
    assert done.ranks_spent[0]["allreduce"][1] == pytest.approx(1e-3, rel=1e-3)
    assert done.ranks_spent[2]["allreduce"][1] == pytest.approx(0, abs=1e-9)


def test_cards_pass_so_many_messages_a_second(tmp_path):
    """Eight ranks of a node send at once: the card serves them one after the other."""
    whole = with_network(cluster(), message_rate=1e5)
    lines = lambda rank: [f"isend {rank + 8} 0 8 6"] if rank < 8 else [f"irecv {rank - 8} 0 8 6"]  # noqa: E731
    trace = write_trace(tmp_path, 16, lambda rank: [*lines(rank), "waitall 1"])
    assert simulate(trace, whole).window == pytest.approx(70e-6 + 1.6e-6, rel=0.1)


def test_two_jobs_share_links_and_wait_by_their_own_ranks(tmp_path):
    def lines(rank):
        if rank == 0:
            return ["isend 1 0 2000000 6", "wait 0 1 0"]
        return ["irecv 0 0 2000000 6", "wait 0 1 0"]

    trace = write_trace(tmp_path, 2, lines)
    one = simulate(trace, cluster(), wish=PlacementWish(1, "core"))
    two = simulate(trace, cluster(), wish=PlacementWish(2, "core"))
    assert one.window == pytest.approx(1e-3, rel=0.01)
    assert two.jobs == pytest.approx((2e-3, 2e-3), rel=0.01)
    up = next(link for link in two.links if link.name == "node 0 > switch")
    assert up.bytes == pytest.approx(4e6, rel=1e-3)
    assert up.busy == pytest.approx(1.0, rel=0.01)
    assert sum(link.held_up for link in two.links) == pytest.approx(2e-3, rel=0.02)
    alone = simulate(trace, cluster(), wish=PlacementWish(2, "core"), change=Change(shared_links=False))
    assert alone.window == pytest.approx(one.window, rel=0.01)


def test_jobs_side_by_side_are_not_in_step(tmp_path):
    """Ten cycles of 0.5 ms of compute and 0.5 ms of message: two jobs in step always share the cable."""

    def lines(rank):
        return ["compute 500000", "send 1 0 1000000 6"] * 10 if rank == 0 else ["recv 0 0 1000000 6"] * 10

    apart = write_trace(tmp_path / "apart", 2, lines, "0:10", seconds=[5e-3, 0.0])
    step = write_trace(tmp_path / "step", 2, lines, "0:10")
    wish = PlacementWish(2, "core")
    assert experiment_of(apart, cluster(), Options(wish)).stagger == pytest.approx(0.125e-3)
    together = simulate(step, cluster(), wish=wish).window
    assert together == pytest.approx(15e-3, rel=0.05)
    assert simulate(apart, cluster(), wish=wish).window < 0.95 * together


def test_figures_of_calibrate_come_back_out(tmp_path):
    """This machine's platform file, as a cluster file takes it: its smallest and its largest message."""
    platform = CLUSTERS / "two-cores.platform.toml"
    watts = '{ value = 9, source = "of no matter here" }'
    (tmp_path / "mine.toml").write_text(
        f'[cluster]\nname = "mine"\nnodes = 1\n[node]\nplatform = "{platform}"\n'
        f"[cpu]\nidle_watts = {watts}\nbusy_watts = {watts}\n"
    )
    whole = read_cluster(tmp_path / "mine.toml")
    link = read_platform(platform).link[0]
    rate = {"reference_rate": 1e6}
    small = simulate(ping_pong(tmp_path / "small", 1), whole, **rate).window / 100
    assert small == pytest.approx(link.latency, rel=0.02)
    large = simulate(ping_pong(tmp_path / "large", 2**21), whole, **rate).window / 100
    assert large == pytest.approx(link.latency + 2**21 / link.bandwidth, rel=0.02)


def test_the_system_takes_its_share_of_a_core_that_computes(tmp_path):
    trace = write_trace(tmp_path, 1, lambda _: ["compute 20000000"] * 500)
    taking = with_node(cluster(), detour_rate=200.0, detour=50e-6)
    assert simulate(trace, taking).window == pytest.approx(10.0)
    noisy = simulate(trace, taking, seeds=(1,), noise=0.0).window
    assert noisy == pytest.approx(10.0 * (1 + 200 * 50e-6), rel=1e-3)


def test_noise_is_the_same_with_the_same_seed_only(tmp_path):
    trace = write_trace(tmp_path, 4, lambda _: ["compute 1000000", "allreduce 8 0 6"] * 20)
    whole = cluster(network=ETHERNET)
    options = {"noise": 0.05, "wish": ONE_A_NODE}
    first = simulate(trace, whole, seeds=(1, 2, 3), **options)
    again = simulate(trace, whole, seeds=(1, 2, 3), **options)
    assert (first.window, first.low, first.high, first.spent) == (
        again.window,
        again.low,
        again.high,
        again.spent,
    )
    assert first.low < first.window < first.high
    quiet = simulate(trace, whole, wish=ONE_A_NODE)
    assert first.window > quiet.window * 1.01  # the slowest of four, block after block


def test_every_collective_replays_on_any_ranks(tmp_path):
    for ranks in (1, 2, 3, 6):
        blocks = " ".join(["64"] * ranks)
        collectives = [
            "barrier",
            "bcast 64 0 6",
            "reduce 64 0 0 6",
            "allreduce 64 0 6",
            "allreduce 100000 0 6",
            "allgather 64 64 6 6",
            f"allgatherv 64 {blocks} 6 6",
            "alltoall 64 64 6 6",
            f"alltoallv {64 * ranks} {blocks} {64 * ranks} {blocks} 6 6",
            "gather 64 64 0 6 6",
            f"gatherv 64 {blocks} 0 6 6",
            "scatter 64 64 0 6 6",
            f"scatterv {blocks} 64 0 6 6",
            f"reducescatter {blocks} 0 6",
            "scan 64 0 6",
            "exscan 64 0 6",
        ]
        trace = write_trace(tmp_path / str(ranks), ranks, lambda _: collectives)  # noqa: B023
        done = simulate(trace, cluster(8), wish=ONE_A_NODE)
        assert sum(s.calls for s in done.spent) == len(collectives)
        assert (done.window > 0) == (ranks > 1)


def test_every_algorithm_that_the_catalogue_names_replays(tmp_path):
    libraries = tomllib.loads((Path(cluster_file.__file__).parent / "mpi.toml").read_text())
    named = {
        (operation, choice["algorithm"])
        for library in libraries.values()
        for operation, choices in library.get("collectives", {}).items()
        for choice in choices
    }
    assert named
    for operation, algorithm in sorted(named):
        for ranks, size in ((3, 8), (3, 100_000), (16, 8), (16, 100_000)):
            arguments = {
                "allreduce": f"{size} 0 6",
                "bcast": f"{size} 0 6",
                "reduce": f"{size} 0 0 6",
                "barrier": "",
                "allgather": f"{size} {size} 6 6",
                "alltoall": f"{size} {size} 6 6",
            }
            if operation not in arguments:
                continue
            line = f"{operation} {arguments[operation]}".strip()
            folder = tmp_path / f"{operation}-{algorithm}-{ranks}-{size}"
            trace = write_trace(folder, ranks, lambda _: [line])  # noqa: B023
            mpi = MpiLibrary("one", {operation: ((float("inf"), float("inf"), algorithm),)})
            assert simulate(trace, replace(cluster(), mpi=mpi)).window > 0, (
                operation,
                algorithm,
                ranks,
                size,
            )


def test_two_levels_are_refused_where_there_are_none(tmp_path):
    trace = write_trace(tmp_path, 8, lambda _: ["allgather 8 8 6 6"])
    mpi = MpiLibrary("one", {"allgather": ((float("inf"), float("inf"), "two-levels"),)})
    with pytest.raises(SimulationError, match="allgather.*: there is no algorithm two-levels"):
        simulate(trace, replace(cluster(), mpi=mpi))


def test_whole_job_energy_and_writing(tmp_path):
    trace = write_trace(tmp_path, 8, lambda _: ["compute 1000000"], window="5:15", job_cycles=36_000_000)
    done = simulate(trace, with_node(cluster(), price_per_hour=2.0), written=1e9)
    compute = 1e-3 / 0.7 / 10 * 36_000_000
    assert done.factor == 3_600_000
    assert done.writing == pytest.approx(10.001)
    assert done.whole == pytest.approx(compute + 10.001, rel=1e-6)
    hours = done.whole / 3600
    assert done.energy.busy == pytest.approx(300 * hours)
    assert done.energy.idle == pytest.approx(3 * 100 * hours)
    assert done.energy.network == pytest.approx(120 * hours)
    assert done.energy.adapters == pytest.approx(4 * 10 * hours)
    assert done.energy.total == pytest.approx(1.5 * (300 + 300 + 120 + 40) * hours)
    assert done.energy.money == pytest.approx(2.0 * hours + 0.2 * done.energy.total / 1000)


def test_a_message_that_nobody_sends_is_an_error(tmp_path):
    trace = write_trace(tmp_path, 2, lambda rank: ["recv 1 0 8 6"] if rank == 0 else ["compute 1"])
    with pytest.raises(SimulationError, match="wait for messages that no rank sends"):
        simulate(trace, cluster())


def test_equal_simulations_are_taken_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    trace = write_trace(tmp_path / "trace", 2, lambda _: ["compute 1000000", "allreduce 8 0 6"])
    experiment = experiment_of(trace, cluster(), Options(seeds=(1, 2)))
    first = conduct([experiment])[0]
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 2
    monkeypatch.setattr(
        "crumple.lab.simulate.run_simulations.simulate", lambda *_: pytest.fail("simulated again")
    )
    assert conduct([experiment])[0].spent == first.spent
    other = experiment_of(trace, cluster(network=ETHERNET), Options(seeds=(1, 2)))
    assert not {other.key(s) for s in (1, 2)} & {experiment.key(s) for s in (1, 2)}


def test_comments_of_a_trace_change_nothing(tmp_path):
    plain = write_trace(tmp_path / "plain", 2, lambda _: ["compute 1000000", "allreduce 8 0 6"])
    marked = write_trace(tmp_path / "marked", 2, lambda _: ["compute 1000000", "allreduce 8 0 6"])
    for rank in range(2):
        path = tmp_path / "marked" / f"rank.{rank}.txt"
        path.write_text(path.read_text().replace(f"{rank} compute", f"# phase elements\n{rank} compute"))
    assert simulate(plain, cluster()).spent == simulate(marked, cluster()).spent


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ("compute abc", "'abc' is not a number"),
        ("compute nan", "'nan' is not a number"),
        ("compute", "cut off"),
        ("isend 1 0 -5 6", "'-5' is not a number"),
        ("send 99 0 8 6", "there is no rank 99"),
        ("wait 0 1 5", "no message like it is open"),
        ("bcast 8 7 6", "there is no rank to be its root"),
        ("allreduce", "parse replay failed"),
        ("foo 3", "rank.0.txt: 'foo': a replay does not support this action"),
    ],
)
def test_a_damaged_line_is_named(action, says, tmp_path):
    trace = write_trace(tmp_path, 2, lambda rank: [action] if rank == 0 else [])
    with pytest.raises(SimulationError) as error:
        simulate(trace, cluster())
    assert says in str(error.value)
    assert "backtrace" not in str(error.value)


def test_ranks_must_call_the_same_collectives(tmp_path):
    trace = write_trace(tmp_path, 2, lambda rank: ["barrier"] if rank == 0 else ["allreduce 8 0 6"])
    with pytest.raises(SimulationError, match="collective 1 of rank .* is another"):
        simulate(trace, cluster())


def test_precision_is_that_of_the_trace(tmp_path):
    reference = {"element_rate": 1e6, "precision": "single"}
    trace = write_trace(tmp_path, 1, lambda _: ["compute 1000000"], reference=reference)
    assert simulate(trace, cluster()).window == pytest.approx(0.5e-3)
    assert simulate(trace, cluster(), precision="double").window == pytest.approx(1e-3)
