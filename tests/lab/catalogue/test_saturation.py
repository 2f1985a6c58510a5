"""Memory shared by busy cores, against measurements that others published, and caches against cachegrind."""

import pytest

from crumple.lab.catalogue.saturation import missed_share, saturated

TRIAD = (12.41, 24.13, 29.24, 30.73, 30.68)  #: GB/s on 1 to 5 cores of an E5-2680 (RRZE-HPC/kerncraft)
FILLED = {1: 494, 2: 471, 4: 446, 8: 366}  #: bytes an element by MiB of last cache: solver under cachegrind


@pytest.mark.parametrize(("cores", "measured"), list(enumerate(TRIAD, 1)))
def test_triad(cores, measured):
    rate = saturated(cores, 8, 1.0, TRIAD[0], 30.6)
    assert cores * rate * TRIAD[0] == pytest.approx(measured, rel=0.02)


def test_clock_alone_counts_where_memory_does_not():
    assert saturated(8, 8, 0.9, 0.0, 30.0) == 0.9
    assert saturated(4.5, 8, 0.9, 1e-6, 30.0) == pytest.approx(0.95)


@pytest.mark.parametrize(("mebibytes", "filled"), list(FILLED.items()))
def test_cache(mebibytes, filled):
    assert 510 * missed_share(mebibytes * 2**20, 18e6) == pytest.approx(filled, rel=0.08)


def test_all_in_cache():
    assert missed_share(2e6, 1e6) == 0.0
