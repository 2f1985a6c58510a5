"""What a run will take, before it starts: time from a trial, memory and disk from the deck and the trial."""

import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import digits

from crumple.api.deck_check import DeckCheck, check
from crumple.api.implicit_trial import FactorPlan, Steps, factor_of, try_steps
from crumple.api.run_progress import RunProgress
from crumple.api.solver_run import RunSettings, SolverRun
from crumple.implicit_deck import is_implicit
from crumple.results.d3plot_file import PlotFamily
from crumple.results.damage import DamagedFile
from crumple.run_options import RunOptions

TRIAL = 10.0  #: s of cycles
LINE = 400.0  #: bytes of a line of convergence.jsonl
INTERVAL = 0.5  #: s between lines of progress in the trial
#: files that a deck does not ask for by an interval
NO_HISTORY = ("d3plot", "d3hsp", "load_profile", "run.json", "results.vtkhdf", "runrsf", "d3dump", "runfull")
NO_HISTORY += ("convergence.jsonl",)  # which has its length by the steps


@dataclass(frozen=True)
class Trial:
    """The first cycles of a run, or the first steps of an implicit one.

    Attributes:
        seconds: elapsed, from start to end
        start_up: s until the first cycle
        cycles: number of cycles
        cycle: s each takes, without the first ones; of an implicit run that completed no step, s of a factor
        time: of the model at the end, in deck units
        step: mean time step; of implicit runs the last one
        ended: whether the run reached its end time
        iterations, factors: of an implicit step, mean; None of explicit runs
    """

    seconds: float
    start_up: float
    cycles: int
    cycle: float
    time: float
    step: float
    ended: bool
    iterations: float | None = None
    factors: float | None = None

    @property
    def at_least(self) -> bool:
        """Whether all that it says of a step is what one factor takes."""
        return self.iterations is not None and self.cycles == 0 and not self.ended


@dataclass(frozen=True)
class RunPlan:
    """What a run will take.

    Attributes:
        check: errors and warnings of the deck; with errors nothing else is known
        trial: None of a run that changes between implicit and explicit, and where the deck has errors
        end_time: in deck units
        memory: bytes of all ranks together
        files: bytes that the run will write, by what they are
        plot_states: number of plot states
        free: bytes that the disk of the results has
        factor: of an implicit run; None with conjugate gradients
    """

    check: DeckCheck
    trial: Trial | None = None
    end_time: float = 0.0
    memory: float = 0.0
    files: Mapping[str, float] = field(default_factory=dict)
    plot_states: int = 0
    free: float = 0.0
    factor: FactorPlan | None = None

    @property
    def cycles(self) -> int | None:
        """Of the whole run, with the mean step of the trial."""
        trial = self.trial
        if trial is None or trial.ended or trial.step <= 0.0:
            return trial.cycles if trial else None
        return trial.cycles + round((self.end_time - trial.time) / trial.step)

    @property
    def seconds(self) -> float | None:
        """Elapsed time of the whole run, if its cycles take as long as those of the trial; None: unknown."""
        trial = self.trial
        if trial is None or self.cycles is None or (trial.at_least and self.cycles == 0):
            return None
        return trial.seconds if trial.ended else trial.start_up + self.cycles * trial.cycle

    @property
    def disk(self) -> float:
        """Bytes of all files."""
        return sum(self.files.values())


def plan_run(options: RunOptions, settings: RunSettings | None = None, trial: float = TRIAL) -> RunPlan:
    """Check the deck, run its first cycles in a folder of their own, and predict the rest.

    Args:
        options: of the planned run, which starts from a deck
        settings: further ones of `crumple.start`
        trial: s of cycles

    Raises:
        FileNotFoundError: the deck, the solver or mpirun is missing.
        RunFailed: the trial failed.
    """
    assert options.deck is not None
    found = check(
        options.deck,
        options.ranks,
        options.threads,
        options.precision.value,
        allow_unsupported=options.allow_unsupported,
    )
    if not found.ok:
        return RunPlan(found)
    end_time = options.end_time if options.end_time is not None else found.planned["end_time"]
    memory = all_ranks(found.memory)
    free = float(shutil.disk_usage(existing(options.output)).free)
    if is_implicit(options.deck):
        bare = RunPlan(found, None, end_time, memory, {}, states_until(end_time, found.planned), free)
        return plan_implicit(bare, options, settings or {}, trial) if found.factor else bare
    with tempfile.TemporaryDirectory(prefix="crumple-dry-run-") as folder:
        first = run_trial(replace(options, output=Path(folder)), settings or {}, trial)
        plan = RunPlan(found, first, end_time, memory, {}, states_until(end_time, found.planned), free)
        return replace(plan, files=files_of(plan, Path(folder)))


