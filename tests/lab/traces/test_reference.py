"""How fast the machine of a trace is: measured while it is recorded, and again where it has changed."""

import json

import pytest

from crumple.lab.calibrate.this_machine import describe
from crumple.lab.catalogue.platform_file import Kernel, Platform, summarized, write_platform
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.traces.reference import TRIES, from_platform, rate_now


@pytest.fixture
def measure(tmp_path, monkeypatch):
    """Measurements that are given one after the other, in an empty cache."""
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path))

    class Measure:
        left: list[float] = []

        def __call__(self) -> float:
            return self.left.pop(0)

    return Measure()


def test_a_busy_moment_does_not_stay(measure):
    measure.left = [8.0, 9.0, 7.0, 8.5, 9.5]
    assert rate_now("solver", measure) == 9.5
    measure.left = [12.0, 11.0, 12.5, 12.1, 12.2]  # quiet again
    assert rate_now("solver", measure) == 12.5
    measure.left = [12.3]  # within the noise: the best of several stays
    assert rate_now("solver", measure) == 12.5
    measure.left = [9.0, 9.1, 9.2, 9.0, 9.1]  # slower for good
    assert rate_now("solver", measure) == 9.2
    assert not measure.left
    measure.left = [5.0] * (TRIES + 1)
    assert rate_now("another", measure) == 5.0


@pytest.mark.parametrize(
    "kept", ["", "[]", '{"solver": "x"}', '{"solver": NaN}', '{"solver": 0}', "[" * 9999]
)
def test_what_is_kept_may_be_damaged(measure, kept, tmp_path):
    (tmp_path / "element-rates.json").write_text(kept)
    measure.left = [3.0] * (TRIES + 1)
    assert rate_now("solver", measure) == 3.0
    assert json.loads((tmp_path / "element-rates.json").read_text()) == {"solver": 3.0}


def test_platform_file_gives_the_rate_of_the_busy_cores(tmp_path):
    platform = Platform(machine=describe(quick=True))
    path = tmp_path / "p.toml"
    write_platform(platform, path)
    with pytest.raises(TraceError, match="no rate of one busy core in double precision"):
        from_platform("double", path, 1)
    for busy, rate in {1: 10.0, 2: 9.0, 4: 6.0}.items():
        platform.kernel.append(
            Kernel(busy_cores=busy, precision="double", elements=1, **summarized([rate], [1.0]))
        )
    write_platform(platform, path)
    rates = [from_platform("double", path, busy)["element_rate"] for busy in (1, 2, 3, 4, 8)]
    assert rates == [10.0, 9.0, 7.5, 6.0, 6.0]
