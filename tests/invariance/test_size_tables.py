"""The size factor of a failure strain over Lode parameter, triaxiality and size (*DEFINE_TABLE_3D)."""

import re
from math import exp

import pytest
from small_decks import Deck
from solver_run import run

LENGTH, SPEED, STRAIN = 20.0, 5.0, 0.1
GONE = re.compile(r"was deleted at time (\S+):")


def pulled(factor: float) -> str:
    """A bar of MAT_224; in uniaxial tension L = 1 and p / q = -1/3, where LCI is `factor` at any size."""
    deck = Deck()
    deck.control(0.6, 0.3)
    deck.part(1, "SOLID,1", "TABULATED_JOHNSON_COOK,7.85e-6,210.,0.3,,,,1.|5,,7,,,60")
    nodes = deck.block(1, (4, 2, 2), (0.0, 0.0, 0.0), (LENGTH, 10.0, 10.0))
    left, right = nodes[::5], nodes[4::5]
    deck.set("NODE", 1, left)
    deck.set("NODE", 2, right)
    deck.add(f"*BOUNDARY_SPC_NODE\n{nodes[0]},0,1,1,1\n{nodes[5]},0,1,0,1\n{nodes[10]},0,1,0,1")
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,0,0\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,1,0,1")
    deck.add(f"*INITIAL_VELOCITY_NODE\n{right[0]},{SPEED}")
    curves = {
        1: [(0, SPEED), (10, SPEED)],
        5: [(0, 0.3), (0.4, 0.5), (2, 0.9)],
        7: [(-0.7, STRAIN), (0.7, STRAIN)],
        71: [(0, 9.0), (10, 9.0)],
        72: [(0, factor), (10, factor)],
    }
    for number, points in curves.items():
        deck.add(f"*DEFINE_CURVE\n{number}\n" + "\n".join(f"{x},{y}" for x, y in points))
    deck.add("*DEFINE_TABLE_2D\n61\n-0.333333,71\n0.0,71\n*DEFINE_TABLE_2D\n62\n-0.333333,72\n0.0,71")
    deck.add("*DEFINE_TABLE_3D\n60\n-1.0,61\n1.0,62")
    return deck.text()


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_fails_at_the_strain_of_the_table(factor, tmp_path):
    deck = tmp_path / "bar.k"
    deck.write_text(pulled(factor))
    one = run(deck, tmp_path / "one", "--dump-cycles", "200")
    assert one.status == 0, one.said
    times = [float(t) for t in GONE.findall((tmp_path / "one" / "d3hsp").read_text())]
    assert times, one.stdout
    wanted = LENGTH / SPEED * (exp(factor * STRAIN + 0.3 / 210) - 1)
    assert min(times) == pytest.approx(wanted, rel=0.08)
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}
    dump = sorted(p for p in (tmp_path / "one").glob("runrsf*") if ".c" not in p.name)[0]
    assert run(None, tmp_path / "one", f"r={dump}", ranks=2).hash == one.hash
