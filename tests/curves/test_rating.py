"""Ratings of ISO/TS 18571 and CORA: perfect, shifted, scaled and wrong curves."""

import numpy as np
import pytest

from crumple.curves.cora import rate_by_cora
from crumple.curves.rating import averaged, best_shift, corridor_score, rate, warped_difference
from crumple.curves.signal_error import SignalError

T = np.arange(0, 0.1, 1e-4)


def pulse(t, late=0.0, size=1.0):
    return size * 40 * np.exp(-(((t - 0.05 - late) / 0.012) ** 2))


def test_the_same_curve_has_one():
    found = rate((T, pulse(T)), (T, pulse(T)))
    assert (found.corridor, found.phase, found.magnitude, found.slope, found.shift) == (1, 1, 1, 1, 0)
    assert found.overall == pytest.approx(1.0)
    assert found.grade == "excellent"
    cora = rate_by_cora((T, pulse(T)), (T, pulse(T)))
    assert cora.overall == pytest.approx(1.0)


def test_a_late_curve():
    """Phase 1 - |n| / (0.2 N); size and slope do not change by a shift."""
    late = rate((T, pulse(T)), (T, pulse(T, late=0.005)))
    assert late.shift == pytest.approx(0.005)
    assert late.phase == pytest.approx(1 - 50 / 200)
    assert late.magnitude == pytest.approx(1.0, abs=1e-3)
    assert late.slope == pytest.approx(1.0, abs=1e-3)
    cora = rate_by_cora((T, pulse(T)), (T, pulse(T, late=0.005)))
    assert cora.phase == pytest.approx((0.12 - 0.05) / 0.11, abs=0.01)
    assert cora.progression == pytest.approx(1.0, abs=1e-3)
    parts = 0.5 * cora.progression + 0.25 * cora.phase + 0.25 * cora.size
    assert cora.overall == pytest.approx(0.5 * cora.corridor + 0.5 * parts)
    early = rate((T, pulse(T)), (T, pulse(T, late=-0.005)))
    assert early.shift == pytest.approx(-0.005)


def test_a_scaled_curve():
    """In phase; a factor has a known size, and a known slope error."""
    found = rate((T, pulse(T)), (T, pulse(T, size=1.3)))
    assert (found.phase, found.shift) == (1.0, 0.0)
    assert found.slope == pytest.approx(1 - 0.3 / 2)
    assert 1 - 0.3 / 0.5 <= found.magnitude < 1.0  # warping may only lessen the difference
    assert rate_by_cora((T, pulse(T)), (T, pulse(T, size=1.3))).size == pytest.approx(1 / 1.69)


#: size, delay, width and wave of a computed curve; corridor, phase, magnitude, slope, rating of the package
#: objective-rating-metrics 1.3, another implementation of ISO/TS 18571
RATED = [
    ((1.1, 0.0012, 0.009, 2.0), (0.862887188, 0.91875, 0.885674265, 0.594617964, 0.824963321)),
    ((0.8, -0.003, 0.012, -4.0), (0.727437051, 0.81875, 0.807754025, 0.332487162, 0.682773058)),
    ((0.5, 0.01, 0.015, 6.0), (0.55796371, 0.40625, 0.480369819, 0.071023469, 0.414714142)),
]


@pytest.mark.parametrize(("curve", "expected"), RATED)
def test_another_implementation_gives_the_same(curve, expected):
    size, late, width, wave = curve
    t = np.arange(0, 0.08, 1e-4)
    test = 40 * np.exp(-(((t - 0.04) / 0.01) ** 2)) + 3 * np.sin(400 * t)
    model = size * 40 * np.exp(-(((t - 0.04 - late) / width) ** 2)) + wave * np.sin(700 * t)
    found = rate((t, test), (t, model))
    parts = (found.corridor, found.phase, found.magnitude, found.slope, found.overall)
    assert parts == pytest.approx(expected, abs=1e-8)


def test_corridor_by_hand():
    """Off by 5 % and less: 1; by 27.5 %, half way: 1/4; by 50 % and more: 0."""
    test = np.full(100, 10.0)
    for off, expected in ((0.0, 1.0), (0.5, 1.0), (2.75, 0.25), (5.0, 0.0), (9.0, 0.0)):
        assert corridor_score(test, test - off, 0.5, 5.0) == pytest.approx(expected)


def test_the_opposite_is_poor():
    found = rate((T, pulse(T)), (T, -pulse(T)))
    assert found.grade == "poor"
    assert found.magnitude == 0.0
    # The flat beginning of a gauss is nothing to move along; progression of K = -1 at most is 0.
    assert rate_by_cora((T, pulse(T)), (T, -pulse(T))).progression < 1e-3


def test_warping_finds_the_least_path():
    """Against all paths of short curves, by brute force."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=6), rng.normal(size=6)

    def all_paths(i, j):
        if i == j == 5:
            yield [(i, j)]
        for di, dj in ((1, 0), (0, 1), (1, 1)):
            if i + di < 6 and j + dj < 6:
                for rest in all_paths(i + di, j + dj):
                    yield [(i, j), *rest]

    def cost(path):
        return sum((a[i] - b[j]) ** 2 for i, j in path)

    best = min(all_paths(0, 0), key=cost)
    off, whole = warped_difference(a, b, 6)
    assert off == pytest.approx(sum(abs(a[i] - b[j]) for i, j in best))
    assert whole == pytest.approx(sum(abs(a[i]) for i, _ in best))
    narrow = min((p for p in all_paths(0, 0) if all(abs(i - j) <= 1 for i, j in p)), key=cost)
    assert warped_difference(a, b, 1)[0] == pytest.approx(sum(abs(a[i] - b[j]) for i, j in narrow))


def test_means_near_the_ends():
    x = np.arange(20.0) ** 2
    found = averaged(x)
    assert found[0] == x[0]
    assert found[2] == pytest.approx(x[:5].mean())
    assert found[10] == pytest.approx(x[6:15].mean())
    assert found[-1] == x[-1]


def test_shift_of_noise_is_found():
    rng = np.random.default_rng(2)
    x = rng.normal(size=400)
    assert best_shift(x[50:350], x[70:370]) == 20


def test_curves_of_other_times():
    """Only what both have counts; times need not be the same."""
    coarse = np.arange(-0.02, 0.08, 3e-4)
    found = rate((T, pulse(T)), (coarse, pulse(coarse)))
    assert found.overall > 0.99
    with pytest.raises(SignalError, match="both curves have"):
        rate((T, pulse(T)), (T + 1, pulse(T)))
    with pytest.raises(SignalError, match="zero"):
        rate((T, 0 * T), (T, pulse(T)))
    with pytest.raises(SignalError, match="at most"):
        rate((20 * T, pulse(T)), (20 * T, pulse(T)))
