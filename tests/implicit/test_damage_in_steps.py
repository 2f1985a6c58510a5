"""Damage in implicit steps: a bar softens as its closed form says, and Newton's method converges."""

import numpy as np
import pytest
from implicit_decks import control, histories, residuals, solve
from small_decks import STEEL, Deck

YOUNG, POISSON, YIELD, ETAN = 210.0, 0.3, 0.25, 0.21
MODULUS = YOUNG * ETAN / (YOUNG - ETAN)
FAILURE, CRITICAL, EXPONENT, FADING = 0.2, 0.02, 2.0, 1.5
SIZE, STEPS, END = 2.0, 20, 0.10  #: mm; END: displacement


def force(stretch: float) -> float:
    """Of a cube in uniaxial tension, at the displacement of a face over its size."""
    strain = np.log1p(stretch)
    plastic = max(0.0, (strain - YIELD / YOUNG) / (1 + MODULUS / YOUNG))
    stress = YIELD + MODULUS * plastic if plastic > 0 else YOUNG * strain
    damage, at = (plastic / FAILURE) ** EXPONENT, (CRITICAL / FAILURE) ** EXPONENT
    lost = max(0.0, (damage - at) / (1 - at)) ** FADING
    across = np.exp(-plastic / 2 - POISSON * stress / YOUNG)
    return float(stress * (1 - lost) * (SIZE * across) ** 2)


@pytest.mark.parametrize("form", [1, 2])
def test_bar_softens(form, tmp_path):
    deck = Deck()
    control(deck, steps=STEPS)
    deck.part(1, f"SOLID,{form}", f"PIECEWISE_LINEAR_PLASTICITY,{STEEL},{YIELD},{ETAN}|,|,|,")
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (SIZE, SIZE, SIZE))
    planes = ((1, nodes[0::2], "1,0,0"), (2, nodes[0:2] + nodes[4:6], "0,1,0"), (3, nodes[:4], "0,0,1"))
    for number, chosen, held in planes:
        deck.set("NODE", number, chosen)
        deck.add(f"*BOUNDARY_SPC_SET\n{number},0,{held}")
    deck.set("NODE", 4, nodes[1::2])
    deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n4,1,2,1,{END * SIZE}")
    deck.add(f"*MAT_ADD_DAMAGE_GISSMO\n1,,1\n7,{CRITICAL},{EXPONENT},,{FADING}")
    deck.add(f"*DEFINE_CURVE\n7\n0.,{FAILURE}\n1.,{FAILURE}")
    done = solve(deck, tmp_path)
    found = -histories(done).read("spcforc", "x_force").sum(axis=1)[-STEPS:]
    expected = [force(END * (k + 1) / STEPS) for k in range(STEPS)]
    # Strains of a step are its midpoint's: of second order in the step, as the elongation and the section.
    assert found == pytest.approx(expected, rel=2e-3)
    assert expected[-1] < 0.92 * max(expected)
    for step in residuals(done):
        assert len(step) < 8
