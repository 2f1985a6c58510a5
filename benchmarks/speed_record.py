"""The figures of one measurement, and those that are committed (benchmarks/figures).

A kind of processor is a generation and an instruction set: AVX2's kernels can be measured on Zen 4, too.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from speed_figure import Figure
from speed_limits import Work

FIGURES = Path(__file__).with_name("figures")
Runs = dict[
    str, dict[str, Figure]
]  #: by key (name/precision/ranks x threads), then processor, elapsed, phases
BASELINE = "baseline"  #: the instruction set that any x86-64 has


@dataclass(frozen=True, order=True)
class Kind:
    """Of processor."""

    generation: str
    isa: str

    def __str__(self) -> str:
        return f"{self.generation}, {self.isa}"


@dataclass(frozen=True)
class Record:
    """What was measured, where."""

    name: str  #: of the file in benchmarks/figures; empty: now
    machine: dict
    runs: Runs = field(default_factory=dict)
    kernels: dict[str, Figure] = field(default_factory=dict)
    work: Work = field(default_factory=dict)  #: operations of kernels, empty in old files

    @property
    def kind(self) -> Kind:
        """The generation of old files was added by hand."""
        return Kind(self.machine["generation"], self.machine["isa"])

    @property
    def whole(self) -> bool:
        """Whether kernels and runs were measured."""
        return bool(self.kernels and self.runs)

    def as_json(self) -> dict:
        """As files keep it."""
        return {
            "machine": self.machine,
            "work": self.work,
            "runs": {key: {kind: f.as_json() for kind, f in of.items()} for key, of in self.runs.items()},
            "kernels": {name: f.as_json() for name, f in self.kernels.items()},
        }


def from_json(name: str, said: dict) -> Record:
    """As `as_json` wrote it."""
    runs = {
        key: {kind: Figure.from_json(f) for kind, f in of.items()} for key, of in said.get("runs", {}).items()
    }
    kernels = {key: Figure.from_json(f) for key, f in said.get("kernels", {}).items()}
    return Record(name, said["machine"], runs, kernels, said.get("work", {}))


def committed(folder: Path = FIGURES) -> list[Record]:
    """All records of a folder, the newest first."""
    found = [from_json(path.stem, json.loads(path.read_text())) for path in folder.glob("*.json")]
    return sorted(found, key=lambda record: (record.machine["measured"], record.name), reverse=True)


def last_whole(records: list[Record], kind: Kind) -> Record | None:
    """What a measurement is compared with: the newest whole one of its kind; where there is none, of any."""
    whole = [record for record in records if record.whole]
    return next((record for record in whole if record.kind == kind), whole[0] if whole else None)


def beside(record: Record, isa: str, records: Iterable[Record]) -> Record | None:
    """What was measured in turn with a record, with the kernels of another instruction set."""
    when = record.machine["measured"]
    same = (
        r for r in records if r.machine["measured"] == when and r.kind.generation == record.kind.generation
    )
    return next((r for r in same if r.kind.isa == isa), None)
