"""The file of element costs: measured by `crumple tune`, used by the solver to balance ranks."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from crumple.whole_file import write_whole

FORMAT = "crumple element costs"
VERSION = 1
BUILT_IN = "built-in"  #: instead of a file: the solver's built-in costs


@dataclass(frozen=True)
class ElementCost:
    """Nanoseconds of an element per cycle; for shells also per layer, and per layer that yields."""

    kind: str
    elform: int
    law: int
    element: float
    point: float = 0.0
    yield_: float = 0.0

    def row(self) -> dict[str, str | int | float]:
        """The row in the file."""
        fields = {name.rstrip("_"): value for name, value in asdict(self).items()}
        return {name: round(v, 2) if isinstance(v, float) else v for name, v in fields.items()}


@dataclass
class Costs:
    """All costs of a machine."""

    machine: dict[str, str | int]
    solver: str  #: SHA-256 of the program
    load: float  #: load average at the start
    of: dict[str, list[ElementCost]] = field(default_factory=dict)  #: by precision

    def write(self, path: Path) -> None:
        """Write the costs to a file; its folder is made if needed."""
        path.parent.mkdir(parents=True, exist_ok=True)
        head = {"format": FORMAT, "version": VERSION, "unit": "ns an element and cycle"}
        head |= {"machine": self.machine, "solver": self.solver, "load": round(self.load, 2)}
        rows = {precision: [cost.row() for cost in costs] for precision, costs in self.of.items()}
        write_whole(path, json.dumps(head | rows, indent=1) + "\n")


def stored_costs() -> Path:
    """The default file: crumple/costs.json in the user's configuration folder."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "crumple" / "costs.json"


def costs_to_use(asked: str) -> list[str]:
    """The solver's arguments for the costs that a user wants; by default the stored ones, if they exist."""
    if asked == BUILT_IN:
        return []
    if asked:
        return ["--costs", asked]
    return ["--costs", str(stored_costs())] if stored_costs().is_file() else []
