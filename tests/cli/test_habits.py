"""Completion in the shell, and the command that tells of a run's end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import crumple
from small_decks import block

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("crumple su", ["submit"]),
        ("crumple run --prec", ["--precision"]),
        ("crumple run --precision s", ["single"]),
        ("crumple advise --kw", ["--kwh"]),
    ],
)
def test_completion(words, offered):
    asked = {"_CRUMPLE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "crumple"],
        env=os.environ | asked | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == offered, done.stderr


def test_notice_of_a_good_end(tmp_path):
    (tmp_path / "a.k").write_text(block(1e-4, 5.0))
    tell = 'echo "$CRUMPLE_STATUS|$CRUMPLE_ENDED|$CRUMPLE_FOLDER" > told'
    done = crumple("run", "a.k", "-n", "1", "-d", "out", "--notify", tell, directory=tmp_path)
    assert done.returncode == 0, done.stderr
    status, ended, folder = (tmp_path / "told").read_text().strip().split("|")
    assert status == "0" and ended.startswith("a.k ended well, ") and folder == str(tmp_path / "out")


def test_notice_of_a_refused_deck_that_fails_itself(tmp_path):
    (tmp_path / "a.k").write_text("*KEYWORD\n*END\n")
    tell = 'echo "$CRUMPLE_ENDED" > told; exit 5'
    done = crumple("run", "a.k", "-n", "1", "--notify", tell, directory=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "told").read_text().startswith("a.k was refused, ")
    assert "warning: the command of --notify failed: exit status 5" in done.stderr
