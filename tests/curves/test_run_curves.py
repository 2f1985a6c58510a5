"""Curves of runs by name: units, filters of components, differences; names that do not exist."""

import numpy as np
import pytest
from written_run import motion, write_run

from crumple.curves.presented_units import kind_of, presented, written_unit
from crumple.curves.quantity import QuantityError, components_of, entities_of, read_quantity
from crumple.curves.run_curves import RunCurves
from crumple.curves.signal_error import SignalError
from crumple.results.history_table import HistoryTable
from crumple.results.run_tables import RunTables
from crumple.units import find_units

T = np.arange(0, 40.0, 0.05)  # ms
PULSE = -0.2 * np.sin(np.pi * T / 40)  # mm/ms^2


@pytest.fixture
def run(tmp_path) -> RunCurves:
    nodes = {
        12: ("left sill", motion(T, {"x": PULSE, "y": 0.1 * PULSE}, (5.0, 0.0, 0.0))),
        34: ("dashboard", motion(T, {"x": 0.5 * PULSE}, (5.0, 300.0, 400.0))),
    }
    return RunCurves(write_run(tmp_path / "base", T, nodes))


def test_units_that_are_shown(run):
    """mm/ms^2 is 1000 m/s^2: shown in g, over ms."""
    (curve,) = run.curves("nodout/12/x_acceleration")
    assert (curve.unit, curve.time_unit, curve.kind) == ("g", "ms", "acceleration")
    assert curve.values.min() == pytest.approx(-200 / 9.80665, rel=1e-4)
    (speed,) = run.curves("nodout/12/x_velocity")
    assert speed.unit == "m/s"
    assert speed.values[-1] == pytest.approx(-0.2 * 2 * 40 / np.pi, rel=1e-3)
    (force,) = run.curves("rwforc/1/x_force")
    assert force.unit == "kN"


def test_without_units_nothing_is_converted(tmp_path):
    run = RunCurves(write_run(tmp_path, T, {1: ("", motion(T, {"x": PULSE}))}, units=""))
    (curve,) = run.curves("nodout/1/ax")
    assert (curve.unit, curve.time_unit) == ("deck units", "deck units")
    assert curve.values.min() == pytest.approx(-0.2, rel=1e-4)
    with pytest.raises(SignalError, match="unit of time"):
        run.curves("nodout/1/ax", 60)
    given = RunCurves(tmp_path, units=find_units("t-mm-s"))
    assert given.curves("nodout/1/ax")[0].values.min() == pytest.approx(-2e-4 / 9.80665, rel=1e-3)


@pytest.mark.parametrize(
    "words",
    [
        "nodout/12/x_acceleration",
        "nodout/12/ax",
        "nodout/12/x_acc",
        "nodout/left sill/X-Acceleration",
        "nodout/sill/ax",
    ],
)
def test_names_that_may_be_short(run, words):
    (curve,) = run.curves(words)
    assert curve.subject == "node 12, left sill"
    assert curve.name == "x acceleration"


def test_magnitudes_and_lists(run):
    (whole,) = run.curves("nodout/12/acceleration")
    assert not whole.signed
    assert whole.values.max() == pytest.approx(200 / 9.80665 * np.sqrt(1.01), rel=1e-4)
    assert [c.subject for c in run.curves("nodout/*/vx")] == ["node 12, left sill", "node 34, dashboard"]
    assert len(run.curves("nodout/34,12/vx")) == 2
    assert run.curves("nodout/12/r_velocity")[0].name == "rotational velocity"


def test_components_are_filtered_before_their_magnitude(tmp_path):
    """A vibration of both signs disappears from the magnitude; it would leave its mean otherwise."""
    vibration = np.sin(2 * np.pi * 5.0 * T)  # 5 kHz
    run = RunCurves(write_run(tmp_path, T, {1: ("", motion(T, {"x": vibration}))}))
    (raw,) = run.curves("nodout/1/acceleration")
    (filtered,) = run.curves("nodout/1/acceleration", 60)
    assert filtered.name == "acceleration, CFC 60"
    assert filtered.values[300:-300].max() < 1e-4 * raw.values.mean()