def plan_implicit(bare: RunPlan, options: RunOptions, settings: RunSettings, trial: float) -> RunPlan:
    """The plan of an implicit run, by its first steps and its factor.

    Raises:
        RunFailed: the trial failed.
    """
    with tempfile.TemporaryDirectory(prefix="crumple-dry-run-") as folder:
        steps, records = try_steps(replace(options, output=Path(folder)), settings, trial)
        factor = factor_of(bare.check, options, records)
        first = trial_of(steps, factor)
        first = replace(first, time=bare.end_time) if first.ended else first  # modes have no steps
        of_factor = factor.bytes if factor else bare.check.factor["bytes"]
        plan = replace(bare, trial=first, factor=factor, memory=bare.memory + of_factor)
        files = files_of(plan, Path(folder))
    if records is not None and steps.taken and (lines := len(records.iterations) + len(records.steps)):
        files["convergence.jsonl"] = LINE * lines / steps.taken * (plan.cycles or 0)
    if factor and factor.disk:
        files["the factor's file, gone at the end"] = factor.disk
    return replace(plan, files=files)


def trial_of(steps: Steps, factor: FactorPlan | None) -> Trial:
    """The steps of a trial; of one that completed none, what a factor takes."""
    each = steps.each if steps.taken else factor.seconds if factor else 0.0
    return Trial(
        seconds=steps.seconds,
        start_up=steps.start_up,
        cycles=steps.taken,
        cycle=each,
        time=steps.time,
        step=steps.length,
        ended=steps.ended,
        iterations=steps.iterations,
        factors=steps.factors,
    )


def run_trial(options: RunOptions, settings: RunSettings, seconds: float) -> Trial:
    """The first cycles of a run, in the folder of its options.

    Raises:
        RunFailed: it failed.
    """
    rows: list[tuple[float, RunProgress]] = []
    begin = time.monotonic()

    def on_progress(row: RunProgress) -> bool:
        rows.append((time.monotonic() - begin, row))
        return rows[-1][0] - rows[0][0] < seconds

    run = SolverRun(replace(options, overwrite=True), settings | {"progress_interval": INTERVAL}, on_progress)
    try:
        run.wait()
    except KeyboardInterrupt:
        run.kill()
        raise
    (start_up, _), (end, last) = rows[0], rows[-1]
    # The first interval has the first sort of contacts and the first plot state.
    since, first = rows[1] if len(rows) > 2 else rows[0]
    cycles = max(1, last.cycle - first.cycle)
    return Trial(
        seconds=time.monotonic() - begin,
        start_up=start_up,
        cycles=last.cycle,
        cycle=(end - since) / cycles,
        time=last.time,
        step=(last.time - first.time) / cycles,
        ended=not run.stopped,
    )


def all_ranks(memory: Mapping) -> float:
    """Bytes of all ranks, from `crumple check`."""
    return memory["rank_0"]["bytes"] + (memory["ranks"] - 1) * memory["other_ranks"]["bytes"]


def existing(folder: Path) -> Path:
    """The folder, or the nearest above it that exists."""
    folder = folder.resolve()
    return next(place for place in (folder, *folder.parents) if place.exists())


def rows_until(end: float, interval: float) -> int:
    """Rows of a history: at the start, after each interval, at the end."""
    return 2 + int(end / interval * (1 - 1e-9)) if interval > 0 else 2


def states_until(end: float, planned: Mapping) -> int:
    """Plot states of a run."""
    return rows_until(end, planned["intervals"].get("d3plot", 0.0))


def files_of(plan: RunPlan, folder: Path) -> dict[str, float]:
    """Bytes of the run's files, from those that its trial has left in a folder."""
    assert plan.trial is not None
    files: dict[str, float] = {}
    states = 2
    try:
        plot = PlotFamily(folder / "d3plot")
        states = max(1, len(plot.states))
        geometry = plot.files[0].stat().st_size
        files["d3plot"] = geometry + plan.plot_states * plot.places["end"][0] * plot.layout.size
    except (OSError, DamagedFile):
        pass
    if (vtk := folder / "results.vtkhdf").is_file():
        files["results.vtkhdf"] = vtk.stat().st_size / states * plan.plot_states
    files["histories"] = sum(
        path.stat().st_size * growth(path.name, plan)
        for path in folder.iterdir()
        if path.is_file() and not path.name.startswith(NO_HISTORY)
    )
    if dumps := dumps_of(plan):
        files["dumps"] = dumps
    return files


def growth(name: str, plan: RunPlan) -> float:
    """By how much a history is longer at the end of the run than after the trial; binout has several."""
    assert plan.trial is not None
    intervals: dict[str, float] = plan.check.planned["intervals"]
    histories = [value for file, value in intervals.items() if file != "d3plot"]
    interval = intervals.get(name.partition(".")[0].rstrip(digits), min(histories, default=0.0))
    return rows_until(plan.end_time, interval) / rows_until(plan.trial.time, interval)


def dumps_of(plan: RunPlan) -> float:
    """Bytes of the dumps that a deck asks for."""
    planned, cycles = plan.check.planned, plan.cycles or 0
    every = planned["dump_cycles"]
    count = cycles // every["d3dump"] if every["d3dump"] else 0
    if every["runrsf"]:
        count += min(planned["runrsf_files"], cycles // every["runrsf"])
    return count * plan.check.memory["all_ranks"]["state_copy_bytes"]
