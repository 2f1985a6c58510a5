"""Long commands tell of progress where there is no terminal, on standard error only."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crumple.lab import progress
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.progress import EVERY, SETTING, seconds_between, watched

ROOT = Path(__file__).parents[2]
STUDY = """
[study]
name = "one"
repeats = 1
time_limit = 20

[workload]
application = "command"
program = "/bin/true"

[axes]
ranks = [1]
"""
PROGRAM = """
import sys, time
from crumple.lab.progress import watched
with watched("counting") as watch:
    print("an answer", flush=True)
    watch.tell("a", 1.0)
    watch.tell("b", 0.5)
    time.sleep(0.5)
    watch.stage("adding")
    watch.stage("printed by the command", shown=True)
"""


def run(every: str, **pipes) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, text=True, check=True, env=os.environ | {SETTING: every}, **pipes)


def test_stages_and_lines_now_and_then_go_to_standard_error():
    done = run("0.1", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.stdout == "an answer\n"
    said = done.stderr.splitlines()
    assert said[0] == "counting" and said[-2:] == ["adding", "printed by the command"]
    assert "counting: 1 of 2 done, 75 %, 0 s so far" in said[1:-2]
    assert 2 <= len(said[1:-2]) <= 5


def test_short_commands_tell_their_stages_only():
    done = run("30", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.stderr.splitlines() == ["counting", "adding", "printed by the command"]


def test_what_the_command_prints_is_not_told_twice_in_one_pipe():
    done = run("30", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.stdout.splitlines() == ["counting", "an answer", "adding"]


def test_the_thread_ends_with_an_error(monkeypatch, capsys):
    monkeypatch.setenv(SETTING, "0.05")
    with pytest.raises(ValueError, match="wrong"), watched("adding"):
        raise ValueError("wrong")
    time.sleep(0.2)
    assert capsys.readouterr().err == "adding\n"


@pytest.mark.parametrize(("text", "seconds"), [("5", 5.0), ("often", EVERY), ("0", EVERY), ("nan", EVERY)])
def test_seconds_of_the_environment(text, seconds, monkeypatch):
    monkeypatch.setenv(SETTING, text)
    assert seconds_between() == seconds


def slow(error: Exception, at: int, returned: str = "working"):
    """A stand-in for a command's work: tells its stage, takes its time, and fails.

    Args:
        at: place of the argument that is told
    """

    def work(*arguments, **_):
        arguments[at](returned)
        time.sleep(0.3)
        raise error

    return work


def trace_command(monkeypatch):
    from crumple.lab.commands import trace_command as command
    from crumple.lab.traces import record

    monkeypatch.setattr(record, "record", slow(TraceError("the end"), 2))
    return command.app, ["deck", "deck.k", "-n", "2"]


def calibrate_command(monkeypatch):
    from crumple.lab.calibrate import calibration
    from crumple.lab.catalogue.platform_file import CalibrationError
    from crumple.lab.commands import calibrate_command as command

    monkeypatch.setattr(calibration, "calibrate", slow(CalibrationError("the end"), 1))
    return command.app, []


def study_command(monkeypatch):
    from crumple.lab.applications.case import StudyError
    from crumple.lab.commands import study_command as command
    from crumple.lab.study import conductor

    class Conductor:
        def __init__(self, *_) -> None:
            pass

        def conduct(self, _progress, say):
            slow(StudyError("the end"), 0)(say)

    monkeypatch.setattr(conductor, "Conductor", Conductor)
    return command.app, ["run", "study.toml"]


def published_command(monkeypatch):
    from crumple.lab.commands import study_command as command
    from crumple.lab.published import run_published

    monkeypatch.setattr(run_published, "predict_all", slow(TraceError("the end"), 1))
    return command.app, ["run", str(next((ROOT / "benchmarks/published").glob("*.toml")))]


def advise_command(monkeypatch):
    from crumple.lab.advise import deck_traces
    from crumple.lab.commands import advise_command as command

    monkeypatch.setattr(deck_traces, "deck_traces", slow(TraceError("the end"), 2))
    cluster = ROOT / "benchmarks/clusters/opteron-2382-gige.toml"
    return command.app, ["deck.k", "--cluster", str(cluster), "--simulate", "0"]


@pytest.mark.parametrize(
    "command", [trace_command, calibrate_command, study_command, published_command, advise_command]
)
def test_commands_tell_that_they_go_on(command, monkeypatch, tmp_path):
    monkeypatch.setenv(SETTING, "0.05")
    monkeypatch.setattr(progress, "one_file", lambda: False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deck.k").write_text("*KEYWORD\n*END\n")
    (tmp_path / "study.toml").write_text(STUDY)
    app, words = command(monkeypatch)
    done = CliRunner().invoke(app, words)
    said = done.stderr.splitlines()
    assert any(line.startswith(("working, ", "0 of 1 runs ended, ")) for line in said), done.output
    assert all(" so far" not in line for line in done.stdout.splitlines())
    assert "the end" in done.stdout
