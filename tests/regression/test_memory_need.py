"""Memory: what `check` predicts a run takes, and a run that was allowed too little ends before it begins."""

import lzma
import re
from pathlib import Path

import pytest
from memory_held import compare, peaks, predicted
from small_decks import block
from solver_run import run

from crumple.models import Wishes, write_model

BENCH = ["plate50k", "block50k", "tube50k"]


@pytest.mark.parametrize("ranks", [1, 2])
def test_prediction_on_vehicles(ranks, tmp_path):
    deck = tmp_path / "vehicles.k"
    write_model("three-vehicle", deck, Wishes(40_000))
    compare(deck, tmp_path / "out", ranks)


@pytest.mark.parametrize(("name", "precision"), [*((n, "double") for n in BENCH), ("tube50k", "single")])
def test_prediction_on_bench_models(name, precision, real_deck, tmp_path):
    deck = tmp_path / f"{name}.k"
    deck.write_bytes(lzma.decompress(real_deck(f"bench/{name}.k.xz").read_bytes()))
    compare(deck, tmp_path / "out", 1, "--precision", precision)


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("name", ["three-vehicle", "plate50k", "block50k"])
def test_dump_is_as_large_as_said(name, precision, real_deck, tmp_path):
    """And so is the copy of the state for the dump at an error: it has the bytes of a dump."""
    deck = tmp_path / f"{name}.k"
    if name in BENCH:
        deck.write_bytes(lzma.decompress(real_deck(f"bench/{name}.k.xz").read_bytes()))
    else:
        write_model(name, deck, Wishes(20_000))
    said = predicted(deck, tmp_path / "checked", 1, "--precision", precision)["all_ranks"]
    deck.write_text(deck.read_text().replace("*END", "*DATABASE_BINARY_D3DUMP\n5\n*END"))
    run(deck, tmp_path / "out", "ncycle=6", "--precision", precision)
    size = sum(path.stat().st_size for path in (tmp_path / "out").glob("d3dump01.*"))
    assert said["state_copy_bytes"] == pytest.approx(size, rel=0.2)


def test_shell_with_contact_takes_less_than_asked(real_deck, tmp_path):
    """1.5 kB a shell of 5 points beside what the program takes without a model."""
    packed = {name: real_deck(f"bench/{name}.k.xz") for name in ("mini_tube", "tube50k")}
    held = {}
    for name, path in packed.items():
        deck = tmp_path / f"{name}.k"
        deck.write_bytes(lzma.decompress(path.read_bytes()))
        [held[name]] = peaks(run(deck, tmp_path / name, "ncycle=10"))
    assert (held["tube50k"] - held["mini_tube"]) / 48_000 < 1500


@pytest.fixture
def deck(tmp_path) -> Path:
    path = tmp_path / "deck.k"
    path.write_text(block(0.02, 0.01))
    return path


@pytest.mark.parametrize("precision", ["single", "double"])
def test_too_little_memory(deck, precision, tmp_path):
    words = ["--precision", precision, "ncycle=1"]
    done = run(deck, tmp_path / "out", "memory=0.1k", *words)
    assert done.status == 2, done.said
    assert "CR-K010" in done.stderr and "the model needs about memory=" in done.stderr
    assert not (tmp_path / "out" / "d3plot").exists()
    enough = re.search(r"needs about (memory=\d+k) ", done.stderr)[1]
    assert run(deck, tmp_path / "out", enough, *words).status == 0
    assert run(deck, tmp_path / "out", "memory=20M", *words).status == 0
    assert run(deck, tmp_path / "out", "memory=20000000", *words).status == 0


def test_too_little_memory_on_other_ranks(deck, tmp_path):
    done = run(deck, tmp_path / "out", "memory=20m", "memory2=100", ranks=2)
    assert done.status == 2, done.said
    assert done.said.count("CR-K010") == 1 and "each further rank needs about memory2=" in done.stderr
    done = run(deck, tmp_path / "out", "memory=100", "memory2=20m", ranks=2)
    assert done.status == 2 and "rank 0 needs about memory=" in done.stderr
    assert run(deck, tmp_path / "out", "memory=20m", "memory2=10m", "ncycle=1", ranks=2).status == 0


@pytest.mark.parametrize("word", ["memory=much", "memory=-3m", "memory2=20q", "memory="])
def test_memory_that_is_no_number(deck, word, tmp_path):
    done = run(deck, tmp_path / "out", word)
    assert done.status == 2 and "CR-K001" in done.stderr and word in done.stderr


@pytest.mark.parametrize(
    ("line", "status"),
    [("MEMORY=100", 2), ("MEMORY=20M", 0), ("100", 2), ("20000000", 0), ("MEMORY=much", 2)],
)
def test_memory_of_the_deck(deck, line, status, tmp_path):
    deck.write_text(deck.read_text().replace("*KEYWORD", f"*KEYWORD {line}", 1))
    done = run(deck, tmp_path / "out", "ncycle=1")
    assert done.status == status, done.said
    assert ("CR-K010" in done.said) == (status == 2 and "much" not in line)
    assert run(deck, tmp_path / "out", "ncycle=1", "memory=30m").status == (2 if "much" in line else 0)
