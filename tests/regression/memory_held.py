"""What `check` says that a run takes of memory, against what it held."""

import json
import re
from pathlib import Path

import pytest
from solver_run import Run, run


def predicted(deck: Path, directory: Path, ranks: int, *more: str) -> dict:
    """The figures of `check`, read from its JSON."""
    path = directory / "need.json"
    done = run(deck, directory, "--check", "--ranks", str(ranks), "--json", str(path), *more)
    assert done.status == 0, done.said
    need = json.loads(path.read_text())["memory"]
    told = re.search(r"about (\d+) MB on rank 0(?:, (\d+) MB on each other)?", done.stdout)
    assert int(told[1]) == round(1e-6 * need["rank_0"]["bytes"])
    assert (told[2] is not None) == (ranks > 1)
    return need


def peaks(done: Run) -> list[float]:
    """Bytes that each rank held, as the run tells."""
    assert done.status == 0, done.said
    line = re.search(r"^ peak memory:(.*)$", done.stdout, re.MULTILINE)
    assert line and line[1] in (done.directory / "d3hsp").read_text()
    return [1e6 * float(megabytes) for megabytes in re.findall(r"([\d.]+) MB on rank \d+", line[1])]


def compare(deck: Path, directory: Path, ranks: int, *more: str) -> None:
    """Every rank within 20 %."""
    need = predicted(deck, directory, ranks, *more)
    held = peaks(run(deck, directory, "ncycle=10", *more, ranks=ranks))
    assert len(held) == ranks
    assert need["rank_0"]["bytes"] == pytest.approx(held[0], rel=0.2)
    for other in held[1:]:
        assert need["other_ranks"]["bytes"] == pytest.approx(other, rel=0.2)
