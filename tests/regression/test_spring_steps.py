"""Springs, dampers and moments between bodies limit the time step: what they rule stays stable."""

import re

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import run, same_on_two_ranks

SPEED, MASS = 1.0, 1e-3


def oscillator(stiffness: float, end: float, law: str = "") -> Deck:
    """A mass on a spring along x and nothing else."""
    deck = Deck()
    deck.control(end, end, end / 50)
    deck.part(1, "DISCRETE,0,|0.,0.", law or f"SPRING_ELASTIC,{stiffness}")
    deck.node((0, 0, 0), 7)
    deck.lines += ["*NODE", "2,10.,0.,0.,5,7"]
    deck.nodes = 2
    deck.element("DISCRETE", 1, (1, 2))
    deck.add(f"*ELEMENT_MASS\n11,2,{MASS}\n*INITIAL_VELOCITY_NODE\n2,{SPEED}")
    deck.add(f"*DATABASE_NODOUT\n{end / 50},3\n*DATABASE_HISTORY_NODE\n2")
    deck.set("NODE", 99, (2,))
    return deck


def finished(deck: Deck, tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    return run(path, tmp_path / "out")


def first_step(done) -> float:
    assert done.status == 0, done.said
    return done.progress[0].step


@pytest.mark.parametrize("end", [10.0, 200.0])
def test_a_mass_on_a_spring_alone(tmp_path, end):
    """Stable, and resolved: the amplitude is v sqrt(m / k)."""
    stiffness = 0.5
    done = finished(oscillator(stiffness, end), tmp_path)
    omega = np.sqrt(stiffness / MASS)
    assert first_step(done) <= 0.9 * 2 / omega * (1 + 1e-9)
    assert all(abs(row.ratio - 1) < 1e-3 for row in done.progress)
    if end == 10.0:
        binout = Binout(str(done.directory / "binout0000"))
        amplitude = np.abs(binout.read("nodout", "x_displacement")).max()
        assert amplitude == pytest.approx(SPEED / omega, rel=0.02)


def test_springs_around_one_mass_add_up(tmp_path):
    """Eight springs of one stiffness and a softer one at one mass: the frequency is that of their sum."""
    deck = oscillator(0.5, 1000.0)
    for _ in range(7):
        deck.element("DISCRETE", 1, (1, 2))
    deck.part(2, "DISCRETE,0,|0.,0.", "SPRING_ELASTIC,0.05")
    deck.element("DISCRETE", 2, (1, 2))
    done = finished(deck, tmp_path)
    assert first_step(done) == pytest.approx(0.9 * 2 / np.sqrt(8.1 * 0.5 / MASS), rel=0.03)
    assert all(abs(row.ratio - 1) < 1e-3 for row in done.progress)


def test_a_damper_beside_a_spring(tmp_path):
    stiffness, damping = 0.5, 0.2  # several times the critical damping
    deck = oscillator(stiffness, 1000.0)
    deck.part(2, "DISCRETE,0,|0.,0.", f"DAMPER_VISCOUS,{damping}")
    deck.element("DISCRETE", 2, (1, 2))
    done = finished(deck, tmp_path)
    rate = damping / MASS
    limit = 4 / (rate + np.sqrt(rate**2 + 4 * stiffness / MASS))
    assert 0.5 * 0.9 * limit < first_step(done) <= 0.9 * limit
    assert done.progress[-1].kinetic < 1e-6 * done.progress[0].kinetic


def test_a_spring_that_bottoms_out(tmp_path):
    """Its curve becomes 10,000 times as steep: the step is short enough before the mass arrives there."""
    deck = oscillator(0, 40.0, "SPRING_NONLINEAR_ELASTIC,20")
    deck.add("*DEFINE_CURVE\n20\n-10.,-5000.\n-0.01,-0.0005\n0.,0.\n0.01,0.0005\n10.,5000.")
    done = finished(deck, tmp_path)
    assert done.status == 0, done.said
    ratios = [abs(row.ratio - 1) for row in done.progress]
    assert max(ratios) < 0.05


def brick(stiffness: float, end: float) -> Deck:
    """A free brick, and a spring from one of its corners to ground."""
    deck = Deck()
    deck.control(end, end, end / 20)
    deck.part(1, "DISCRETE,0,|0.,0.", f"SPRING_ELASTIC,{stiffness}")
    deck.part(9, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3")
    nodes = deck.block(9, (2, 2, 2), (0.0, 0.0, 0.0), (20.0, 20.0, 20.0))
    deck.element("DISCRETE", 1, (deck.node((0, 0, -10), 7), nodes[0]))
    deck.set("NODE", 5, nodes)
    deck.add("*INITIAL_VELOCITY\n5\n0.,0.,0.1")
    return deck


def test_a_stiff_spring_at_a_brick(tmp_path):
    """A thousand times as stiff as the brick: stable together. A soft one: no shorter step."""
    steps = []
    for stiffness in (1.0, 2e6):
        path = tmp_path / f"{stiffness:.0f}.k"
        path.write_text(brick(stiffness, 0.2).text())
        done = same_on_two_ranks(path, tmp_path / f"{stiffness:.0f}")
        steps.append(first_step(done))
        assert all(abs(row.ratio - 1) < 0.02 for row in done.progress)
    mass = 7.85e-6 * 1000 / 8
    assert steps[0] > 5e-4
    assert steps[1] <= 0.9 * 2 * np.sqrt(mass / 2e6)
    assert "discrete" in (tmp_path / "2000000" / "out1" / "d3hsp").read_text()


def test_springs_between_rigid_bodies(tmp_path):
    """A spring at the corner of a small rigid box moves a part of its mass and turns it."""
    end, stiffness = 5.0, 5.0
    deck = Deck()
    deck.control(end, end, end / 20)
    deck.part(1, "DISCRETE,0,|0.,0.", f"SPRING_ELASTIC,{stiffness}")
    for part, low in ((2, (0.0, 0.0, 0.0)), (3, (0.0, 0.0, 15.0))):
        deck.part(part, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
        deck.block(part, (1, 1, 1), low, (1.0, 1.0, 1.0))
    deck.element("DISCRETE", 1, (8, 9))
    deck.element("DISCRETE", 1, (8, 9))
    deck.set("PART", 5, (3,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n5,1,0.,0.,0.,2.\n0.,0.,0.")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = same_on_two_ranks(path, tmp_path)
    assert all(abs(row.ratio - 1) < 0.02 for row in done.progress)


def test_a_mass_that_nothing_limits(tmp_path):
    """A mass that falls freely takes a thousandth of the end time a step."""
    deck = Deck()
    deck.control(2.0, 1.0)
    node = deck.node((0, 0, 0))
    deck.part(1, "DISCRETE,0,|0.,0.", "SPRING_ELASTIC,0.5")  # that has nothing to pull at
    deck.element("DISCRETE", 1, (deck.node((50, 0, 0), 7), deck.node((60, 0, 0), 7)))
    deck.add(f"*ELEMENT_MASS\n11,{node},1e-3\n*LOAD_BODY_Z\n1,9.81e-3\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.")
    deck.add("*DATABASE_NODOUT\n1.0,3\n*DATABASE_HISTORY_NODE\n1")
    done = finished(deck, tmp_path)
    assert first_step(done) == pytest.approx(2e-3)
    assert "nothing in the model limits the time step" in done.stdout
    binout = Binout(str(done.directory / "binout0000"))
    t, z = np.ravel(binout.read("nodout", "time")), np.ravel(binout.read("nodout", "z_displacement"))
    np.testing.assert_allclose(z, -0.5 * 9.81e-3 * t**2, rtol=0.01, atol=1e-6)


def test_histories_with_a_shorter_interval_than_the_step(tmp_path):
    """A row a step, and the run ends."""
    deck = oscillator(0.5, 1000.0)
    deck.add("*DATABASE_NODOUT\n1e-6,3")
    done = finished(deck, tmp_path)
    assert done.status == 0, done.said
    assert re.search(r"N o r m a l   t e r m i n a t i o n", done.stdout)
