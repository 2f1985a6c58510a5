"""Elements with limits of their law and of *MAT_ADD_EROSION: each counts the points that it must fail."""

import pytest
from small_decks import STEEL, Deck
from solver_run import run

END, SIZE = 0.5, 10.0  #: ms, mm
LIMIT = 0.05  #: plastic strain at which points fail

#: law, FAIL, EFFEPS (< 0: of plastic strain), NUMINT of MAT_123, NUMFIP, elements deleted
CASES = {
    "the law must fail all, the criteria one": (24, LIMIT, 0.0, 0, 1, 0),
    "the law must fail two, the criteria four": (123, LIMIT, 0.0, 2, 4, 1),
    "the law must fail three, the criteria one": (123, LIMIT, 0.0, 3, 1, 0),
    "the criteria must fail two, the law does not fail": (24, 0.0, -LIMIT, 0, 2, 1),
    "the criteria must fail three, the law does not fail": (24, 0.0, -LIMIT, 0, 3, 0),
    "the criteria must fail two, the law all": (123, 0.0, -LIMIT, 0, 2, 1),
}


def bent_shell(law: int, fail: float, effeps: float, numint: int, numfip: int) -> Deck:
    """Ends that turn against each other until two of five points through the thickness reach the limit."""
    deck = Deck()
    deck.control(END, END)
    keyword = "PIECEWISE_LINEAR_PLASTICITY" if law == 24 else "MODIFIED_PIECEWISE_LINEAR_PLASTICITY"
    more = f"0.,0.,0,0,0.,0.,0.,{numint}" if law == 123 else ","
    deck.part(1, "SHELL,2,0.8333,5|1.,1.,1.,1.", f"{keyword},{STEEL},0.25,1.,{fail}|{more}|,|,")
    corners = [deck.node((SIZE * x, SIZE * y, 0.0)) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    deck.element("SHELL", 1, corners)
    deck.set("NODE", 1, corners)
    deck.set("NODE", 2, corners[:2])
    deck.set("NODE", 3, corners[2:])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,0,1,1\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    rate = 0.62 / END  # the outer points fail at 0.48, the next at 0.81
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,5,0,1,{rate}\n3,5,0,1,{-rate}")
    # A pressure that is never reached is a criterion, too.
    deck.add(f"*MAT_ADD_EROSION\n1,0.,1000.,0.,{effeps},0.,{numfip}\n,")
    return deck


@pytest.mark.parametrize("case", CASES)
def test_each_counts_its_points(case, tmp_path):
    """Whether the shell is deleted."""
    *what, gone = CASES[case]
    path = tmp_path / "deck.k"
    path.write_text(bent_shell(*what).text())
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said
    assert ("1 element was deleted" in done.stdout) == bool(gone)


def bent_brick(elform: int, law: str, erosion: str) -> Deck:
    """Ends that turn against each other about the bottom until the upper four points reach the limit."""
    deck = Deck()
    deck.control(END, END)
    deck.part(1, f"SOLID,{elform}", law)
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (SIZE, SIZE, SIZE))
    deck.set("NODE", 1, nodes[4::2])
    deck.set("NODE", 2, nodes[5::2])
    deck.set("NODE", 3, nodes[:2])
    deck.set("NODE", 4, nodes[:4])
    deck.set("NODE", 5, nodes[4:6])
    deck.add("*BOUNDARY_SPC_SET\n4,0,1,0,1\n3,0,0,1,0\n5,0,0,1,0\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    speed = 0.06 * SIZE / END  # strains at the points: 0.10 and 0.03
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n1,1,0,1,{-speed}\n2,1,0,1,{speed}")
    deck.add(erosion)
    return deck


def bent_beam(elform: int, law: str, erosion: str) -> Deck:
    """Ends that part and turn, until two of four points of the section reach the limit."""
    deck = Deck()
    deck.control(END, END)
    deck.part(1, f"BEAM,{elform},1.,2,0|{SIZE},{SIZE},{SIZE},{SIZE}", law)
    ends = [deck.node((SIZE * k, 0.0, 0.0)) for k in (0, 1)]
    deck.element("BEAM", 1, (*ends, deck.node((0.0, SIZE, 0.0), 7)))
    for k, node in enumerate(ends):
        deck.set("NODE", k + 1, (node,))
        deck.add(f"*BOUNDARY_SPC_SET\n{k + 1},0,0,1,1,1,0,1")
        sign = 2 * k - 1
        # Strains at the points: 0.06 + 0.04 and 0.06 - 0.04.
        speed, turn = sign * 0.03 * SIZE / END, sign * 0.02 * 2 * 3**0.5 / END
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n{k + 1},1,0,1,{speed}\n{k + 1},6,0,1,{turn}")
    deck.add("*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add(erosion)
    return deck


#: form and half of its points
BENT = [(bent_brick, 2, 4), (bent_brick, -1, 4), (bent_beam, 1, 2)]
#: what half of the points of bricks and beams do: FAIL, EFFEPS, NUMFIP beyond half of the points, deleted
HALVES = {
    "the law must fail all, the criteria none": (LIMIT, 0.0, 0, 0),
    "the criteria must fail half": (0.0, -LIMIT, 0, 1),
    "the criteria must fail more than half": (0.0, -LIMIT, 1, 0),
    "both fail half": (LIMIT, -LIMIT, 0, 1),
    "neither fails what it must": (LIMIT, -LIMIT, 1, 0),
}


@pytest.mark.parametrize("case", HALVES)
@pytest.mark.parametrize(("bent", "elform", "half"), BENT)
def test_bricks_and_beams_count_alike(bent, elform, half, case, tmp_path):
    """Half of their points reach the limit."""
    fail, effeps, more, gone = HALVES[case]
    law = f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},0.25,1.,{fail}|,|,|,"
    path = tmp_path / "deck.k"
    path.write_text(bent(elform, law, f"*MAT_ADD_EROSION\n1,0.,1000.,0.,{effeps},0.,{half + more}\n,").text())
    done = run(path, tmp_path / "out")
    assert done.status == 0, done.said
    assert ("1 element was deleted" in done.stdout) == bool(gone)
