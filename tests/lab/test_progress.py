"""Long commands tell of progress where there is no terminal, on standard error only."""

import os
import subprocess
import sys
import time

import pytest

from crumple.lab.progress import EVERY, SETTING, seconds_between, watched

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
