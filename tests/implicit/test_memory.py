"""Memory and disk of the factor: what is predicted, runs out of core, and runs that have no room."""

import json
import math
import re

import pytest
from implicit_decks import control, displacements, solve
from small_decks import STEEL, Deck
from solver_run import run


def block() -> Deck:
    """A block of 1,440 bricks, held at one face and pulled at the other."""
    deck = Deck()
    control(deck)
    deck.part(1, "SOLID,2", f"ELASTIC,{STEEL}")
    ids = deck.block(1, (10, 12, 12), (0.0, 0.0, 0.0), (10.0, 12.0, 12.0))
    deck.set("NODE", 1, ids[0::11])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    for n in ids[10::11]:
        deck.add(f"*LOAD_NODE_POINT\n{n},1,1,0.002")
    return deck


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(block().text())
    return path


def predicted(path, *words: str) -> tuple[dict, int]:
    """The factor of `check`, and the words of memory= that the model takes without it."""
    done = run(path, path.parent / "check", "--check", "--json", str(path.parent / "need.json"), *words)
    assert done.status == 0, done.said
    [words_of_model] = re.findall(r"memory=(\d+)k words", done.stdout)
    return json.loads((path.parent / "need.json").read_text())["factor"], 1000 * int(words_of_model)


def limit(model: int, factor_bytes: float, word: int = 8) -> str:
    return f"memory={model + math.ceil(factor_bytes / word)}"


@pytest.mark.parametrize("precision", ["double", "single"])
def test_same_bits_within_any_limit(path, precision, tmp_path):
    factor, model = predicted(path, "--precision", precision)
    assert not factor["out_of_core"] and factor["equations"] == 3 * 10 * 13 * 13
    assert factor["least_bytes"] < factor["in_memory_bytes"] == factor["bytes"]
    word = 4 if precision == "single" else 8
    hashes = set()
    for n, part in enumerate((None, 1.01, 0.5, 0.0)):
        allowed = (
            []
            if part is None
            else [
                limit(model, factor["least_bytes"] * (1.02 - part) + part * factor["in_memory_bytes"], word)
            ]
        )
        for threads in (1, 2):
            done = run(path, tmp_path / f"{n}-{threads}", "--precision", precision, *allowed, threads=threads)
            assert done.status == 0, done.said[-2000:]
            hashes.add(done.hash)
            if threads == 1:
                assert ("out of core" in done.stdout) == (part is not None and part < 1)
    assert len(hashes) == 1


def test_refused_before_the_first_step(path, tmp_path):
    factor, model = predicted(path)
    little = limit(model, 0.8 * factor["least_bytes"])
    done = run(path, tmp_path / "out", little)
    assert done.status == 4, done.said
    assert "CR-I203" in done.stderr and "bytes of memory, and the limit is" in done.stderr
    assert "iteration    1" not in done.stdout
    done = run(path, tmp_path / "check", "--check", little)
    assert done.status == 2 and "CR-I203" in done.said


def test_single_precision_is_refined(tmp_path):
    both = [solve(block(), tmp_path / p, "--precision", p) for p in ("double", "single")]
    assert "factors in single precision" in both[1].stdout
    double, single = (displacements(done) for done in both)
    assert single == pytest.approx(double, rel=1e-8, abs=1e-10 * abs(double).max())


def test_vectors_of_modes_are_in_the_prediction(path, tmp_path):
    """20 modes keep up to 164 vectors, K - s M and a mass matrix beside the factor, within the limit, too."""
    static, _ = predicted(path)
    cards = "*CONTROL_IMPLICIT_EIGENVALUE\n20\n*DATABASE_GLSTAT\n1.0\n*END"
    path.write_text(path.read_text().replace("*END", cards))
    modes, model = predicted(path)
    beside = modes["in_memory_bytes"] - static["in_memory_bytes"]
    vectors = 164 * 8 * modes["equations"]
    assert vectors < beside < 1.7 * vectors
    eigout = set()
    for name, words in (("free", []), ("limited", [limit(model, 1.01 * modes["least_bytes"])])):
        done = run(path, tmp_path / name, *words)
        assert done.status == 0, done.said
        kept = 40 if words else 164  # beside a factor on the disk the others are on the disk, too
        assert f"and {kept} vectors from which modes are made" in done.stdout
        assert ("out of core" in done.stdout) == bool(words)
        eigout.add((tmp_path / name / "eigout").read_text())
    assert len(eigout) == 1
