"""crumple catalogue, and what the catalogue holds."""

import tomllib

import pytest
from typer.testing import CliRunner

from crumple.lab.catalogue.assemble import cpu_of
from crumple.lab.catalogue.entries import KINDS, entries_of
from crumple.lab.catalogue.figure import CatalogueError, read_entries
from crumple.lab.catalogue.rates import generations, reference, work_a_clock
from crumple.lab.catalogue.show_catalogue import figures_of
from crumple.lab.commands.catalogue_command import app

CPUS = "opteron-2358 opteron-2382 xeon-5060 xeon-5160 xeon-e5430 xeon-x5570 xeon-x5670 xeon-e5-2680"
CPUS += " xeon-e5-2690-v4 xeon-gold-6148 epyc-7742 epyc-9654"
NETWORKS = "gige 10gige 25gige-roce 100gige-roce infiniband-sdr infiniband-ddr infiniband-qdr infiniband-fdr"
NETWORKS += " infiniband-edr infiniband-hdr infiniband-ndr"


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words), env={"COLUMNS": "160"})
    return done.exit_code, done.output


def test_what_was_asked_for_is_there():
    assert set(CPUS.split()) <= set(entries_of("cpu"))
    assert {f"2x-{name}" for name in CPUS.split()} <= set(entries_of("node"))
    assert set(NETWORKS.split()) <= set(entries_of("network"))
    kinds = {entry.kind for entry in entries_of("topology").values()}
    assert kinds == {"star", "leaf-spine", "fat-tree", "dragonfly"}
    assert {entry.kind for entry in entries_of("file_system").values()} == {"local", "nfs", "parallel"}


@pytest.mark.parametrize("kind", KINDS)
def test_sources(kind):
    """Of published studies only the set-ups are inputs."""
    for name, entry in entries_of(kind).items():
        for key, figure in figures_of(entry):
            assert "study" not in figure.source or "set-up of the" in figure.source, (name, key)


def test_rates_rise_with_generations():
    rates = {name: cpu_of(entry, {}) for name, entry in entries_of("cpu").items()}
    for older, newer in [
        ("opteron-2358", "opteron-2382"),
        ("xeon-5060", "xeon-5160"),
        ("xeon-x5670", "xeon-e5-2680"),
    ]:
        assert rates[older].rate_double < rates[newer].rate_double
        assert rates[older].rate_single < rates[newer].rate_single
    assert work_a_clock("nehalem") == pytest.approx(1.05 * 1.15)
    assert all(work_a_clock(name) > 0 for name in generations())
    with pytest.raises(CatalogueError, match="there is no 'nehalam'; did you mean 'nehalem'"):
        work_a_clock("nehalam")


def test_reference_core_has_its_own_rate():
    entry = entries_of("cpu")["epyc-9654"].model_copy(
        update={
            "generation": reference().core.generation,
            "clock_alone": reference().core.clock,
            "isa": "avx512",
        }
    )
    assert cpu_of(entry, {}).rate_double == pytest.approx(reference().kernels["avx512"].rate_double.value)


def test_caches_and_memory_of_a_busy_socket():
    cpu = cpu_of(entries_of("cpu")["xeon-gold-6148"], {})
    many = cpu.factor(cpu.cores, 1_000_000)
    assert many == pytest.approx(cpu.rate_when_busy[-1][1], rel=0.02)
    assert many < cpu.factor(cpu.cores, 2000) <= cpu.clock_when_busy + 1e-12
    assert cpu.cores * many * cpu.rate_double * cpu.element_bytes <= cpu.memory_bandwidth * 1.02
    assert cpu.factor(1) == 1.0
    assert cpu.factor(1.5) == pytest.approx((1 + cpu.factor(2)) / 2)


def test_list_and_show():
    status, said = run("list")
    assert status == 0 and "infiniband-ddr" in said and "~ estimated" in said
    status, said = run("show", "2x-opteron-2382")
    assert status == 0 and "258 W" in said and "PowerEdge 2970" in said
    status, said = run("show", "mpich")
    assert status == 0 and "rdb 2048, rab_rdb" in said


def test_what_stands_for_no_network_is_no_entry(tmp_path):
    """Clusters of one node use it within; nothing lists, shows or proposes it."""
    status, said = run("list")
    assert status == 0 and not any(line.startswith("none") for line in said.splitlines())
    status, said = run("show", "none")
    assert status == 2 and "the catalogue has no 'none'" in said
    assert all("none" not in entries_of(kind) for kind in KINDS)
    file = tmp_path / "mine.toml"
    text = '[cluster]\nname = "mine"\nnodes = 2\n[node]\nuse = "2x-epyc-7742"\n'
    for more in ("", '[network]\nuse = "x"\n'):
        file.write_text(text + more)
        status, said = run("check", str(file))
        assert status == 2 and "there are: 100gige-roce" in said and "none" not in said


def test_years_are_whole_numbers():
    status, said = run("list", "network")
    assert status == 0 and "~2022" in said and "e+03" not in said


def test_lists_in_files_are_whole():
    """Where there is no screen nothing is cut, however narrow it would be."""
    said = CliRunner().invoke(app, ["list", "node"], env={"COLUMNS": "60"}).output
    for entry in entries_of("node").values():
        assert entry.name in said


def test_wrong_names():
    assert run("list", "cpus") == (2, "error: there is no kind 'cpus'; did you mean 'cpu'?\n")
    status, said = run("show", "gigge")
    assert status == 2 and "the catalogue has no 'gigge'; did you mean 'gige'?" in said


def test_check(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[cluster]\nname = "mine"\nnodes = 0\n')
    status, said = run("check", str(file))
    assert status == 2 and "mine.toml:3: nodes: a cluster has 1 node or more, not 0" in said.replace("\n", "")
    file.write_text('[cluster]\nname = "mine"\nnodes = 1\n[node]\nuse = "2x-epyc-7742"\n')
    status, said = run("check", str(file))
    assert status == 0 and "1 of 128 cores, 128 in all" in said and "are estimates" in said


def test_entry_without_a_source(tmp_path):
    kind, model = "file_system", KINDS["file_system"][1]
    text = KINDS[kind][0].read_text()
    first = next(iter(tomllib.loads(text)))
    file = tmp_path / "file_systems.toml"
    lines = text.splitlines()
    line = next(k for k, words in enumerate(lines) if words.startswith("servers"))
    lines[line] = "servers = { value = 1 }"
    file.write_text("\n".join(lines))
    with pytest.raises(CatalogueError) as caught:
        read_entries(file, model)
    assert str(caught.value) == f"{file}:{line + 1}: {first}: servers: a number without its source"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[mine]\nyear = 1\n\n[other]\n[ mine ]\n",
            "5: Cannot declare ('mine',) twice; it is already in line 1",
        ),
        ("[mine]\nyear = 1\nyear = 2\n", "3: Cannot overwrite a value; it is already in line 2"),
        ("[mine]\nyear = \n", "2: Invalid value"),
    ],
)
def test_a_name_given_twice_is_refused_with_both_lines(text, said, tmp_path):
    file = tmp_path / "networks.toml"
    file.write_text(text)
    with pytest.raises(CatalogueError) as error:
        read_entries(file, KINDS["network"][1])
    assert str(error.value) == f"{file}:{said}"
