"""`crumple run --auto-restart`: what is restarted and what is not, from where, and how often."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from command_line import ROOT, crumple
from small_decks import block
from solver_run import run, solver_processes

from crumple.optional_values import Optional, with_values
from crumple.restart import attempts as attempts_module
from crumple.restart.attempts import AUTO, attempts
from crumple.restart.dumps import dumps_in, read_dump
from crumple.restart.walltime import left_of
from crumple.solver import SolverEnd

KILLED = 137


@pytest.fixture(scope="module")
def dump(tmp_path_factory) -> Path:
    """The index of a dump of two ranks."""
    folder = tmp_path_factory.mktemp("dump")
    (folder / "deck.k").write_text(block(0.2, 0.05))
    done = run(folder / "deck.k", folder / "out", "ncycle=40", "--dump-cycles", "40", ranks=2)
    assert done.status == 0, done.said
    return folder / "out" / "runrsf"


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(attempts_module, "PAUSE", 0.0)


class Solver:
    """Ends as it is told, and may leave a copy of a dump with another cycle."""

    def __init__(self, folder: Path, dump: Path, *script: tuple[int, int | None], asked: bool = False):
        self.folder, self.dump, self.script, self.asked = folder, dump, list(script), asked
        self.started: list[str] = []

    def __call__(self, start: str) -> SolverEnd:
        self.started.append(start)
        status, cycle = self.script.pop(0)
        if cycle is not None:
            index = self.dump.read_bytes()
            at = index.index((40).to_bytes(8, "little") + b"\0" + (2).to_bytes(8, "little"))
            (self.folder / "runrsf").write_bytes(index[:at] + cycle.to_bytes(8, "little") + index[at + 8 :])
            for path in self.dump.parent.glob("runrsf.*"):
                (self.folder / path.name).write_bytes(path.read_bytes())
        return SolverEnd(status, self.asked)


def statuses(solver: Solver, restarts: int, start: str = "") -> list[int]:
    return [part.status for part, _ in attempts(solver, start, solver.folder, restarts)]


def test_index_is_read(dump):
    """As the solver describes it."""
    found = read_dump(dump)
    assert (found.cycle, found.ranks, found.precision, found.prefix) == (40, 2, "double", "")
    assert found.moment.in_run
    assert found.deck == dump.parent.parent / "deck.k"
    assert found.files == {p.name: p.stat().st_size for p in dump.parent.glob("runrsf.*")}
    assert list(dumps_in(dump.parent)) == [found]
    assert list(dumps_in(dump.parent, "run7.")) == []


def test_goes_on_until_it_ends(dump, tmp_path, capsys):
    solver = Solver(tmp_path, dump, (KILLED, 40), (4, 80), (0, None))
    assert statuses(solver, 5) == [KILLED, 4, 0]
    assert solver.started == ["", AUTO, AUTO]
    assert capsys.readouterr().err.splitlines() == [
        f"restart 1 of at most 5, from {tmp_path / 'runrsf'}, cycle 40",
        f"restart 2 of at most 5, from {tmp_path / 'runrsf'}, cycle 80",
    ]


@pytest.mark.parametrize("status", [0, 2, 3])
def test_what_is_not_restarted(status, dump, tmp_path):
    """The end of the run; a wrong deck; a computation that would fail again."""
    assert statuses(Solver(tmp_path, dump, (status, 40)), 5) == [status]


@pytest.mark.parametrize("status", [KILLED, 4, 130])
def test_a_request_is_not_restarted(status, dump, tmp_path):
    assert statuses(Solver(tmp_path, dump, (status, 40), asked=True), 5) == [status]


def test_number_of_times(dump, tmp_path, capsys):
    solver = Solver(tmp_path, dump, *((KILLED, 40 * k) for k in range(1, 9)))
    assert statuses(solver, 2) == [KILLED] * 3
    assert "no further restart: there have been 2" in capsys.readouterr().err


def test_without_progress(dump, tmp_path, capsys):
    """Twice from the same dump, and that is it."""
    solver = Solver(tmp_path, dump, (KILLED, 40), (KILLED, None), (KILLED, None), (0, None))
    assert statuses(solver, 5) == [KILLED] * 3
    assert "2 attempts in a row have ended without a new dump" in capsys.readouterr().err


def test_without_dumps(dump, tmp_path, capsys):
    solver = Solver(tmp_path, dump, (KILLED, None), (0, None))
    assert statuses(solver, 5) == [KILLED, 0]
    assert solver.started == ["", ""]
    assert "restart 1 of at most 5, from the beginning" in capsys.readouterr().err


def test_dump_of_an_earlier_run_does_not_count(dump, tmp_path):
    """The run died before it moved the results of the one before."""
    Solver(tmp_path, dump, (0, 80))("")
    solver = Solver(tmp_path, dump, (KILLED, None), (KILLED, 40), (0, None))
    assert statuses(solver, 5) == [KILLED, KILLED, 0]
    assert solver.started == ["", "", AUTO]


def test_from_a_dump_of_the_command_line(dump, tmp_path):
    Solver(tmp_path, dump, (0, 40))("")
    named = str(tmp_path / "runrsf")
    solver = Solver(tmp_path, dump, (KILLED, None), (KILLED, 80), (0, None))
    assert statuses(solver, 5, named) == [KILLED, KILLED, 0]
    assert solver.started == [named, named, AUTO]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("deck.k --auto-restart -n 2", "deck.k --auto-restart=5 -n 2"),
        ("--auto-restart deck.k", "--auto-restart=5 deck.k"),
        ("--auto-restart 3 deck.k", "--auto-restart=3 deck.k"),
        ("--auto-restart=7 deck.k", "--auto-restart=7 deck.k"),
        ("--restart d3dump01 -n 2", "--restart=d3dump01 -n 2"),
        ("deck.k --restart -n 2", "deck.k --restart=auto -n 2"),
        ("deck.k --restart", "deck.k --restart=auto"),
    ],
)
def test_options_without_a_value(given, read):
    options = {"--restart": Optional("auto", "[^-].*"), "--auto-restart": Optional("5", r"\d+")}
    assert list(with_values(given.split(), options)) == read.split()


def test_walltime():
    """Later attempts have what the earlier ones left of it; the solver computes that (control/options)."""
    assert left_of("8h", 0.3) == ["--walltime", "8h"]
    assert left_of("8h", 100.0) == ["--walltime", "8h", "--walltime-passed", "100"]
    assert left_of("", 100.0) == []


def test_restart_by_hand(dump, tmp_path):
    """The deck may be left out; run.json names the parts; the bits are those of the whole run."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(0.2, 0.05))
    whole = run(deck, tmp_path / "whole")
    done = crumple("run", "deck.k", "-n", "2", "-d", "out", "--dump-cycles", "40", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    cycle = read_dump(tmp_path / "out" / "runrsf").cycle
    done = crumple("run", "--restart", "out/runrsf", "-n", "3", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"state hash: {whole.hash}" in done.stdout
    done = crumple("run", "deck.k", "--restart", "-d", "out", "-n", "1", directory=tmp_path)
    assert f"state hash: {whole.hash}" in done.stdout
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    parts = [(part["dump"], part["cycle"], part["dump_ranks"], part["ranks"]) for part in record["parts"]]
    assert parts == [("", 0, 0, 2), ("out/runrsf", cycle, 2, 3), ("out/runrsf", cycle, 2, 1)]
    assert record["deck"] == "deck.k"


def test_nothing_to_run(tmp_path):
    done = crumple("run", "-n", "1", directory=tmp_path)
    assert done.returncode == 2
    assert "no deck given" in done.stdout


def test_earlier_dumps_move_with_the_results(tmp_path):
    """A new run does not go on from what another one left; with --overwrite they are gone."""
    (tmp_path / "deck.k").write_text(block(0.1, 0.05))
    for more in ((), ()):
        done = crumple("run", "deck.k", "-n", "1", "--dump-cycles", "30", *more, directory=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert read_dump(tmp_path / "previous-1" / "runrsf").is_whole()
    done = crumple("run", "deck.k", "-n", "1", "--overwrite", "--auto-restart", directory=tmp_path)
    assert "warning CR-T020" in done.stdout
    assert not list(tmp_path.glob("runrsf*"))


def wait_for(condition, what: str) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    """`crumple run --auto-restart` of deck.k on two ranks, with a dump by now."""
    line = [
        sys.executable,
        "-m",
        "crumple",
        "run",
        "deck.k",
        "-n",
        "2",
        "-d",
        str(folder / "out"),
        "--auto-restart",
    ]
    process = subprocess.Popen(
        ["env", "--default-signal=HUP,INT,TERM", *line, *options],
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_WAIT_POLICY": "passive"},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for((folder / "out" / "runrsf").exists, "the first dump")
    return process


@pytest.mark.parametrize("victim", ["rank", "all ranks", "mpirun"])
def test_killed(victim, tmp_path):
    """Whatever is killed: the run goes on from its dump, alone in its folder, to the same end."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(10.0, 2.0, cells=3))
    whole = run(deck, tmp_path / "whole")
    process = start(tmp_path, "--dump-cycles", "500")
    ranks = solver_processes(tmp_path / "out")
    killed = {"rank": ranks[:1], "all ranks": ranks}.get(victim) or [
        child.pid for child in psutil.Process(process.pid).children() if child.name() in ("mpirun", "orterun")
    ]
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stdout + stderr
    said = rf"^restart 1 of at most 5, from {tmp_path}/out/runrsf, cycle [1-9]\d*$"
    assert re.search(said, stderr, re.MULTILINE)
    assert f"state hash: {whole.hash}" in stdout
    assert not solver_processes(tmp_path / "out")
    parts = json.loads((tmp_path / "out" / "run.json").read_text())["parts"]
    assert [part["status"] for part in parts] == [KILLED, 0]
    assert parts[1]["cycle"] >= 500


def test_ctrl_c_ends_it(tmp_path):
    (tmp_path / "deck.k").write_text(block(1e6, 1e5))
    process = start(tmp_path, "--dump-cycles", "500")
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stdout + stderr
    assert "restart 1" not in stderr
