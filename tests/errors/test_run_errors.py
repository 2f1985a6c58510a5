"""What goes wrong during a run is said with element, time and cycle; what was computed stays readable."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from small_decks import STEEL, Deck, block
from solver_run import command, run, solver_processes, start

from crumple import solver
from crumple.results.glstat import read_glstat
from crumple.view.plot_states import read_state

LONG = 1e6  # an end time that no run of a test reaches

#: What is ignored where the tests themselves run in the background, or under nohup, is heard.
HEARING = ("env", "--default-signal=HUP,INT,TERM")


def states(directory: Path) -> list[float]:
    """Times of the plot states, read by VTK one by one."""
    times: list[float] = []
    first = read_state(directory, 0)
    assert first.blocks
    times.append(first.time)
    while True:
        try:
            times.append(read_state(directory, len(times)).time)
        except Exception:  # noqa: BLE001  past the last state
            return times


def wait_for(condition, what: str, limit: float = 120.0) -> None:
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {limit} s"
        time.sleep(0.05)


def switch(directory: Path, word: str, file: str = "d3kil") -> None:
    """Give a sense switch; renamed into place, so that the solver never sees half of it."""
    (directory / "switch").write_text(f"{word}\n")
    (directory / "switch").rename(directory / file)


def has_states(directory: Path, count: int) -> bool:
    """Whether glstat shows that `count` plot intervals have passed (they are as long as its own)."""
    history = directory / "glstat"
    return history.exists() and history.read_text().count("time....") >= count


@pytest.mark.parametrize("ranks", [1, 2])
def test_element_turns_inside_out(ranks, tmp_path):
    """After 0.1 ms the top jumps through the bottom within a step."""
    deck = tmp_path / "deck.k"
    deck.write_text(
        block(1.0, 0.02, push=[(0.0, -0.001), (0.1, -0.001), (0.1001, -30000.0), (9.0, -30000.0)])
    )
    done = run(deck, tmp_path / "out", ranks=ranks)
    assert done.status == 3, done.said
    assert "error CR-R101" in done.stdout
    assert "solid" in done.stdout
    assert "of part 1" in done.stdout
    assert "E r r o r   t e r m i n a t i o n" in done.stdout
    times = states(tmp_path / "out")
    assert len(times) >= 6, "states before the failure and the last one are there"
    assert times[-1] > 0.099
    assert read_glstat(tmp_path / "out" / "glstat")["time"].iloc[-1] >= 0.1


@pytest.mark.parametrize("ranks", [1, 2])
def test_body_spins_too_fast(ranks, tmp_path):
    """What goes wrong with rigid bodies ends a run with a last state, too."""
    deck = Deck()
    deck.control(0.01, 0.01)
    deck.part(1, "SOLID,1", f"RIGID,{STEEL}|0.|")
    deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (12.0, 10.0, 6.0))
    deck.set("PART", 1, (1,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,1,1e5\n6.,5.,3.,0.,0.6,0.8")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out", ranks=ranks)
    assert done.status == 3, done.said
    assert "error CR-C104" in done.stdout
    assert "E r r o r   t e r m i n a t i o n" in done.stdout
    assert len(states(tmp_path / "out")) >= 1


@pytest.mark.parametrize("ranks", [1, 2])
def test_energy_runs_away(ranks, tmp_path):
    """A step that is a little too large: energies grow for hundreds of cycles before an element turns."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(3.0, 0.1, step_scale=1.5, push=[(0.0, -0.01), (9.0, -0.01)]))
    done = run(deck, tmp_path / "out", ranks=ranks)
    assert done.status == 3, done.said
    assert "error CR-R105" in done.stdout
    assert "part 1 has most of the energy" in done.stdout
    assert len(states(tmp_path / "out")) >= 2


@pytest.mark.parametrize(("percent", "status"), [(1e-9, 3), (1.0, 0)])
def test_endeng(percent, status, tmp_path):
    """The step changes as the block is pressed, so the balance is off in its last digits."""
    deck = tmp_path / "deck.k"
    text = block(0.6, 0.1)
    assert "*CONTROL_TERMINATION\n0.6\n" in text
    deck.write_text(text.replace("*CONTROL_TERMINATION\n0.6\n", f"*CONTROL_TERMINATION\n0.6,,,{percent}\n"))
    done = run(deck, tmp_path / "out")
    assert done.status == status, done.said
    assert ("error CR-R104" in done.stdout) == (status == 3)


