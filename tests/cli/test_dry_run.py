"""`crumple run --dry-run`: what it predicts beside what the run then takes; it leaves nothing behind."""

import pytest
from command_line import crumple as command
from small_decks import block

import crumple
from crumple.api.run_plan import plan_run
from crumple.api.solver_run import run_options
from crumple.dry_run import lines_of
from crumple.models import Wishes, write_model


def test_prediction_beside_the_run(tmp_path):
    deck, out = tmp_path / "a.k", tmp_path / "out"
    write_model("three-vehicle", deck, Wishes(12_000))
    plan = plan_run(run_options(deck, out, {"ranks": 2, "end_time": 15.0}), trial=1.0)
    assert not plan.trial.ended
    assert not out.exists()
    done = crumple.run(deck, out, ranks=2, end_time=15.0)
    written = sum(path.stat().st_size for path in out.iterdir())
    # Steps become smaller in a crash: by 7 % here.
    assert plan.cycles == pytest.approx(done.log.cycles, rel=0.1)
    assert plan.disk == pytest.approx(written, rel=0.15)
    assert "time     about" in "\n".join(lines_of(plan, run_options(deck, out, {"ranks": 2})))


def test_short_run_is_told_in_whole(tmp_path):
    (tmp_path / "a.k").write_text(block(1e-4, 5.0))
    dry = command("run", "a.k", "-n", "1", "--dry-run", directory=tmp_path)
    assert "the trial reached the end" in dry.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["a.k"]


def test_refused_deck(tmp_path):
    (tmp_path / "a.k").write_text(block(1e-4, 5.0).replace("*SECTION_SOLID", "*SECTION_SOLIDX"))
    dry = command("run", "a.k", "-n", "1", "--dry-run", directory=tmp_path)
    assert dry.returncode == 2
    assert "CR-D101: unknown keyword *SECTION_SOLIDX" in dry.stdout and "trial" not in dry.stdout


def test_not_from_a_dump(tmp_path):
    dry = command("run", "--restart", "--dry-run", directory=tmp_path)
    assert dry.returncode == 2
    assert "does not go with --restart" in dry.stdout
