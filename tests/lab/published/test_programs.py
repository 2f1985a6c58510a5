"""What the stand-in for the published program says where our solver does."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from crumple.lab.published.predict import Load
from crumple.lab.published.programs import OURS, Program
from crumple.lab.simulate.volume import Volume


def volume() -> Volume:
    """Of two ranks, one cycle: each sends 3 messages of 6,000 bytes and 3 of 12,000."""
    return Volume(
        ranks=2,
        critical=100.0,
        compute=np.array([90.0, 80.0]),
        segments=np.array([[90.0], [80.0]]),
        pieces=1.0,
        pairs=np.array([[0, 1, 6, 54_000], [1, 0, 6, 54_000]], dtype=float),
        copied=np.array([54_000.0, 54_000.0]),
        rounds=2.0,
        collectives={("allreduce", 8): 1},
    )


STAND_IN = Program("stand-in", 2.0, 4.0, 64, (("allreduce", 64, 4.0),), halves=True)


def test_it_sends_to_all_ranks_and_neighbours_get_what_ours_do():
    """Rank 2 has no neighbour: four messages of 64 bytes go to it and come from it."""
    ours = replace(volume(), ranks=3, compute=np.array([90.0, 80.0, 70.0]))
    changed = STAND_IN.changed(ours, 1, "double")
    pairs = {(int(a), int(b)): (n, size) for a, b, n, size in changed.pairs}
    assert len(pairs) == 6
    assert pairs[0, 1] == pairs[1, 0] == (4, 54_000 + 4 * 64)
    assert {pairs[2, 0], pairs[2, 1], pairs[0, 2], pairs[1, 2]} == {(4, 4 * 64)}
    assert changed.copied.sum() == 2 * 54_000 + 6 * 4 * 64
    assert changed.rounds == 4
    assert changed.compute.tolist() == [180.0, 160.0, 140.0]


def test_neighbours_get_half_the_bytes_in_single_precision():
    double, single = (STAND_IN.changed(volume(), 1, precision) for precision in ("double", "single"))
    assert double.pairs[:, 2:].tolist() == [[4, 54_000 + 256]] * 2
    assert single.pairs[:, 2:].tolist() == [[4, 27_000 + 256]] * 2
    assert single.collectives == double.collectives == Counter({("allreduce", 64): 4})


def test_ours_are_as_long_in_both():
    """Forces are summed as integers of 8 bytes whatever the elements' precision."""
    assert OURS.changed(volume(), 1, "single").pairs.tolist() == volume().pairs.tolist()


def test_messages_of_ours_are_counted_by_their_sizes():
    load = Load(volume(), {3_000: 6, 12_000: 6}, 1, 0.0, None)
    found = load.messages(OURS, OURS.changed(volume(), 1, "double"))
    assert found == pytest.approx((7.0, 8 / 14, 6 * 12_000))


@pytest.mark.parametrize(
    ("to_each", "small", "large"), [(4.0, 8 / 16, 2 * (54_000 + 256)), (16.0, 1.0, 0.0)], ids=["few", "many"]
)
def test_messages_of_the_stand_in_are_as_long_as_they_are_few(to_each, small, large):
    program = replace(STAND_IN, to_each=to_each)
    load = Load(volume(), {6_000: 6, 12_000: 6}, 1, 0.0, None)
    found = load.messages(program, program.changed(volume(), 1, "double"))
    assert found == pytest.approx((to_each + 4, small, large))


def test_collectives_of_the_same_size_are_all_counted():
    """Three calls of two ranks, a round each, beside the six messages of each rank."""
    ours = replace(volume(), collectives={("allreduce", 8): 1, ("bcast", 8): 2})
    load = Load(ours, {3_000: 6, 12_000: 6}, 1, 0.0, None)
    assert load.messages(OURS, ours)[0] == pytest.approx(6 + 3)
