"""Every key of a cluster file over an entry of the catalogue changes an answer, or it is said why not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "simulate"))
from small_clusters import write_trace

from crumple.lab.catalogue.cluster import CatalogueError, Cluster, ClusterHeader, read_cluster
from crumple.lab.catalogue.entries import KINDS, NodeEntry
from crumple.lab.simulate.experiment import Options
from crumple.lab.simulate.loggp import estimate
from crumple.lab.simulate.placement import PlacementWish, place
from crumple.lab.simulate.simulated_energy import energy_of
from crumple.lab.simulate.volume import volume_of
from crumple.lab.simulate.writing import seconds_of_writing

ETHERNET = {"network": "10gige-2012", "topology": "leaf-spine-10gige"}
INFINIBAND = {"network": "infiniband-ddr", "topology": "star-infiniband"}
DRAGONFLY = {"network": "infiniband-hdr", "topology": "dragonfly-infiniband"}
MODELS = {"cluster": ClusterHeader, "node": NodeEntry} | {
    kind: KINDS[kind][1] for kind in KINDS if kind != "node"
}
#: another value of a key, where twice the entry's will not do
OTHER = {
    ("cluster", "title"): '"other"',
    ("cluster", "name"): '"other"',
    ("cluster", "currency"): '"USD"',
    ("cluster", "nodes"): "31",
    ("cluster", "pue"): "1.7",
    ("cluster", "price_per_kwh"): "0.4",
    ("cluster", "switch_watts"): "999",
    ("node", "name"): '"other"',
    ("node", "cpu"): '"epyc-7742"',
    ("node", "cores"): "16",
    ("node", "sockets"): "4",
    ("node", "memory_bytes"): "1e9",
    ("node", "idle_watts"): "11",
    ("node", "peak_watts"): "999",
    ("node", "intra_latency"): "1e-5",
    ("node", "intra_bandwidth"): "1e8",
    ("node", "price_per_hour"): "2.5",
    ("node", "turn_messages"): "[[1e-6, 1e-3], [1e-3, 2e-3]]",
    ("node", "turn_collectives"): "[[1e-6, 1e-3], [1e-3, 2e-3]]",
    ("node", "detour_rate"): "1000",
    ("node", "detour"): "1e-4",
    ("cpu", "name"): '"other"',
    ("cpu", "year"): "2021",
    ("cpu", "cores"): "8",
    ("cpu", "memory_bandwidth"): "1e9",
    ("cpu", "cache_bytes"): "1e9",
    ("cpu", "idle_watts"): "5",
    ("cpu", "busy_watts"): "500",
    ("cpu", "intra_latency"): "1e-5",
    ("cpu", "intra_bandwidth"): "1e8",
    ("cpu", "clock"): "5.2e9",
    ("cpu", "clock_alone"): "5.2e9",
    ("cpu", "isa"): '"avx512"',
    ("cpu", "generation"): '"zen4"',
    ("cpu", "per_clock"): "2",
    ("cpu", "rate_double"): "1e7",
    ("cpu", "rate_single"): "1e7",
    ("cpu", "rate_when_busy"): "[[1, 1.0], [4, 0.5]]",
    ("network", "name"): '"other"',
    ("network", "year"): "2021",
    ("network", "switches"): '["star-gige"]',
    ("network", "latency"): "1e-3",
    ("network", "bandwidth"): "1e7",
    ("network", "rails"): "4",
    ("network", "message_rate"): "1e3",
    ("network", "send_on_reference"): "1e-4",
    ("network", "receive_on_reference"): "1e-4",
    ("network", "byte_on_reference"): "1e-7",
    ("network", "eager_limit"): "1000000",
    ("network", "transport"): '"XRC"',
    ("network", "jitter"): "1e-3",
    ("network", "connection_bytes"): "1e6",
    ("network", "adapter_watts"): "99",
    ("network", "port_watts"): "99",
    ("network", "interrupt_cores"): "1",
    ("network", "socket_on_reference"): "1e-5",
    ("network", "send_overhead"): "1e-4",
    ("network", "receive_overhead"): "1e-4",
    ("network", "overhead_per_byte"): "1e-7",
    ("network", "socket_look"): "1e-5",
    ("network", "loss"): "1e-3",
    ("topology", "name"): '"other"',
    ("topology", "year"): "2021",
    ("topology", "kind"): '"fat-tree"',
    ("topology", "ports"): "48",
    ("topology", "hop_latency"): "1e-3",
    ("topology", "oversubscription"): "5",
    ("topology", "routers"): "9",
    ("topology", "nodes_per_router"): "2",
    ("topology", "switch_watts"): "999",
    ("file_system", "name"): '"other"',
    ("file_system", "year"): "2021",
    ("file_system", "kind"): '"local"',
    ("file_system", "write_bandwidth"): "1e6",
    ("file_system", "read_bandwidth"): "1e6",
    ("file_system", "servers"): "3",
    ("file_system", "latency"): "5",
    ("mpi", "name"): '"other"',
    ("mpi", "source"): '"other"',
    ("mpi", "estimated"): "true",
    ("mpi", "connections"): '"other"',
    ("mpi", "looks_at"): '"what is ready"',
    ("mpi", "collectives"): '{ allreduce = [{ algorithm = "redbcast" }] }',
}
#: that name or describe: seen in output, or in which parts `crumple advise` proposes
DESCRIBE = {"name", "title", "currency", "source", "estimated", "connections", "year"}


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """24 ranks that exchange with others, and reduce."""
    talk = [["irecv {} 0 100000 6", "isend {} 0 100000 6"], ["irecv {} 0 100 6", "isend {} 0 100 6"]]

    def lines(rank):
        others = sorted({(rank + 1) % 24, (rank - 1) % 24, (rank + 12) % 24})
        said = [line.format(q) for pair in talk for q in others for line in pair]
        return ["compute 100000", *said, f"waitall {len(said)}", "allreduce 8 0 6"] * 10

    found = write_trace(tmp_path_factory.mktemp("keys") / "trace", 24, lines, job_cycles=100)
    return found, volume_of(found)


def answers(cluster: Cluster, trace) -> tuple:
    """What models say of jobs: time, energy, money, writing; oversubscribed, and in single precision, too."""
    of, volume = trace
    found = []
    for ranks_per_node, precision in ((None, "double"), (1, "double"), (24, "double"), (None, "single")):
        wish = PlacementWish(2, None, ranks_per_node, oversubscribe=True)
        e = estimate(of, volume, cluster, Options(wish, precision=precision))
        found += [e.compute, e.point_to_point, e.collectives]
    placement = place(cluster, 24, PlacementWish(2, "node"))
    energy = energy_of(cluster, placement, 3600.0)
    found += [energy.total, energy.money] if energy else []
    return (*found, seconds_of_writing(cluster, placement, 1e9), cluster.cores)


def read(folder: Path, key: tuple[str, str] | None, uses: dict[str, str], value: str = "") -> Cluster:
    """A file that names entries, and gives one figure over them."""
    whole = {
        "cluster": ['name = "mine"', "nodes = 24", "price_per_kwh = 0.1"],
        "node": ['use = "2x-opteron-2382"'],
    }
    whole |= {"cpu": [], **{kind: [f'use = "{use}"'] for kind, use in uses.items()}}
    whole |= {"file_system": ['use = "nfs"'], "mpi": ['use = "platform-mpi"']}
    if key:
        section, name = key
        whole[section] = [line for line in whole[section] if not line.startswith(f"{name} =")]
        whole[section].append(f"{name} = {value or OTHER[key]}")
    path = folder / "mine.toml"
    path.write_text(
        "".join(f"[{name}]\n" + "\n".join(lines) + "\n" for name, lines in whole.items() if lines)
    )
    return read_cluster(path)


def test_all_keys_are_here():
    keys = {(kind, key) for kind, model in MODELS.items() for key in model.model_fields}
    assert keys == set(OTHER)


@pytest.mark.parametrize(
    "uses", [ETHERNET, INFINIBAND, DRAGONFLY], ids=["ethernet", "infiniband", "dragonfly"]
)
@pytest.mark.parametrize("key", OTHER, ids=".".join)
def test_a_key_acts_or_it_is_said_why_not(tmp_path, trace, key, uses):
    section, name = key
    before = answers(read(tmp_path, None, uses), trace)
    try:
        cluster = read(tmp_path, key, uses, "100" if name == "eager_limit" and uses is ETHERNET else "")
    except CatalogueError as error:
        said = str(error)
        assert said.startswith(f"{tmp_path}/mine.toml:")
        assert f"[{section}] {name}: " in said
        return
    acts = answers(cluster, trace) != before
    noted = any(f"[{section}] {name}: " in note for note in cluster.notes)
    assert acts or noted or name in DESCRIBE


@pytest.mark.parametrize(
    ("key", "uses"),
    [
        (("cpu", "clock"), INFINIBAND),
        (("cpu", "clock_alone"), INFINIBAND),
        (("cpu", "isa"), INFINIBAND),
        (("cpu", "idle_watts"), INFINIBAND),
        (("cpu", "rate_when_busy"), INFINIBAND),
        (("node", "sockets"), INFINIBAND),
        (("network", "interrupt_cores"), ETHERNET | {"network": "10gige"}),
        (("network", "socket_on_reference"), ETHERNET),
        (("topology", "oversubscription"), ETHERNET),
        (("topology", "routers"), DRAGONFLY),
        (("mpi", "looks_at"), ETHERNET),
        (("mpi", "collectives"), INFINIBAND),
    ],
    ids=lambda x: ".".join(x),
)
def test_what_must_act(tmp_path, trace, key, uses):
    value = "8" if key == ("network", "interrupt_cores") else ""
    assert answers(read(tmp_path, key, uses, value), trace) != answers(read(tmp_path, None, uses), trace)


def test_clock_of_an_entry_without_turbo_is_that_of_one_core_too(tmp_path):
    plain, slow, fast = (
        read(tmp_path, ("cpu", "clock"), INFINIBAND, c).node.cpu for c in ("2.6e9", "1.3e9", "5.2e9")
    )
    assert slow.rate_double == pytest.approx(plain.rate_double / 2)
    assert fast.rate_double == pytest.approx(plain.rate_double * 2)
    assert fast.rate_single == pytest.approx(plain.rate_single * 2)
    assert plain.clock_when_busy == slow.clock_when_busy == fast.clock_when_busy == 1.0


def refused(folder: Path, text: str) -> str:
    """What is said of a file of 24 nodes."""
    path = folder / "mine.toml"
    path.write_text(f'[cluster]\nname = "mine"\nnodes = 24\n{text}')
    with pytest.raises(CatalogueError) as caught:
        read_cluster(path)
    return str(caught.value).removeprefix(f"{folder}/")


NODE = '[node]\nuse = "2x-opteron-2382"\n'
LINKS = '[network]\nuse = "infiniband-ddr"\n[topology]\nuse = "star-infiniband"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f'[node]\nuse = "2x-xeon-gold-6148"\n[cpu]\nclock = 3.6e9\n{LINKS}',
            "mine.toml:7: [cpu] clock: 3.6e+09 Hz with all cores busy is more than clock_alone, 3.5e+09 Hz",
        ),
        (
            f"{NODE}[cpu]\nclock = 2e9\nrate_when_busy = [[4, 1.0]]\nrate_double = 1e6\nrate_single = 1e6\n"
            f"intra_latency = 1e-6\nintra_bandwidth = 1e9\n{LINKS.replace('ddr', 'edr')}".replace(
                'use = "infiniband-edr"',
                'use = "infiniband-edr"\nsend_overhead = 1e-6\nreceive_overhead = 1e-6',
            ),
            "mine.toml:7: [cpu] clock: it changes nothing here: ",
        ),
        (
            f"{NODE}idle_watts = 100\npeak_watts = 300\n[cpu]\nidle_watts = 5\n{LINKS}",
            "mine.toml:9: [cpu] idle_watts: it changes nothing here: [node] idle_watts is given, too",
        ),
        (
            f"{NODE}intra_latency = 1e-6\n[cpu]\nintra_latency = 2e-6\n{LINKS}",
            "[node] intra_latency is given, too",
        ),
        (
            f"{NODE}cores = 16\n{LINKS}",
            "mine.toml:6: [node] cores: 16, and sockets times cores of the processor is 8",
        ),
        (
            f"{NODE}{LINKS}oversubscription = 2\n",
            "[topology] oversubscription: it changes nothing here: only a leaf-spine and a fat tree have",
        ),
        (
            f"{NODE}{LINKS}".replace('-ddr"', '-ddr"\ninterrupt_cores = 4'),
            "[network] interrupt_cores: it changes nothing here: only adapters over TCP",
        ),
        (
            f'{NODE}[network]\nuse = "infiniband-ddr"\nsend_overhead = 1e-6\nsend_on_reference = 1e-6\n'
            '[topology]\nuse = "star-infiniband"\n',
            "[network] send_on_reference: it changes nothing here: [network] send_overhead is given, too",
        ),
        (
            f'{NODE}[network]\nuse = "none"\n',
            "mine.toml:7: [network] use: a cluster of 24 nodes has a network",
        ),
        (
            f'{NODE}[network]\nuse = "gige"\n[topology]\nuse = "none"\n',
            "mine.toml:9: [topology] use: a cluster of 24 nodes has a topology",
        ),
        (
            f'[node]\nuse = ["2x-opteron-2382"]\n{LINKS}',
            "[node] use: the name of an entry, not [",
        ),
        (f"{NODE}{LINKS}[mpi.collectives]\nallredcue = []\n", "collectives.allredcue"),
        (
            f'{NODE}{LINKS}[file_system]\nuse = "local-disk"\nservers = 4\n',
            "servers: a local disk is each node's own: 1",
        ),
    ],
)
def test_what_cannot_act_is_refused(tmp_path, text, said):
    assert said in refused(tmp_path, text)


def test_watts_of_an_entry_are_of_its_own_processors(tmp_path):
    """258 W are those of a node with two Opterons 2382; others, or four, have their own by the rule."""
    path = tmp_path / "mine.toml"

    def node(more: str):
        path.write_text(f'[cluster]\nname = "mine"\nnodes = 24\n{NODE}{more}{LINKS}')
        return read_cluster(path).node

    assert (node("").peak_watts, node("").name) == (258, "2 x Opteron 2382")
    assert node("sockets = 4\n").peak_watts > 1.5 * node("sockets = 2\n").peak_watts
    assert node("sockets = 4\n").name.startswith("4 x AMD Opteron 2382")
    other = node('[cpu]\nuse = "xeon-x5570"\n')
    assert other.peak_watts != 258 and other.name.startswith("2 x Intel Xeon X5570")
    assert node("[cpu]\nbusy_watts = 500\n").peak_watts == pytest.approx((2 * 500 + 60) / 0.88)
    assert node("peak_watts = 400\n[cpu]\nidle_watts = 10\n").peak_watts == 400


def test_collectives_given_over_an_entry_leave_the_others_as_they_are(tmp_path):
    uses = INFINIBAND
    before = read(tmp_path, None, uses).mpi.collectives
    after = read(tmp_path, ("mpi", "collectives"), uses).mpi.collectives
    assert after["allreduce"] == ((float("inf"), float("inf"), "redbcast"),)
    assert {k: v for k, v in after.items() if k != "allreduce"} == {
        k: v for k, v in before.items() if k != "allreduce"
    }


def test_what_is_capped_is_noted(tmp_path):
    cluster = read(tmp_path, ("network", "bandwidth"), ETHERNET | {"network": "10gige"}, "1.2e9")
    assert cluster.network.bandwidth < 1.2e9
    (note,) = [n for n in cluster.notes if "bandwidth" in n]
    assert note.startswith("mine.toml: [network] bandwidth: 1.2e+09 is given and ")
    assert "one core takes in what an adapter brings" in note


def test_one_node_has_no_figures_of_a_network(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(f'[cluster]\nname = "mine"\nnodes = 1\n{NODE}')
    cluster = read_cluster(path)
    assert not any(name.startswith(("network.", "topology.")) for name in cluster.sources)
    path.write_text(f'[cluster]\nname = "mine"\nnodes = 1\n{NODE}{LINKS}')
    assert read_cluster(path).notes == (
        "mine.toml: [network]: not used: one node",
        "mine.toml: [topology]: not used: one node",
    )


def test_what_a_measured_processor_does_not_need_is_noted():
    """A platform file has rates, so kernels and generation describe the processor, and change nothing."""
    cluster = read_cluster(Path(__file__).parents[2] / "fuzz/corpus/cluster/cluster.toml")
    for key in ("generation", "clock"):
        assert any(f"[cpu] {key}: it changes nothing here: " in note for note in cluster.notes)


@pytest.mark.parametrize("section", MODELS)
def test_an_unknown_key_is_refused_in_every_section(tmp_path, section):
    path = tmp_path / "mine.toml"
    whole = f'[cluster]\nname = "mine"\nnodes = 24\n{NODE}{LINKS}'
    header = f"[{section}]\n"
    whole += "" if header in whole else header
    path.write_text(whole.replace(header, f"{header}colour = 1\n"))
    with pytest.raises(CatalogueError, match=rf"mine.toml:\d+: \[{section}\] unknown key 'colour'"):
        read_cluster(path)
