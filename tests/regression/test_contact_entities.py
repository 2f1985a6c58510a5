"""Contact entities: conserved momentum and energy, a rigid wall of the same shape, friction, INOUT."""

import math

import numpy as np
import pytest
from entity_decks import SHAPES, entity, hit
from small_decks import Deck
from solver_run import Run, run

from crumple.results.forces import read_rcforc
from crumple.results.glstat import read_glstat
from crumple.results.matsum import read_matsum

G = 9.81e-3  # mm/ms^2
SOFT = "1e-6,0.2,0.3"  #: a material whose step is long


def result(text: str, folder, ranks: int = 1) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(text)
    done = run(folder / "deck.k", folder / "out", ranks=ranks)
    assert done.status == 0, done.said[-4000:]
    return done


def displacements(done: Run, node: int) -> np.ndarray:
    """Time and displacement of a node in each row of nodout."""
    rows, time = [], 0.0
    for line in done.history("nodout"):
        words = line.split()
        if "time" in line and words[-1] == ")":
            time = float(words[-2])
        elif len(words) == 13 and words[0] == str(node):
            rows.append([time, *(float(w) for w in words[1:4])])
    return np.array(rows)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_hit_conserves_momentum_and_energy(shape, tmp_path):
    """Of a block and a free rigid body with the surface, which turns."""
    done = result(hit(*SHAPES[shape]), tmp_path)
    rows = read_matsum(done.directory / "matsum").rows
    momentum = rows.groupby("time")[["x-mom", "y-mom", "z-mom"]].sum().to_numpy()
    body = rows[rows["part"] == 2]["z-mom"].to_numpy()
    size = abs(momentum[0, 2])
    assert momentum == pytest.approx(np.tile(momentum[0], (len(momentum), 1)), abs=1e-3 * size)
    assert body[0] == 0.0 and abs(body[-1]) > 0.02 * size
    energy = read_glstat(done.directory / "glstat")
    total = energy["total energy"].to_numpy()
    assert total == pytest.approx(total[0], rel=0.02)
    assert energy["sliding interface energy"].max() > 0.001 * total[0]
    forces = read_rcforc(done.directory / "rcforc").rows
    assert set(forces["id"]) == {7}
    one, other = (
        forces[forces["side"] == side][["x", "y", "z"]].to_numpy() for side in forces["side"].unique()
    )
    assert one == pytest.approx(-other)
    assert abs(one).max() > 0.0


def dropped(with_wall: bool) -> str:
    """A rigid block beside the middle of a held sphere: a wall, or an entity as stiff as walls are."""
    deck = Deck()
    deck.control(6.0, 6.0, 0.1)
    deck.part(1, "SOLID,1", f"RIGID,{SOFT}|0.|")
    deck.part(2, "SOLID,1", f"RIGID,{SOFT}|1.,7,7|")
    nodes = deck.block(1, (3, 3, 3), (0.0, 0.0, 0.1), (12.0, 12.0, 6.0))
    deck.block(2, (1, 1, 1), (2.0, 2.0, -20.0), (6.0, 6.0, 6.0))
    deck.set("NODE", 4, nodes)
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,2,0.,0.5,0.,-2.\n0.,0.,0.")
    deck.add(f"*DATABASE_HISTORY_NODE\n{nodes[0]},{nodes[-1]}\n*DATABASE_NODOUT\n0.1")
    deck.add("*CONTROL_CONTACT\n0.1,1.0")
    if with_wall:
        deck.add("*RIGIDWALL_GEOMETRIC_SPHERE\n4\n4.,5.,-8.,4.,5.,0.,0.\n8.")
    else:
        deck.add(entity(2, 2, (4, 0), (4.0, 5.0, -8.0), (0.0, 0.0, 0.0, 8.0), "0.4"))
    return deck.text()


def test_a_held_sphere_acts_as_the_rigid_wall(tmp_path):
    """The penalty of walls for nodes of rigid bodies is 0.1 m / dt^2, that of entities SF times 0.25."""
    wall, surface = (result(dropped(w), tmp_path / str(w)) for w in (True, False))
    for node in (1, 64):
        moved, wanted = displacements(surface, node), displacements(wall, node)
        assert abs(wanted[-1, 3] + 2.0 * wanted[-1, 0]) > 0.5  # it has been hit
        assert moved == pytest.approx(wanted, abs=1e-4 * abs(wanted).max())


