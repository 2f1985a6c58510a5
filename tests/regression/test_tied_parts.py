"""Loads and damping of one of two parts that are tied: the momentum of both is what the one was given.

Tied nodes have handed on their mass to those of the other part.
"""

from pathlib import Path

import numpy as np
import pytest
from small_decks import STEEL, Deck
from solver_run import same_on_two_ranks

from crumple.results.glstat import read_glstat

END, GRAVITY, RATE, SPEED = 0.02, 0.5, 12.0, 2.0  #: ms, mm/ms^2, 1/ms, mm/ms
VOLUME = {1: 12.0 * 12.0 * 6.0, 2: 10.0 * 10.0 * 6.0}


def velocity(more: str, tmp_path: Path) -> tuple[float, float]:
    """Last time, and velocity of the centre of mass in z of two blocks on each other. On 1 and 2 ranks."""
    deck = Deck()
    deck.control(END, END, END)
    for part in VOLUME:
        deck.part(part, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.block(1, (3, 3, 2), (0.0, 0.0, 0.0), (12.0, 12.0, 6.0))
    deck.block(2, (5, 5, 2), (1.0, 1.0, 6.0), (10.0, 10.0, 6.0))
    deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE\n2,1,3,3\n,\n,")
    deck.add(more)
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    last = read_glstat(same_on_two_ranks(path, tmp_path).directory / "glstat").iloc[-1]
    assert abs(last["total energy / initial energy"] - 1.0) < 1e-3
    return last["time"], last["global z velocity"]


@pytest.mark.parametrize("part", VOLUME)
def test_gravity_on_one_part(part, tmp_path):
    """Its weight accelerates both."""
    load = f"*LOAD_BODY_Z\n1,{GRAVITY}\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.\n*SET_PART_LIST\n6\n{part}"
    time, z = velocity(f"{load}\n*LOAD_BODY_PARTS\n6", tmp_path)
    assert z == pytest.approx(-GRAVITY * time * VOLUME[part] / sum(VOLUME.values()), rel=1e-3)


@pytest.mark.parametrize("part", VOLUME)
def test_damping_of_one_part(part, tmp_path):
    """Both are slowed by the part's share of their mass."""
    damping = f"*DEFINE_CURVE\n1\n0.,{RATE}\n1000.,{RATE}\n*DAMPING_PART_MASS\n{part},1"
    time, z = velocity(f"{damping}\n*INITIAL_VELOCITY\n\n0.,0.,{SPEED}", tmp_path)
    assert z == pytest.approx(SPEED * np.exp(-RATE * time * VOLUME[part] / sum(VOLUME.values())), rel=2e-3)
