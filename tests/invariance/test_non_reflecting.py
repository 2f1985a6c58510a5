"""Boundaries that let waves pass: a bar that ends at one moves as if it had no end."""

from math import sqrt

import numpy as np
import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run
from test_local_motions import displacements

DENSITY, YOUNG, POISSON = 7.85e-6, 210.0, 0.3
BULK, SHEAR = YOUNG / (3 * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
LENGTH, CELLS, WIDE = 100.0, 20, 5.0
END, STRESS, RISE = 0.08, 0.1, 0.004
FRONT = [1 + (k * 2 + j) * (CELLS + 1) for k in range(2) for j in range(2)]


def bar(axis: int, boundary: str = "*BOUNDARY_NON_REFLECTING\n3", more: str = "") -> str:
    """A bar along x whose nodes move along one axis only, pushed at its front by a stress that stays."""
    deck = Deck()
    deck.control(END, END / 4, END / 80)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    nodes = deck.block(1, (CELLS, 1, 1), (0.0, 0.0, 0.0), (LENGTH, WIDE, WIDE))
    deck.add(f"*SET_NODE_LIST_GENERATE\n4\n1,{deck.nodes}")
    held = [int(k != axis) for k in (1, 2, 3)]
    deck.add(f"*BOUNDARY_SPC_SET\n4,0,{held[0]},{held[1]},{held[2]},1,1,1")
    end = [nodes[(k * 2 + j) * (CELLS + 1) + CELLS] for j, k in ((0, 0), (1, 0), (1, 1), (0, 1))]
    deck.add(f"*SET_SEGMENT\n3\n{','.join(map(str, end))}")
    deck.add(f"*DEFINE_CURVE\n5\n0.0,0.0\n{RISE},{STRESS * WIDE**2 / 4}\n1.0,{STRESS * WIDE**2 / 4}")
    for node in FRONT:
        deck.add(f"*LOAD_NODE_POINT\n{node},{axis},5")
    middle = nodes[CELLS // 2]
    deck.add(f"*DATABASE_NODOUT\n{END / 80}\n*DATABASE_HISTORY_NODE\n{middle},{nodes[CELLS]}")
    deck.add(boundary)
    deck.add(more)
    return deck.text()


def speeds(done: Run, axis: int) -> list[float]:
    """Of the middle and of the end, over the last half of the run: three passages of the wave or more."""
    assert done.status == 0, done.said
    found = []
    for node in (1 + CELLS // 2, 1 + CELLS):
        rows = displacements(done, node)
        late = rows[rows[:, 0] > 0.5 * END]
        found.append((late[-1, axis] - late[0, axis]) / (late[-1, 0] - late[0, 0]))
    return found


@pytest.mark.parametrize(("axis", "modulus"), [(1, BULK + 4 / 3 * SHEAR), (2, SHEAR)])
def test_a_wave_passes(axis, modulus, tmp_path):
    deck = tmp_path / "bar.k"
    deck.write_text(bar(axis))
    one = run(deck, tmp_path / "one", "--dump-cycles", "40")
    wanted = STRESS / sqrt(DENSITY * modulus)  # v = sigma / (rho c), behind the wave, for ever
    np.testing.assert_allclose(speeds(one, axis), wanted, rtol=0.01)
    assert abs(one.progress[-1].ratio - 1) < 0.01, "the dashpots' energy is counted"
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}
    dump = sorted(p for p in (tmp_path / "one").glob("runrsf*") if ".c" not in p.name)[0]
    assert run(None, tmp_path / "one", f"r={dump}", ranks=2).hash == one.hash


@pytest.mark.parametrize(("axis", "card", "modulus"), [(1, "3,1", BULK + 4 / 3 * SHEAR), (2, "3,0,1", SHEAR)])
def test_flags_leave_out_a_kind_of_wave(axis, card, modulus, tmp_path):
    """Without its dashpot the end is free, and the bar as a whole is accelerated."""
    deck = tmp_path / "bar.k"
    deck.write_text(bar(axis, f"*BOUNDARY_NON_REFLECTING\n{card}"))
    without = speeds(run(deck, tmp_path / "without"), axis)
    assert min(without) > 1.5 * STRESS / sqrt(DENSITY * modulus)


def test_what_is_refused(tmp_path):
    deck = tmp_path / "bar.k"
    deck.write_text(bar(1, "*BOUNDARY_NON_REFLECTING\n9"))
    assert "segment set 9 does not exist" in run(deck, tmp_path / "out").said
    deck.write_text(bar(1, "*BOUNDARY_NON_REFLECTING\n8\n*SET_SEGMENT\n8\n1,2,3,4"))
    refused = run(deck, tmp_path / "out")
    assert refused.status == 2
    assert "1 segments of set 8 are no outer faces of deformable solids" in refused.said
