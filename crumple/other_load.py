"""How busy the cores of this machine are with other work."""

import os
import time
from collections.abc import Collection
from pathlib import Path

STAT = Path("/proc/stat")
LOOKED_AT = 0.15  #: s; times in /proc/stat are in steps of 0.01 s
OTHER_LOAD = 0.3  #: of a core, from which it counts as used by others
IDLE = (3, 4)  #: columns of /proc/stat: idle, waiting for a disk
COUNTED = 8  #: columns that add up to all of the time: what guests use is in the first


def busy_threads(allowed: Collection[int]) -> dict[int, float]:
    """Part of the time, from 0 to 1, that each hardware thread in `allowed` was at work just now.

    This process sleeps meanwhile. All zero where /proc/stat cannot be read.
    """
    try:
        before = STAT.read_text()
        time.sleep(LOOKED_AT)
        return busy_between(before, STAT.read_text(), allowed)
    except (OSError, ValueError, IndexError):
        return dict.fromkeys(allowed, 0.0)


def cores_at_work() -> float:
    """How many cores of this machine work just now, before a run of ours begins.

    The system's load average would not do: the run before this one is still in it.
    """
    return sum(busy_threads(os.sched_getaffinity(0)).values())


def busy_between(before: str, after: str, allowed: Collection[int]) -> dict[int, float]:
    """The same from two contents of /proc/stat.

    Raises:
        ValueError: they have another form.
    """
    first, last = (times(text) for text in (before, after))
    found = {}
    for unit in allowed:
        none = [0] * COUNTED
        passed = [b - a for a, b in zip(first.get(unit, none), last.get(unit, none), strict=True)]
        idle, total = sum(passed[k] for k in IDLE), sum(passed)
        found[unit] = min(1.0, max(0.0, 1.0 - idle / total)) if total > 0 else 0.0
    return found


def times(text: str) -> dict[int, list[int]]:
    """The times of each hardware thread in /proc/stat."""
    rows = [line.split() for line in text.splitlines() if line.startswith("cpu") and line[3:4].isdigit()]
    return {int(row[0][3:]): [int(word) for word in row[1 : 1 + COUNTED]] for row in rows}
