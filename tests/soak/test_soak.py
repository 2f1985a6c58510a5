"""`make soak` on a piece of a crash."""

import killed_runs
import pytest
import soak


def test_a_piece_of_a_crash(tmp_path, capsys):
    assert soak.soak("neon", 2000, 1.0, "single", tmp_path) == []
    assert len(capsys.readouterr().out.splitlines()) == len(soak.LAYOUTS)


def test_what_is_wrong_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "KEPT", (1.5, 2.0))
    monkeypatch.setattr(soak, "GROWTH", 0.5)
    monkeypatch.setattr(soak, "LAYOUTS", ((1, 1, "rcb"),))
    wrong = soak.soak("neon", 2000, 0.5, "double", tmp_path)
    assert len(wrong) == 2
    assert "energy" in wrong[0] and "MB became" in wrong[1]


@pytest.mark.parametrize("text", ["", "rank 0 died"])
def test_a_run_that_fails(text, tmp_path):
    with pytest.raises(RuntimeError, match="exit status 1"):
        soak.outcome(soak.Run(1, text, "", tmp_path))


@pytest.mark.slow
def test_some_killed_runs(capsys):
    assert killed_runs.soak_restarts(0.1, decks=("torn_plate",), seed=3) == []
    table = capsys.readouterr().out.splitlines()[-len(killed_runs.KINDS) :]
    assert sum(int(line.split("|")[2]) for line in table if "skipped" not in line) >= 1


def test_another_state_is_said(monkeypatch, capsys):
    whole = killed_runs.Wholes.get

    def other(wholes, name, precision):
        found = whole(wholes, name, precision)
        return killed_runs.Whole(**(vars(found) | {"hash": "0" * 16}))

    monkeypatch.setattr(killed_runs.Wholes, "get", other)
    wrong = killed_runs.soak_restarts(0.01, decks=("torn_plate",), seed=3)
    assert "not 0000000000000000" in wrong[0]
