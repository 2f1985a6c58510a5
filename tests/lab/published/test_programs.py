"""What the stand-in for the published program says where our solver does."""

from collections import Counter

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


STAND_IN = Program("stand-in", 2.0, 1.5, (("allreduce", 64, 4.0),), halves=True)


def test_its_messages_are_half_as_long_in_single_precision():
    double, single = (STAND_IN.changed(volume(), 1, precision) for precision in ("double", "single"))
    assert double.pairs[:, 2:].tolist() == [[9, 81_000]] * 2
    assert single.pairs[:, 2:].tolist() == [[9, 40_500]] * 2
    assert single.copied.sum() == double.copied.sum() / 2
    assert single.collectives == double.collectives == Counter({("allreduce", 64): 4})


def test_ours_are_as_long_in_both():
    """Forces are summed as integers of 8 bytes whatever the elements' precision."""
    assert OURS.changed(volume(), 1, "single").pairs.tolist() == volume().pairs.tolist()


@pytest.mark.parametrize(
    ("precision", "small", "large"),
    [("double", 8 / 26, 1.5 * 6 * 18_000), ("single", 17 / 26, 1.5 * 6 * 6_000)],
)
def test_a_short_message_is_told_by_its_own_length(precision, small, large):
    load = Load(volume(), {6_000: 6, 12_000: 6}, 1, 0.0, None)
    changed = STAND_IN.changed(volume(), 1, precision)
    assert load.messages(STAND_IN, changed, precision) == pytest.approx((13.0, small, large))
