"""Welds, rivets and ties of nodes of rigid bodies, and of nodes that are held: who takes their force."""

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import Run, run

DENSITY = 7.85e-6  #: kg/mm^3
STEEL = f"ELASTIC,{DENSITY},210.,0.3"


def done(deck: Deck, tmp_path, changed: tuple[str, str] = ("", "")) -> Run:
    """The run of a deck; `changed`: text that another one replaces."""
    path = tmp_path / "deck.k"
    path.write_text(deck.text().replace(*changed) if changed[0] else deck.text())
    finished = run(path, tmp_path / "out")
    assert finished.status == 0, finished.said
    return finished


def columns(finished: Run, branch: str, *names: str) -> np.ndarray:
    """Columns of binout over time, for each of its rows."""
    binout = Binout(str(finished.directory / "binout0000"))
    return np.stack([np.asarray(binout.read(branch, name)) for name in names], axis=-1)


def block_and_plate(links: str, spin: float = 0.0) -> Deck:
    """A rigid block over a plate of shells, all free; the block flies, and `links` take the plate along."""
    end = 0.3
    deck = Deck()
    deck.control(end, end, end / 30)
    deck.part(1, "SOLID,1", f"RIGID,{DENSITY},210.,0.3|0.|")
    deck.part(2, "SHELL,16,0.8333,3|1.,1.,1.,1.", STEEL)
    block = deck.block(1, (2, 2, 1), (10.0, 10.0, 2.0), (10.0, 10.0, 5.0))
    rows = deck.plate(2, (8, 6), lambda u, v: (40.0 * u, 30.0 * v, 0.0))
    named = {
        "low": block[0],
        "side": block[2],
        "far": block[6],
        "high": block[17],
        "at_low": rows[2][2],
        "at_side": rows[2][4],
        "at_far": rows[4][2],
        "at_high": rows[5][5],
    }
    deck.set("NODE", 7, (named["far"], named["at_far"]))
    deck.add(links.format(**named))
    deck.set("PART", 3, (1,))
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n3,1,{spin},4.,3.,8.\n15.,15.,4.5,0.,0.6,0.8")
    return deck


LINKS = {
    "welds": "*CONSTRAINED_SPOTWELD\n{low},{at_low},1e6,1e6,1.,1.\n{at_side},{side},1e6,1e6,1.,1.",
    "weld": "*CONSTRAINED_SPOTWELD\n{high},{at_high},1e6,1e6,1.,1.",
    "rivets": "*CONSTRAINED_RIVET\n{low},{at_low}\n{side},{at_side}\n{at_far},{far}",
    "set": "*CONSTRAINED_NODE_SET\n7,7",
    "seam": "*CONSTRAINED_SPOTWELD\n{low},{at_low},0.5,0.5,1.,1.\n{high},{at_high},0.,0.,0.,0.,0.1",
}


@pytest.mark.parametrize("which", LINKS)
def test_momentum_is_conserved(which, tmp_path):
    """Forces on the body and on the plate are opposite; what links store and dissipate is counted."""
    deck = block_and_plate(LINKS[which], spin=0.5)
    text = f"*DATABASE_MATSUM\n{0.3 / 30}"
    finished = done(deck, tmp_path, (text, text + ",3"))
    momentum = columns(finished, "matsum", "x_momentum", "y_momentum", "z_momentum")
    total = momentum.sum(axis=1)
    expected = DENSITY * 500.0 * np.array([4.0, 3.0, 8.0])
    np.testing.assert_allclose(
        total, np.broadcast_to(expected, total.shape), rtol=0, atol=3e-6 * abs(expected).max()
    )
    assert np.linalg.norm(momentum[-1, 1]) > 0.02 * np.linalg.norm(expected)  # the plate's
    assert finished.progress[-1].ratio == pytest.approx(1.0, abs=1e-3)
    if which == "seam":
        assert "2 welds broke" in finished.said


def hanging_mass(weld: str, direction: int) -> Deck:
    """A mass that a weld holds at a body; a force of 10 kN/ms times the time pulls it away."""
    end = 0.2
    deck = Deck()
    deck.control(end, end, end / 20)
    deck.part(1, "SOLID,1", f"RIGID,{DENSITY},210.,0.3|1.,7,7")
    block = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    node = deck.node((13.0, 10.0, 10.0))
    deck.add(f"*ELEMENT_MASS\n1,{node},1e-3")
    deck.add(f"*CONSTRAINED_SPOTWELD\n{block[-1]},{node},{weld}")
    deck.add(f"*LOAD_NODE_POINT\n{node},{direction},1,1.\n*DEFINE_CURVE\n1\n0.,0.\n1.,10.")
    return deck


