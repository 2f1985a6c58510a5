"""The fuzzers' corpus, what they found included: the solver says what is wrong and ends by itself."""

import subprocess
from pathlib import Path

import pytest

from crumple import solver

CORPUS = Path(__file__).resolve().parent / "corpus"


@pytest.mark.parametrize("path", sorted((CORPUS / "deck").iterdir()), ids=lambda p: p.name)
def test_deck(path, tmp_path):
    deck, _, include = path.read_bytes().partition(b"=====\n")
    (tmp_path / "deck.k").write_bytes(deck)
    (tmp_path / "include.k").write_bytes(include)
    done = subprocess.run(
        [str(solver.solver_path()), "--check", "i=deck.k"],
        capture_output=True, cwd=tmp_path, env=solver.environment(), timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 2), done.stderr[-2000:]
    assert done.returncode == 0 or b"error CR-" in done.stdout + done.stderr


@pytest.mark.parametrize("path", sorted((CORPUS / "pfile").iterdir()), ids=lambda p: p.name)
def test_pfile(path, tmp_path):
    from small_decks import block

    (tmp_path / "deck.k").write_text(block(1.0, 0.1))
    done = subprocess.run(
        [str(solver.solver_path()), "--decompose", "2", "i=deck.k", f"p={path}"],
        capture_output=True, cwd=tmp_path, env=solver.environment(), timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 2), done.stderr[-2000:]
