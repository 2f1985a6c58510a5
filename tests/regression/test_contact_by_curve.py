"""Contact of rigid bodies by a force curve: impacts against springs by hand, momentum, energy, ranks."""

import math
from pathlib import Path

import pytest
from small_decks import STEEL, Deck
from solver_run import Run, run

from crumple.results.forces import read_rcforc
from crumple.results.glstat import read_glstat

SPEED = 2.0  #: mm/ms
STIFFNESS = 0.3  #: kN/mm of each of four nodes
MASS = 7.85e-6 * 10 * 8 * 6
END = 1.0


def solve(text: str, where: Path, *arguments: str, ranks: int = 1) -> Run:
    where.mkdir(parents=True, exist_ok=True)
    (where / "deck.k").write_text(text)
    done = run(where / "deck.k", where, *arguments, ranks=ranks)
    assert done.status == 0, done.said[-4000:]
    return done


def dropped_block(keyword: str, card: str, end: float = END, cells: int = 1) -> str:
    """A rigid brick flies with its four lower nodes onto a large one that is held."""
    deck = Deck()
    deck.control(end, end, end / 1000)
    deck.part(1, "SOLID,1", f"RIGID,{STEEL}|1.,7,7|")
    deck.part(2, "SOLID,1", f"RIGID,{STEEL}|0.|")
    deck.block(1, (1, 1, 1), (-10.0, -10.0, -20.0), (30.0, 28.0, 20.0))
    deck.block(2, (cells, cells, 1), (0.0, 0.0, 0.01), (10.0, 8.0, 6.0))
    deck.set("PART", 3, (2,))
    deck.add(f"*INITIAL_VELOCITY_GENERATION\n3,1,0.,0.,0.,-{SPEED}\n0.,0.,0.")
    deck.add(f"*DEFINE_CURVE\n7\n0.,0.\n4.,{4 * STIFFNESS}\n*DEFINE_CURVE\n8\n0.,1.\n100.,1.")
    deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,,,3\n*DEFINE_CURVE\n3\n0.,0.0005\n100.,0.0005")
    deck.add(f"*CONTACT_{keyword}\n2,1,3,3\n,\n,\n{card}")
    return deck.text()


KINDS = ("RIGID_BODY_ONE_WAY_TO_RIGID_BODY", "RIGID_BODY_TWO_WAY_TO_RIGID_BODY")
OMEGA = math.sqrt(4 * STIFFNESS / MASS)


def force(done: Run):
    rows = read_rcforc(done.directory / "rcforc").rows
    one = rows[rows["side"] == rows["side"].iloc[0]]
    return one["time"].to_numpy(), one["z"].to_numpy()


def kinetic(done: Run):
    return read_glstat(done.directory / "glstat")["kinetic energy"].to_numpy()


@pytest.mark.parametrize("kind", KINDS)
def test_bounces_as_from_springs(kind, tmp_path):
    """Half a period of contact, the peak v sqrt(k m), and all of the energy back."""
    done = solve(dropped_block(kind, "7,2"), tmp_path)
    t, z = force(done)
    assert z.max() == pytest.approx(SPEED * math.sqrt(4 * STIFFNESS * MASS), rel=0.01)
    touching = t[z > 0]
    assert touching[-1] - touching[0] == pytest.approx(math.pi / OMEGA, abs=0.004)
    e = kinetic(done)
    assert e[-1] == pytest.approx(0.5 * MASS * SPEED**2, rel=2e-3)
    assert (z.sum() * (t[1] - t[0])) == pytest.approx(2 * MASS * SPEED, rel=0.01)


def test_unloading_gives_less_back(tmp_path):
    """With US = 4 k the force falls four times as fast: a quarter of the energy comes back."""
    done = solve(dropped_block(KINDS[0], f"7,2,{4 * STIFFNESS}"), tmp_path)
    e = kinetic(done)
    assert e[-1] == pytest.approx(0.25 * 0.5 * MASS * SPEED**2, rel=0.01)
    total = read_glstat(tmp_path / "glstat")["total energy / initial energy"].to_numpy()
    assert total[-1] == pytest.approx(1.0, abs=5e-3)


def test_damping_slows_it(tmp_path):
    """DSF DC per node, DC = 1: an oscillator of damping ratio 4 DSF / (2 m omega)."""
    ratio = 0.2
    dsf = ratio * 2 * MASS * OMEGA / 4
    done = solve(dropped_block(KINDS[0], f"7,2,0.,,8,{dsf}"), tmp_path)
    # It lets go when spring and damper together would pull: x = v / wd exp(-z w t) sin(wd t),
    # F = 0 where tan(wd t) = -2 z sqrt(1 - z^2) / (1 - 2 z^2).
    root = math.sqrt(1 - ratio**2)
    phase = math.pi - math.atan2(2 * ratio * root, 1 - 2 * ratio**2)
    decay = math.exp(-ratio / root * phase)
    speed = decay * abs(math.cos(phase) - ratio / root * math.sin(phase))
    assert math.sqrt(2 * kinetic(done)[-1] / MASS) == pytest.approx(SPEED * speed, rel=0.02)


def test_node_sets(tmp_path):
    """*CONTACT_RIGID_NODES_TO_RIGID_BODY of the lower nodes: the same bits as the whole part."""
    text = dropped_block(KINDS[0], "7,2").replace(f"*CONTACT_{KINDS[0]}\n2,1,3,3", "{}")
    lower = "*SET_NODE_LIST\n5\n9,10,11,12\n*CONTACT_RIGID_NODES_TO_RIGID_BODY\n5,1,4,3"
    done = solve(text.format(lower), tmp_path / "nodes")
    other = solve(dropped_block(KINDS[0], "7,2"), tmp_path / "parts")
    assert done.hash == other.hash


@pytest.mark.parametrize("kind", KINDS)
def test_same_bits_on_ranks(kind, tmp_path):
    deck = dropped_block(kind, f"7,2,{4 * STIFFNESS},,8,1e-3", 0.2, cells=3)
    hashes = {solve(deck, tmp_path / str(n), ranks=n).hash for n in (1, 2, 3)}
    assert len(hashes) == 1


def test_goes_on_while_it_unloads(tmp_path):
    """From a dump after the largest force, on another number of ranks: the penetration that stays is kept."""
    deck = tmp_path / "deck.k"
    deck.write_text(dropped_block(KINDS[0], f"7,2,{4 * STIFFNESS}", 0.3, cells=3))
    whole = run(deck, tmp_path / "whole")
    out = tmp_path / "parts"
    first = run(deck, out, "ncycle=120", "--dump-cycles", "120", ranks=2)
    assert first.status == 0, first.said[-4000:]
    z = force(first)[1]
    assert 0 < z[-1] < 0.95 * z.max()
    done = run(None, out, f"r={out / 'runrsf'}", ranks=3)
    assert done.hash == whole.hash
