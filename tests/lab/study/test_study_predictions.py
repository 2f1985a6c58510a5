"""Predicted lines beside measured ones: a study of a small deck whose file names clusters."""

import json
import shutil
from pathlib import Path

import pytest
from command_line import crumple

from crumple.lab.applications.application import Figures
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.report.measurements import read_measurements
from crumple.lab.report.predictions import predictions_of
from crumple.lab.report.study_charts import predicted_speed_up, prediction_charts
from crumple.lab.simulate.simulator_program import HEADER
from crumple.lab.study.cases import case_key
from crumple.lab.study.database import Database, RunOutcome
from crumple.lab.study.study_file import read_study

CLUSTERS = Path(__file__).parents[3] / "benchmarks/clusters"
NAMED = [CLUSTERS / "two-cores.toml", CLUSTERS / "5160-infiniband-sdr.toml"]
STUDY = """[study]
name = "s"
[workload]
application = "{application}"
deck = "{deck}"
[axes]
ranks = [1, 2, 4]
device = ["default", "tcp"]
[prediction]
clusters = {clusters}
cycles = "{cycles}"
"""
MACHINE = {
    "machine": {"host": "h", "cores": 2, "processor": "P", "memory": 2**33, "kernel": "6", "system": "s"},
    "mpi": "Open MPI",
    "executable": {"path": "/x/solver", "sha256": "0" * 64},
    "inputs": {},
    "environment": {},
}
needs_simgrid = pytest.mark.skipif(
    not HEADER.exists() or not shutil.which("g++"), reason="SimGrid is not installed"
)


def database(folder: Path, deck: Path, seconds: dict[StudyCase, float], **said: object) -> Path:
    """Runs of 100 cycles that took so long."""
    file = folder / "s.toml"
    names = {"application": "crumple", "clusters": json.dumps([str(p) for p in NAMED]), "cycles": "40:60"}
    file.write_text(STUDY.format(deck=deck, **(names | said)))
    study, path = read_study(file), folder / "s.db"
    opened = Database(path)
    number = opened.study("s", file, file.read_text())
    source = opened.provenance(MACHINE)
    for case, elapsed in seconds.items():
        figures = Figures({"cycles": 100.0, "solver [s]": elapsed}, {}, {})
        when = "2026-01-01T00:00:00+00:00"
        outcome = RunOutcome("done", elapsed + 1, elapsed, 0.0, 0, "mpirun", when, log="", figures=[figures])
        opened.add(number, opened.case(case_key(case, study), case), 0, source, outcome)
    opened.close()
    return path


@pytest.mark.slow
@needs_simgrid
def test_predictions_stand_beside_measurements(three_vehicles, tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    measured = {
        StudyCase(ranks=1): 2.0,
        StudyCase(ranks=2): 1.1,
        StudyCase(ranks=4): 1.0,
        StudyCase(ranks=2, device="tcp"): 1.2,
    }
    path = database(tmp_path, three_vehicles, measured)
    m = read_measurements(path)
    m.predictions = predictions_of(m, lambda _: None)
    small, large = (read_cluster(p).title for p in NAMED)
    of = {(p.cluster, p.case.ranks): p for p in m.predictions.found}
    assert set(of) == {(small, 1), (small, 2), (large, 1), (large, 2), (large, 4)}
    assert of[large, 1].seconds > of[large, 2].seconds > 0
    assert of[small, 1].seconds < of[large, 1].seconds  # a core of 2006
    assert "need 2 nodes; two-cores has 1" in m.predictions.left_out[f"4 ranks, default on {small}"]
    assert "devices" in m.predictions.left_out[f"2 ranks, tcp on {large}"]

    lines, energy = prediction_charts(m)
    shown = {s.name: s for s in lines.series}
    assert shown["measured, default"].y == [2.0, 1.1, 1.0]
    assert not shown["measured, default"].predicted
    dashed = shown[f"predicted, {large}, default"]
    assert dashed.predicted
    assert dashed.y == [of[large, n].seconds for n in (1, 2, 4)]
    assert shown[f"predicted, {small}, default"].colour == shown["measured, default"].colour
    total = sum(s.y[0] for s in energy.series)
    assert total == pytest.approx(of[small, 1].energy.a_job)
    assert predicted_speed_up(m)[0].y[0] == 1.0

    assert crumple("study", "report", "s.db", directory=tmp_path).returncode == 0
    assert "predicted over measured" in (tmp_path / "s.html").read_text()
    assert (tmp_path / "s/predicted.png").stat().st_size > 10_000
    assert crumple("study", "report", "s.db", "-o", "s.md", directory=tmp_path).returncode == 0
    text = (tmp_path / "s.md").read_text()
    assert "| predicted over measured |" in text
    assert "* not predicted: 4 ranks, default on" in text


def test_a_report_is_written_where_nothing_can_be_predicted(three_vehicles, tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CRUMPLE_SOLVER", "/none/solver")
    path = database(tmp_path, three_vehicles, {StudyCase(ranks=1): 2.0})
    m = read_measurements(path)
    found = predictions_of(m, lambda _: None)
    assert found.found == []
    assert "CRUMPLE_SOLVER names /none/solver" in found.left_out["nothing is predicted"]


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"clusters": '["none.toml"]'}, "none.toml: No such file"),
        ({"application": "command"}, "[prediction] is for our solver, not 'command'"),
    ],
)
def test_predictions_that_cannot_be(said, says, three_vehicles, tmp_path):
    path = database(tmp_path, three_vehicles, {StudyCase(ranks=1): 2.0}, **said)
    with pytest.raises(StudyError) as error:
        predictions_of(read_measurements(path), lambda _: None)
    assert says in str(error.value)


@pytest.mark.parametrize(("said", "says"), [({"clusters": "[]"}, "clusters"), ({"cycles": "all"}, "cycles")])
def test_wrong_tables_of_predictions(said, says, three_vehicles, tmp_path):
    with pytest.raises(StudyError, match=rf"s.toml:\d+: {says}"):
        database(tmp_path, three_vehicles, {}, **said)
