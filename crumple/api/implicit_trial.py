"""What an implicit run will take: a trial of its first steps, and its factor by operations and their rate."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from crumple.api.deck_check import DeckCheck
from crumple.api.product_rate import product_rate
from crumple.api.run_progress import STEP
from crumple.api.solver_run import RunSettings, SolverRun
from crumple.results.convergence import NAME, Convergence, read_convergence
from crumple.results.damage import DamagedFile
from crumple.run_options import RunOptions

OF_PRODUCTS = 0.7  #: a factor's rate over that of products of matrices (docs/performance.md: 0.64 to 0.83)
START_UP = 3.0  #: how many times the trial's length it may take until the first step
LOOK = 0.05  #: s
BUSIEST = re.compile(r"operations of the busiest (\d+) % of all")


@dataclass(frozen=True)
class FactorPlan:
    """The factor of the stiffness.

    Attributes:
        equations: number of them
        operations: of one factor
        bytes: of memory with the stiffness, all ranks together
        disk: bytes in a file while the run goes on
        rate: operations a second, all ranks together
        measured: whether the rate is that of factors of the trial; else it is an estimate
    """

    equations: int
    operations: float
    bytes: float
    disk: float
    rate: float
    measured: bool

    @property
    def seconds(self) -> float:
        """For one factor."""
        return self.operations / self.rate if self.rate > 0.0 else 0.0


@dataclass(frozen=True)
class Steps:
    """What the trial did.

    Attributes:
        seconds: elapsed, from start to end
        start_up: s until the first step
        taken: number of steps that converged
        each: s of a step, tries that failed included; 0 where there is none
        time: of the model at the end
        length: of the last step, or of the first one tried; 0 if there was none
        iterations, factors: of a step, mean
        ended: whether the run reached its end
    """

    seconds: float
    start_up: float
    taken: int = 0
    each: float = 0.0
    time: float = 0.0
    length: float = 0.0
    iterations: float = 0.0
    factors: float = 0.0
    ended: bool = False


def try_steps(options: RunOptions, settings: RunSettings, seconds: float) -> tuple[Steps, Convergence | None]:
    """The first steps of a run, in the folder of its options, and the records of it.

    Raises:
        RunFailed: it failed.
    """
    begin, first = time.monotonic(), None
    run = SolverRun(replace(options, overwrite=True), settings)
    try:
        while run.running:
            time.sleep(LOOK)
            now = time.monotonic()
            if first is None and any(STEP.match(line.rstrip("\n")) for line in list(run.lines_)):
                first = now
            if now > (first + seconds if first else begin + START_UP * seconds):
                break
        ended = not run.running
        if ended:
            run.wait()
        else:
            stop_at_once(run)
    except KeyboardInterrupt:
        run.kill()
        raise
    elapsed = time.monotonic() - begin
    steps = Steps(elapsed, (first or time.monotonic()) - begin, ended=ended)
    first_step = next((m for line in run.lines_ if (m := STEP.match(line.rstrip("\n")))), None)
    if first_step:
        steps = replace(steps, length=float(first_step[3]))
    try:
        records = read_convergence(options.output / NAME)
    except (OSError, DamagedFile):
        return steps, None
    return with_records(steps, records), records


def stop_at_once(run: SolverRun) -> None:
    """A step may take hours, and requests to stop are read between steps."""
    run.kill()
    run.reader_.join()
    run.status()


def with_records(steps: Steps, records: Convergence) -> Steps:
    """The steps as convergence.jsonl has them."""
    taken = records.taken
    if not len(taken):
        return steps
    last = records.steps[: taken.index[-1] + 1]  # later ones are tries of a step that is not complete
    return replace(
        steps,
        taken=len(taken),
        each=float(taken["elapsed"].iloc[-1]) / len(taken),
        time=float(taken["time"].iloc[-1]),
        length=float(taken["dt"].iloc[-1]),
        iterations=float(last["iterations"].sum()) / len(taken),
        factors=float(last["factors"].sum()) / len(taken),
    )


def factor_of(check: DeckCheck, options: RunOptions, records: Convergence | None) -> FactorPlan | None:
    """The factor, with the rate of those in the trial, or an estimate; None for conjugate gradients."""
    told: Mapping = check.factor
    if not told or told["operations"] <= 0:
        return None
    rate = rate_in(records)
    return FactorPlan(
        equations=told["equations"],
        operations=told["operations"],
        bytes=sum(told["rank_bytes"]) or told["bytes"],
        disk=told["disk_bytes"],
        rate=rate or estimated_rate(check, options),
        measured=rate > 0.0,
    )


def rate_in(records: Convergence | None) -> float:
    """Operations a second of the factors of a trial; 0 where there are none."""
    if records is None or not len(records.equations) or not len(records.iterations):
        return 0.0
    done = records.iterations
    seconds = float(done["factor"].sum())
    return (
        float(records.equations["flops"].iloc[0]) * int(done["new_factor"].sum()) / seconds
        if seconds
        else 0.0
    )


def estimated_rate(check: DeckCheck, options: RunOptions) -> float:
    """By products of matrices on the threads of a rank, as if ranks had machines of their own."""
    busiest = BUSIEST.search(check.output)
    ranks = 100.0 / float(busiest[1]) if busiest and float(busiest[1]) > 0 else 1.0
    return ranks * OF_PRODUCTS * product_rate(options.threads, options.precision.value)
