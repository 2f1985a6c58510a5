"""Runs the specimens, and computes costs from their times."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from crumple import solver
from crumple.lab.provenance import hash_of, machine
from crumple.lab.tune.costs_file import Costs, ElementCost
from crumple.lab.tune.decks import Specimen, deck
from crumple.results.load_profile import read_load_profile

FORMULATIONS = {"shell": (2, 16), "solid": (1, 2, -1)}
ELASTIC_LAW = 1
LAWS = (1, 24, 3, 98)
FEW_LAYERS, MANY_LAYERS = 2, 5


class TuneError(Exception):
    """A specimen could not be run."""


class Bench:
    """Runs specimens of one precision."""

    def __init__(self, precision: str, elements: int, cycles: int, repeats: int) -> None:
        self.precision = precision
        self.elements = elements
        self.cycles = cycles
        self.repeats = repeats

    def nanoseconds(self, specimen: Specimen) -> float:
        """Nanoseconds of the computations per element and cycle, median of the runs.

        Raises:
            TuneError: the run failed.
        """
        text, count = deck(specimen, self.elements)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "deck.k").write_text(text)
            words = [f"i={folder / 'deck.k'}", f"ncycle={self.cycles}", "--precision", self.precision]
            words += ["-d", str(folder), "--progress", "0"]
            times = [self._seconds(words, folder, specimen) for _ in range(self.repeats)]
        return 1e9 * median(times) / (count * self.cycles)

    def _seconds(self, words: list[str], folder: Path, specimen: Specimen) -> float:
        done = subprocess.run(
            solver.mpirun(1, words), env=solver.environment(), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise TuneError(f"{specimen} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return float(read_load_profile(folder / "load_profile")["elements"].iloc[0])

    def cost(self, kind: str, elform: int, law: int) -> ElementCost:
        """The cost of one formulation and law."""
        few = Specimen(kind, elform, law, FEW_LAYERS if kind == "shell" else 1)
        first = self.nanoseconds(few)
        plastic = law != ELASTIC_LAW
        if kind != "shell":
            extra = self.nanoseconds(replace(few, yields=True)) - first if plastic else 0.0
            return ElementCost(kind, elform, law, first, 0.0, max(extra, 0.0))
        many = replace(few, layers=MANY_LAYERS)
        last = self.nanoseconds(many)
        point = max((last - first) / (MANY_LAYERS - FEW_LAYERS), 0.0)
        extra = self.nanoseconds(replace(many, yields=True)) - last if plastic else 0.0
        return ElementCost(
            kind, elform, law, first - FEW_LAYERS * point, point, max(extra, 0.0) / MANY_LAYERS
        )


def wanted(quick: bool) -> Iterator[tuple[str, int, int]]:
    """Kind, formulation and law of all specimens."""
    for kind, elforms in FORMULATIONS.items():
        for elform in elforms:
            for law in LAWS[:2] if quick else LAWS:
                yield kind, elform, law


def measure(quick: bool, say: Callable[[str], object]) -> Costs:
    """Measure all costs, in both precisions.

    Args:
        say: called with each line of progress

    Raises:
        TuneError: a run failed.
        FileNotFoundError: the solver is not built.
    """
    costs = Costs(machine(), hash_of(solver.solver_path()), os.getloadavg()[0])
    for precision in ("double", "single"):
        bench = Bench(precision, 2_500 if quick else 10_000, 40 if quick else 60, 1 if quick else 3)
        rows = costs.of.setdefault(precision, [])
        for kind, elform, law in wanted(quick):
            say(f"{precision}: {kind} {elform}, law {law}")
            rows.append(bench.cost(kind, elform, law))
    return costs
