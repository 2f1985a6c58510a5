"""`crumple run --dry-run`: what it predicts beside what the run then takes; it leaves nothing behind."""

import re

import pytest
from command_line import crumple as command
from small_decks import block

import crumple
from crumple.api.deck_check import check
from crumple.api.implicit_trial import Steps, factor_of
from crumple.api.run_plan import RunPlan, plan_run, trial_of
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


def stepped(step: float, cells: int = 2) -> str:
    return block(1.0, 0.1, cells=cells, more=f"*CONTROL_IMPLICIT_GENERAL\n1,{step}")


def test_implicit_run_that_is_told_in_whole(tmp_path):
    (tmp_path / "a.k").write_text(stepped(0.25))
    dry = command("run", "a.k", "-n", "1", "--dry-run", directory=tmp_path)
    assert dry.returncode == 0, dry.stdout
    assert "the trial reached the end, with 4 steps" in dry.stdout
    assert re.search(r"^factor   .* equations, .* operations: .* GFLOP/s, as in the trial$", dry.stdout, re.M)
    assert [path.name for path in tmp_path.iterdir()] == ["a.k"]


def test_search_for_modes(tmp_path):
    modes = "\n*CONTROL_IMPLICIT_EIGENVALUE\n5\n"
    (tmp_path / "a.k").write_text(stepped(0.25, cells=4).replace("*END", modes + "*END"))
    dry = command("run", "a.k", "-n", "1", "--dry-run", directory=tmp_path)
    assert dry.returncode == 0, dry.stdout
    assert re.search(r"^time .* the trial reached the end$", dry.stdout, re.M)
    assert "an estimate by products of matrices" in dry.stdout


def test_prediction_of_steps_beside_the_run(tmp_path):
    """Elastic: each step takes as many iterations."""
    deck, out = tmp_path / "a.k", tmp_path / "out"
    deck.write_text(stepped(0.002, cells=8))
    plan = plan_run(run_options(deck, out, {"ranks": 1, "threads": 1}), trial=2.0)
    assert plan.trial.cycles > 0 and not plan.trial.ended
    done = crumple.run(deck, out, ranks=1, threads=1)
    written = sum(path.stat().st_size for path in out.iterdir())
    assert plan.cycles == done.log.cycles == 500
    assert plan.seconds == pytest.approx(done.log.seconds, rel=0.5)  # where nothing else runs, within 10 %
    assert plan.disk == pytest.approx(written, rel=0.2)
    assert plan.factor.measured
    assert plan.memory > plan.factor.bytes > 0
    text = "\n".join(lines_of(plan, run_options(deck, out, {"ranks": 1})))
    assert "for 500 steps, an estimate" in text


def test_a_trial_without_a_step_has_the_factor(tmp_path):
    """As where a factor takes minutes: the rate is that of products, and the time a lower limit."""
    deck = tmp_path / "a.k"
    deck.write_text(stepped(0.25, cells=8))
    options = run_options(deck, tmp_path / "out", {"ranks": 1, "threads": 1})
    found = check(deck)
    factor = factor_of(found, options, None)
    assert not factor.measured
    assert 1e8 < factor.rate < 1e13
    assert factor.seconds == pytest.approx(found.factor["operations"] / factor.rate)
    first = trial_of(Steps(seconds=11.0, start_up=1.0, length=0.25), factor)
    plan = RunPlan(found, first, 1.0, factor=factor)
    assert plan.cycles == 4
    assert plan.seconds == pytest.approx(1.0 + 4 * factor.seconds)
    text = "\n".join(lines_of(plan, options))
    assert "time     at least " in text and "4 steps of one factor each" in text
    assert "an estimate by products of matrices" in text


def test_refused_deck(tmp_path):
    (tmp_path / "a.k").write_text(block(1e-4, 5.0).replace("*SECTION_SOLID", "*SECTION_SOLIDX"))
    dry = command("run", "a.k", "-n", "1", "--dry-run", directory=tmp_path)
    assert dry.returncode == 2
    assert "CR-D101: unknown keyword *SECTION_SOLIDX" in dry.stdout and "trial" not in dry.stdout


def test_not_from_a_dump(tmp_path):
    dry = command("run", "--restart", "--dry-run", directory=tmp_path)
    assert dry.returncode == 2
    assert "does not go with --restart" in dry.stdout