@pytest.mark.parametrize(
    ("weld", "direction", "breaks"),
    [
        ("1.,0.,1.,1.", 1, 0.1),  # tension
        ("0.,0.8,1.,2.", 3, 0.08),  # shear
        ("0.,0.,0.,0.,0.06", 2, 0.06),  # time
    ],
)
def test_a_weld_to_a_body_breaks_at_its_strength(weld, direction, breaks, tmp_path):
    """The mass is at rest before, and gains the impulse of the force after."""
    finished = done(hanging_mass(weld, direction), tmp_path)
    assert "1 weld broke" in finished.said
    speed = 0.5 * 10.0 * (0.2**2 - breaks**2) / 1e-3
    assert finished.progress[-1].kinetic == pytest.approx(0.5e-3 * speed**2, rel=0.06)


def test_compression_breaks_no_weld(tmp_path):
    deck = hanging_mass("0.5,0.,1.,1.", 1)
    finished = done(deck, tmp_path, ("1.,10.", "1.,-10."))
    assert "broke" not in finished.said
    assert finished.progress[-1].kinetic < 1e-3


def test_a_held_node_carries_a_body(tmp_path):
    """A body that falls is welded to a node that is held: it stays there, and spcforc has its weight."""
    end, gravity, size = 1.0, 0.5, 10.0
    deck = Deck()
    deck.control(end, end, end / 20)
    deck.part(1, "SOLID,1", f"RIGID,{DENSITY},210.,0.3|0.|")
    block = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (size, size, size))
    node = deck.node((5.0, 5.0, 14.0), held=7)
    deck.add(f"*ELEMENT_MASS\n1,{node},1e-8")
    deck.add(f"*CONSTRAINED_SPOTWELD\n{node},{block[22]},1e6,1e6,1.,1.")
    deck.add(f"*LOAD_BODY_Z\n1,{gravity}\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add(f"*DATABASE_SPCFORC\n{end / 20},3\n*DATABASE_RBDOUT\n{end / 20},3")
    finished = done(deck, tmp_path)
    weight = DENSITY * size**3 * gravity
    force = columns(finished, "spcforc", "z_resultant").ravel()
    assert force[-1] == pytest.approx(weight, rel=0.02)
    fallen = columns(finished, "rbdout", "global_dz").ravel()
    assert abs(fallen[-1]) < 1e-3 * 0.5 * gravity * end**2


def test_ties_that_a_constraint_leaves_out(tmp_path):
    """IPBACK = 1: springs tie the nodes of a rigid plate to another plate, which it takes along.

    The plates swing about their common velocity V, the tenth of the first, so the mean share of the second
    in the momentum is 0.9, less the mean of the swing: its distance over the 1 mm that the rigid plate flies
    alone. The distance is at most the first velocity over the lowest frequency of such a swing, which is
    24.3 sqrt(D / rho h) / a^2 in a free square plate (Leissa 1969): 5 / 66 mm.
    """
    deck = Deck()
    end = 0.2
    deck.control(end, end, end / 20)
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"RIGID,{DENSITY},210.,0.3|0.|")
    deck.part(2, "SHELL,16,0.8333,3|1.,1.,1.,1.", STEEL)
    deck.plate(1, (2, 2), lambda u, v: (8.0 + 8.0 * u, 8.0 + 8.0 * v, 1.0))
    deck.plate(2, (6, 6), lambda u, v: (24.0 * u, 24.0 * v, 0.0))
    tied = "*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_CONSTRAINED_OFFSET\n1,2,3,3\n,\n1.,1.,-1.,-1."
    deck.add(tied + "\n,\n,\n,\n,\n0,0,1")
    deck.set("PART", 3, (1,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n3,1,0.,0.,0.,5.\n0.,0.,0.")
    text = f"*DATABASE_MATSUM\n{end / 20}"
    finished = done(deck, tmp_path, (text, f"*DATABASE_MATSUM\n{end / 200},3"))
    assert "CR-C031" not in finished.said
    momentum = columns(finished, "matsum", "z_momentum")
    expected = DENSITY * 64.0 * 5.0
    np.testing.assert_allclose(momentum.sum(axis=1), expected, rtol=3e-6)
    assert momentum[:, 1].mean() == pytest.approx(0.9 * expected, abs=0.08 * expected)
    assert finished.progress[-1].ratio == pytest.approx(1.0, abs=1e-3)
