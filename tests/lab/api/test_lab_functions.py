"""The lab from Python: profiles, traces, predictions, studies, measurements, jobs; what is wrong is said."""

import os
from pathlib import Path

import pytest
from small_decks import torn_plate

import crumple
from crumple import lab
from crumple.solver import solver_path

CLUSTER = Path(__file__).resolve().parents[3] / "benchmarks" / "clusters" / "opteron-2382-gige.toml"
STUDY = """[study]
name = "two"
repeats = 1
[workload]
application = "crumple"
deck = "deck.k"
[axes]
precision = ["single", "double"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a deck."""
    found = tmp_path_factory.mktemp("lab")
    (found / "deck.k").write_text(torn_plate(0.03))
    return found


@pytest.fixture(scope="module")
def trace(folder) -> lab.Trace:
    return lab.trace_deck(folder / "deck.k", 2, folder / "of-2", cycles=(5, 25))


def test_a_profile(folder):
    found = lab.run_profiled([str(solver_path()), f"i={folder / 'deck.k'}", "-d", str(folder / "out")], 2)
    assert len(found.ranks) == 2 and found.mpi().calls > 0


def test_a_trace_and_its_prediction(trace, folder):
    assert (trace.ranks, trace.cycles, trace.origin) == (2, (5, 25), "recorded")
    assert lab.open_trace(trace.folder) == trace
    cluster = lab.read_cluster(CLUSTER)
    one = lab.simulate_trace(trace, cluster, seeds=(0,), cache=False)
    assert one.window > 0.0 and one.cycles == 20
    slow = lab.simulate_trace(trace.folder, CLUSTER, speed=0.01, seeds=(0,), cache=False)
    assert slow.window > 2.0 * one.window
    with pytest.raises(lab.NoPlaceError):
        lab.simulate_trace(trace, cluster, jobs=100_000)


def test_a_trace_without_a_run(trace, folder):
    made = lab.trace_deck(
        folder / "deck.k", 6, folder / "of-6", cycles=(5, 25), synthetic=True, sources=[trace.folder]
    )
    assert (made.ranks, made.origin) == (6, "synthetic")


def test_a_study(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "study.toml").write_text(STUDY)
    told = []
    found = lab.run_study("study.toml", on_run=lambda run, outcome: told.append(outcome.state))
    assert told == ["done", "done"]
    assert found.runs["precision"].tolist() == ["single", "double"]
    assert len(found.cases()) == 2
    assert len(lab.read_measurements(folder / "two.db").runs) == 2


def test_costs_balance_a_run(folder, monkeypatch):
    monkeypatch.setattr("crumple.lab.tune.measure.FORMULATIONS", {"shell": (2,)})
    told = []
    costs = lab.measure_costs(folder / "costs.json", quick=True, say=told.append)
    assert [one.law for one in costs.of["double"]] == [1, 24] and costs.of["single"][0].element > 0.0
    assert told[0] == "double: shell 2, law 1"
    file = str(folder / "costs.json")
    assert crumple.run(folder / "deck.k", folder / "balanced", ranks=2, costs=file).record.status == 0


def test_a_platform(folder, monkeypatch):
    monkeypatch.chdir(folder)
    told = []
    found = lab.calibrate_machine("platform.toml", quick=True, parts=["memory"], say=told.append)
    assert told == ["memory"] and found.memory and not found.files
    assert lab.read_platform(folder / "platform.toml") == found
    with pytest.raises(lab.CalibrationError, match="no part 'memroy'; did you mean 'memory'"):
        lab.calibrate_machine("platform.toml", parts=["memroy"])


def test_a_job(folder, tmp_path, monkeypatch):
    (tmp_path / "sbatch").write_text('#!/bin/sh\necho "17;cluster"\n')
    (tmp_path / "sbatch").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    job = lab.submit_deck(
        folder / "deck.k", 8, folder / "job", threads=2, time="30", sbatch=["--exclusive"], run=["--vtkhdf"]
    )
    assert (job.number, job.log) == ("17", folder / "job" / "job-17.log")
    script = job.script.read_text()
    for line in ("--ntasks=8", "--cpus-per-task=2", "--time=30", "--exclusive"):
        assert f"#SBATCH {line}\n" in script
    assert "--auto-restart --vtkhdf\n" in script
    (tmp_path / "sbatch").write_text("#!/bin/sh\necho 'no such partition' >&2; exit 1\n")
    with pytest.raises(lab.SubmitError, match="no such partition"):
        lab.submit_deck(folder / "deck.k", 8, folder / "job", check=False)


def test_what_is_missing_is_said(folder):
    with pytest.raises(lab.TraceError, match="there is no deck"):
        lab.trace_deck(folder / "no.k", 2, folder / "none")
    with pytest.raises(lab.AdviceError, match="there is no deck"):
        lab.advise_deck(folder / "no.k", CLUSTER)
    with pytest.raises(lab.SubmitError, match="there is no deck"):
        lab.submit_deck(folder / "no.k", 2)
    with pytest.raises(lab.StudyError):
        lab.run_study(folder / "no.toml")
