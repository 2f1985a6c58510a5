"""Rounds of recursive doubling, and what calls of it take one after the other."""

import pytest

from crumple.lab.simulate.doubling import seconds_of_doublings, ways_of_doubling


@pytest.mark.parametrize(
    ("ranks", "per_node", "expected"),
    [
        (16, 4, {(2, 2, 4)}),
        (16, 1, {(4, 0, 1)}),
        (8, 8, {(0, 3, 0)}),
        # 128 go on: of nodes 0 to 15 every other rank, with its neighbour's part; of nodes 16 to 23 all.
        # Between nodes are those 4 to 64 apart there, 8 to 64 here
        (192, 8, {(5, 4, 4), (4, 4, 8)}),
    ],
)
def test_rounds_of_recursive_doubling(ranks, per_node, expected):
    """Between nodes, within one, and how many ranks of a node send at a time; by Thakur and others."""
    assert {(w.far, w.near, w.senders) for w in ways_of_doubling(ranks, per_node)} == expected


@pytest.mark.parametrize(
    ("ranks", "paths", "processors"),
    [
        (2, 1, 0),
        (8, 3, 0),
        # Hand over, two rounds, hand back; whom the second is with has been there since the first
        (6, 3, 1),
    ],
)
def test_seconds_of_calls_one_after_the_other(ranks, paths, processors):
    """40 us from one to another, 11 of them the processors': as worked out by hand, and as SimGrid has it."""
    assert seconds_of_doublings(ranks, 40e-6, 11e-6, 0.0) == pytest.approx(paths * 40e-6 + processors * 11e-6)


@pytest.mark.parametrize(("ranks", "rounds"), [(8, 3), (64, 6)])
def test_delays_add_to_each_round(ranks, rounds):
    """The later one of two delays of the same mean, 1.5 times it, and more where others were late before."""
    without, late = (seconds_of_doublings(ranks, 40e-6, 11e-6, delay) for delay in (0.0, 20e-6))
    assert 1.0 < (late - without) / rounds / 20e-6 < 2.5
