"""Damping relative to a rigid body: decay of a vibration on a body that flies and turns."""

import numpy as np
import pytest
from small_decks import Deck
from solver_run import run

END, STIFFNESS, FRACTION = 4.0, 0.02, 0.1
#: of the damped bricks, and of the body, kg
MASS, BODY = 7.85e-6 * 64.0, 7.85e-6 * 512.0


def shaken(more: str) -> tuple[Deck, int, int]:
    """A stiff brick on a spring to a rigid one, along x; a node of each."""
    deck = Deck()
    deck.control(END, END, END / 400)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|")
    deck.part(2, "SOLID,2", "ELASTIC,7.85e-6,210.,0.3")
    deck.part(3, "DISCRETE,0", f"SPRING_ELASTIC,{STIFFNESS}")
    body = deck.block(1, (2, 2, 2), (0.0, 0.0, 0.0), (8.0, 8.0, 8.0))
    brick = deck.block(2, (2, 2, 2), (12.0, 2.0, 2.0), (4.0, 4.0, 4.0))
    right, left = body[14], brick[12]  # the middles of both faces
    deck.element("DISCRETE", 3, (right, left))
    deck.set("PART", 2, (2,))
    deck.set("NODE", 2, brick)
    deck.add(more)
    deck.add(f"*DATABASE_NODOUT\n{END / 400}\n*DATABASE_HISTORY_NODE\n{right},{left}")
    return deck, right, left


def velocities(done, node: int) -> np.ndarray:
    """Rows of nodout: velocities of a node."""
    rows = [line.split() for line in done.history("nodout")]
    return np.array([[float(w) for w in r[4:7]] for r in rows if len(r) == 13 and r[0] == str(node)])


@pytest.mark.slow
def test_decay_of_a_vibration(tmp_path):
    """The reduced mass swings; the force is by the damped mass, which gives a larger fraction."""
    reduced = MASS * BODY / (MASS + BODY)
    omega = float(np.sqrt(STIFFNESS / reduced))
    deck, right, left = shaken(
        f"*DAMPING_RELATIVE\n{FRACTION},{omega / (2 * float(np.pi))!r},1,2\n*INITIAL_VELOCITY_NODE\n"
        + "\n".join(f"{n},1.0,0.,0." for n in range(28, 55))
    )
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said
    for ranks in (2, 3):
        assert run(path, tmp_path / f"ranks{ranks}", ranks=ranks).hash == one.hash
    of_body, of_brick = (velocities(one, n)[:, 0] for n in (right, left))
    momentum = BODY * of_body + MASS * of_brick
    np.testing.assert_allclose(momentum, MASS, rtol=2e-3)
    # relative motion: d'' + 2 z w d' + w^2 d = 0, z by the force 2 f w m and the reduced mass
    z = FRACTION * MASS / reduced
    t = np.linspace(0.0, END, len(of_body))
    w = omega * np.sqrt(1 - z**2)
    expected = np.exp(-z * omega * t) * (np.cos(w * t) - z * omega / w * np.sin(w * t))
    np.testing.assert_allclose(of_brick - of_body, expected, atol=0.04)
    assert one.progress[-1].ratio == pytest.approx(1.0, abs=5e-3)


def test_a_flight_is_not_damped(tmp_path):
    """A body and a brick that move as one rigid body keep their energy."""
    spin = "*SET_PART_LIST\n5\n1,2\n*INITIAL_VELOCITY_GENERATION\n5,1,0.,3.,-2.,1.\n0.,0.,0.\n"
    deck, right, _ = shaken(f"*DAMPING_RELATIVE\n0.5,2.0,1,2\n{spin}")
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said
    assert one.progress[-1].kinetic == pytest.approx(one.progress[0].kinetic, rel=1e-6)
    np.testing.assert_allclose(velocities(one, right)[-1], (3.0, -2.0, 1.0), rtol=1e-6)
