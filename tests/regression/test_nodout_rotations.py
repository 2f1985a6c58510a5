"""How far nodes have turned, in nodout: of a rigid body, of a shell, of a solid."""

import re
from pathlib import Path

import pytest
from small_decks import STEEL, Deck
from solver_run import run

RATE, END = 0.3, 0.2  #: rad/ms, ms


def rotations(nodout: Path) -> dict[int, list[tuple[float, ...]]]:
    """x, y and z rotation of every state, by node."""
    found: dict[int, list[tuple[float, ...]]] = {}
    turning = False
    for line in nodout.read_text().splitlines():
        if "nodal point" in line:
            turning = "x-rot" in line
        number = re.match(r" *(\d+) ", line[:10])
        if turning and number and "." in line:
            values = tuple(float(line[10 + 12 * k : 22 + 12 * k]) for k in range(3))
            found.setdefault(int(number.group(1)), []).append(values)
    return found


@pytest.mark.parametrize("ranks", [1, 2])
def test_rotations_are_the_integral_of_angular_velocities(tmp_path, ranks):
    """A rigid plate and a node of an elastic one turn at a given rate; nodes of a brick do not."""
    deck = Deck()
    deck.control(END, END, END / 4)
    deck.part(1, "SHELL,2|1.,1.,1.,1.", f"RIGID,{STEEL}|0.|")
    deck.part(2, "SHELL,2|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.part(3, "SOLID,1", f"ELASTIC,{STEEL}")
    rigid = deck.plate(1, (1, 1), lambda x, y: (10 * x, 10 * y, 0.0))
    elastic = deck.plate(2, (2, 2), lambda x, y: (20 + 20 * x, 20 * y, 0.0))
    brick = deck.block(3, (1, 1, 1), (60.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    shown = [rigid[1][1], elastic[1][1], brick[0]]
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n1,7,0,1,{RATE}")
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{shown[1]},5,0,1,{RATE}")
    deck.add("*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add(f"*DATABASE_NODOUT\n{END / 4}\n*DATABASE_HISTORY_NODE\n" + ",".join(map(str, shown)))
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out", ranks=ranks)
    assert done.status == 0, done.said
    found = rotations(tmp_path / "out" / "nodout")
    assert set(found) == set(shown)
    for node, axis in ((shown[0], 2), (shown[1], 0)):
        last = found[node][-1]
        assert last[axis] == pytest.approx(RATE * END, rel=0.02)
        assert found[node][0] == (0.0, 0.0, 0.0)
    assert found[shown[2]][-1] == (0.0, 0.0, 0.0)
