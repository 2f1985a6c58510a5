"""The timeline of a simulated window: whether each rank computes, waits or transfers."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from crumple.lab.simulate.results import Simulation
from crumple.lab.simulate.run_simulations import uncompressed
from crumple.lab.simulate.simulator_program import simulate

BINS = 1000  #: number of intervals of the shown time
CYCLES = 3  #: number of cycles that are shown
KINDS = ("compute", "waiting", "transfer")


@dataclass(frozen=True)
class Timeline:
    """The timeline of one simulation, from its start."""

    until: float  #: s
    ranks: list[str]
    kinds: np.ndarray  #: rank, bin: index of the kind that takes most of it; -1: ended


def timeline_of(simulation: Simulation) -> Timeline:
    """Simulate the shown seed again, and record what each rank does.

    Raises:
        SimulationError: it fails.
    """
    experiment = simulation.experiment
    share = min(1.0, CYCLES / simulation.cycles) if simulation.cycles else 1.0
    until = max(simulation.jobs) * share
    with tempfile.TemporaryDirectory(prefix="crumple-timeline-") as scratch:
        noted = Path(scratch, "timeline")
        folder = uncompressed(experiment, Path(scratch, "trace"))
        simulate(experiment.as_json(folder, simulation.seed, (str(noted), until)))
        rows = np.loadtxt(noted, ndmin=2) if noted.stat().st_size else np.empty((0, 5))
    ranks = experiment.trace.ranks
    several = len(simulation.jobs) > 1
    names = [
        f"job {job + 1}, rank {r}" if several else f"rank {r}"
        for job in range(len(simulation.jobs))
        for r in range(ranks)
    ]
    return Timeline(until, names, raster(rows, len(names), until))


def raster(rows: np.ndarray, processes: int, until: float) -> np.ndarray:
    """The kind that takes the most of each bin.

    Args:
        rows: process, operation (0: compute), start, seconds of waiting, seconds in total
    """
    spent = np.zeros((len(KINDS), processes, BINS))
    width = until / BINS
    for process, operation, start, waited, seconds in rows:
        if operation == 0:  # waiting for the memory bus counts as compute
            add(spent[0, int(process)], start / width, (start + seconds) / width)
            continue
        add(spent[1, int(process)], start / width, (start + waited) / width)
        add(spent[2, int(process)], (start + waited) / width, (start + seconds) / width)
    kinds = spent.argmax(axis=0)
    kinds[spent.sum(axis=0) < 0.01] = -1
    return kinds


def add(row: np.ndarray, start: float, end: float) -> None:
    """Add an interval, in bins, to the bins that it covers."""
    end = min(end, float(len(row)))
    if end <= start:
        return
    first, last = int(start), min(int(end), len(row) - 1)
    if first == last:
        row[first] += end - start
        return
    row[first] += first + 1 - start
    row[first + 1 : last] += 1
    row[last] += end - last
