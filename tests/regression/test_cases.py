"""A deck with *CASE: each case is the run that a deck of its own would be."""

import json

import pytest
from command_line import crumple
from small_decks import Deck
from solver_run import run

from crumple.deck_cases import DeckCase, cases_of, chosen_cases

END = 0.02
SPEED = "*INITIAL_VELOCITY_GENERATION\n1,2,,{},0.0,0.0\n0.0,0.0,0.0,0.0,0.0,0.0\n"


def block(*cases: str) -> str:
    """A bar of steel that is thrown against a wall; keywords before its own."""
    deck = Deck()
    deck.add("\n".join(cases))
    deck.control(END, END, END / 4)
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3")
    deck.block(1, (4, 2, 2), (0.0, 0.0, 0.0), (8.0, 4.0, 4.0))
    deck.add("*RIGIDWALL_PLANAR\n0\n-0.05,0.0,0.0,1.0,0.0,0.0")
    return deck.text()


def thrown(speed: float) -> str:
    return block(SPEED.format(speed))


def with_cases(second: str = SPEED.format(-8.0)) -> str:
    return block(
        "*CASE\n101,slow\nENDTIME=0.01\n1\n*CASE\n102\n\n2",
        f"*CASE_BEGIN_1\n{SPEED.format(-4.0)}*CASE_END_1\n*CASE_BEGIN_2\n{second}\n*CASE_END_2",
    )


def hashes(text: str) -> list[str]:
    return [line.split()[-1] for line in text.splitlines() if line.startswith("state hash:")]


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "cases.k"
    path.write_text(with_cases())
    return path


def test_cases_are_the_runs_of_decks_of_their_own(deck, tmp_path):
    own = []
    for speed, end in ((-4.0, "endtime=0.01"), (-8.0, f"endtime={END}")):
        alone = tmp_path / f"{-speed}.k"
        alone.write_text(thrown(speed))
        own.append(run(alone, tmp_path / f"own{-speed}", end).hash)
    assert own[0] != own[1]
    for ranks in (1, 2, 3):
        out = tmp_path / f"on{ranks}"
        both = run(deck, out, ranks=ranks)
        assert both.status == 0, both.said
        assert hashes(both.stdout) == own, f"on {ranks} ranks"
        for name in ("slow.d3hsp", "slow.d3plot", "CASE102.d3hsp", "CASE102.glstat"):
            assert (out / name).exists()
        assert not (out / "d3hsp").exists()
    two = run(deck, tmp_path / "two", "case=102")
    assert hashes(two.stdout) == own[1:]
    by_name = run(deck, tmp_path / "named", "jobid=CASE102")
    assert hashes(by_name.stdout) == own[1:]


def test_a_case_is_restarted_as_such(deck, tmp_path):
    out = tmp_path / "out"
    whole = hashes(run(deck, tmp_path / "whole", "case=102").stdout)
    first = run(deck, out, "case=102", "--dump-cycles", "20", "ncycle=45")
    assert first.status == 0, first.said
    again = run(deck, out, "case=102", "--restart", "auto")
    assert again.status == 0, again.said
    assert hashes(again.stdout) == whole
    dump = sorted(p for p in out.glob("CASE102.runrsf*") if ".c" not in p.name)[-1]
    by_dump = run(deck, out, f"r={dump}", ranks=2)
    assert hashes(by_dump.stdout) == whole, by_dump.said
    refused = run(deck, out, "--restart", "auto")
    assert refused.status == 2
    assert "error CR-K011: a restart goes on with one case" in refused.said


def test_a_case_that_fails_does_not_end_the_others(tmp_path):
    deck = tmp_path / "cases.k"
    deck.write_text(
        block(
            "*CASE\n1\n\n1\n*CASE\n2\nENDTIME=0.002\n2",
            "*CASE_BEGIN_1\n*LOAD_BODY_X\n77\n*CASE_END_1",
        )
    )
    both = run(deck, tmp_path / "out")
    assert both.status == 2, both.said
    assert "failed, status 2" in both.stdout
    assert len(hashes(both.stdout)) == 1
    checked = run(deck, tmp_path / "check", "--check")
    assert checked.status == 2
    assert checked.stdout.count("case 1: CASE1, 1 of 2") == 1
    assert checked.stdout.count("Keyword coverage") == 2
    assert run(deck, tmp_path / "one", "--check", "case=2").status == 0


@pytest.mark.parametrize(
    ("cards", "more", "says"),
    [
        ("*CASE\n1\nNCPU=2\n1", [], "CR-K011: 'NCPU=2' of *CASE 1: memory=, memory2=, endtime="),
        ("*CASE\n1\nENDTIME=soon\n1", [], "CR-K011: 'ENDTIME=soon' of *CASE 1 needs a number"),
        ("*CASE\n1", ["case=3"], "CR-K011: case=3: the deck has no *CASE 3"),
        ("*CASE\n1", ["jobid=other"], "CR-K011: jobid=other"),
        ("*CASE\none", [], "CR-D018: *CASE: found 'one' for CASEID"),
        ("*CASE_BEGIN_1\n*CASE_END_1", [], "CR-D018: *CASE_BEGIN_1, but no *CASE says"),
    ],
)
def test_what_is_refused(cards, more, says, tmp_path):
    deck = tmp_path / "cases.k"
    deck.write_text(block(cards))
    refused = run(deck, tmp_path / "out", *more)
    assert refused.status == 2, refused.said
    assert says in refused.said


def test_crumple_run_starts_each(deck, tmp_path):
    assert cases_of(deck) == [DeckCase(101, "slow"), DeckCase(102, "CASE102")]
    with pytest.raises(ValueError, match=r"no \*CASE 7"):
        chosen_cases(cases_of(deck), "7")
    done = crumple("run", "cases.k", "-n", "1", "-d", "out", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "case 101 (slow): ended\ncase 102 (CASE102): ended" in done.stdout
    for prefix in ("slow", "CASE102"):
        record = json.loads((tmp_path / "out" / f"{prefix}.run.json").read_text())
        assert record["status"] == 0
    one = crumple("run", "cases.k", "-n", "1", "-d", "one", "--case", "102", directory=tmp_path)
    assert one.returncode == 0, one.stdout + one.stderr
    assert not list((tmp_path / "one").glob("slow.*"))
    refused = crumple("run", "cases.k", "--restart", "auto", "-d", "out", directory=tmp_path)
    assert refused.returncode == 2
