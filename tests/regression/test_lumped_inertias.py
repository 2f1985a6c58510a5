"""*ELEMENT_INERTIA: in rigid bodies, at nodes of beams, and alone, with and without an offset."""

import numpy as np
import pytest
from small_decks import Deck
from solver_run import Run, run

from crumple.results.glstat import read_glstat

END = 2.0


def solve(text: str, where, ranks: int = 1) -> Run:
    where.mkdir(parents=True, exist_ok=True)
    path = where / "deck.k"
    path.write_text(text)
    done = run(path, where, ranks=ranks)
    assert done.status == 0, done.said
    return done


def spinning_block(inertia: str) -> str:
    """A rigid block of 10 x 8 x 6 about the origin, with a lumped inertia at its corner 1."""
    deck = Deck()
    deck.control(END, END, END / 20)
    deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|,|")
    deck.block(1, (2, 2, 2), (-5.0, -4.0, -3.0), (10.0, 8.0, 6.0))
    deck.add(
        f"{inertia}\n*DATABASE_RBDOUT\n{END / 20}\n"
        "*INITIAL_VELOCITY_GENERATION\n1,2,3.0,0.,0.,0.\n0.,0.,0.,1.,0.,0."
    )
    deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,,,3\n*DEFINE_CURVE\n3\n0.,0.01\n10.,0.01")
    return deck.text()


def kinetic(where) -> float:
    return float(read_glstat(where / "glstat")["kinetic energy"].iloc[0])


def test_adds_to_a_rigid_body(tmp_path):
    """Energy of a rotation about x through the origin: w^2 (J + m r^2) / 2, with an offset and without."""
    rate, offset = 3.0, np.array([2.0, -1.0, 4.0])
    solve(spinning_block(""), tmp_path / "none")
    block = kinetic(tmp_path / "none")
    corner = np.array([-5.0, -4.0, -3.0])
    frame = "*DEFINE_COORDINATE_VECTOR\n7,0.,1.,0.,0.,0.,1.\n"  # its x is y
    cases = {
        "plain": ("*ELEMENT_INERTIA\n       1       1       0\n0.3,0.02,0.01,0.2,0.,0.4,0.05", 0.3, corner),
        "offset": (
            "*ELEMENT_INERTIA_OFFSET\n       1       1       0\n0.3,0.02,0.01,0.2,0.,0.4,0.05\n2.,-1.,4.",
            0.3,
            corner + offset,
        ),
        "axes": (
            f"{frame}*ELEMENT_INERTIA\n       1       1       7\n0.3,0.,0.,0.2,0.,0.4,0.05",
            0.4,
            corner,
        ),
    }
    for name, (inertia, about_x, point) in cases.items():
        text = spinning_block(inertia)
        one = solve(text, tmp_path / name)
        expected = block + 0.5 * rate**2 * (about_x + 0.05 * (point[1] ** 2 + point[2] ** 2))
        # The spin about x is that of the whole body, whose centre moves.
        assert kinetic(tmp_path / name) == pytest.approx(expected, rel=1e-6), name
        history = read_glstat(tmp_path / name / "glstat")["kinetic energy"].to_numpy()
        np.testing.assert_allclose(history, history[0], rtol=1e-6)
        for ranks in (2, 3):
            assert solve(text, tmp_path / f"{name}{ranks}", ranks).hash == one.hash


def twisted_beam(inertia: str, extra: str = "") -> str:
    """A beam along x, held at node 1, with an inertia at node 2."""
    return f"""*KEYWORD
*CONTROL_TERMINATION
{END}
*CONTROL_ENERGY
2,2,2,1
*DATABASE_GLSTAT
{END / 200}
*DATABASE_BINARY_D3PLOT
{END}
*PART
beam
1,1,1
*SECTION_BEAM
1,2
10.,20.,20.,40.,8.
*MAT_ELASTIC
1,7.85e-6,200.,0.25
*NODE
1,0,0,0,7,7
2,50,0,0
3,0,10,0,7,7
*ELEMENT_BEAM
1,1,1,2,3
{inertia}
*INITIAL_VELOCITY_NODE
2,0,0,0,0.1,0,0
{extra}*END
"""


