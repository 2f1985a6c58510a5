"""What pulls rigid bodies beside the forces on their elements: gravity on chosen parts, damping by mass."""

import numpy as np
import pytest
from small_decks import STEEL, Deck
from solver_run import same_on_two_ranks

from crumple.results.glstat import read_glstat

END, GRAVITY, RATE, SPEED = 0.4, 0.5, 3.0, 2.0  #: ms, mm/ms^2, 1/ms, mm/ms


def kinetic_energy(deck: Deck, tmp_path) -> tuple[np.ndarray, np.ndarray]:
    """Times and energies, the same state on 1 and 2 ranks."""
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    history = read_glstat(same_on_two_ranks(path, tmp_path).directory / "glstat")
    return history["time"], history["kinetic energy"]


def test_gravity_pulls_a_body_of_nodes(tmp_path):
    """m (g t)^2 / 2 of a plate whose nodes are all of one body, the load asked for by its part. 2 ranks."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    grid = deck.plate(1, (4, 4), lambda s, t: (40 * s, 40 * t, 0.0))
    deck.set("NODE", 5, [n for row in grid for n in row])
    deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,5\n*SET_PART_LIST\n6\n1\n*LOAD_BODY_PARTS\n6")
    deck.add(f"*LOAD_BODY_Z\n1,{GRAVITY}\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    time, energy = kinetic_energy(deck, tmp_path)
    mass = float(STEEL.split(",")[0]) * 40 * 40
    np.testing.assert_allclose(energy[1:], 0.5 * mass * (GRAVITY * time[1:]) ** 2, rtol=2e-3)


def test_damping_slows_a_rigid_part(tmp_path):
    """Energy falls by exp(-2 D t) to first order in the step, as D acts on the last velocity. 2 ranks."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.block(1, (3, 3, 3), (0.0, 0.0, 0.0), (15.0, 15.0, 15.0))
    deck.add(f"*DAMPING_GLOBAL\n0,{RATE}")
    deck.add(f"*SET_PART_LIST\n6\n1\n*INITIAL_VELOCITY_GENERATION\n6,1,0.,{SPEED},0.,0.\n0.,0.,0.,0.,0.,0.")
    time, energy = kinetic_energy(deck, tmp_path)
    np.testing.assert_allclose(energy, energy[0] * np.exp(-2 * RATE * time), rtol=2e-2)


GIVEN = "15.,7.5,7.5,{mass}\n{inertia},0.,0.,{inertia},0.,{inertia}\n{speed},0.,0.,0.,0.,{spin}"


def give_mass(deck: Deck, mass: float, inertia: float, speed: float, spin: float) -> None:
    """Give the first part mass properties and velocities: along x, about z."""
    at = deck.lines.index("*PART")
    given = GIVEN.format(mass=mass, inertia=inertia, speed=speed, spin=spin).splitlines()
    deck.lines[at : at + 3] = ["*PART_INERTIA", *deck.lines[at + 1 : at + 3], *given]


def test_a_body_with_given_mass_falls(tmp_path):
    """The velocity in glstat is that at its time, not of half a step later."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.block(1, (3, 3, 3), (0.0, 0.0, 0.0), (15.0, 15.0, 15.0))
    give_mass(deck, 0.2, 5.0, SPEED, 0.0)
    deck.add(f"*LOAD_BODY_Z\n1,{GRAVITY}\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    kinetic_energy(deck, tmp_path)
    history = read_glstat(tmp_path / "out1" / "glstat")
    np.testing.assert_allclose(history["global x velocity"], SPEED, rtol=1e-5)
    np.testing.assert_allclose(history["global z velocity"], -GRAVITY * history["time"], rtol=1e-5)


@pytest.mark.parametrize(
    "damping",
    [f"*DAMPING_GLOBAL\n0,{RATE}", f"*DEFINE_CURVE\n1\n0.,{RATE}\n1000.,{RATE}\n*DAMPING_PART_MASS\n1,1"],
    ids=["everywhere", "of the part"],
)
def test_damping_slows_a_body_with_given_mass_properties(damping, tmp_path):
    """It is the body that is damped, not the masses of its nodes, nor where these have their centre."""
    mass, inertia, spin = 0.2, 5.0, 0.4
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.block(1, (3, 3, 3), (0.0, 0.0, 0.0), (15.0, 15.0, 15.0))
    give_mass(deck, mass, inertia, SPEED, spin)
    deck.add(damping)
    time, energy = kinetic_energy(deck, tmp_path)
    start = 0.5 * mass * SPEED**2 + 0.5 * inertia * spin**2
    np.testing.assert_allclose(energy, start * np.exp(-2 * RATE * time), rtol=2e-2)
    balance = read_glstat(tmp_path / "out1" / "glstat")["total energy / initial energy"]
    np.testing.assert_allclose(balance, 1.0, atol=1e-2)
