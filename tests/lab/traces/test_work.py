"""Costs of units of work: found in numbers that are known, and lines scaled by them; without MPI."""

from dataclasses import replace

import numpy as np
import pytest

from crumple.lab.profile.trace.convert import FORMAT
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import open_trace
from crumple.lab.profile.trace.trace_writer import rank_name, rank_writer, write_summary
from crumple.lab.traces.decomposition import Decomposition, RankShare, decompose
from crumple.lab.traces.reference import ELEMENTS, MEAN_COST
from crumple.lab.traces.work import (
    PhaseTimes,
    counted,
    difference,
    fitted,
    phase_times,
    rescaled,
    slowdowns,
    slowed,
    unit_costs,
)
from crumple.models import Wishes, write_model


def share(cost, nodes):
    return RankShare((int(cost),), cost, nodes, nodes, {}, {}, (), (), ())


def recorded(costs, nodes, slower=1.0):
    """Ten cycles of ranks that take 100 operations a unit of cost, and 5000 and 20 a node in no phase."""
    rows = [[[100.0 * c, 5000.0 + 20.0 * n]] * 10 for c, n in zip(costs, nodes, strict=True)]
    times = PhaseTimes(list(range(10)), ["allreduce 8"] * 10, ["elements", "-"], slower * np.array(rows))
    return times, Decomposition(len(costs), 1.0, (), tuple(map(share, costs, nodes)))


def test_constant_and_cost_a_unit_are_told_apart():
    few, many = recorded([800.0] * 2, [1000, 1100]), recorded([200.0] * 8, [260] * 4 + [280] * 4, slower=1.5)
    assert slowdowns([few, many]) == pytest.approx([1.0, 1.5])
    costs = unit_costs([few, many])
    assert costs["allreduce 8", "elements"].each == pytest.approx((100.0, 0.0))
    assert costs["allreduce 8", "elements"].constant == pytest.approx(0.0, abs=1e-6)
    assert costs["allreduce 8", "-"].each == pytest.approx((20.0,))
    assert costs["allreduce 8", "-"].constant == pytest.approx(5000.0)


def test_work_of_cores_whose_caches_others_had():
    """100 ns a unit of cost are 10 million units a second."""
    own, shared = recorded([800.0] * 2, [1000, 1100]), recorded([8.0] * 200, [26] * 200, slower=7.5)
    assert slowed(*own, 10e6) == pytest.approx(1.0)
    assert slowed(*shared, 10e6) == pytest.approx(7.5)


def test_the_mean_cost_of_the_deck_of_rates(tmp_path):
    write_model("three-vehicle", tmp_path / "model.k", Wishes(ELEMENTS))
    found = decompose(tmp_path / "model.k", 1, "rcb", None, tmp_path)
    assert found.shares[0].cost / found.elements == pytest.approx(MEAN_COST, rel=0.02)


def test_what_yielded_elements_cost_is_not_taken_for_a_slow_processor():
    def crashed(deformed, slower):
        times, decomposition = recorded([300.0, 400.0, 500.0, 600.0], [500] * 4, slower)
        times.operations[:, :, 0] += slower * 60.0 * np.array(deformed)[:, None]
        shares = tuple(replace(s, deformed=d) for s, d in zip(decomposition.shares, deformed, strict=True))
        return times, replace(decomposition, shares=shares)

    early, late = crashed([0.0, 10.0, 0.0, 30.0], 1.0), crashed([50.0, 0.0, 300.0, 150.0], 1.25)
    assert slowdowns([early, late]) == pytest.approx([1.0, 1.25], rel=0.01)
    assert unit_costs([early, late])["allreduce 8", "elements"].each == pytest.approx((100.0, 60.0), rel=0.02)


def test_two_kinds_of_units():
    counts = np.array([[1000.0 * n, 100.0 * (n * n % 7)] for n in range(1, 13)])
    cost = fitted(np.column_stack([30.0 + counts @ [0.5, 2.0], counts]))
    assert (cost.constant, *cost.each) == pytest.approx((30.0, 0.5, 2.0))


def test_ranks_that_are_alike_are_taken_to_be_proportional():
    cost = fitted(np.array([[700.0, 100.0], [707.0, 101.0]]))
    assert (cost.constant, cost.each) == (0.0, pytest.approx((7.0,)))


def test_an_interruption_does_not_count():
    times, decomposition = recorded([400.0] * 2, [500, 500])
    times.operations[1, 3, 0] += 1e9
    costs = unit_costs([(times, decomposition)])
    assert costs["allreduce 8", "elements"].each == pytest.approx((100.0, 0.0))
    counts = counted(times, decomposition, costs)
    found = difference(times, counts)
    assert found.rank == 1
    assert found.worst < -0.99
    assert found.imbalance_counts == pytest.approx(1.0)


def test_lines_have_the_work_that_is_wanted():
    measured = PhaseTimes([7], ["x"], ["elements", "-"], np.array([[[300.0, 10.0]]]))
    wanted = PhaseTimes([7], ["x"], ["elements", "-"], np.array([[[600.0, 0.0]]]))
    lines = ["0 init", "0 compute 10", "# cycle 7", "# phase elements", "0 compute 100", "0 allreduce 8 0 6"]
    lines += ["0 compute 200", "0 finalize"]
    found = list(rescaled(lines, 0, measured, wanted))
    assert found == [
        "0 init",
        "# cycle 7",
        "# phase elements",
        "0 compute 200",
        "0 allreduce 8 0 6",
        "0 compute 400",
        "0 finalize",
    ]


@pytest.mark.parametrize(
    ("marks", "says"), [([0, 1, 0, 1], "cycle 0 appears twice"), ([], "it has no cycles")]
)
def test_cycles_that_cannot_be_told_apart(marks, says, tmp_path):
    with rank_writer(tmp_path, 0) as text:
        text.write("0 init\n")
        for cycle in marks:
            text.write(f"# cycle {cycle}\n# phase elements\n0 compute 10\n")
        text.write("0 compute 10\n0 finalize\n")
    meta = {
        "format": FORMAT,
        "version": 1,
        "ranks": 1,
        "operations_per_second": 1e9,
        "window": "0:2",
        "cut": "",
    }
    write_summary(tmp_path, [rank_name(0)], meta)
    with pytest.raises(TraceError, match=says):
        phase_times(open_trace(tmp_path))
