"""The layout of a run from advice: the JSON that `crumple advise --json` prints."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

MARGIN = 1.5  #: limit of a job over the longest time predicted
LEAST_MINUTES = 10


class SubmitError(ValueError):
    """A job cannot be made of what was asked for."""


@dataclass(frozen=True)
class Layout:
    """How a run uses the cluster."""

    ranks: int
    threads: int
    nodes: int
    decomposition: str
    minutes: int  #: limit of the job


def advised_layout(path: Path) -> Layout:
    """The best layout of some advice.

    Raises:
        SubmitError: the file has no advice, or advises several jobs side by side, which one job cannot be.
        OSError: it cannot be read.
    """
    try:
        best = json.loads(path.read_text())["best"][0]
        jobs = int(best["jobs"])
        layout = Layout(
            ranks=int(best["ranks"]),
            threads=int(best["threads"]),
            nodes=-(-int(best["nodes"]) // jobs),
            decomposition=str(best["decomposition"]),
            minutes=max(LEAST_MINUTES, math.ceil(MARGIN * float(best["high"]) / 60.0)),
        )
    except (ValueError, LookupError, TypeError):
        raise SubmitError(f"{path} has no advice: write it by crumple advise --json > {path.name}") from None
    return layout
