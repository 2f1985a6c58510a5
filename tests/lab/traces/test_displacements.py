"""How far nodes have moved: kept and read again, and what contacts the solver finds there."""

import numpy as np
import pytest

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.traces.decomposition import FILE as DECOMPOSITION
from crumple.lab.traces.decomposition import at_state, decompose, read_decomposition
from crumple.lab.traces.displacements import FILE, Displacements, keep, kept

CARS = 3


def nodes_of(deck):
    """Ids, positions and car of the nodes of a deck that has a *NODE for each car."""
    ids, x, car = [], [], []
    for number, block in enumerate(deck.read_text().split("*NODE\n")[1:]):
        lines = block[: block.index("*")].splitlines()
        ids += [int(line[:8]) for line in lines]
        x += [[float(line[at : at + 16]) for at in (8, 24, 40)] for line in lines]
        car += [number] * len(lines)
    assert number == CARS - 1
    return np.array(ids), np.array(x), np.array(car)


NODE = np.array([3, 4, 9, 200])
MOVED = np.array([[1.0, -2.0, 0.0], [1500.0, 0.25, -3.0], [0.0, 0.0, 0.0], [-700.0, 1.0, 2.0]])


def test_what_is_kept_is_read_again(tmp_path):
    meta = keep(tmp_path, Displacements(NODE, MOVED))
    found = kept(tmp_path, meta)
    assert np.array_equal(found.node, NODE)
    assert found.moved == pytest.approx(MOVED, abs=0.05)
    assert kept(tmp_path, {}) is None


@pytest.mark.parametrize("damage", [lambda raw: raw[:-5], lambda raw: b"", lambda raw: raw[:30] + raw])
def test_what_is_damaged_is_said(tmp_path, damage):
    meta = keep(tmp_path, Displacements(NODE, MOVED))
    path = tmp_path / FILE
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(TraceError, match="displacements.zst: damaged"):
        kept(tmp_path, meta)


def states(deck, folder, *moved, ranks=3):
    """The decomposition at the start and where nodes have moved."""
    files = [m.write_for_solver(folder / f"{k}.bin") for k, m in enumerate(moved)]
    decompose(deck, ranks, "rcb", None, folder, files)
    return [read_decomposition(folder / n) for n in (DECOMPOSITION, *map(at_state, range(1, len(moved) + 1)))]


def test_contacts_where_nodes_have_moved(three_vehicles, tmp_path):
    node, x, car = nodes_of(three_vehicles)
    last = car[:, None] == CARS - 1
    hardly = Displacements(node, np.where(last, [-3.0, 0.0, 0.0], 0.0))  # none sorts for that
    nearer = Displacements(node, np.where(last, [-150.0, 0.0, 0.0], 0.0))
    all_away = Displacements(node, np.full_like(x, 1e4))
    start, moved, same, away = states(three_vehicles, tmp_path, nearer, hardly, all_away, ranks=12)
    assert same == start
    assert [s.pairs for s in away.shares] == [s.pairs for s in start.shares]
    more = [sum(m.pairs) - sum(s.pairs) for s, m in zip(start.shares, moved.shares, strict=True)]
    assert sum(more) > 0
    assert more.count(0) >= 4  # those of the first car
    sent = [sum(sum(s.copies[0].values()) for s in state.shares) for state in (start, moved)]
    assert sent[1] > sent[0]
    assert sum(sum(s.within_reach) for s in moved.shares) > sum(sum(s.within_reach) for s in start.shares)
    assert all(share.deformed == 0.0 for share in moved.shares)


def test_elements_that_have_yielded_are_counted_where_they_are(three_vehicles, tmp_path):
    node, x, _ = nodes_of(three_vehicles)
    low, high = np.quantile(x[:, 0], [0.0, 0.1])
    squeezed = np.where(x[:, 0] < high, 0.05 * (high - x[:, 0]), 0.0)
    moved = Displacements(node, np.column_stack([squeezed, 0 * squeezed, 0 * squeezed]))
    _, found = states(three_vehicles, tmp_path, moved)
    first, *others = (share.deformed for share in found.shares)
    assert 0.05 * found.shares[0].cost < first < found.shares[0].cost
    assert others == [0.0, 0.0]


def test_a_node_that_is_not_there(three_vehicles, tmp_path):
    with pytest.raises(TraceError, match="CR-P023.*there is no node 99999999"):
        states(three_vehicles, tmp_path, Displacements(np.array([99_999_999]), np.zeros((1, 3))))