@pytest.mark.parametrize("tensor", ["0.05,0.,0.,0.05,0.,0.05", "0.05,0.,0.,0.02,0.,0.04"])
def test_swings_on_a_twisted_beam(tensor, tmp_path):
    """omega^2 = G J / (L I), for an inertia that is the same about all axes, and for a body of one node."""
    solve(twisted_beam(f"*ELEMENT_INERTIA\n       9       2       0\n{tensor},0.01"), tmp_path)
    history = read_glstat(tmp_path / "glstat")
    t, internal = history["time"].to_numpy(), history["internal energy"].to_numpy()
    own = 50 / 2 * (7.85e-6 * 40 / 2 + 7.85e-6 * 10 * 50**2 / 12)
    omega = np.sqrt(80.0 * 40 / 50 / (0.05 + own))
    peak = 0.5 * (0.05 + own) * 0.1**2
    np.testing.assert_allclose(internal, peak * np.sin(omega * t) ** 2, atol=0.03 * peak)


def test_a_free_top_keeps_its_energy_and_tumbles(tmp_path):
    """A node with three moments of inertia that spins about its middle axis turns over (Euler)."""
    text = """*KEYWORD
*CONTROL_TERMINATION
20.
*CONTROL_ENERGY
2,2,2,1
*CONTROL_TIMESTEP
0.,0.9,0,,,3
*DEFINE_CURVE
3
0.,0.005
100.,0.005
*DATABASE_GLSTAT
0.1
*DATABASE_RBDOUT
0.1
*DATABASE_BINARY_D3PLOT
20.
*DATABASE_BINARY_D3DUMP
1000
*NODE
1,5,0,0
2,100,0,0
3,101,0,0
*ELEMENT_INERTIA
       9       1       0
1.,0.,0.,2.,0.,3.,0.5
*PART
spring
1,1,1
*SECTION_DISCRETE
1,0
0,0
*MAT_SPRING_ELASTIC
1,1e-6
*ELEMENT_DISCRETE
1,1,2,3
2,1,3,2
*ELEMENT_MASS
2,2,0.5
3,3,0.5
*INITIAL_VELOCITY_NODE
1,1.,0,0,0.001,2.0,0.001
*END
"""
    one = solve(text, tmp_path / "one")
    history = read_glstat(tmp_path / "one" / "glstat")["kinetic energy"].to_numpy()
    assert history[0] == pytest.approx(0.5 * 0.5 + 0.5 * 2 * 4, rel=1e-5)
    np.testing.assert_allclose(history, history[0], rtol=1e-5)
    spins = [
        line.split() for line in one.history("rbdout") if line.strip().startswith("rotational velocities")
    ]
    if spins:
        about_y = [float(words[-2]) for words in spins]
        assert max(about_y) > 1.9
    assert solve(text, tmp_path / "two", 2).hash == one.hash
    dumps = sorted((tmp_path / "one").glob("d3dump*"))
    gone_on = run(None, tmp_path / "one", f"r={dumps[0]}")
    assert gone_on.status == 0, gone_on.said
    assert gone_on.hash == one.hash


@pytest.mark.parametrize(
    "numbers", ["-1.,0.,0.,1.,0.,1.,0.1", "1.,2.,0.,1.,0.,1.,0.1", "1.,0.,0.,1.,0.,1.,-0.1"]
)
def test_a_negative_moment_is_a_mistake(numbers, tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(twisted_beam(f"*ELEMENT_INERTIA\n       9       2       0\n{numbers}"))
    done = run(path, tmp_path / "run")
    assert done.status != 0
    assert "the mass or a principal moment of inertia is negative" in done.said
