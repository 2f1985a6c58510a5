"""Concrete, superelastic alloys and the Frazer-Nash rubber in whole runs: ranks, restarts, a public deck."""

import numpy as np
import pytest
from small_decks import Deck
from solver_run import expect_torn_the_same, run

CONCRETE = "CSCM_CONCRETE,2.4e-6,1,,1,1.01|,|0.03,19.,0"  #: kg, mm, ms, kN
MEMORY = "SHAPE_MEMORY,6.5e-6,60.,0.3|0.5,0.56,0.3,0.2,0.05,0.1,30."
RUBBER = "FRAZER_NASH_RUBBER_MODEL,1.2e-6,0.495,0.02,0.001|,,-0.01,,1.|0"


def blocks(end: float = 0.6) -> str:
    """Bricks of the three laws, held at one end and pulled aslant at the other; concrete breaks."""
    deck = Deck()
    deck.control(end, end / 2, end / 10)
    held, pulled = [], []
    for k, (law, form) in enumerate(((CONCRETE, 1), (MEMORY, 1), (RUBBER, 1), (CONCRETE, 2), (MEMORY, 2))):
        deck.part(k + 1, f"SOLID,{form}", law)
        nodes = deck.block(k + 1, (2, 2, 6), (30.0 * k, 0.0, 0.0), (5.0, 5.0, 20.0))
        held += nodes[:9]
        pulled += nodes[-9:]
    deck.set("NODE", 1, held)
    deck.set("NODE", 2, pulled)
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1\n*DEFINE_CURVE\n1\n0.,0.\n0.05,1.\n10.,1.")
    for direction, speed in ((1, 0.5), (2, 0.2), (3, 1.0)):
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_SET\n2,{direction},0,1,{speed}")
    return deck.text()


@pytest.mark.parametrize("precision", ["double", "single"])
def test_torn_blocks_are_the_same_on_ranks_and_after_a_restart(precision, tmp_path):
    """On one rank, on two and three, and stopped where concrete is cracked."""
    deck = tmp_path / "deck.k"
    deck.write_text(blocks())
    expect_torn_the_same(deck, tmp_path, precision)


def test_concrete_without_an_element_size_is_refused(tmp_path):
    """In beams there is no such law, and what is not supported is named."""
    deck = Deck()
    deck.control(0.1, 0.1)
    deck.part(1, "SOLID,1", "CSCM_CONCRETE,2.4e-6|0.3|0.03,19.,0")
    deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (5.0, 5.0, 5.0))
    (tmp_path / "deck.k").write_text(deck.text())
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status != 0
    assert "PRED" in done.said


def terms(along: np.ndarray, across: np.ndarray) -> np.ndarray:
    """Those of the deck's energy, I1, I1 I2, I2 and I2^2, of stretches along a strip and across it."""
    e, f = (along**2 - 1) / 2, (across**2 - 1) / 2
    one, two = e + 2 * f, f * (2 * e + f)
    return np.stack([one, one * two, two, two**2], -1)


def fitted_stress(stretch: float) -> float:
    """Stress along a strip by the energy whose constants are a fit of least squares at a constant volume."""
    h = 1e-5
    force = np.array(FORCE)
    ends = [(1 + force[:, 0] + x, (1 + force[:, 0] + x) ** -0.5) for x in (-h, h)]
    slopes = (terms(*ends[1]) - terms(*ends[0])) / (2 * h)
    c = np.linalg.lstsq(slopes, force[:, 1], rcond=None)[0]
    shear = c[0] - c[2] / 2
    stiffness = 2 * shear * POISSON / (1 - 2 * POISSON) + c[0] - c[2]

    def energy(along: float, across: float) -> float:
        grown = along * across**2 - 1
        return float(terms(np.array(along), np.array(across)) @ c) - c[0] * grown + stiffness / 2 * grown**2

    low, high = 0.9 * stretch**-0.5, 1.1 * stretch**-0.5
    for _ in range(60):
        middle = (low + high) / 2
        pulls = energy(stretch, middle + h) < energy(stretch, middle - h)
        low, high = (middle, high) if pulls else (low, middle)
    return (energy(stretch + h, low) - energy(stretch - h, low)) / (2 * h) / low**2


POISSON = 0.4999  #: instead of the deck's
#: of the deck: force over elongation of a strip of 1 by 1 by 1
FORCE = [
    (0.0, 0.0),
    (6.07299991e-03, 3.59800004e-04),
    (1.24500003e-02, 6.25399989e-04),
    (1.88100003e-02, 8.85999994e-04),
    (2.53199991e-02, 1.24600006e-03),
    (3.11200004e-02, 1.71500002e-03),
    (3.71199995e-02, 2.40099989e-03),
    (4.32099998e-02, 3.35399993e-03),
    (4.92900014e-02, 4.59800009e-03),
    (5.42900003e-02, 5.86300017e-03),
    (5.93000017e-02, 7.36099994e-03),
    (6.43299967e-02, 9.10999998e-03),
    (6.94399998e-02, 1.11400001e-02),
    (7.27799982e-02, 1.26200002e-02),
    (7.60900006e-02, 1.41899996e-02),
    (7.94499964e-02, 1.59000009e-02),
    (8.28600004e-02, 1.77500006e-02),
    (8.40499997e-02, 1.84300002e-02),
    (8.52300003e-02, 1.91099998e-02),
    (8.64199996e-02, 1.98199991e-02),
    (8.76099989e-02, 2.05400009e-02),
    (1.08700001e00, 2.01999998e00),
]


def test_the_rubber_of_a_deck_would_not_keep_its_volume(real_deck, tmp_path):
    """Its constants of the fit are hundreds of times the shear modulus: 0.495 does not hold them."""
    done = run(real_deck("dynakw/mat_fn_rubber.element.k"), tmp_path)
    assert done.status != 0
    assert "PR is 0.495: a strip stretched to 0.8 would change its volume" in done.said


def test_the_rubber_of_a_deck_follows_its_fit(real_deck, tmp_path):
    """With a stiffer volume: pressed by 0.92 of 10 and let go, it has the stress of the fit, then none."""
    lasso = pytest.importorskip("lasso.dyna")
    text = real_deck("dynakw/mat_fn_rubber.element.k").read_text()
    assert text.count("     0.495") == 1
    (tmp_path / "deck.k").write_text(text.replace("     0.495", f"{POISSON:10}"))
    done = run(tmp_path / "deck.k", tmp_path / "out")
    assert done.status == 0, done.said
    arrays = lasso.D3plot(str(tmp_path / "out" / "d3plot")).arrays
    stress = arrays["element_solid_stress"][:, 0].reshape(len(arrays["timesteps"]), -1, 6)[:, 0]
    moved = arrays["node_displacement"][:, 0, 2] - arrays["node_coordinates"][0, 2]
    turn = int(np.argmin(moved))
    stretch = 1 + float(moved[turn]) / 10
    assert stretch == pytest.approx(0.908, abs=1e-3)
    assert stress[turn, 2] == pytest.approx(fitted_stress(stretch), rel=0.01)
    assert abs(stress[-1, 2]) < 0.01 * abs(stress[turn, 2])
