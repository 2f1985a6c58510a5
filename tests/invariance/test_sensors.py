"""Runs that end by motion, and an airbag that a sensor starts: known times, the same bits on any ranks."""

import re

import numpy as np
import pytest
from small_decks import STEEL, Deck, torn_plate
from solver_run import Run, run
from test_airbags_of_fabric import abstat, box

SPEED = 3.0  # mm/ms, of the first block; the other rests, 40 mm ahead


def flying_blocks(more: str) -> str:
    """Two blocks of equal mesh; nodes 1 and 49 are at their low corners. Node sets 1 and 2."""
    deck = Deck()
    deck.control(20.0, 20.0)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    first = deck.block(1, (3, 2, 3), (0.0, 0.0, 0.0), (9.0, 8.0, 9.0))
    second = deck.block(2, (3, 2, 3), (40.0, 0.0, 0.0), (9.0, 8.0, 9.0))
    assert (first[0], second[0]) == (1, 49)
    deck.set("NODE", 1, first)
    deck.set("NODE", 2, second)
    deck.set("PART", 3, (1,))
    deck.set("PART", 4, (2,))
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n3,1,0.,{SPEED},0.,0.\n0.,0.,0.")
    deck.add("*INITIAL_VELOCITY_GENERATION\n4,1,0.,0.,0.,-1.\n0.,0.,0.")
    deck.add(more)
    return deck.text()


def ended(done: Run) -> tuple[float, str]:
    """The time and the reason that the run printed."""
    found = re.search(r"the run ends at time (\S+): (.*)", done.said)
    assert found, done.said
    return float(found.group(1)), found.group(2)


# The first block moves along x, the second falls along z at 1 mm/ms; positions are 40 mm apart.
SENSORS = {
    "node": ("*TERMINATION_NODE\n1,1,12.,\n", 12 / SPEED, "*TERMINATION_NODE 1: x is above 12"),
    "body": (
        "*TERMINATION_BODY\n2,3,,-5.\n",
        5.0,
        "*TERMINATION_BODY 2: its displacement along z is below -5",
    ),
    "pair": (
        "*SENSOR_DEFINE_NODE\n7,49,1,X,,COORD\n*SENSOR_SWITCH\n1,SENSOR,7,LT,25.,,1.5,0.5\n*TERMINATION_SENSOR\n1\n",
        5.0 + 1.5 + 0.5,
        "*TERMINATION_SENSOR: switch 1 acts",
    ),
    "sets": (
        "*SENSOR_DEFINE_NODE_SET\n7,1,,X,,COORD,AVG\n*SENSOR_DEFINE_NODE_SET\n8,2,,Z,,COORD,MIN\n"
        "*SENSOR_DEFINE_CALC-MATH\n9,SUBTRACT,7,8\n*SENSOR_SWITCH\n1,SENSOR,9,GT,24.5\n*TERMINATION_SENSOR\n1\n",
        5.0,  # 4.5 + 3 t + t
        "*TERMINATION_SENSOR: switch 1 acts",
    ),
    "fastest": (
        "*SENSOR_DEFINE_NODE_SET\n7,1,2,,,VEL,MAX\n*SENSOR_SWITCH\n1,SENSOR,7,GT,3.\n"
        "*SENSOR_SWITCH\n2,TIME,,,6.\n*TERMINATION_SENSOR\n2\n",
        6.0,
        "*TERMINATION_SENSOR: switch 2 acts",
    ),
}


@pytest.mark.parametrize("name", SENSORS)
def test_run_ends(name, tmp_path):
    cards, time, why = SENSORS[name]
    deck = tmp_path / "blocks.k"
    deck.write_text(flying_blocks(cards))
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    at, reason = ended(one)
    assert reason == why
    assert time < at < time + 0.02, at  # some steps of 1.4e-3 ms
    hashes = {ranks: run(deck, tmp_path / str(ranks), ranks=ranks).hash for ranks in (2, 3)}
    assert set(hashes.values()) == {one.hash}, hashes


def test_goes_on_within_a_window(tmp_path):
    """A dump keeps since when the condition holds."""
    cards, time, _ = SENSORS["pair"]
    deck = tmp_path / "blocks.k"
    deck.write_text(flying_blocks(cards))
    one = run(deck, tmp_path / "one")
    cycles = 6.2 / ended(one)[0]  # within the delay
    half = str(int(cycles * one.progress[-1].cycle))
    stopped = tmp_path / "stopped"
    assert run(deck, stopped, f"ncycle={half}", "--dump-cycles", half, ranks=2).status == 0
    again = run(deck, stopped, "--restart", "auto", ranks=3)
    assert again.status == 0, again.said
    assert ended(again) == ended(one)
    assert again.hash == one.hash


