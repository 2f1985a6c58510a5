"""Which crashes `make bench` runs, to which end, and how they are counted."""

from pathlib import Path

import pytest
import speed
import speed_crashes
import speed_decks
import speed_runs
from speed_crashes import CRASHES, crash_cases


def test_whole_crashes_run_in_both_precisions_on_one_rank_and_two(monkeypatch, real_deck):
    real_deck("camry2012.tar.xz")
    cases = crash_cases(whole=True, quick=False)
    assert len(cases) == 4 * len(CRASHES) == len({case.key for case in cases})
    assert {(c.precision, c.ranks, c.threads) for c in cases if c.name == CRASHES[-1].name} == {
        (precision, ranks, 1) for precision in ("double", "single") for ranks in (1, 2)
    }
    assert all(case.last == 0 and case.name.startswith("crash") for case in cases)


def test_without_the_shared_folder_all_but_the_camry_are_made_here(tmp_path, monkeypatch):
    monkeypatch.setattr(speed_decks, "SHARED", tmp_path / "nowhere" / "bench")
    cases = crash_cases(whole=True, quick=False)
    assert {case.name for case in cases} == {crash.name for crash in CRASHES[:-1]}
    assert "camry2012.tar.xz" in speed_runs.not_found()


def test_the_smallest_is_always_run_and_quickly_once():
    assert {case.deck for case in crash_cases(whole=False, quick=False)} == {"three-vehicle-10k"}
    assert {case.rounds for case in crash_cases(whole=False, quick=False)} == {CRASHES[0].rounds}
    assert {(c.deck, c.rounds) for c in crash_cases(whole=True, quick=True)} == {("three-vehicle-10k", 1)}


def test_ends_are_those_of_the_names(tmp_path):
    for crash, end in zip(CRASHES[:4], (60.0, 60.0, 80.0, 1.5e-3), strict=True):
        lines = speed_runs.deck_of(crash.cases()[0], tmp_path).read_text().splitlines()
        at = lines.index("*CONTROL_TERMINATION")
        card = next(line for line in lines[at + 1 :] if not line.startswith("$"))
        assert float(card[:10]) == end
        assert crash.name.endswith(f"to {'1.5' if end < 1 else f'{end:.0f}'} ms")


def test_long_runs_have_fewer_rounds_and_instruction_sets_take_turns(tmp_path, monkeypatch):
    done = []

    def run(case, deck, cycles, isa):
        done.append((case.deck, cycles, isa))
        phases = dict.fromkeys(speed_runs.PHASES, 0.1 if cycles == 1 else 1.1)
        return speed_runs.Time(*((1.0, 1.0, 1) if cycles == 1 else (3.0, 2.0, 101)), 1000, phases)

    monkeypatch.setattr(speed_runs, "run", run)
    monkeypatch.setattr(speed_runs, "deck_of", lambda case, folder: Path(case.deck))
    cases = [CRASHES[0].cases()[0], CRASHES[1].cases()[0]]
    found = speed_runs.measure(cases, 5, tmp_path, lambda _: None, ("avx2", "avx512"))
    assert [deck for deck, cycles, isa in done if cycles == 0 and isa == "avx2"] == [
        *("three-vehicle-10k", "three-vehicle-100k"),
        *("three-vehicle-10k", "three-vehicle-10k"),
    ]
    assert [isa for *_, isa in done[:4]] == ["avx2", "avx2", "avx512", "avx512"]
    of = found.figures("avx512")[cases[0].key]
    assert of["processor"].median == pytest.approx(2.0 / 1000 / 100 * 1e9)
    assert of["contact"].median == pytest.approx(1.0 / 1000 / 100 * 1e9)
    assert (of["seconds"].median, of["cycles"].median, of["cycles"].count) == (2.0, 101, 3)


def test_what_was_measured_before_a_failure_or_an_interrupt_is_kept(tmp_path, monkeypatch):
    def times(case, deck, isa):
        if case.ranks == 2 and case.precision == "single":
            raise KeyboardInterrupt
        if case.precision == "single":
            raise RuntimeError("no normal end")
        return {"processor": 100.0}

    monkeypatch.setattr(speed_runs, "times_of", times)
    monkeypatch.setattr(speed_runs, "deck_of", lambda case, folder: Path(case.deck))
    found = speed_runs.measure(CRASHES[0].cases(), 2, tmp_path, lambda _: None)
    name = CRASHES[0].name
    assert list(found.figures("")) == [f"{name}/double/1x1", f"{name}/double/2x1"]
    assert found.left_out == [f"{name}/single/1x1  (no normal end)", "what came after an interrupt"]
    with pytest.raises(RuntimeError, match="no normal end"):
        speed_runs.measure(CRASHES[0].cases()[1:2], 2, tmp_path, lambda _: None)


def test_options_choose_runs():
    options = speed.parse(["--whole", "--run", "^crash of a tube", "--isa", "avx2,baseline"])
    assert options.isa == ("avx2", "baseline")
    assert {case.deck for case in speed.chosen_runs(options)} == {"tube50k"}
    assert speed.parse([]).isa == ("",)
    with pytest.raises(SystemExit):
        speed.parse(["--isa", "avx3"])
    with pytest.raises(RuntimeError, match="no run has a name that matches nothing"):
        speed.chosen_runs(speed.parse(["--run", "nothing"]))


def test_the_help_says_how_long_all_take():
    assert "hours of two idle cores" in speed_crashes.duration()
