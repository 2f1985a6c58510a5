"""`crumple run --dry-run`: what the run would take, and what is wrong with its deck."""

from collections.abc import Iterator

from rich.console import Console

from crumple.api.implicit_trial import FactorPlan
from crumple.api.run_failed import RunFailed
from crumple.api.run_plan import RunPlan, Trial, plan_run
from crumple.mpi import launcher_words
from crumple.pinning import place, tell_of
from crumple.report.facts import elapsed
from crumple.run_options import RunOptions
from crumple.stop import WRONG_INPUT


def bytes_text(count: float) -> str:
    """Bytes as people read them."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} bytes"


def lines_of(plan: RunPlan, options: RunOptions) -> Iterator[str]:
    """The prediction, a line a figure."""
    trial = plan.trial
    ranks = f"{options.ranks} rank{'s' * (options.ranks > 1)}"
    threads = f" x {options.threads} threads" if options.threads > 1 else ""
    yield f"run      {ranks}{threads}, {options.precision.value} precision, to time {plan.end_time:g}"
    if plan.factor:
        yield factor_line(plan.factor)
    if trial is None:
        yield "time     of a run that changes between implicit and explicit it is not predicted"
    elif trial.ended:
        what = "cycle" if trial.iterations is None else "step"
        number = f", with {trial.cycles:,} {what}{'s' * (trial.cycles != 1)}" if trial.cycles else ""
        yield f"time     {elapsed(trial.seconds)}: the trial reached the end{number}"
    elif trial.iterations is None:
        yield from explicit_lines(plan, trial)
    else:
        yield from implicit_lines(plan, trial)
    yield f"memory   about {bytes_text(plan.memory)}, all ranks together"
    parts = [f"{name} {bytes_text(size)}" for name, size in plan.files.items()]
    if plan.files:
        yield f"disk     about {bytes_text(plan.disk)}: {', '.join(parts)}; {plan.plot_states} plot states"
    else:
        yield f"disk     {plan.plot_states} plot states at most; their size is not predicted"
    yield f"free     {bytes_text(plan.free)} where the results go"


def explicit_lines(plan: RunPlan, trial: Trial) -> Iterator[str]:
    """Trial and time of an explicit run."""
    assert plan.seconds is not None
    yield (
        f"trial    {trial.cycles:,} cycles to time {trial.time:.3g}: {1e3 * trial.cycle:.3g} ms a cycle, "
        f"step {trial.step:.3g}"
    )
    yield (
        f"time     about {elapsed(plan.seconds)} for {plan.cycles:,} cycles; later contact and "
        "smaller steps make it longer"
    )


def factor_line(factor: FactorPlan) -> str:
    """A factor, and how its time is known."""
    how = "as in the trial" if factor.measured else "an estimate by products of matrices on this machine"
    return (
        f"factor   {factor.equations:,} equations, {factor.operations:.3g} operations: "
        f"{seconds_text(factor.seconds)} each at {factor.rate / 1e9:.3g} GFLOP/s, {how}"
    )


def seconds_text(seconds: float) -> str:
    """A duration, short ones with digits."""
    return f"{seconds:.2g} s" if seconds < 60.0 else elapsed(seconds)


def implicit_lines(plan: RunPlan, trial: Trial) -> Iterator[str]:
    """Trial and time of an implicit run that did not reach its end."""
    if trial.at_least:
        yield f"trial    no step was complete after {elapsed(trial.seconds)}"
        if plan.seconds is None or plan.factor is None:
            yield "time     not predicted: no step has begun, or none is complete and there is no factor"
            return
        yield (
            f"time     at least {elapsed(plan.seconds)}, an estimate: {plan.cycles:,} steps of one factor "
            "each; iterations and other parts come on top"
        )
        return
    assert plan.seconds is not None
    yield (
        f"trial    {trial.cycles:,} steps to time {trial.time:.3g}: {trial.cycle:.3g} s a step with "
        f"{trial.iterations:.1f} iterations and {trial.factors:.1f} factors, length {trial.step:.3g}"
    )
    yield (
        f"time     about {elapsed(plan.seconds)} for {plan.cycles:,} steps, an estimate: other lengths of "
        "steps, contact and yielding change it"
    )


def print_plan(options: RunOptions, console: Console) -> int:
    """Print what a run would take, and return the exit status: 2 if it would not start.

    Raises:
        FileNotFoundError: the deck, the solver or mpirun is missing.
        LauncherOptionError: of --launcher.
    """
    tell_of(place(options.ranks, options.threads, launcher_words(options.launcher)))  # what else runs here
    try:
        plan = plan_run(options)
    except RunFailed as error:
        console.print(f"the trial: {error}", highlight=False, markup=False, soft_wrap=True)
        return error.status
    for message in plan.check.messages:
        console.print(f"{message.kind} {message}", highlight=False, markup=False, soft_wrap=True)
    if not plan.check.ok:
        return WRONG_INPUT
    for line in lines_of(plan, options):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if plan.disk > plan.free:
        console.print("warning: the results do not fit on the disk", highlight=False, markup=False)
    return 0