def test_difference_and_distance(run):
    """x of 34 less x of 12; the distance from sqrt(300^2 + 400^2)."""
    (relative,) = run.curves("nodout/12-34/x_displacement")
    ends = [run.curves(f"nodout/{n}/x_displacement")[0].values for n in (12, 34)]
    assert relative.values == pytest.approx(ends[1] - ends[0])
    assert relative.subject == "nodes 12 to 34"
    (distance,) = run.curves("nodout/12-34/distance")
    y = run.curves("nodout/12/y_displacement")[0].values
    expected = np.sqrt((ends[1] - ends[0]) ** 2 + (300 - y) ** 2 + 400**2) - 500
    assert distance.values == pytest.approx(expected, abs=0.05)  # coordinates have five digits


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("nodut/12/ax", "no history 'nodut'; nearest: nodout"),
        ("nodout/13/ax", "nodout has no 13; there is 12 left sill"),
        ("nodout/dashbord/ax", "nearest: dashboard"),
        ("nodout/12/x_aceleration", "nearest: x_acceleration"),
        ("nodout/12/x", "may be x_displacement, x_velocity"),
        ("nodout/ax", "nodout has 2 entities"),
        ("nodout", "names no component"),
        ("nodout/12/", "names no component"),
    ],
)
def test_unknown_names_give_the_nearest(run, words, why):
    with pytest.raises(QuantityError, match=why):
        run.curves(words)


def test_integration_points():
    values = np.array([[[1.0, -3.0]], [[2.0, np.nan]]])
    table = HistoryTable(np.array([0.0, 1.0]), ["5"], {}, {"sig_xx": values})
    asked = read_quantity("elout/shell/5/sig_xx/2", ["elout/shell", "elout/solid"])
    assert (asked.history, asked.entity, asked.component, asked.point) == ("elout/shell", "5", "sig_xx", 2)
    with pytest.raises(QuantityError, match="say which: elout/shell, elout/solid"):
        read_quantity("elout/5/sig_xx", ["elout/shell", "elout/solid"])
    from crumple.curves.run_curves import of_point

    assert of_point(values[:, 0], None)[0] == pytest.approx([-3.0, 2.0])
    assert of_point(values[:, 0], 1)[0] == pytest.approx([1.0, 2.0])
    with pytest.raises(QuantityError, match="no point 3"):
        of_point(values[:, 0], 3)
    assert components_of("sig", table) == ["sig_xx"]


def test_sides_of_contacts():
    table = HistoryTable(
        np.zeros(1), ["3:slave", "3:master", "4:slave"], {3: "hood"}, {"x_force": np.zeros((1, 3))}
    )
    assert entities_of("3", table, "rcforc") == ["3:slave"]
    assert entities_of("3:master", table, "rcforc") == ["3:master"]
    assert entities_of("hood", table, "rcforc") == ["3:slave"]


def test_kinds_of_quantities():
    kinds = {
        "x_acceleration": "acceleration",
        "rx_acceleration": "turning",
        "total_force": "force",
        "internal_energy": "energy",
        "sig_xx": "stress",
        "x_moment": "moment",
        "energy_ratio": "",
        "x_momentum": "",
        "time_step": "time",
        "rx_displacement": "angle",
        "local_x_velocity": "speed",
    }
    assert {name: kind_of(name) for name in kinds} == kinds
    assert presented("force", find_units("t-mm-s")) == ("kN", pytest.approx(1e-3))
    assert presented("energy", find_units("kg-mm-ms")) == ("kJ", pytest.approx(1e-3))
    assert presented("moment", find_units("kg-mm-ms")) == ("N m", pytest.approx(1.0))
    assert presented("acceleration", find_units("lbf-in-s"))[1] == pytest.approx(0.0254 / 9.80665)
    assert written_unit("[m/s^2]") == ("acceleration", 1.0)
    assert written_unit("furlongs") is None


def test_nodout_text(tmp_path):
    """Values as written; a block that was cut off by a kill is left out."""
    rows = motion(T[:4], {"x": PULSE[:4]}, (1.0, 2.0, 3.0))
    folder = write_run(tmp_path, T[:4], {7: ("a", rows)})
    table = RunTables(RunCurves(folder).files).table("nodout")
    assert table.keys == ["7"]
    assert table.titles == {7: "a"}
    assert table.columns["x_acceleration"][:, 0] == pytest.approx(rows[:, 6], rel=1e-4, abs=1e-8)
    assert table.columns["y_coordinate"][:, 0] == pytest.approx([2.0] * 4)
    text = (folder / "nodout").read_text()
    (folder / "nodout").write_text(text[: text.rindex("n o d a l")])
    assert len(RunTables(RunCurves(folder).files).table("nodout").times) == 3
    (folder / "nodout").write_text("nothing\n")
    with pytest.raises(ValueError, match="no nodout block"):
        RunTables(RunCurves(folder).files).table("nodout")
