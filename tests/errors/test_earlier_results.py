"""What an earlier run left is kept: nothing is overwritten without a word."""

import os
import signal
import time

import pytest
from command_line import crumple
from small_decks import block
from solver_run import run, solver_processes, start

from crumple.earlier_output import keep_earlier

FILES = ("d3hsp", "d3plot", "d3plot01", "binout0000", "glstat", "matsum", "load_profile")


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(block(0.02, 0.01))
    return path


@pytest.mark.parametrize("ranks", [1, 2])
def test_results_are_moved(ranks, deck, tmp_path):
    out = tmp_path / "out"
    first = run(deck, out, "endtime=0.01", ranks=ranks)
    assert "moved" not in first.stdout
    before = {name: (out / name).read_bytes() for name in FILES}
    (out / "notes.txt").write_text("mine")
    (out / "run7.glstat").write_text("of another job")
    second = run(deck, out, ranks=ranks)
    assert (
        f"results of an earlier run were moved to {out}/previous-1 (--overwrite replaces them)"
        in second.stdout
    )
    assert {name: (out / "previous-1" / name).read_bytes() for name in FILES} == before
    assert (out / "glstat").read_bytes() != before["glstat"]
    assert (out / "notes.txt").exists(), "only results are moved"
    assert (out / "run7.glstat").exists(), "and only those with the same jobid"
    run(deck, out, ranks=ranks)
    assert sorted(path.name for path in out.glob("previous-*")) == ["previous-1", "previous-2"]


def test_overwrite(deck, tmp_path):
    out = tmp_path / "out"
    run(deck, out)
    done = run(deck, out, "--overwrite")
    assert done.status == 0, done.said
    assert not list(out.glob("previous-*"))


def test_deck_with_errors_moves_nothing(deck, tmp_path):
    out = tmp_path / "out"
    run(deck, out)
    before = sorted(out.iterdir())
    wrong = tmp_path / "wrong.k"
    wrong.write_text(block(0.02, 0.01, more="*LOAD_BODY_X\n77,1.0"))
    assert run(wrong, out).status == 2
    assert run(deck, out, "--isa", "mmx").status == 2
    assert sorted(out.iterdir()) == before


def test_jobs_with_names_share_a_folder(deck, tmp_path):
    out = tmp_path / "out"
    for job in ("a", "b", "a"):
        assert run(deck, out, f"jobid={job}").status == 0
    assert (out / "previous-1" / "a.d3plot").exists()
    assert not (out / "previous-1" / "b.d3plot").exists()
    assert not (out / "previous-2").exists()


@pytest.mark.parametrize("more", [[], ["--overwrite"]])
def test_two_runs_at_a_time(more, tmp_path):
    """The second would mix its files with those of the first."""
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text(block(1e6, 1e5))
    process = start(deck, out)
    try:
        end = time.monotonic() + 60
        while not (out / "glstat").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        second = run(deck, out, *more)
        assert second.status == 2, second.said
        assert "error CR-O105" in second.said
        assert not list(out.glob("previous-*"))
        os.kill(solver_processes(out)[0], signal.SIGTERM)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert run(deck, out, "ncycle=5", *more).status == 0, "the folder is free again"


def test_command_keeps_results(deck, tmp_path):
    for _ in range(2):
        done = crumple("run", "deck.k", "-n", "1", "-d", "out", directory=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "out" / "previous-1" / "run.json").exists()
    done = crumple("run", "deck.k", "-n", "1", "-d", "out", "--overwrite", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "out" / "previous-2").exists()


def test_picture_of_ranks_keeps_a_run(deck, tmp_path):
    """`crumple decompose` writes a d3plot as well."""
    run(deck, tmp_path)
    before = (tmp_path / "d3plot").read_bytes()
    for _ in range(2):
        done = crumple("decompose", "deck.k", "-n", "2", directory=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "previous-1" / "d3plot").read_bytes() == before
    assert not (tmp_path / "previous-2").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", ".", "-o", "d3plot"],
        ["report", ".", "-o", "deck.k"],
        ["view", ".", "-o", "d3plot"],
        ["profile", "-n", "1", "-o", "deck.k", "--", "true"],
    ],
)
def test_output_in_place_of_something_else(arguments, deck, tmp_path):
    """A page or a profile never replaces a file that is none."""
    run(deck, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    done = crumple(*arguments, directory=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert {path: path.read_bytes() for path in before} == before


def test_model_that_was_edited(tmp_path):
    """A deck of the same name stays under another one; the same model once more leaves one file."""
    words = ["model", "neon", "--elements", "4000", "-o", "neon.k"]
    for _ in range(2):
        assert crumple(*words, directory=tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["neon.k"]
    (tmp_path / "neon.k").write_text("*KEYWORD\n*END\n")
    done = crumple(*words, directory=tmp_path)
    assert "neon.previous-1.k" in done.stdout
    assert (tmp_path / "neon.previous-1.k").read_text() == "*KEYWORD\n*END\n"
    assert crumple("model", "neon", "--elements", "3", "-o", "neon.k", directory=tmp_path).returncode == 2
    assert (tmp_path / "neon.k").stat().st_size > 1000, "what is there stays where nothing was made"


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_earlier_output_gets_another_name(kind, tmp_path):
    path = tmp_path / ("profile.json" if kind == "file" else "trace")
    for number in (1, 2):
        assert keep_earlier(path) is None
        if kind == "folder":
            path.mkdir()
            assert keep_earlier(path) is None, "nothing is in it"
        (path / "summary.json" if kind == "folder" else path).write_text(str(number))
        kept = keep_earlier(path)
        assert kept.name == f"{path.stem}.previous-{number}{path.suffix}"
        assert (kept / "summary.json" if kind == "folder" else kept).read_text() == str(number)
