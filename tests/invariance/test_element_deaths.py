"""Elements that die by *DEFINE_ELEMENT_DEATH: when, which of them, and the same on any number of ranks."""

import re

import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run

END, SPEED = 0.4, 10.0
LINE = re.compile(r"element (\d+) of part \d+ was deleted at time (\S+): \*DEFINE_ELEMENT_DEATH")


def flying(deaths: str, more: str = "") -> str:
    """Six bricks, six shells and two beams, all apart from each other, that fly along x; a step of 0.002."""
    deck = Deck()
    deck.control(END, END / 4, END / 20)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.part(3, "BEAM,1,0.8333|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    for k in range(6):
        deck.block(1, (1, 1, 1), (20.0 * k, 0.0, 0.0), (10.0, 10.0, 10.0))
    for k in range(6):
        deck.plate(2, (1, 1), lambda x, y, k=k: (20.0 * k + 10.0 * x, 10.0 * y, 30.0))
    for k in range(2):
        deck.element("BEAM", 3, [deck.node((20.0 * k + x, y, 50.0)) for x, y in ((0, 0), (10, 0), (0, 5))])
    for part in (1, 2, 3):
        deck.add(f"*INITIAL_VELOCITY_GENERATION\n{part},2,,{SPEED},0.0,0.0\n0.0,0.0,0.0,0.0,0.0,0.0")
    deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,,,2\n*DEFINE_CURVE\n2\n0.,0.001\n10.,0.001")
    deck.add(deaths)
    deck.add(more)
    return deck.text()


def deletions(done: Run) -> dict[int, float]:
    """Times of deletion of elements, from the list in d3hsp."""
    assert done.status == 0, done.said
    return {int(e): float(t) for e, t in LINE.findall((done.directory / "d3hsp").read_text())}


@pytest.fixture
def deck(tmp_path):
    return tmp_path / "deck.k"


def same_on_ranks(deck, one: Run, tmp_path):
    for ranks in (2, 3):
        assert run(deck, tmp_path / f"on{ranks}", ranks=ranks).hash == one.hash


def test_by_time(deck, tmp_path):
    deck.write_text(
        flying(
            "*DEFINE_ELEMENT_DEATH_SOLID\n2,0.1\n5,0.3\n*SET_SHELL_LIST\n9\n8,9\n"
            "*DEFINE_ELEMENT_DEATH_SHELL_SET\n9,0.2\n*DEFINE_ELEMENT_DEATH_BEAM\n13,0.25\n"
        )
    )
    one = run(deck, tmp_path / "one", "--dump-cycles", "150")
    wanted = {2: 0.1, 5: 0.3, 8: 0.2, 9: 0.2, 13: 0.25}
    found = deletions(one)
    assert found.keys() == wanted.keys(), one.stdout
    assert all(0 <= found[e] - t <= 1.01e-3 for e, t in wanted.items()), found
    same_on_ranks(deck, one, tmp_path)
    dump = sorted(p for p in (tmp_path / "one").glob("runrsf*") if ".c" not in p.name)[0]
    assert run(None, tmp_path / "one", f"r={dump}", ranks=2).hash == one.hash


def test_by_place(deck, tmp_path):
    """Centres are at 20 k + 5 + v t: brick 1 comes into its box at 0.1, shell 7 leaves its one at 0.3."""
    deck.write_text(
        flying(
            "*DEFINE_BOX\n3,6.0,24.0,0.0,100.0,-100.0,100.0\n*DEFINE_BOX\n4,0.0,8.0,0.0,100.0,-100.0,100.0\n"
            "*DEFINE_ELEMENT_DEATH_SOLID\n1,0.0,3\n4,0.0,3\n*DEFINE_ELEMENT_DEATH_SHELL\n7,0.0,4,1"
        )
    )
    one = run(deck, tmp_path / "one")
    found = deletions(one)
    assert found.keys() == {1, 7}, one.stdout
    assert found[1] == pytest.approx(0.1, abs=1.5e-3)
    assert found[7] == pytest.approx(0.3, abs=1.5e-3)
    same_on_ranks(deck, one, tmp_path)


def test_with_their_group(deck, tmp_path):
    """Half of group 1 dies by time at 0.1 and 0.2: the other half one cycle after the second."""
    deck.write_text(
        flying(
            "*DEFINE_ELEMENT_DEATH_SOLID\n1,0.1,,,1,,50.0\n2,0.2,,,1,,50.0\n6,1.0,,,1,,50.0\n"
            "*DEFINE_ELEMENT_DEATH_SHELL\n12,1.0,,,1,,50.0\n"
            "*DEFINE_ELEMENT_DEATH_SOLID\n3,0.3,,,2\n4,1.0,,,2\n"
        )
    )
    one = run(deck, tmp_path / "one", "--dump-cycles", "150")
    found = deletions(one)
    assert found.keys() == {1, 2, 3, 4, 6, 12}, one.stdout
    assert found[6] == found[12] == pytest.approx(found[2] + 1e-3, abs=1e-5)
    assert found[4] == pytest.approx(found[3] + 1e-3, abs=1e-5)
    same_on_ranks(deck, one, tmp_path)
    dump = sorted(p for p in (tmp_path / "one").glob("runrsf*") if ".c" not in p.name)[0]
    assert run(None, tmp_path / "one", f"r={dump}", ranks=3).hash == one.hash


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("*DEFINE_ELEMENT_DEATH_SOLID\n2", "TIME = 0 without a box"),
        ("*DEFINE_ELEMENT_DEATH_SOLID\n200,0.1", "element 200 does not exist"),
        ("*DEFINE_ELEMENT_DEATH_SHELL_SET\n20,0.1", "element set 20 does not exist"),
        ("*DEFINE_ELEMENT_DEATH_SOLID\n2,0.1,77", "box 77 does not exist"),
        ("*DEFINE_ELEMENT_DEATH_SOLID\n1,0.1,,,1,,50.0\n2,0.1,,,1,,60.0", "group 1 has other PERCENT"),
        ("*DEFINE_ELEMENT_DEATH_SOLID\n1,0.1,,2", "INOUT"),
    ],
)
def test_what_is_refused(card, says, deck, tmp_path):
    deck.write_text(flying(card))
    refused = run(deck, tmp_path / "out")
    assert refused.status == 2, refused.said
    assert says in refused.said
