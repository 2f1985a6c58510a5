"""crumple watch by a socket of the solver: the same page, the same bits, readers that are wrong or slow."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import solver_run
from browser_session import browser_session
from command_line import crumple
from same_results import different_files
from small_decks import block, eroded_block, torn_plate
from test_watch import HOSTILE, IMAGE, deck, kill
from watch_process import Watch, start_watch

from crumple.results.run_files import RunError
from crumple.watch.plot_family import GrowingPlotFamily
from crumple.watch.sent_surfaces import SentSurfaces
from crumple.watch.socket_messages import Message, SocketError, greeting, read_message
from crumple.watch.solver_address import address_in, host_and_port

LISTEN = ("--listen", "0", "--listen-interval", "0.5")


def watch_file(out: Path, limit: float = 60.0) -> dict:
    """Where a run listens."""
    end = time.monotonic() + limit
    while not (out / "watch.json").exists():
        assert time.monotonic() < end, "the run does not listen"
        time.sleep(0.05)
    return json.loads((out / "watch.json").read_text())


def connect(at: dict, token: str | None = None) -> socket.socket:
    """A reader."""
    connection = socket.create_connection(("127.0.0.1", at["port"]), 30)
    connection.sendall(greeting(at["token"] if token is None else token))
    return connection


@pytest.fixture(scope="module")
def at_work(tmp_path_factory) -> Iterator[tuple[Watch, Path, subprocess.Popen[str]]]:
    """A run on three ranks that listens, and a watch connected to it."""
    folder = tmp_path_factory.mktemp("listens")
    out = folder / "out"
    run = solver_run.start(deck(folder), out, *LISTEN, ranks=3)
    watch_file(out)
    watch = start_watch(out, "--socket")
    try:
        watch.until(lambda found: len(found["plots"]["times"]) > 4 and found["load"] is not None)
        yield watch, out, run
    finally:
        watch.end()
        if run.poll() is None:
            kill(run, out)


def test_the_page_has_what_it_has_of_a_folder(at_work):
    watch, out, _ = at_work
    sent = watch.summary()
    of_folder = start_watch(out)
    try:
        read = of_folder.until(lambda found: len(found["plots"]["times"]) > 4 and found["charts"])
    finally:
        of_folder.end()
    assert sent["state"] == {"going": "running", "words": "running: connected to it"}
    assert sent["run"]["title"] == IMAGE
    assert sent["run"]["parts"]["1"] == HOSTILE
    assert str(out) in sent["run"]["folder"]
    assert set(read["names"]) <= set(sent["names"])
    for name in ("title", "deck", "program", "size", "parts"):
        assert sent["run"][name] == read["run"][name], name
    assert sent["progress"]["end"] == read["progress"]["end"]
    assert sent["progress"]["time"] > 0
    assert sent["step"]["held"]
    assert sent["load"]["ranks"] == [0, 1, 2]
    assert sent["deleted"]["count"] > 5
    energies = {curve["name"]: curve for curve in sent["charts"]["energies"]["curves"]}
    assert {"kinetic", "internal", "total"} <= set(energies)

    def grew(later: dict) -> bool:
        return (
            later["progress"]["time"] > sent["progress"]["time"]
            and len(later["plots"]["times"]) != len(sent["plots"]["times"])
            and later["charts"]["energies"]["version"] > sent["charts"]["energies"]["version"]
        )

    watch.until(grew)


def test_the_page_shows_it_in_a_browser(at_work, tmp_path):
    watch, *_ = at_work
    with browser_session(tmp_path / "profile", 1300, 1500) as page:
        page.open(watch.address)
        page.until("document.querySelectorAll('.main-svg').length >= 6", 60)
        page.until("document.getElementById('scene')?.dataset.drawn", 60)
        assert page.value("document.getElementById('state').textContent") == "running"
        assert "socket" in page.value("document.getElementById('subtitle').textContent")
        assert page.value("document.body.dataset.owned") is None, "a name was run"
        first = page.value("Number(document.getElementById('which').max)")
        page.until(f"Number(document.getElementById('which').max) !== {first}", 60)
        if folder := os.environ.get("CRUMPLE_TEST_PICTURES"):
            page.picture(Path(folder) / "watch-socket.png")
        assert not page.said


def test_the_folder_has_a_token_for_its_owner_only(at_work):
    _, out, _ = at_work
    at = watch_file(out)
    assert stat.S_IMODE((out / "watch.json").stat().st_mode) == 0o600
    assert len(at["token"]) == 32
    for token in ("wrong", at["token"][:-1], at["token"].upper() + "x"):
        with connect(at, token) as connection, pytest.raises((SocketError, OSError)):
            read_message(connection)
    own = socket.gethostbyname_ex(socket.gethostname())[2]
    for address in {*own, "127.0.0.2"} - {"127.0.0.1"}:
        with socket.socket() as other:
            other.settimeout(5)
            assert other.connect_ex((address, at["port"])) != 0, address


def test_an_address_and_a_token(at_work, monkeypatch, tmp_path):
    _, out, _ = at_work
    at = watch_file(out)
    monkeypatch.setenv("CRUMPLE_WATCH_TOKEN", at["token"])
    watch = start_watch(Path(f"127.0.0.1:{at['port']}"))
    try:
        found = watch.until(lambda found: found["plots"]["times"])
        assert found["state"]["going"] == "running"
    finally:
        watch.end()
    monkeypatch.setenv("CRUMPLE_WATCH_TOKEN", "0" * 32)
    done = crumple("watch", f"127.0.0.1:{at['port']}", "--port", "0", directory=tmp_path)
    assert done.returncode == 2
    assert "token" in done.stdout + done.stderr


def test_switches_reach_the_run(at_work):
    """The last test of this run."""
    watch, out, run = at_work
    assert watch.switch("stop", "wrong") == 403
    assert watch.switch("dump") == 200
    watch.until(lambda found: not found["switch"])
    assert list(out.glob("d3dump*"))
    assert watch.switch("stop") == 200
    stdout, stderr = run.communicate(timeout=60)
    assert run.returncode == 0, stdout + stderr
    found = watch.until(lambda found: found["state"]["going"] != "running")
    assert found["state"]["going"] == "stopped"
    assert found["run"]["hash"]
    assert watch.switch("dump") == 409, "the run is over"
    assert not (out / "watch.json").exists()


def test_a_killed_run(tmp_path):
    out = tmp_path / "out"
    run = solver_run.start(deck(tmp_path), out, *LISTEN)
    watch_file(out)
    watch = start_watch(out, "--socket")
    try:
        watch.until(lambda found: found["progress"]["time"])
        kill(run, out)
        found = watch.until(lambda found: found["state"]["going"] == "killed")
        assert found["plots"]["times"], "what was sent is still shown"
        assert found["charts"]["energies"]
    finally:
        watch.end()


@pytest.mark.parametrize("ranks", [1, 3])
def test_the_run_has_the_same_bits_with_a_reader(tmp_path, ranks):
    path = deck(tmp_path, 1.0)
    # Few plot states: where there are many, none is sent between them.
    path.write_text(re.sub(r"(D3PLOT\n)[\d.e-]+", r"\g<1>0.5", path.read_text()))
    alone = solver_run.run(path, tmp_path / "alone", ranks=ranks)
    assert alone.status == 0, alone.said
    out = tmp_path / "watched"
    run = solver_run.start(path, out, "--listen", "0", "--listen-interval", "0.01", ranks=ranks)
    kinds, states = set(), 0
    with connect(watch_file(out)) as connection:
        while True:
            message = read_message(connection)
            kinds.add(message.kind)
            states += message.kind == "state" and not message.about["plot"]
            if message.kind == "end":
                break
    stdout, stderr = run.communicate(timeout=60)
    assert run.returncode == 0, stdout + stderr
    assert f"state hash: {alone.hash}" in stdout
    assert different_files(tmp_path / "alone", out) == []
    assert {"hello", "text", "surface", "state", "end"} <= kinds
    assert states > 0, "states by the clock, which the run alone does not have"


def test_a_reader_that_takes_nothing_does_not_hold_up_the_run(tmp_path):
    path = deck(tmp_path, 0.3)
    alone = solver_run.run(path, tmp_path / "alone")
    out = tmp_path / "watched"
    run = solver_run.start(path, out, "--listen", "0", "--listen-interval", "0.01")
    at = watch_file(out)
    with connect(at), connect(at):
        stdout, stderr = run.communicate(timeout=120)
    assert run.returncode == 0, stdout + stderr
    assert f"state hash: {alone.hash}" in stdout


def test_states_are_those_of_the_plot_files(tmp_path):
    """Solids that are deleted, on two ranks: positions and holes."""
    (tmp_path / "deck.k").write_text(eroded_block())
    out = tmp_path / "out"
    run = solver_run.start(tmp_path / "deck.k", out, "--listen", "0", "--listen-interval", "0", ranks=2)
    surfaces = SentSurfaces()
    with connect(watch_file(out)) as connection:
        while (message := read_message(connection)).kind != "end":
            if message.kind == "surface":
                surfaces.take_surface(message)
            if message.kind == "state":
                surfaces.take_state(message)
    assert run.wait(60) == 0
    run.communicate()
    states = surfaces.states_
    family = GrowingPlotFamily(out / "d3plot")
    family.look()
    assert [state.time for state in states] == pytest.approx([time for *_, time in family.states], rel=1e-6)
    for number in (0, len(states) - 1):
        points = set(map(tuple, family.shape(number).positions.tolist()))
        assert all(tuple(x) in points for x in states[number].positions.tolist()), "the same single precision"
    assert not np.isnan(states[0].values).any()
    assert np.isnan(states[-1].values).any(), "solids at the surface are deleted"


def test_an_implicit_run(tmp_path):
    """Each step by its records of convergence."""
    text = block(4.0, 2.0).replace(
        "*CONTROL_TERMINATION", "*CONTROL_IMPLICIT_GENERAL\n1,0.002\n*CONTROL_TERMINATION"
    )
    (tmp_path / "deck.k").write_text(text)
    out = tmp_path / "out"
    run = solver_run.start(tmp_path / "deck.k", out, *LISTEN)
    names = set()
    with connect(watch_file(out)) as connection:
        while (message := read_message(connection)).kind != "end":
            names.add(message.about.get("file"))
    stdout, stderr = run.communicate(timeout=60)
    assert "d3hsp" in names
    assert "convergence.jsonl" in names, stdout + stderr


def test_damaged_messages_are_refused():
    surfaces = SentSurfaces()
    surface = {"kind": "surface", "points": 3, "triangles": 1, "whole": 1, "parts": [7]}
    good = np.array([0, 1, 2, 0], "<u4").tobytes() + b"\7"
    surfaces.take_surface(Message(surface, good))
    for about, content in (
        (surface, good[:-1]),
        (surface, np.array([0, 1, 3, 0], "<u4").tobytes() + b"\7"),
        (surface, np.array([0, 1, 2, 1], "<u4").tobytes() + b"\7"),
        (surface | {"points": -1}, good),
        (surface | {"points": None}, good),
    ):
        with pytest.raises(SocketError):
            surfaces.take_surface(Message(about, content))
    state = {"kind": "state", "time": 0.5, "points": 3, "triangles": 1}
    surfaces.take_state(Message(state, bytes(40)))
    for about, content in (
        (state, bytes(39)),
        (state | {"points": 4}, bytes(52)),
    ):
        with pytest.raises(SocketError):
            surfaces.take_state(Message(about, content))
    assert surfaces.reached == 0.5
    for token in ("", "a b", "a\nb", "ä"):
        with pytest.raises(SocketError):
            greeting(token)


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("node17:8267", ("node17", 8267)),
        ("[::1]:99", ("::1", 99)),
        ("results", None),
        ("/a/b:1", None),
        ("node:99999", None),
        (":8267", None),
    ],
)
def test_addresses(where, found):
    assert host_and_port(where) == found


def test_where_a_run_listens(tmp_path):
    with pytest.raises(RunError, match="--listen"):
        address_in(tmp_path)
    path = tmp_path / "watch.json"
    at = {"host": "node17", "address": "127.0.0.1", "port": 8267, "token": "t"}
    path.write_text(json.dumps(at))
    with pytest.raises(RunError, match="ssh -N -L 8267"):
        address_in(tmp_path, lambda: "login")
    assert address_in(tmp_path, lambda: "node17").host == "127.0.0.1"
    path.write_text(json.dumps(at | {"address": "0.0.0.0"}))
    assert address_in(tmp_path, lambda: "login").host == "node17"
    path.write_text(json.dumps(at | {"address": "10.0.0.7"}))
    assert address_in(tmp_path, lambda: "login").host == "10.0.0.7"
    (tmp_path / "run7.watch.json").write_text(json.dumps(at | {"address": "10.0.0.8"}))
    with pytest.raises(RunError, match="name one of d3hsp, run7.d3hsp|name one of run7.d3hsp, d3hsp"):
        address_in(tmp_path)
    (tmp_path / "run7.d3hsp").write_text("")
    assert address_in(tmp_path / "run7.d3hsp").host == "10.0.0.8"
    (tmp_path / "run7.watch.json").unlink()
    path.write_text("{")
    with pytest.raises(RunError, match="damaged"):
        address_in(tmp_path)


def test_a_run_that_is_gone(tmp_path):
    """Its watch.json is left when it is killed."""
    at = {"host": socket.gethostname(), "address": "127.0.0.1", "port": 1, "token": "t"}
    (tmp_path / "watch.json").write_text(json.dumps(at))
    done = crumple("watch", str(tmp_path), "--socket", "--port", "0", directory=tmp_path)
    assert done.returncode == 2
    assert "no run listens" in done.stdout + done.stderr


def test_wrong_addresses_are_refused(tmp_path):
    (tmp_path / "deck.k").write_text(torn_plate())
    done = solver_run.run(tmp_path / "deck.k", tmp_path / "out", "--listen", "here")
    assert done.status == 2
    assert "CR-K001" in done.said
    done = solver_run.run(tmp_path / "deck.k", tmp_path / "out", "--listen", "192.0.2.1:0")
    assert done.status == 4
    assert "CR-O140" in done.said


def test_a_signal_still_ends_a_run_that_listens(tmp_path):
    """Signals are for the run, not for the thread that sends."""
    out = tmp_path / "out"
    run = solver_run.start(deck(tmp_path), out, *LISTEN)
    with connect(watch_file(out)):
        time.sleep(1.0)
        for process in solver_run.solver_processes(out):
            os.kill(process, signal.SIGTERM)
        stdout, stderr = run.communicate(timeout=60)
    assert run.returncode == 0, stdout + stderr
    assert "stopped on request" in stdout
