"""crumple watch beside real runs: running, stopped by a switch, killed, finished, none."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import solver_run
from browser import rendered
from command_line import crumple
from same_results import different_files
from small_decks import torn_plate
from watch_process import Watch, start_watch

HOSTILE = "<script>document.body.dataset.owned=1</script>"
IMAGE = "<img src=x onerror=document.body.dataset.owned=1>"


def deck(folder: Path, end_time: float = 6000.0, rarer: int = 1) -> Path:
    """A plate that is torn, with names that a page must not read as HTML; it goes on for long."""
    text = torn_plate(rarer=rarer).replace("*CONTROL_TERMINATION\n0.06", f"*CONTROL_TERMINATION\n{end_time}")
    text = text.replace("*PART\npart 1\n", f"*PART\n{HOSTILE}\n")
    text = text.replace("*KEYWORD\n", f"*KEYWORD\n*TITLE\n{IMAGE}\n", 1)
    path = folder / "deck.k"
    path.write_text(text)
    return path


def kill(run: subprocess.Popen[str], folder: Path) -> None:
    """Kill the ranks of a run, and wait for its launcher."""
    for process in solver_run.solver_processes(folder):
        os.kill(process, signal.SIGKILL)
    run.communicate(timeout=60)


@pytest.fixture(scope="module")
def at_work(tmp_path_factory) -> Iterator[tuple[Watch, Path, subprocess.Popen[str]]]:
    """A run on two ranks, and a watch of it. It writes a few plot states a second, as real models at most."""
    folder = tmp_path_factory.mktemp("at-work")
    out = folder / "out"
    out.mkdir()
    run = solver_run.start(deck(folder, rarer=40), out, ranks=2)
    watch = start_watch(out)
    try:
        watch.until(lambda found: len(found["plots"]["times"]) > 4)
        yield watch, out, run
    finally:
        watch.end()
        if run.poll() is None:
            kill(run, out)


def test_a_run_is_shown_while_it_goes_on(at_work):
    watch, out, _ = at_work
    first = watch.summary()
    assert first["state"] == {"going": "running", "words": "running on this machine"}
    assert first["run"]["title"] == IMAGE
    assert first["run"]["parts"]["1"] == HOSTILE
    assert first["progress"]["end"] == 6000.0
    assert first["progress"]["left"] > 0
    assert first["progress"]["ns"] > 0
    assert abs(first["progress"]["ratio"] - 1) < 0.1
    assert first["step"]["now"] > 0
    assert first["step"]["by"] in ("shell", "solid")
    assert first["step"]["held"]
    assert first["step"]["smallest"]
    assert first["deleted"]["count"] > 5, "the plate is torn"
    assert first["deleted"]["rows"][0][3]
    energies = {curve["name"]: curve for curve in first["charts"]["energies"]["curves"]}
    assert {"kinetic", "internal", "total"} <= set(energies)
    assert first["charts"]["rcforc"]["curves"][0]["y"]

    def grew(later: dict) -> bool:
        return (
            later["progress"]["time"] > first["progress"]["time"]
            and len(later["plots"]["times"]) > len(first["plots"]["times"])
            and later["charts"]["energies"]["version"] > first["charts"]["energies"]["version"]
        )

    watch.until(grew)


def test_only_this_machine_is_answered(at_work):
    watch, *_ = at_work
    for host in (
        "evil.example",
        f"evil.example:{watch.port}",
        "127.0.0.1.evil.example",
        "",
        "localhost@evil",
    ):
        assert watch.ask("GET", "/run.json", Host=host)[0] == 403, host
    for host in ("localhost", "localhost:9999", "127.0.0.1:1", "[::1]:80", "LOCALHOST"):
        assert watch.ask("GET", "/run.json", Host=host)[0] == 200, host
    own = socket.gethostbyname_ex(socket.gethostname())[2]
    for address in {*own, "127.0.0.2"} - {"127.0.0.1"}:
        with socket.socket() as other:
            other.settimeout(5)
            assert other.connect_ex((address, watch.port)) != 0, address


def test_pages_have_a_policy_against_scripts_of_others(at_work):
    watch, *_ = at_work
    for path in ("/", "/run.json", "/page.js", "/missing"):
        _, headers, content = watch.ask("GET", path)
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert b"http:" not in content.replace(b"http://www.w3.org", b""), "nothing from a network"
    for path in ("/../run.json", "/watch.py", "/%2e%2e/cli.py", "/surface?name=x", "/state?number=-1"):
        assert watch.ask("GET", path)[0] == 404, path


def test_a_switch_needs_the_token(at_work):
    watch, out, run = at_work
    for token in ("", "wrong", watch.token[:-1], watch.token + "x", "ÿ"):
        assert watch.switch("stop", token) == 403
    assert watch.switch("stop", Origin="http://evil.example") == 400
    assert watch.switch("stop", Content_Type="text/plain") == 400, "a form of another page can send this"
    assert watch.switch("rm -rf", watch.token) == 409
    assert watch.ask("GET", f"/switch?switch=stop&token={watch.token}")[0] == 404
    assert watch.ask("POST", "/switch", "[]" * 2000, Content_Type="application/json")[0] == 400
    assert watch.ask("POST", "/switch", "[" * 900, Content_Type="application/json")[0] == 400
    assert not (out / "d3kil").exists()
    assert run.poll() is None


def test_the_page_shows_it_in_a_browser(at_work, tmp_path):
    watch, *_ = at_work
    page = rendered(watch.address, 1300, tmp_path / "profile")
    assert "data-owned" not in page, "a name was run"
    assert HOSTILE not in page, "as an element"
    assert IMAGE not in page
    assert "&lt;img src=x" in page
    assert "&lt;script&gt;" in page, "the name of a part, as text"
    assert page.count('class="main-svg"') >= 6, "plots are drawn"
    assert 'data-drawn="' in page, "the model is drawn"
    assert "running" in page
    assert " left</span>" in page


def test_a_running_job_has_its_load(at_work):
    """In a table that the solver replaces every few seconds."""
    watch, *_ = at_work
    load = watch.until(lambda found: found["load"] is not None)["load"]
    assert load["ranks"] == [0, 1]
    assert load["phases"][:2] == ["elements", "contact"]
    assert all(seconds > 0 for seconds in load["seconds"][0])


def test_a_watch_takes_little_of_a_processor(at_work):
    """Asked as often as a page asks, with a plot state each time."""
    watch, *_ = at_work
    begin, before = time.monotonic(), watch.processor_seconds()
    while time.monotonic() - begin < 12.0:
        found = watch.summary()
        watch.ask("GET", f"/state?number={len(found['plots']['times']) - 1}")
        time.sleep(2.0)
    share = (watch.processor_seconds() - before) / (time.monotonic() - begin)
    assert share < 0.03, f"{share}: states and rows that were written since cost most"


def test_switches_reach_the_run(at_work):
    """The last test of this run."""
    watch, out, run = at_work
    assert watch.switch("dump") == 200
    watch.until(lambda found: not found["switch"])
    assert list(out.glob("d3dump*"))
    assert watch.switch("plot") == 200
    watch.until(lambda found: not found["switch"])
    assert watch.switch("stop") == 200
    stdout, stderr = run.communicate(timeout=60)
    assert run.returncode == 0, stdout + stderr
    found = watch.until(lambda found: found["state"]["going"] != "running")
    assert found["state"]["going"] == "stopped"
    assert found["run"]["hash"]
    assert watch.switch("dump") == 409, "the run is over"
    assert not (out / "d3kil").exists()


def test_a_killed_run(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    run = solver_run.start(deck(tmp_path), out)
    watch = start_watch(out)
    try:
        watch.until(lambda found: found["state"]["going"] == "running" and found["progress"]["time"])
        kill(run, out)
        found = watch.until(lambda found: found["state"]["going"] != "running")
        assert found["state"] == {"going": "killed", "words": "killed: no process holds it any more"}
        assert found["progress"]["left"] is None
        assert found["plots"]["times"]
    finally:
        watch.end()


def test_a_finished_run_without_switches(tmp_path):
    out = tmp_path / "out"
    done = solver_run.run(deck(tmp_path, 0.06), out)
    assert done.status == 0, done.said
    watch = start_watch(out, "--read-only", "--units", "kg-mm-ms")
    try:
        found = watch.summary()
        assert found["state"]["going"] == "finished"
        assert found["run"]["hash"] == done.hash
        assert found["run"]["time_unit"] == "ms"
        assert found["charts"]["energies"]["y"] == "energy, J"
        assert watch.token == ""
        assert watch.switch("stop", "") == 403
        status, _, content = watch.ask("GET", "/state?number=4")
        assert status == 200
        about = json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])
        assert about["time"] == pytest.approx(0.06, rel=0.01)
        assert watch.ask("GET", f"/surface?name={about['surface']}")[0] == 200
        assert watch.ask("GET", "/state?number=99")[0] == 404
    finally:
        watch.end()


def test_a_private_page(tmp_path):
    done = solver_run.run(deck(tmp_path, 0.001), tmp_path / "out")
    assert done.status == 0, done.said
    watch = start_watch(tmp_path / "out", "--private")
    try:
        secret = watch.said[0].rstrip("/").rpartition("/")[2]
        assert len(secret) == 16
        for path in ("/", "/run.json", "/wrong/run.json", f"/{secret}", f"/{secret[:-1]}/run.json"):
            assert watch.ask("GET", path)[0] == 404, path
        assert watch.switch("plot") == 404
        for path in ("", "run.json", "page.js", "report.css"):
            assert watch.ask("GET", f"/{secret}/{path}")[0] == 200, path
        page = rendered(watch.said[0], 1300, tmp_path / "profile")
        assert page.count('class="main-svg"') >= 6
    finally:
        watch.end()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "does not exist"),
        (lambda path: path.mkdir(), "has no d3hsp"),
        (lambda path: path.write_text(""), "neither a folder of results"),
    ],
)
def test_a_folder_without_a_run(tmp_path, make, says):
    make(tmp_path / "out")
    done = crumple("watch", "out", "--wait", "0", "--port", "0", directory=tmp_path)
    assert done.returncode == 2
    assert says in done.stdout + done.stderr


def test_a_port_in_use(tmp_path):
    done = solver_run.run(deck(tmp_path, 0.001), tmp_path / "out")
    assert done.status == 0, done.said
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = crumple("watch", "out", "--port", port, directory=tmp_path)
    assert done.returncode == 2
    assert f"port {port}" in done.stdout + done.stderr


def test_the_run_has_the_same_bits_when_it_is_watched(tmp_path):
    path = deck(tmp_path, 1.0)
    alone = solver_run.run(path, tmp_path / "alone")
    (tmp_path / "watched").mkdir()
    run = solver_run.start(path, tmp_path / "watched")
    watch = start_watch(tmp_path / "watched")
    try:
        while run.poll() is None:
            found = watch.summary()
            if found["plots"]["times"]:
                watch.ask("GET", f"/state?number={len(found['plots']['times']) - 1}")
        stdout, stderr = run.communicate(timeout=60)
    finally:
        watch.end()
    assert run.returncode == 0, stdout + stderr
    assert f"state hash: {alone.hash}" in stdout
    assert different_files(tmp_path / "alone", tmp_path / "watched") == []
