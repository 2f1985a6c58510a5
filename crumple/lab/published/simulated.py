"""Cases of published studies by simulation: some cycles of ours, and the analytic model for the same."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.published.patterns import lines_of, makers_of, recordings_of
from crumple.lab.published.predict import JobPrediction, Predictor, cluster_of, sharing_of
from crumple.lab.published.programs import OURS
from crumple.lab.published.published_file import DECKS, PublishedCase
from crumple.lab.simulate.experiment import Experiment, experiment_of
from crumple.lab.simulate.loggp import estimate
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.simulate.volume import volume_of_lines

MOST_RANKS = 512  #: ranks of all jobs of a case; larger cases are not simulated
SEED = 1  #: seed of noise and jitter

Say = Callable[[str], None]


class Simulated:
    """Predictions of a study file's cases by simulation."""

    def __init__(self, predictor: Predictor, cycles: int) -> None:
        self.predictor = predictor
        self.cycles = cycles  #: number of first cycles of each recorded window to simulate
        self.over_model: dict[PublishedCase, float] = {}  #: simulated over modelled seconds of these cycles
        self.traces: dict[object, tuple[Trace, list[list[str]]]] = {}

    def can(self, case: PublishedCase) -> bool:
        """Whether a case can be simulated: messages within a node always go through its memory."""
        if case.model not in DECKS or case.inside != "shared memory":
            return False
        ranks = sharing_of(case, cluster_of(case, self.predictor.clusters), self.predictor.folder).ranks
        return ranks * case.jobs <= MOST_RANKS

    def simulate(self, cases: list[PublishedCase], say: Say) -> None:
        """Simulate the cases that are not stored.

        Raises:
            SimulationError: SimGrid is missing, or a simulation fails.
        """
        alike: dict[PublishedCase, list[PublishedCase]] = {}
        for case in cases:
            alike.setdefault(self.simulated_as(case), []).append(case)
        with tempfile.TemporaryDirectory(prefix="crumple-published-") as scratch:
            experiments, models = [], []
            for case in alike:
                experiment, model = self.experiment(case, Path(scratch))
                experiments.append(experiment)
                models.append(model)
            say(f"{len(experiments)} cases, {self.cycles} cycles each, are simulated")
            done = conduct(experiments)
        for (_, same), model, simulation in zip(alike.items(), models, done, strict=True):
            self.over_model |= dict.fromkeys(same, simulation.window / model)

    def simulated_as(self, case: PublishedCase) -> PublishedCase:
        """The case without keys that do not change its cycles."""
        no_files = {"written": 0.0, "states": 0, "dumped": 0.0, "dumps": 0, "file_system": ""}
        return case.model_copy(update=no_files | {"cycles": 0})

    def experiment(self, case: PublishedCase, scratch: Path) -> tuple[Experiment, float]:
        """The experiment to simulate, and its seconds by the model."""
        cluster = cluster_of(case, self.predictor.clusters)
        sharing = sharing_of(case, cluster, self.predictor.folder)
        if sharing not in self.traces:
            self.traces[sharing] = self.trace(sharing, scratch / str(len(self.traces)))
        trace, lines = self.traces[sharing]
        there, options = self.predictor.set_up(OURS, case, cluster)
        options = replace(options, seeds=(SEED,))
        model = estimate(trace, volume_of_lines(lines), there, options).seconds
        return experiment_of(trace, there, options), model

    def trace(self, sharing: object, folder: Path) -> tuple[Trace, list[list[str]]]:
        """The first cycles of each window of ours on a decomposition's ranks, in files and in memory."""
        windows, states = recordings_of(sharing.model), self.predictor.decompositions[sharing]
        makers, recorded, ranks = makers_of(windows, states, self.cycles), windows[-1].trace, states[0].ranks
        folder.mkdir(parents=True)
        digest, lines = sha256(), []
        for rank in range(ranks):
            lines.append(list(lines_of(makers, rank)))
            text = "".join(f"{line}\n" for line in lines[-1])
            digest.update(text.encode())
            (folder / f"rank.{rank}.txt").write_text(text)
        work = [sum(int(line.split()[2]) for line in of if " compute " in line) for of in lines]
        found = replace(
            recorded,
            folder=folder,
            ranks=ranks,
            files=tuple(f"rank.{rank}.txt" for rank in range(ranks)),
            cycles=(0, self.cycles * len(windows)),
            digest=digest.hexdigest(),
            meta={
                "lines": sum(map(len, lines)),
                "seconds": [w / recorded.operations_per_second for w in work],
            },
        )
        return found, lines

    def predict(self, case: PublishedCase) -> JobPrediction:
        """The model's prediction, with its cycles scaled by the ratio of simulated to modelled seconds."""
        model, factor = self.predictor.predict(OURS, case), self.over_model[case]
        seconds = (model.seconds - model.writing) * factor + model.writing
        return replace(model, seconds=seconds, energy=model.energy * seconds / model.seconds)
