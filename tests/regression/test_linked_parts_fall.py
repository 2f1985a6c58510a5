"""Whatever links parts, all of them fall together, and damping by mass slows them together."""

import numpy as np
import pytest
import small_decks
from solver_run import run

from crumple.results.glstat import read_glstat

GRAVITY, RATE, SPEED, END = 0.5, 12.0, 2.0, 0.01  #: mm/ms^2, 1/ms, mm/ms, ms
ELSE = ("*RIGIDWALL", "*INITIAL_VELOCITY", "*CONTACT_AUTOMATIC", "*BOUNDARY", "*LOAD", "*CONTROL_CONTACT")
DECKS = {
    "forms": small_decks.all_forms,  # beams, springs, lumped masses
    "bodies": small_decks.falling_bodies,  # rigid parts that are merged, an extra node with a mass
    "ties": small_decks.tied_stack,  # with and without offset, in a chain
}


def without_loads(text: str) -> str:
    """The deck without what else would move its parts."""
    kept, keep = [], True
    for line in text.splitlines():
        if line.startswith("*"):
            keep = not line.startswith(ELSE)
        kept += [line] if keep else []
    return "\n".join(kept[:-1])


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("what", ["fall", "slow down"])
def test_linked_parts(name, what, precision, tmp_path):
    cards = {
        "fall": f"*LOAD_BODY_Z\n901,{GRAVITY}\n*DEFINE_CURVE\n901\n0.,1.\n1000.,1.",
        "slow down": f"*INITIAL_VELOCITY\n\n0.,0.,{-SPEED}\n*DAMPING_GLOBAL\n0,{RATE}",
    }
    path = tmp_path / "deck.k"
    path.write_text(f"{without_loads(DECKS[name]())}\n{cards[what]}\n*END\n")
    done = run(path, tmp_path / "out", f"endtime={END}", "--precision", precision)
    assert done.status == 0, done.said
    last = read_glstat(tmp_path / "out" / "glstat").iloc[-1]
    expected = {"fall": -GRAVITY * last["time"], "slow down": -SPEED * np.exp(-RATE * last["time"])}
    assert last["global z velocity"] == pytest.approx(expected[what], rel=5e-4)
    assert last["internal energy"] < 1e-9 * last["kinetic energy"], "no part pulls another"
