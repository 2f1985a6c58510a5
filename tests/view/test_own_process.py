"""What reads a d3plot has a process of its own."""

import time

import pytest

from crumple.view import own_process
from crumple.view.plot_file import ResultError


def test_a_reader_that_finds_no_end_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(own_process, "PATIENCE", 0.5)
    (tmp_path / "d3plot").write_bytes(b"")
    with pytest.raises(ResultError, match=r"is damaged: its reader found no end in 0 s|in 1 s"):
        own_process.in_own_process(tmp_path, time.sleep, 60.0)


def test_what_it_returns_and_raises(tmp_path):
    assert own_process.in_own_process(tmp_path, max, 1, 2) == 2
    with pytest.raises(ValueError, match="invalid literal"):
        own_process.in_own_process(tmp_path, int, "x")
