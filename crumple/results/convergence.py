"""Reads convergence.jsonl: each iteration and step of an implicit run, with the seconds of its parts.

One JSON object a line, its kind in `record` (docs/implicit-reference.md): `settings` once, `equations` where
they are new, `iteration`, `step` (one that has not converged, too), and `end`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from crumple.results.damage import DamagedFile, names_its_file

NAME = "convergence.jsonl"
#: parts of a run, in the order of the solver's table, with a name for people
PARTS = {
    "ordering": "ordering",
    "symbolic": "symbolic factor",
    "stiffness": "stiffness",
    "factor": "factors",
    "solve": "solutions",
    "forces": "forces",
    "contact": "contact",
    "accept": "end of step",
    "output": "output",
    "other": "other",
}


@dataclass(frozen=True)
class Convergence:
    """The records as tables; seconds of parts are columns named as in PARTS, and a dictionary in `end`."""

    settings: dict
    equations: pd.DataFrame
    iterations: pd.DataFrame
    steps: pd.DataFrame  #: tries of steps: `converged` says which were taken
    end: dict | None  #: totals; None while the run goes on, or where it was killed

    @property
    def taken(self) -> pd.DataFrame:
        """Steps that converged."""
        return self.steps[self.steps["converged"]] if len(self.steps) else self.steps


@names_its_file
def read_convergence(path: Path) -> Convergence:
    """Read the file; a last line that is not complete is left out.

    Raises:
        DamagedFile: a line is no record.
    """
    lines = path.read_text(errors="replace").split("\n")[:-1]
    records: dict[str, list[dict]] = {}
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            kind = record.pop("record")
            if kind in ("iteration", "step"):
                record |= dict.fromkeys(PARTS, 0.0) | record.pop("seconds")
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            raise DamagedFile(f"{path}: line {number} is no record of a run") from None
        records.setdefault(kind, []).append(record)
    return Convergence(
        settings=records.get("settings", [{}])[0],
        equations=pd.DataFrame(records.get("equations", [])),
        iterations=pd.DataFrame(records.get("iteration", [])),
        steps=pd.DataFrame(records.get("step", [])),
        end=records.get("end", [None])[-1],
    )
