"""convergence.jsonl and the table of parts: what they say is what the screen says and what was done."""

import json
import re

import pytest
from implicit_decks import solve
from test_runs import pulled_bar

from crumple.results.convergence import PARTS, read_convergence
from crumple.results.d3hsp import read_d3hsp
from crumple.results.damage import DamagedFile
from crumple.results.run_files import find_run
from crumple.watch.watched_run import WatchedRun


def test_records_are_what_the_screen_says(tmp_path):
    done = solve(pulled_bar(steps=4), tmp_path)
    of = read_convergence(done.directory / "convergence.jsonl")
    assert of.settings["end_time"] == 1.0
    assert of.settings["displacement"] == 1e-9
    lines = re.findall(r"iteration +(\d+)( \*)? .*max (\S+)", done.stdout)
    assert [int(n) for n, _, _ in lines] == list(of.iterations["iteration"])
    assert [bool(star) for _, star, _ in lines] == list(of.iterations["new_factor"])
    assert [float(r) for _, _, r in lines] == pytest.approx(list(of.iterations["residual"]), rel=1e-3)
    assert list(of.steps["time"]) == pytest.approx([0.25, 0.5, 0.75, 1.0])
    assert of.steps["converged"].all()
    assert list(of.steps["iterations"]) == [int(n) for n in re.findall(r"converged: (\d+) it", done.stdout)]
    assert len(of.equations) == 1
    assert of.equations["flops"][0] > 0
    assert len(re.findall(r"work \S+, \d+:\d\d left", done.stdout)) == 3, "time left but at the end"


def test_totals_are_sums(tmp_path):
    done = solve(pulled_bar(steps=3), tmp_path)
    of = read_convergence(done.directory / "convergence.jsonl")
    end = of.end
    iterations = len(of.iterations)
    assert end["steps"] == 3
    assert end["factors"] == end["solves"] == iterations
    assert end["forces"] == 2 * iterations
    assert end["flops"] == pytest.approx(end["factors"] * of.equations["flops"][0])
    assert set(end["seconds"]) <= set(PARTS)
    assert of.steps[list(PARTS)].to_numpy().sum() <= sum(end["seconds"].values()) + 1e-6
    text = (done.directory / "d3hsp").read_text()
    for part, seconds in end["seconds"].items():
        assert float(re.search(rf"^ {part} +([\d.]+)", done.stdout, re.M)[1]) == pytest.approx(
            seconds, abs=6e-3
        )
        assert re.search(rf"^ {part} +[\d.]+", text, re.M)
    log = read_d3hsp(done.directory / "d3hsp")
    assert log.cycles == 3
    assert log.threads == 1
    assert log.seconds is not None


def test_a_watch_shows_them(tmp_path):
    done = solve(pulled_bar(steps=4), tmp_path)
    of = read_convergence(done.directory / "convergence.jsonl")
    found = WatchedRun(find_run(done.directory)).summary({})
    assert found["charts"]["iterations"]["curves"][0]["y"] == of.steps["iterations"].tolist()
    assert found["progress"]["steps"] == 4
    assert found["progress"]["iterations"] == of.steps["iterations"].sum()
    assert found["progress"]["time"] == pytest.approx(1.0)
    assert found["state"]["going"] == "finished"
    assert "factors" in found["load"]["phases"]
    of_steps = of.steps[list(PARTS)].to_numpy().sum()
    assert sum(sum(seconds) for seconds in found["load"]["seconds"]) == pytest.approx(of_steps, abs=0.01)


def test_tries_that_fail_are_recorded(tmp_path):
    """Two factors are enough for short steps only: of longer tries the halves are tried."""
    deck = pulled_bar(solution="12,1,2,1e-9,1e-18,1e-9,,1e-20", automatic="1,,,1e-3")
    done = solve(deck, tmp_path, status=3)
    of = read_convergence(done.directory / "convergence.jsonl")
    assert not of.steps["converged"].iloc[0]
    for _, tries in of.steps.groupby("step"):
        assert list(tries["try"]) == list(range(1, len(tries) + 1))
        assert not tries["converged"].iloc[:-1].any()
        halves = (tries["dt"] / 2).clip(lower=1e-3)  # DTMIN
        assert list(tries["dt"])[1:] == pytest.approx(list(halves)[:-1])
    failed = ~of.steps["converged"]
    assert of.steps["trouble"][failed].str.contains("largest force out of balance").all()
    assert (of.steps["trouble"][~failed] == "").all()
    assert of.end["steps"] == len(of.taken)


def test_a_cut_line_is_left_out_and_a_bad_one_is_named(tmp_path):
    path = tmp_path / "convergence.jsonl"
    path.write_text('{"record": "settings", "threads": 2}\n{"record": "it')
    assert read_convergence(path).settings["threads"] == 2
    assert read_convergence(path).end is None
    for bad in ("nonsense", '{"record": "step"}', "[1]", json.dumps({"no": "record"})):
        path.write_text(bad + "\n")
        with pytest.raises(DamagedFile, match="line 1"):
            read_convergence(path)


def test_file_of_the_factor(tmp_path):
    """Out of core, what is written is the factor, and each solution reads it twice."""
    from solver_run import run

    from crumple.models import Wishes, write_model

    deck = tmp_path / "deck.k"
    write_model("cylinders", deck, Wishes(2000))
    done = run(deck, tmp_path / "out", "--precision", "single", "memory=8m")
    assert done.status == 0, done.said[-3000:]
    of = read_convergence(done.directory / "convergence.jsonl")
    equations = of.equations.iloc[0]
    assert equations["out_of_core"]
    assert of.end["written_bytes"] >= of.end["factors"] * 4 * equations["entries"]
    applied = of.end["solves"] + of.end["refinements"]
    assert of.end["read_bytes"] >= applied * 2 * 4 * equations["entries"]
    assert of.end["linear_residual"] < 1e-10
    assert "GB written" in done.stdout
