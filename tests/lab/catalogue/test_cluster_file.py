"""Cluster files: what they are read into, and everything that is refused, with its place."""

import dataclasses
from pathlib import Path

import pytest

from crumple.lab.catalogue.cluster import CatalogueError, read_cluster

EXAMPLES = sorted(
    file
    for file in (Path(__file__).parents[3] / "benchmarks/clusters").glob("*.toml")
    if not file.name.endswith(".platform.toml")
)
GOOD = """[cluster]
name = "mine"
nodes = 24

[cpu]
use = "opteron-2382"

[node]
sockets = 2
memory_bytes = 16e9

[network]
use = "infiniband-ddr"

[topology]
use = "star-infiniband"
"""


def read(folder: Path, text: str):
    path = folder / "mine.toml"
    path.write_text(text)
    return read_cluster(path)


def refused(folder: Path, old: str, new: str) -> str:
    """What is said of the good file with a part replaced."""
    assert old in GOOD
    with pytest.raises(CatalogueError) as caught:
        read(folder, GOOD.replace(old, new))
    return str(caught.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_example(file):
    cluster = read_cluster(file)
    assert cluster.name == file.stem
    assert cluster.network.latency > 0 and cluster.node.cpu.rate_double > 1e4
    assert cluster.node.peak_watts > cluster.node.idle_watts > 0
    assert all(figure.source for figure in cluster.sources.values())
    falling = [factor for _, factor in cluster.node.cpu.rate_when_busy]
    assert falling == sorted(falling, reverse=True) and falling[0] == 1.0


def test_every_number_of_the_cluster_has_a_source():
    cluster = read_cluster(EXAMPLES[0])
    for part in ("network", "topology", "file_system"):
        for field in dataclasses.fields(getattr(cluster, part)):
            value = getattr(getattr(cluster, part), field.name)
            if isinstance(value, float) and value:
                assert f"{part}.{field.name}" in cluster.sources, field.name


def test_overridden_figure(tmp_path):
    text = GOOD.replace('"infiniband-ddr"', '"infiniband-ddr"\nbandwidth = 1.9e9')
    cluster = read(tmp_path, text)
    assert cluster.network.bandwidth == 1.9e9
    assert cluster.sources["network.bandwidth"].source == "mine.toml:14"
    given = 'bandwidth = { value = 1.8e9, source = "mine", estimated = true }'
    cluster = read(tmp_path, GOOD.replace('"infiniband-ddr"', f'"infiniband-ddr"\n{given}'))
    assert cluster.network.bandwidth == 1.8e9
    assert "network.bandwidth" in cluster.estimated


def test_refused(tmp_path):
    def said(old: str, new: str) -> str:
        return refused(tmp_path, old, new)

    assert said("nodes = 24", "nodes = 0") == "mine.toml:3: nodes: a cluster has 1 node or more, not 0"
    assert "mine.toml:1: [cluster] 'nodes' is missing" in said("nodes = 24", "")
    wrong = said("infiniband-ddr", "infiniband-ddrr")
    assert wrong == (
        "mine.toml:13: the catalogue has no network 'infiniband-ddrr'; did you mean 'infiniband-ddr'?"
    )
    assert "mine.toml:9: [node] unknown key 'socket'; did you mean 'sockets'?" in said("sockets", "socket")
    assert "mine.toml:9: [node] sockets: 1.5 is not a number" in said("sockets = 2", "sockets = 1.5")
    assert "mine.toml:12: unknown key 'netwrok'; did you mean 'network'?" in said("[network]", "[netwrok]")
    wrong = said("nodes = 24", "nodes = 40")
    assert wrong == "mine.toml:15: 40 nodes: a star of switches with 36 ports connects 36"
    assert "mine.toml:9" in said("sockets = 2", "sockets = 2 cores")
    assert "mine.toml:10: [node] memory_bytes.value" in said("16e9", "-1")


@pytest.mark.parametrize(
    ("section", "key", "said"),
    [
        ("network", "bandwidth = 0", "bandwidth: 0 is not possible"),
        ("network", "rails = 1.5", "rails: 1.5 is not a number of rails"),
        ("network", "loss = 1e-5", "loss: a share of messages, less than 1, that TCP sends again"),
        ("cpu", "clock_alone = 0", "clock_alone: 0 is not possible"),
        ("cpu", "rate_when_busy = [[1, 1.2]]", "rate_when_busy: [1, 1.2]: 1 to all cores, above 0 to 1"),
        ("cpu", "rate_when_busy = []", "rate_when_busy: empty"),
        ("cpu", 'generation = "nehalam"', "generation: there is no 'nehalam'; did you mean 'nehalem'?"),
        ("topology", "oversubscription = 0.5", "oversubscription: links down over links up, 1 or more"),
        ("topology", 'kind = "fat-trees"', "kind: 'fat-trees' is not valid; did you mean 'fat-tree'?"),
    ],
)
def test_impossible_figure(tmp_path, section, key, said):
    text = GOOD.replace(f"[{section}]\n", f"[{section}]\n{key}\n")
    line = text.splitlines().index(key) + 1
    with pytest.raises(CatalogueError) as caught:
        read(tmp_path, text)
    assert str(caught.value).endswith(f"mine.toml:{line}: [{section}] {said}")


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "9" * 5000, "[cluster", "\xff"])
def test_damaged_file(tmp_path, text):
    with pytest.raises(CatalogueError, match="mine.toml"):
        read(tmp_path, text)


def test_number_without_source(tmp_path):
    said = refused(tmp_path, "sockets = 2", "sockets = { value = 2 }")
    assert said == "mine.toml:9: [node] sockets: a number without its source"


def test_no_network(tmp_path):
    said = refused(tmp_path, '[network]\nuse = "infiniband-ddr"', "")
    assert "'name' is missing; or name an entry of the catalogue" in said and "infiniband-ddr" in said


def test_platform_that_is_not_there(tmp_path):
    said = refused(tmp_path, "sockets = 2\nmemory_bytes = 16e9", 'platform = "away.toml"')
    assert "mine.toml:9: " in said and "away.toml: No such file or directory" in said


def test_cores_with_an_adapters_interrupts_take_in_what_it_brings(tmp_path):
    """A core takes 2 us a message and 2 ns a byte: half a million messages and bytes a microsecond each."""
    tcp = '"10gige"\nreceive_overhead = 2e-6\noverhead_per_byte = 2e-9\nbandwidth = 1e9\nmessage_rate = 1e6\n'
    for cores, rate, bandwidth in ((1, 0.5e6, 0.5e9), (2, 1e6, 1e9), (8, 1e6, 1e9)):
        text = GOOD.replace('"infiniband-ddr"', f"{tcp}interrupt_cores = {cores}").replace(
            '"star-infiniband"', '"star-10gige"'
        )
        network = read(tmp_path, text).network
        assert network.message_rate == pytest.approx(rate)
        assert network.bandwidth == pytest.approx(bandwidth)


def test_a_rank_looks_at_connections_where_its_library_does(tmp_path):
    tcp = GOOD.replace('"infiniband-ddr"', '"gige"\nsocket_look = 1e-7')
    assert read(tmp_path, tcp).look(10) == 0.0
    assert read(tmp_path, tcp + '\n[mpi]\nuse = "platform-mpi"\n').look(10) == pytest.approx(1e-6)
    assert read(tmp_path, GOOD + '\n[mpi]\nuse = "platform-mpi"\n').look(10) == 0.0
