"""Published bounds: one that is kept has no error, one that is missed is as far off as it is missed."""

import pytest

from crumple.lab.published.finding_rows import Answer, compared
from crumple.lab.published.predict import JobPrediction
from crumple.lab.published.published_file import Finding, PublishedCase

FAST, SLOW = PublishedCase(cluster="fast"), PublishedCase(cluster="slow")


def answered(measure: str, published: float, seconds: float, bound: str = "") -> Answer:
    """A case of one second against one of so many."""
    finding = Finding(
        number=1, what="", measure=measure, published=published, bound=bound, against={"cluster": "slow"}
    )
    taken = {FAST: 1.0, SLOW: seconds}
    return compared(finding, [(FAST, SLOW)], lambda case: JobPrediction(taken[case], *[0.0] * 9))


@pytest.mark.parametrize("seconds", [1.9, 2.5])
def test_over_a_figure_is_kept_by_it_and_by_any_larger(seconds):
    found = answered("increase", 90, seconds, "over")
    assert found.right and found.error is None


def test_over_a_figure_is_missed_by_what_lacks_of_it():
    found = answered("increase", 90, 1.52, "over")
    assert found.right  # the direction is
    assert found.error == pytest.approx(1.52 / 1.9 - 1)
    assert not answered("increase", 90, 0.95, "over").right


def test_over_a_reduction_is_kept_by_a_larger_one():
    assert answered("reduction", 50, 2.1, "over").error is None
    assert answered("reduction", 50, 1.6, "over").error == pytest.approx(-0.2)


def test_a_figure_without_a_bound_is_missed_from_both_sides():
    assert answered("increase", 90, 2.28).error == pytest.approx(0.2)


@pytest.mark.parametrize("seconds", [1.02, 0.98])
def test_within_is_kept_from_both_sides(seconds):
    found = answered("within", 3, seconds)
    assert found.right and found.error is None


def test_within_is_missed_by_the_rest():
    found = answered("within", 3, 0.8)
    assert not found.right
    assert found.error == pytest.approx(1.25 / 1.03 - 1)
