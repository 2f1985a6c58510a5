"""Nodes without mass: what acts on them is answered by what holds, moves or links them, or named."""

import re

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import run, same_on_two_ranks

STIFFNESS = 0.5


def springs(*nodes: tuple[float, float, float], end: float = 1.0, law: str = "") -> Deck:
    """A held brick, which gives the step, and a chain of springs along the nodes, the first of them held."""
    deck = Deck()
    deck.control(end, end, end / 10)
    deck.part(1, "DISCRETE,0,|0.,0.", law or f"SPRING_ELASTIC,{STIFFNESS}")
    deck.part(9, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3")
    chain = [deck.node(x, 7 if k == 0 else 0) for k, x in enumerate(nodes)]
    for a, b in zip(chain, chain[1:], strict=False):
        deck.element("DISCRETE", 1, (a, b))
    for node in deck.block(9, (1, 1, 1), (0.0, 0.0, 100.0), (10.0, 10.0, 10.0))[:4]:
        deck.add(f"*BOUNDARY_SPC_NODE\n{node},0,1,1,1,1,1,1")
    deck.add("*DEFINE_CURVE\n1\n0.,0.\n1.,1.\n2.,2.")
    deck.add(
        "".join(f"*DATABASE_{name}\n{end / 10},3\n" for name in ("NODOUT", "SPCFORC", "BNDOUT", "DEFORC"))
    )
    return deck


def errors(deck: Deck, tmp_path) -> str:
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    done = run(path, tmp_path / "out")
    assert done.status == 2, done.said
    return done.said


def results(deck: Deck, tmp_path):
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    return Binout(str(same_on_two_ranks(path, tmp_path).directory / "binout0000"))


def columns(binout, branch: str, name: str, count: int) -> np.ndarray:
    return np.reshape(binout.read(*branch.split("/"), name), (-1, count))


def test_springs_in_series_are_named(tmp_path):
    deck = springs((0, 0, 0), (10, 0, 0), (20, 0, 0))
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_NODE\n3,1,2,1,2.0")
    said = errors(deck, tmp_path)
    assert re.search(
        r"deck\.k:\d+: error CR-E405: node 2 has no mass and is free where spring or damper 1", said
    )
    assert said.count("CR-E405") == 1


@pytest.mark.parametrize(
    ("load", "by"),
    [("*LOAD_NODE_POINT\n2,1,1,0.1", "spring or damper 1"), ("*LOAD_NODE_POINT\n2,2,1,0.1", "spring")],
)
def test_a_load_on_a_node_of_a_spring_alone_is_named(tmp_path, load, by):
    deck = springs((0, 0, 0), (10, 0, 0))
    deck.add(load)
    assert f"node 2 has no mass and is free where {by}" in errors(deck, tmp_path)


def test_a_load_on_a_node_of_nothing_is_named(tmp_path):
    deck = springs((0, 0, 0))
    bare = deck.node((50, 0, 0))
    deck.add(f"*LOAD_NODE_POINT\n{bare},3,1,0.1")
    assert f"node {bare} has no mass and is free where a load" in errors(deck, tmp_path)


def test_a_load_across_a_massless_node_that_is_held_along_the_spring_is_named(tmp_path):
    deck = springs((0, 0, 0), (10, 0, 0))
    deck.add("*BOUNDARY_SPC_NODE\n2,0,1\n*LOAD_NODE_POINT\n2,2,1,0.1")
    assert "node 2 has no mass and is free where a load" in errors(deck, tmp_path)


def test_a_pressure_on_a_segment_of_nothing_is_named(tmp_path):
    deck = springs((0, 0, 0))
    corners = [deck.node((x, y, 50)) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    deck.add("*LOAD_SEGMENT\n1,1.0,0.," + ",".join(map(str, corners)))
    said = errors(deck, tmp_path)
    assert said.count("CR-E405") == 4 and "a pressure acts" in said


def test_a_moment_on_a_node_of_bricks_is_named(tmp_path):
    deck = springs((0, 0, 0))
    deck.add("*LOAD_NODE_POINT\n8,6,1,0.1")
    assert "node 8 has no rotational inertia and is free where a load" in errors(deck, tmp_path)


def test_a_torsional_spring_on_a_lumped_mass_is_named(tmp_path):
    deck = springs((0, 0, 0), (10, 0, 0))
    deck.add("*ELEMENT_MASS\n77,2,1e-3")
    deck.part(2, "DISCRETE,1,|0.,0.", "SPRING_ELASTIC,0.5")
    deck.element("DISCRETE", 2, (1, 2))
    assert "node 2 has no rotational inertia and is free where spring or damper" in errors(deck, tmp_path)


def test_what_is_let_go_later_ends_the_run_then(tmp_path):
    """Held until 0.5: the spring that has been stretched by then pulls at a node without mass."""
    deck = springs((0, 0, 0), (10, 0, 0))
    deck.add(
        "*BOUNDARY_SPC_NODE_BIRTH_DEATH\n2,0,1,1,1,1,1,1\n0.,0.5\n"
        "*ELEMENT_MASS\n77,1,1e-3\n*BOUNDARY_PRESCRIBED_MOTION_NODE\n1,1,2,1,0.1"
    )
    text = deck.text().replace("1,0,0,0,7,7", "1,0,0,0,0,0")
    path = tmp_path / "deck.k"
    path.write_text(text)
    for ranks in (1, 2):
        done = run(path, tmp_path / f"out{ranks}", ranks=ranks)
        assert done.status == 3, done.said
        assert re.search(
            r"error CR-R107: node 2 has no mass, and a force of \S+ acts on it at time 5\.0", done.said
        )


def test_reactions_of_nodes_without_mass_are_the_forces_on_them(tmp_path):
    """One end held, one moved, neither with mass: the spring's force is in spcforc, bndout and the work."""
    deck = springs((0, 0, 0), (10, 0, 0))
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_NODE\n2,1,2,1,2.0")
    binout = results(deck, tmp_path)
    time = np.ravel(binout.read("spcforc", "time"))
    ids = list(np.atleast_1d(binout.read("spcforc", "force_ids")))
    force = columns(binout, "spcforc", "x_force", len(ids))[:, ids.index(1)]
    np.testing.assert_allclose(force, -STIFFNESS * 2.0 * time, rtol=1e-6, atol=1e-12)
    moved = np.ravel(binout.read("bndout", "velocity", "nodes", "x_force"))
    np.testing.assert_allclose(moved, STIFFNESS * 2.0 * time, rtol=1e-6, atol=1e-12)
    glstat = {
        name: np.ravel(binout.read("glstat", name)) for name in ("external_work", "total_energy", "time")
    }
    work = 0.5 * STIFFNESS * (2.0 * glstat["time"]) ** 2
    np.testing.assert_allclose(glstat["external_work"], work, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(glstat["total_energy"], work, rtol=1e-3, atol=1e-6)


def test_reactions_in_local_axes_and_moments(tmp_path):
    """A torsional spring between a held and a turned node without inertia; one is held in its own axes."""
    deck = springs((0, 0, 0), (10, 0, 0))
    deck.part(2, "DISCRETE,1,|0.,0.", "SPRING_ELASTIC,0.3")
    deck.element("DISCRETE", 2, (1, 2))
    deck.add(
        "*BOUNDARY_PRESCRIBED_MOTION_NODE\n2,5,2,1,0.2\n*BOUNDARY_SPC_NODE\n2,4,1,1,1,0,0,0\n"
        "*DEFINE_COORDINATE_SYSTEM\n4,0.,0.,0.,1.,1.,0.\n0.,1.,0."
    )
    binout = results(deck, tmp_path)
    time = np.ravel(binout.read("spcforc", "time"))
    ids = list(np.atleast_1d(binout.read("spcforc", "moment_ids")))
    moment = columns(binout, "spcforc", "x_moment", len(ids))[:, ids.index(1)]
    np.testing.assert_allclose(moment, -0.3 * 0.2 * time, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(
    "link",
    [
        "*CONSTRAINED_SPOTWELD\n2,{}",
        "*SET_NODE_LIST\n5\n2,{}\n*CONSTRAINED_NODE_SET\n5,7",
        "*SET_NODE_LIST\n5\n2,{}\n*CONSTRAINED_NODAL_RIGID_BODY\n5,,5",
    ],
)
def test_a_link_hands_the_force_to_what_has_mass(tmp_path, link):
    """A mass beside the spring's massless end, linked to it, swings as it does on the spring itself."""
    mass, speed, end = 0.02, 1.0, 0.6
    deck = springs((0, 0, 0), (10, 0, 0), end=end)
    other = deck.node((20, 0, 0))
    deck.add(f"*ELEMENT_MASS\n77,{other},{mass}\n" + link.format(other))
    deck.add(f"*INITIAL_VELOCITY_NODE\n2,{speed}\n{other},{speed}\n*DATABASE_HISTORY_NODE\n2")
    binout = results(deck, tmp_path)
    time = np.ravel(binout.read("nodout", "time"))
    omega = np.sqrt(STIFFNESS / mass)
    np.testing.assert_allclose(
        np.ravel(binout.read("nodout", "x_displacement")),
        speed / omega * np.sin(omega * time),
        atol=2e-3 * speed / omega,
    )
