"""Discrete beams and cables in static runs: closed forms, and quadratic convergence of Newton's method."""

import numpy as np
from implicit_decks import control, displacements, residuals, solve
from small_decks import Deck

HELD = "0,{x},1,1,1,1,1"


def test_springs_cables_and_mounts_have_the_deflections_of_their_loads(tmp_path):
    deck = Deck()
    control(deck, steps=4)
    laws = (
        ("LINEAR_ELASTIC_DISCRETE_BEAM,1.,10.,20.,30.,40.,50.,60.|0.,0.,0.", "BEAM,6,,,,3|0.5,2."),
        ("CABLE_DISCRETE_BEAM,1.,40.", "BEAM,6|0.,0.,0,0.5"),
        ("GENERAL_NONLINEAR_1DOF_DISCRETE_BEAM,1.,50.,2|11,12", "BEAM,6|0.5"),
    )
    deck.add("*DEFINE_CURVE\n11\n-1.,-10.\n0.,0.\n1.,10.\n*DEFINE_CURVE\n12\n-1.,-5.\n0.,0.\n1.,5.")
    loads = (5.0, 4.0, 3.0)
    tips = []
    for n, ((law, section), load) in enumerate(zip(laws, loads, strict=True), 1):
        deck.part(n, section, law)
        a, b = deck.node((0.0, float(n), 0.0), held=7), deck.node((2.0, float(n), 0.0))
        deck.element("BEAM", n, (a, b))
        deck.add(f"*BOUNDARY_SPC_NODE\n{b},{HELD.format(x=0)}\n*LOAD_NODE_POINT\n{b},1,1,{load}")
        tips.append(b)
    done = solve(deck, tmp_path)
    u = displacements(done)[[b - 1 for b in tips], 0]
    np.testing.assert_allclose(u, [5.0 / 10, 4.0 / (40 * 0.5 / 2), 3.0 / 10], rtol=1e-9)


def test_a_beam_that_shears_turns_far_and_converges(tmp_path):
    """Node 1 is turned by a quarter; node 2 is free, so it goes along at its distance."""
    for scoor in (-1, -2, -3, 3):
        deck = Deck()
        control(deck, steps=10)
        deck.part(
            1,
            f"BEAM,6,,,,{scoor}|0.5,2.",
            "LINEAR_ELASTIC_DISCRETE_BEAM,1.,10.,20.,30.,40.,50.,60.|0.,0.,0.",
        )
        a, b = deck.node((0.0, 0.0, 0.0)), deck.node((2.0, 0.0, 0.0))
        deck.element("BEAM", 1, (a, b))
        deck.add(f"*BOUNDARY_SPC_NODE\n{a},0,1,1,1,1,1,0")
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{a},7,2,1,{0.5 * np.pi!r}")
        done = solve(deck, tmp_path / str(scoor))
        x, y, z = displacements(done)[1] + [2.0, 0.0, 0.0]
        np.testing.assert_allclose((np.hypot(x, y), z), (2.0, 0.0), atol=1e-8)
        assert abs(x / y) < 4e-3  # steps turn by the Cayley map, which goes a little too far
        assert max(map(len, residuals(done))) <= 6
