"""Numbers of things in words."""

from crumple.lab.words import count


def test_one_is_no_plural():
    assert count(1, "rank") == "1 rank"
    assert [count(n, "switch", "switches") for n in (0, 1, 2)] == ["0 switches", "1 switch", "2 switches"]
