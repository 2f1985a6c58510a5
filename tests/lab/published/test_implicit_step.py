"""The published implicit step: a division that is grown, and the simulated step beside its formula."""

import pytest

from crumple.lab.published import predict
from crumple.lab.published.implicit_step import can_simulate, lines_of_step, read_stored, stored_division
from crumple.lab.published.predict import SHIPPED, cluster_of, direct_solution
from crumple.lab.published.published_file import PublishedCase
from crumple.lab.simulate.simulator_program import HEADER, SimulationError
from crumple.lab.traces.factor_lines import FactorLines, FactorRates

CYL1E6 = 3_034_944
PUBLISHED = PublishedCase(
    model="factorisation", elements=CYL1E6, nodes=4, cluster="5160-infiniband-sdr", file_system="parallel"
)


def seconds(case):
    return direct_solution(cluster_of(case, SHIPPED), case).seconds


def test_a_division_grows_by_the_laws_of_nested_dissection():
    small = read_stored(stored_division(16))
    large = small.grown(8 * small.equations)
    assert large.flops == pytest.approx(64 * small.flops, rel=1e-6)
    assert large.entries == pytest.approx(16 * small.entries, rel=1e-6)
    assert [len(top.ranks) for top in large.tops] == [len(top.ranks) for top in small.tops]
    for rank in range(16):
        before, after = (FactorLines(d, rank, FactorRates(1.0), False).top_flops() for d in (small, large))
        assert after == pytest.approx(64 * before, rel=0.25)  # panels that are not whole grow otherwise


def test_the_step_has_the_published_factors_and_solutions():
    lines = lines_of_step(16, CYL1E6).lines
    division = read_stored(stored_division(16)).grown(CYL1E6)
    for rank, of in enumerate(lines):
        mine = division.of_rank[rank]
        written = sum(int(line.split()[2]) for line in of if " write " in line)
        read = sum(int(line.split()[2]) for line in of if " read " in line)
        assert written == pytest.approx(2 * 8 * (mine.factor_values + mine.top_values), rel=0.02)
        assert read == pytest.approx(2 * written, rel=1e-9)


@pytest.mark.skipif(not HEADER.exists(), reason="SimGrid (libsimgrid-dev) is not installed")
@pytest.mark.parametrize(("nodes", "name"), [(4, "5160-infiniband-sdr"), (2, "5160-infiniband-sdr-8-cores")])
def test_a_parallel_file_system_saves_time_over_local_disks(nodes, name, tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path))
    case = replace_case(nodes=nodes, cluster=name)
    local = replace_case(nodes=nodes, cluster=name, file_system="local-disk")
    assert 0.5 < seconds(case) / seconds(local) < 0.98


def replace_case(**changes):
    return PUBLISHED.model_copy(update=changes)


def test_the_formula_stands_in_where_there_is_no_simulator(monkeypatch):
    def missing(*_):
        raise SimulationError("no SimGrid")

    monkeypatch.setattr(predict, "simulate_step", missing)
    local = replace_case(file_system="local-disk")
    assert 1 - seconds(PUBLISHED) / seconds(local) == pytest.approx(0.31, abs=0.01)


def test_other_numbers_of_ranks_have_the_formula():
    assert can_simulate(16)
    assert not can_simulate(12)
    assert seconds(replace_case(nodes=3)) > 0.0
