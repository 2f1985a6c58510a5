"""Simulates experiments with all their seeds, side by side on this machine's cores."""

import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from crumple.lab.simulate.cache import cached, keep
from crumple.lab.simulate.experiment import Experiment
from crumple.lab.simulate.results import Simulation, simulation_of
from crumple.lab.simulate.simulator_program import SimulationError, simulate, simulator

Tell = Callable[[str, float], None]  #: name of a simulation, and the share that is done


def conduct(
    experiments: list[Experiment], tell: Tell = lambda *_: None, use_cache: bool = True
) -> list[Simulation]:
    """Simulate experiments; the results are in the given order.

    Raises:
        SimulationError: one fails.
    """
    results: dict[tuple[int, int], dict] = {}
    missing = []
    for k, experiment in enumerate(experiments):
        for seed in experiment.options.seeds:
            found = cached(experiment.key(seed)) if use_cache else None
            if found is None:
                missing.append((k, seed))
            else:
                results[k, seed] = found
    if missing:
        simulator()  # build it once, before several start
        results |= simulated(experiments, missing, tell)
        for k, seed in missing if use_cache else []:
            keep(experiments[k].key(seed), results[k, seed])
    return [
        simulation_of(e, {seed: results[k, seed] for seed in e.options.seeds})
        for k, e in enumerate(experiments)
    ]


def simulated(experiments: list[Experiment], which: list[tuple[int, int]], tell: Tell) -> dict:
    """The results of some experiments and seeds."""
    with tempfile.TemporaryDirectory(prefix="crumple-trace-") as scratch:
        folders = {}
        for k, _ in which:
            trace = experiments[k].trace
            if trace.folder not in folders:
                folders[trace.folder] = uncompressed(experiments[k], Path(scratch, str(len(folders))))

        def one(what: tuple[int, int]) -> dict:
            k, seed = what
            name = f"{k} {seed}"
            experiment = experiments[k]
            folder, unpacked = experiment.trace.folder, folders[experiment.trace.folder]
            try:
                done = simulate(experiment.as_json(unpacked, seed), lambda share: tell(name, share))
            except SimulationError as error:
                said = str(error).replace(str(unpacked), str(folder))
                raise SimulationError(said if str(folder) in said else f"{folder}: {said}") from None
            tell(name, 1.0)
            return done

        for k, seed in which:
            tell(f"{k} {seed}", 0.0)
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            return dict(zip(which, pool.map(one, which), strict=True))


def uncompressed(experiment: Experiment, scratch: Path) -> Path:
    """A folder with the trace's uncompressed files for the simulator."""
    trace = experiment.trace
    if any(name.endswith(".zst") for name in trace.files):
        trace.unpack(scratch)
        return scratch.resolve()
    return trace.folder.resolve()