@pytest.mark.parametrize("ranks", [1, 2])
def test_crushed_brick_is_named(ranks, tmp_path):
    """The top moves to the base faster than sound: forces grow beyond measure before a volume is negative.

    Where it is slower, hourglass energy may be beyond measure first: the crushing is unstable, and the last
    bit decides.
    """
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.02, push=[(0.0, -8500.0), (9.0, -8500.0)]))
    done = run(deck, tmp_path / "out", ranks=ranks)
    assert done.status == 3, done.said
    found = re.search(
        r"CR-R103: .* at solid element (\d+) of part 1, whose stable step is (\S+) % of the first",
        done.stdout,
    )
    assert found, done.said
    assert 1 <= int(found[1]) <= 8
    assert float(found[2]) < 10, "crushed flat"


@pytest.mark.parametrize("ranks", [1, 2])
def test_unstable_step(ranks, tmp_path):
    """Three times the stable step."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(1.0, 0.001, step_scale=3.0, push=[(0.0, -0.01), (9.0, -0.01)]))
    done = run(deck, tmp_path / "out", ranks=ranks)
    assert done.status == 3, done.said
    assert "error CR-R10" in done.stdout
    assert "cycle" in done.stdout
    assert len(states(tmp_path / "out")) >= 2


def test_step_below_dtmin(tmp_path):
    """*CONTROL_TERMINATION DTMIN: the run ends when crushing has made the step that small."""
    text = block(1.0, 0.02, push=[(0.0, -10.0), (9.0, -10.0)])
    deck = tmp_path / "deck.k"
    deck.write_text(text.replace("*CONTROL_TERMINATION\n1.0", "*CONTROL_TERMINATION\n1.0,0,0.9"))
    done = run(deck, tmp_path / "out")
    assert done.status == 3, done.said
    assert "CR-R102" in done.stdout
    assert "DTMIN" in done.stdout
    assert len(states(tmp_path / "out")) >= 2


LIMITED = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.mark.parametrize("ranks", [1, 2])
def test_full_disk(ranks, tmp_path):
    """Files that cannot grow stand for a disk that is full."""
    deck = tmp_path / "deck.k"
    deck.write_text(block(20.0, 0.02))
    out = tmp_path / "out"
    out.mkdir()
    line = command(ranks, [f"i={deck}", "-d", str(out)])
    at = line.index(str(solver.solver_path()))
    line[at:at] = ["--mca", "btl", "self,tcp", sys.executable, "-c", LIMITED, "15000"]
    env = solver.environment(1) | {"OMP_WAIT_POLICY": "passive"}
    done = subprocess.run(line, env=env, cwd=out, capture_output=True, text=True, timeout=300, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 4, said
    assert said.count("error CR-O10") == 1, "one rank tells it"
    assert str(out) in said, "the message names the file"
    assert "File too large" in said
    assert len(states(out)) >= 3


def test_killed_rank(tmp_path):
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(LONG, 0.02))
    process = subprocess.Popen(
        [sys.executable, "-m", "crumple", "run", str(deck), "-n", "2", "-d", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for(lambda: has_states(out, 6), "six states")
        victim = max(solver_processes(out))
        os.kill(victim, signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode != 0
    assert "error CR-S003: a rank was ended by signal 9 (SIGKILL)" in stderr
    where = r"rank [01] was in cycle \d+(, phase \w+)?; it computed solid elements \d to \d of part 1 last"
    assert len(re.findall(where, stderr)) == 1, "the rank that was killed, and not the one that mpirun ended"
    wait_for(lambda: not solver_processes(out), "the end of the other rank")
    times = states(out)
    assert len(times) >= 4
    assert times == sorted(times)


@pytest.mark.parametrize("target", ["rank", "mpirun"])
def test_termination_request(target, tmp_path):
    """A scheduler's SIGTERM, to a rank or to mpirun: the run stops and leaves its last state."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(LONG, 0.5))
    process = start(deck, out, ranks=2)
    try:
        wait_for(lambda: has_states(out, 3), "two states, and all of the second")
        os.kill(min(solver_processes(out)) if target == "rank" else process.pid, signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    if target == "rank":
        assert process.returncode == 0, stdout + stderr
    assert "state hash" in stdout
    times = states(out)
    end = read_glstat(out / "glstat")["time"].iloc[-1]
    assert times[-1] == pytest.approx(end, rel=1e-5), "the last state is that of the end"


@contextmanager
def command_line(deck: Path, out: Path) -> Iterator[subprocess.Popen[str]]:
    """`crumple run` on two ranks, with two states by now, in a process group of its own as at a terminal."""
    process = subprocess.Popen(
        [*HEARING, sys.executable, "-m", "crumple", "run", str(deck), "-n", "2", "-d", str(out)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    try:
        wait_for(lambda: has_states(out, 3), "two states, and all of the second")
        yield process
    finally:
        process.kill()
        for rank in solver_processes(out):
            os.kill(rank, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_termination_of_the_command(number, tmp_path):
    """A signal to `crumple run` (SIGINT is Ctrl-C) ends the run as well, in order; no rank goes on alone."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(LONG, 0.5))
    with command_line(deck, out) as process:
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stdout + stderr
    assert "stopped on request before the end time" in stdout
    assert json.loads((out / "run.json").read_text())["status"] == 0, "what `crumple report` reads"
    assert (out / "load_profile").exists()
    end = read_glstat(out / "glstat")["time"].iloc[-1]
    assert states(out)[-1] == pytest.approx(end, rel=1e-5), "the last state is that of the end"


def test_dump_request_of_the_command(tmp_path):
    """SIGUSR1 reaches a rank, and the run goes on."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(LONG, 0.5))
    with command_line(deck, out) as process:
        process.send_signal(signal.SIGUSR1)
        wait_for(lambda: has_states(out, 4), "two states more")
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stdout + stderr
    assert "stopped on request before the end time" in stdout


def test_ctrl_c_at_a_terminal(tmp_path):
    """The signal goes to all processes of the group, of which mpirun must not be one."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(LONG, 0.5))
    with command_line(deck, out) as process:
        os.killpg(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stdout + stderr
    assert "stopped on request before the end time" in stdout
    assert "Ctrl-C again: at once" in stderr


def test_second_ctrl_c(tmp_path):
    """It ends the run at once: here ranks that are stopped, and so hear nothing."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(LONG, 0.5))
    with command_line(deck, out) as process:
        for rank in solver_processes(out):
            os.kill(rank, signal.SIGSTOP)
        for _ in range(2):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.3)
        stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130, stdout + stderr
    assert "Traceback" not in stderr
    assert json.loads((out / "run.json").read_text())["status"] == 130
    assert len(states(out)) >= 2


@pytest.mark.parametrize("way", ["SIGINT", "sw1"])
def test_stop_in_dynamic_relaxation(way, tmp_path):
    """The run that would follow ends as well, with its first state."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    relaxation = "*CONTROL_DYNAMIC_RELAXATION\n250,1e-30,1.0,,,,,1"
    deck.write_text(block(LONG, 0.5, more=relaxation).replace("*DEFINE_CURVE\n1\n", "*DEFINE_CURVE\n1,2\n"))
    process = start(deck, out)
    try:
        wait_for(lambda: (out / "d3hsp").exists(), "the start")
        time.sleep(1.5)
        if way == "sw1":
            switch(out, way)
        else:
            os.kill(solver_processes(out)[0], signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, stdout + stderr
    assert "dynamic relaxation: ended" in stdout
    assert "stopped on request before the end time" in stdout
    assert len(states(out)) == 1


@pytest.mark.parametrize(
    ("word", "file"),
    [("sw1", "d3kil"), ("stop", "d3kil"), ("SW1.", "d3kil"), (" sw1 ", "D3KIL"), ("Stop.", "D3KIL")],
)
def test_switch_stops(word, file, tmp_path):
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(LONG, 0.5))
    process = start(deck, out, ranks=2)
    try:
        wait_for(lambda: has_states(out, 3), "two states, and all of the second")
        switch(out, word, file)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, stdout + stderr
    assert "state hash" in stdout
    assert "stopped on request before the end time" in stdout
    assert not (out / file).exists(), "a switch that was heard is removed"
    assert states(out)[-1] == pytest.approx(read_glstat(out / "glstat")["time"].iloc[-1], rel=1e-5)


def test_switches_while_running(tmp_path):
    """sw2 shows a line, sw4 writes a state, nonsense is reported; then sw1."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(
        block(LONG, 1e5, more="*DATABASE_NODOUT\n1e5").replace(
            "*DATABASE_GLSTAT\n100000.0", "*DATABASE_GLSTAT\n0.02"
        )
    )
    process = start(deck, out)
    try:
        wait_for(lambda: has_states(out, 2), "two blocks of glstat")
        for word in ("sw2", "sw4", "sw9", "sw1"):
            switch(out, word)
            wait_for(lambda: not (out / "d3kil").exists(), f"reading {word}")
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, stdout + stderr
    assert "sense switch 'sw9' of d3kil is not supported" in stdout
    assert len(states(out)) == 3, "the start, sw4 and the end"
