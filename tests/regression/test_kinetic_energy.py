"""Energies that are zero are printed as zero, and none of them is negative that cannot be."""

import re

import numpy as np
import pytest
from lasso.dyna import Binout, D3plot
from small_decks import Deck, falling_bodies
from solver_run import run

from crumple.results.glstat import read_glstat


def _run(tmp_path, text):
    (tmp_path / "deck.k").write_text(text)
    done = run(tmp_path / "deck.k", tmp_path / "out", "--double-files")
    assert done.status == 0, done.said
    return done


@pytest.fixture(scope="module")
def ringing(tmp_path_factory):
    """A brick that is held below and rings: its nodes turn back within steps."""
    deck = Deck()
    deck.control(0.2, 0.01, 1e-12)
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3")
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.set("NODE", 1, nodes[:4])
    deck.set("NODE", 2, nodes[4:])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1\n*INITIAL_VELOCITY\n2\n0.,0.,1.")
    return _run(tmp_path_factory.mktemp("ringing"), deck.text()).directory


def test_kinetic_energy_is_never_negative(ringing):
    """In every cycle, in all files; and it goes to nothing where the brick turns back."""
    kinetic = read_glstat(ringing / "glstat")["kinetic energy"]
    assert (kinetic >= 0).all()
    assert kinetic.min() < 0.05 * kinetic.max()
    binout = Binout(str(ringing / "binout0000"))
    assert (binout.read("glstat", "kinetic_energy") >= 0).all()
    assert (np.asarray(binout.read("matsum", "kinetic_energy")) >= 0).all()
    plot = D3plot(str(ringing / "d3plot")).arrays
    assert (plot["global_kinetic_energy"] >= 0).all()
    assert (plot["part_kinetic_energy"] >= 0).all()


def test_kinetic_energy_is_that_of_the_velocities_of_d3plot(ringing):
    plot = D3plot(str(ringing / "d3plot")).arrays
    mass = 7.85e-6 * 1000.0 / 8  # of a node
    of_nodes = 0.5 * mass * np.sum(plot["node_velocity"].astype(float) ** 2, axis=(1, 2))
    np.testing.assert_allclose(plot["global_kinetic_energy"], of_nodes, rtol=1e-6, atol=1e-12)


def test_nothing_moves_a_free_rigid_body(tmp_path):
    """It is hit, and turns, but nothing outside works on it: that work is zero, not rounding."""
    text = re.sub(r"\*LOAD_BODY_Z\n[^*]*", "", falling_bodies(0.02))
    history = read_glstat(_run(tmp_path, text).directory / "glstat")
    assert (history["external work"] == 0.0).all()


def test_no_negative_zero(tmp_path):
    done = _run(tmp_path, falling_bodies(0.02))
    for file in ("glstat", "matsum", "rcforc", "rwforc"):
        assert "-0.0000" not in (done.directory / file).read_text(), file
    assert not re.search(r"-0\.0+(e[+-]00)?\s", done.stdout)
    energies = Binout(str(done.directory / "binout0000")).read("glstat", "stonewall_energy")
    assert energies.shape == (len(Binout(str(done.directory / "binout0000")).read("glstat", "time")),)
    assert not np.any((energies == 0) & np.signbit(energies))