def test_start_of_an_airbag(tmp_path):
    """A gas that a switch starts at 5 ms is that of the start, 5 ms later."""
    reference, late = tmp_path / "box.k", tmp_path / "late.k"
    reference.write_text(box())
    sensors = "*SENSOR_SWITCH\n4,TIME,,,4.5,,,0.5\n*SENSOR_CONTROL\n1,AIRBAG,3\nOFF,4\n"
    late.write_text(box().replace("*END", sensors + "*END"))
    done, base = run(late, tmp_path / "late"), run(reference, tmp_path / "base")
    assert done.status == 0, done.said
    rows, first = abstat(done), abstat(base)
    before = rows[rows[:, 0] < 4.9]
    assert len(before) == 5
    assert not before[:, 3].any()
    for column, tolerance in ((3, 2e-2), (8, 5e-3), (9, 5e-3)):
        expected = np.interp(rows[8:, 0] - 5, first[:, 0], first[:, column])
        np.testing.assert_allclose(rows[8:, column], expected, rtol=tolerance, atol=1e-9)
    for ranks in (2, 3):
        assert run(late, tmp_path / str(ranks), ranks=ranks).hash == done.hash


def hit(more: str) -> str:
    """A block flies against a rigid one, 0.3 mm ahead: it touches at 0.1 ms, and comes back."""
    deck = Deck()
    deck.control(0.4, 0.4, 1e-6)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", "RIGID,7.85e-6,210.,0.3|1.,7,7|")
    deck.block(1, (3, 2, 3), (0.0, 0.0, 0.0), (9.0, 8.0, 9.0))
    deck.block(2, (2, 2, 2), (9.3, -1.0, -1.0), (5.0, 10.0, 11.0))
    deck.set("PART", 3, (1,))
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n3,1,0.,{SPEED},0.,0.\n0.,0.,0.")
    deck.set("PART", 9, (1, 2))
    deck.add("*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID\n4,hit\n1,2,3,3\n,\n,")
    deck.add(more)
    return deck.text()


def forces(done: Run) -> np.ndarray:
    """Times and forces along x of side a of the only contact."""
    rows = [line.split() for line in done.history("rcforc") if line.strip().startswith("slave")]
    return np.array([[float(row[row.index("time") + 1]), float(row[row.index("x") + 1])] for row in rows])


def test_ends_when_a_contact_has_opened(tmp_path):
    """0.02 ms after the last force, which the run without an end shows."""
    free, deck = tmp_path / "free.k", tmp_path / "hit.k"
    free.write_text(hit(""))
    deck.write_text(hit("*TERMINATION_CONTACT\n4,0.1,0.02"))
    rows = forces(run(free, tmp_path / "free"))
    touching = rows[rows[:, 1] != 0]
    assert 0.09 < touching[0, 0] < 0.11, touching[0]
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    at, reason = ended(one)
    assert reason == "*TERMINATION_CONTACT 4: its force is none"
    step = rows[-1, 0] - rows[-2, 0]
    assert 0 <= at - touching[-1, 0] - 0.02 < 5 * step, (at, touching[-1], step)
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}
    half = str(one.progress[-1].cycle - 5)  # within DUR
    stopped = tmp_path / "stopped"
    assert run(deck, stopped, f"ncycle={half}", "--dump-cycles", half, ranks=2).status == 0
    again = run(deck, stopped, "--restart", "auto", ranks=3)
    assert (ended(again), again.hash) == (ended(one), one.hash)


def test_ends_when_elements_are_deleted(tmp_path):
    """The tenth shell that fails; a dump keeps how many have."""
    deck = tmp_path / "torn.k"
    deck.write_text(torn_plate().replace("*END", "*TERMINATION_DELETED_SHELLS\n1,10\n*END"))
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    at, reason = ended(one)
    assert reason == "*TERMINATION_DELETED_SHELLS 1: 10 shells are deleted"
    assert at < 0.06
    count = re.search(r"(\d+) elements were deleted", one.said)
    assert count, one.said
    assert 10 <= int(count[1]) < 20  # some in the same step, and in the last one
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}
    half = str(one.progress[-1].cycle - 2)  # some have been deleted
    stopped = tmp_path / "stopped"
    assert run(deck, stopped, f"ncycle={half}", "--dump-cycles", half, ranks=3).status == 0
    again = run(deck, stopped, "--restart", "auto", ranks=2)
    assert (ended(again), again.hash) == (ended(one), one.hash)


def test_ends_when_a_curve_returns_to_zero(tmp_path):
    deck = tmp_path / "hit.k"
    deck.write_text(hit("*DEFINE_CURVE\n5\n0.,0.\n0.02,1.\n0.06,-1.\n*TERMINATION_CURVE\n5"))
    at, reason = ended(run(deck, tmp_path / "run"))
    assert reason == "*TERMINATION_CURVE 5: the curve returns to zero at 0.04"
    assert 0.04 <= at < 0.0415
