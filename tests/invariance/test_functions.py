"""Loads that are functions in C of time and place (*DEFINE_FUNCTION), against closed forms."""

from math import pi

import numpy as np
from small_decks import Deck
from solver_run import run
from test_formulas import END, driven
from test_local_motions import displacements

MASS = 7.85e-6 * 10.0 * 8.0 * 6.0


def test_a_spring_to_the_place_at_the_start(tmp_path):
    """x = F / k (1 - cos w t) of a mass on a spring that a force F loads."""
    stiffness = MASS * (2 * pi / END) ** 2
    deck = tmp_path / "block.k"
    deck.write_text(
        driven(
            "*LOAD_NODE_POINT\n14,1,5\n14,2,6\n"
            f"*DEFINE_FUNCTION\n5,a spring\nf(t,x,y,z,x0,y0,z0)=0.2-{stiffness:.15g}*(x-x0)\n"
            "*DEFINE_FUNCTION\n6\nfloat f(float t, float x)\n{ float a;\n a = 0.0;\n"
            " if (t < 0.4) { a = 0.05; }\n else a -= 0.05;\n return a; }\n"
        )
    )
    one = run(deck, tmp_path / "one", "--dump-cycles", "150")
    assert one.status == 0, one.said
    rows = displacements(one, 14)
    t = rows[:, 0]
    most = 0.2 / stiffness
    np.testing.assert_allclose(rows[:, 1], most * (1 - np.cos(2 * pi * t / END)), atol=2e-4 * most)
    pushed = np.where(t < 0.4, t**2 / 2, 0.08 + 0.4 * (t - 0.4) - (t - 0.4) ** 2 / 2) * 0.05 / MASS
    np.testing.assert_allclose(rows[:, 2], pushed, atol=6e-3 * pushed.max())
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}
    dump = sorted(p for p in (tmp_path / "one").glob("runrsf*") if ".c" not in p.name)[0]
    assert run(None, tmp_path / "one", f"r={dump}", ranks=2).hash == one.hash


def pushed_block(function: str, more: str = "") -> str:
    """A rigid block with a function as the pressure on its side of low x, of two by two segments."""
    deck = Deck()
    deck.control(END, END, END / 8)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3")
    nodes = deck.block(1, (2, 2, 2), (-5.0, -4.0, -3.0), (10.0, 8.0, 6.0))
    deck.add(f"*DATABASE_NODOUT\n{END / 8}\n*DATABASE_HISTORY_NODE\n14")
    deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,,,2\n*DEFINE_CURVE\n2\n0.,0.002\n10.,0.002")
    for j in range(2):
        for k in range(2):
            corners = [nodes[(n * 3 + m) * 3] for m, n in ((j, k), (j + 1, k), (j + 1, k + 1), (j, k + 1))]
            # Their normal is towards +x, and SF = -1 has the pressure act along it.
            deck.add("*LOAD_SEGMENT\n5,-1.0,0.0," + ",".join(map(str, corners)))
    deck.add(f"*DEFINE_FUNCTION\n5\n{function}")
    deck.add(more)
    return deck.text()


def test_a_pressure_that_grows_with_the_depth(tmp_path):
    """Centres of segments at z = -1.5 and 1.5, below a level of 2: depths 3.5 and 0.5, and none above 2."""
    deck = tmp_path / "block.k"
    deck.write_text(
        pushed_block(
            "float p(float t, float x, float y, float z)\n{\n/* hydrostatic */ float depth;\n"
            "depth = 2.0 - z; if (depth < 0.0) return 0.0;\n return 1.0e-5*depth; }",
        )
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    force = 2 * 12.0 * 1e-5 * (3.5 + 0.5)
    rows = displacements(one, 14)
    t = rows[:, 0]
    # The block turns a little, which moves the centres of its segments by the square of the angle.
    np.testing.assert_allclose(rows[:, 1], force / MASS * t**2 / 2, atol=3e-4)
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}


def test_a_pressure_against_the_velocity(tmp_path):
    """m dv/dt = - c A v: the velocity decays by an exponential."""
    rate = 2.0 / END
    damping = rate * MASS / 48.0
    deck = tmp_path / "block.k"
    deck.write_text(
        pushed_block(
            f"p(t,x,y,z,x0,y0,z0,vx,vy,vz)=-{damping:.15g}*vx",
            "*INITIAL_VELOCITY_RIGID_BODY\n1,3.0,0.0,0.0,0.0,0.0,0.0",
        )
    )
    one = run(deck, tmp_path / "one")
    assert one.status == 0, one.said
    rows = displacements(one, 14)
    t = rows[:, 0]
    np.testing.assert_allclose(rows[:, 1], 3.0 / rate * (1 - np.exp(-rate * t)), atol=3e-3 * 3.0 / rate)
