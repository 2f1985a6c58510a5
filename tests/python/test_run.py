"""Runs from Python: progress, stop, dumps, errors with the solver's messages, checks."""

import pickle
import threading
import time

import pytest
from buffer_deck import buffer_deck
from small_decks import block, torn_plate

import crumple
from crumple.watch.solver_address import address_in
from crumple.watch.solver_socket import SocketSource

LONG = dict(ranks=1, progress_interval=0.05, overwrite=True)


def long_deck() -> str:
    """A run of minutes."""
    return torn_plate(end_time=100.0)


def test_a_run_returns_its_results(tmp_path):
    told = []
    results = crumple.run(torn_plate(0.02), tmp_path / "out", told.append, ranks=2)
    assert results.ending == "normal termination"
    assert told[0].cycle == 0 and told[0].share == 0.0
    assert told[-1].time >= 0.02 and told[-1].share == 1.0
    assert told[-1].end_time == 0.02
    assert results.record.ranks == 2 and results.record.status == 0
    assert (tmp_path / "out" / "deck.k").read_text() == torn_plate(0.02)


def test_files_decks_and_options(tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(torn_plate(0.02))
    deck = crumple.Deck(path)
    deck["CONTROL_TERMINATION"]["ENDTIM"] = 0.01
    of_file = crumple.run(path, tmp_path / "file", ranks=1, end_time=0.01)
    of_deck = crumple.run(deck, tmp_path / "deck", ranks=1)
    single = crumple.run(str(path), tmp_path / "single", ranks=1, end_time=0.01, precision="single")
    assert not (tmp_path / "file" / "deck.k").exists()
    assert of_file.log.hash == of_deck.log.hash != single.log.hash
    assert single.log.precision == "single"


def test_a_wrong_deck_raises_with_the_messages(tmp_path):
    text = torn_plate().replace("*MAT_RIGID", "*MATX_RIGID")
    with pytest.raises(crumple.DeckRefused, match="unknown keyword .MATX_RIGID") as caught:
        crumple.run(text, tmp_path / "out", ranks=1)
    error = caught.value
    assert error.status == 2
    assert error.errors[0].id == "CR-D101"
    line = text.splitlines().index("*MATX_RIGID") + 1
    assert error.errors[0].place.endswith(f"deck.k:{line}")
    again = pickle.loads(pickle.dumps(error))
    assert (again.status, again.errors) == (error.status, error.errors)


def test_a_failed_computation_raises_and_leaves_results(tmp_path):
    """After 0.1 ms the top of a block jumps through its bottom within a step."""
    text = block(1.0, 0.02, push=[(0.0, -0.001), (0.1, -0.001), (0.1001, -30000.0), (9.0, -30000.0)])
    with pytest.raises(crumple.RunFailed, match="the computation failed") as caught:
        crumple.run(text, tmp_path / "out", ranks=1)
    error = caught.value
    assert isinstance(error, crumple.ComputationFailed), error.output[-2000:]
    assert error.status == 3 and error.errors
    assert crumple.Results(error.folder).ending == "error termination"


def test_what_is_missing_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no deck"):
        crumple.run("missing.k", tmp_path)
    with pytest.raises(FileNotFoundError, match="give one, or restart"):
        crumple.run(None, tmp_path)
    with pytest.raises(crumple.RunError, match="no d3hsp"):
        crumple.Results(tmp_path)


def test_stop_stops_with_a_last_state(tmp_path):
    running = crumple.start(long_deck(), tmp_path / "out", **LONG)
    wait_for(lambda: running.progress and running.progress.cycle > 100)
    with pytest.raises(TimeoutError):
        running.wait(0.01)
    assert running.running
    running.stop()
    results = running.wait(60.0)
    assert running.stopped and not running.running
    assert results.ending == "normal termination"
    assert 0.0 < results.times[-1] < 100.0
    assert not (tmp_path / "out" / "d3kil").exists()


@pytest.mark.parametrize("listen", [0, "127.0.0.1:0"])
def test_a_run_that_listens_is_watched(tmp_path, listen):
    running = crumple.start(long_deck(), tmp_path / "out", listen=listen, listen_interval=0.1, **LONG)
    try:
        wait_for(lambda: (tmp_path / "out" / "watch.json").exists())
        watched = SocketSource(lambda: address_in(tmp_path / "out"))
        wait_for(lambda: watched.reached)
    finally:
        running.stop()
    assert running.wait(60.0).ending == "normal termination"


def test_a_stopped_run_goes_on_from_its_dump(tmp_path):
    running = crumple.start(long_deck(), tmp_path / "out", **LONG)
    wait_for(lambda: running.progress and running.progress.cycle > 100)
    running.stop(dump=True)
    first = running.wait(60.0).times[-1]
    results = crumple.run(None, tmp_path / "out", ranks=1, restart="auto", end_time=first + 0.02)
    assert results.times[-1] >= first + 0.02
    assert len(results.record.parts) == 2


def test_a_callback_that_returns_false_stops_the_run(tmp_path):
    results = crumple.run(long_deck(), tmp_path / "out", lambda p: p.cycle < 50, **LONG)
    assert results.times[-1] < 100.0


def test_what_a_callback_raises_is_raised(tmp_path):
    def callback(_progress):
        raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        crumple.run(long_deck(), tmp_path / "out", callback, **LONG)


def test_a_killed_run_raises(tmp_path):
    running = crumple.start(long_deck(), tmp_path / "out", **LONG)
    wait_for(lambda: running.progress is not None)
    threading.Timer(0.2, running.kill).start()
    with pytest.raises(crumple.SystemFailed, match="SIGKILL"):
        running.wait(60.0)


def test_switches_of_another_run_do_not_stop_this_one(tmp_path):
    (tmp_path / "d3kil").write_text("stop\n")
    assert crumple.run(buffer_deck(0.5, 0.6), tmp_path, ranks=1).times[-1] >= 20.0


def test_check(tmp_path):
    good = crumple.check(torn_plate(), ranks=2)
    assert good.ok and good.memory["ranks"] == 2 and "Time step" in good.output
    bad = crumple.check(torn_plate().replace("*MAT_RIGID", "*MATX_RIGID"))
    assert not bad.ok and bad.errors[0].id == "CR-D101"


def test_progress_of_implicit_runs():
    from crumple.api.run_progress import ProgressLines

    lines = ProgressLines()
    assert lines.read(" step      3  time 3.00000e-01  dt 1.0000e-01", 1.0) is None
    told = lines.read(
        " step      3  converged: 4 iterations, 4 factors, internal energy 5.0e+01, kinetic energy 2.0e+00, "
        "work 5.1e+01, 0:01 left",
        1.0,
    )
    assert (told.cycle, told.time, told.step, told.internal, told.kinetic) == (3, 0.3, 0.1, 50.0, 2.0)
    assert told.share == pytest.approx(0.3)


def wait_for(done, limit: float = 60.0) -> None:
    """Wait until a function is true."""
    begin = time.monotonic()
    while not done():
        assert time.monotonic() - begin < limit
        time.sleep(0.02)