def sliding(friction: float, time: float = 20.0, slope: float = 30.0) -> str:
    """A flat rigid block on a plane; gravity is inclined instead of the plane."""
    a = math.radians(slope)
    deck = Deck()
    deck.control(time, time, time / 20)
    deck.part(1, "SOLID,1", f"RIGID,{SOFT}|0.|")
    deck.part(2, "SOLID,1", f"RIGID,{SOFT}|1.,7,7|")
    nodes = deck.block(1, (4, 4, 1), (0.0, 0.0, 0.0), (20.0, 20.0, 4.0))
    deck.block(2, (1, 1, 1), (0.0, 0.0, -20.0), (6.0, 6.0, 6.0))
    deck.add(entity(2, 1, (1, 1), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 1.0), f"1.,20.,{friction}"))
    deck.add(f"*DEFINE_CURVE\n1\n0.,{G}\n1000.,{G}")
    deck.add(f"*LOAD_BODY_X\n1,{-math.sin(a)}\n*LOAD_BODY_Z\n1,{math.cos(a)}")
    deck.add(f"*DATABASE_HISTORY_NODE\n{nodes[0]}\n*DATABASE_NODOUT\n{time / 20}")
    return deck.text()


def test_friction_on_a_slope(tmp_path):
    """Sliding with g (sin a - mu cos a); below the angle of friction it sticks."""
    a, mu, time = math.radians(30.0), 0.3, 20.0
    slides = result(sliding(mu), tmp_path / "slides")
    rows = displacements(slides, 1)
    wanted = G * (math.sin(a) - mu * math.cos(a))
    assert rows[-1, 1] == pytest.approx(0.5 * wanted * time**2, rel=0.02)
    assert abs(rows[:, 3]).max() < 0.01
    lost = read_glstat(slides.directory / "glstat")["sliding interface energy"].iloc[-1]
    weight = 1e-6 * 20.0 * 20.0 * 4.0 * G
    assert lost == pytest.approx(mu * weight * math.cos(a) * rows[-1, 1], rel=0.05)
    sticks = displacements(result(sliding(0.7), tmp_path / "sticks"), 1)
    assert abs(sticks[:, 1]).max() < 0.01 * rows[-1, 1]


def test_inside_stays_inside(tmp_path):
    """INOUT = 1: a block in a hollow sphere bounces and does not leave it."""
    deck = Deck()
    deck.control(40.0, 40.0, 0.5)
    deck.part(1, "SOLID,1", f"RIGID,{SOFT}|0.|")
    deck.part(2, "SOLID,1", f"RIGID,{SOFT}|1.,7,7|")
    nodes = deck.block(1, (2, 2, 2), (-2.0, -2.0, -2.0), (4.0, 4.0, 4.0))
    deck.block(2, (1, 1, 1), (30.0, 0.0, 0.0), (6.0, 6.0, 6.0))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,2,0.,2.,1.,-1.\n0.,0.,0.")
    deck.add(entity(2, 2, (1, 1), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 10.0), inside=1))
    deck.add(f"*DATABASE_HISTORY_NODE\n{nodes[0]},{nodes[-1]}\n*DATABASE_NODOUT\n0.5")
    done = result(deck.text(), tmp_path)
    for node, start in ((1, -2.0), (27, 2.0)):
        distance = np.linalg.norm(displacements(done, node)[:, 1:] + start, axis=1)
        assert distance.max() < 10.5  # and a penetration
        assert distance.max() > 8.0
    total = read_glstat(done.directory / "glstat")["total energy"].to_numpy()
    assert total[-1] == pytest.approx(total[0], rel=0.2)


@pytest.mark.parametrize(
    ("shape", "g", "says"),
    [(10, (0.0, 0.0, 0.0, 5.0, 5.0), "GEOTYP"), (11, (1.0, 10.0, 10.0), "GEOTYP"), (2, (0.0,), "G4 = 0")],
)
def test_what_is_refused(shape, g, says, tmp_path):
    (tmp_path / "deck.k").write_text(hit(shape, g))
    refused = run(tmp_path / "deck.k", tmp_path / "out")
    assert refused.status == 2, refused.said
    assert says in refused.said


def test_check_lists_them(tmp_path):
    (tmp_path / "deck.k").write_text(hit(*SHAPES["torus"]))
    checked = run(tmp_path / "deck.k", tmp_path / "out", "--check")
    assert checked.status == 0, checked.said
    assert "contact entities" in checked.said
    assert "a tube of radius 6 around a circle of radius 9" in checked.said
