"""`crumple run --dry-run`: what the run would take, and what is wrong with its deck."""

from collections.abc import Iterator

from rich.console import Console

from crumple.api.run_failed import RunFailed
from crumple.api.run_plan import RunPlan, plan_run
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
    if trial is None:
        yield "time     of an implicit run it is not predicted; `crumple check` has the size of the factor"
    elif trial.ended:
        yield f"time     {elapsed(trial.seconds)}: the trial reached the end, with {trial.cycles:,} cycles"
    else:
        assert plan.seconds is not None
        yield (
            f"trial    {trial.cycles:,} cycles to time {trial.time:.3g}: {1e3 * trial.cycle:.3g} ms a cycle, "
            f"step {trial.step:.3g}"
        )
        yield (
            f"time     about {elapsed(plan.seconds)} for {plan.cycles:,} cycles; later contact and "
            "smaller steps make it longer"
        )
    yield f"memory   about {bytes_text(plan.memory)}, all ranks together"
    parts = [f"{name} {bytes_text(size)}" for name, size in plan.files.items()]
    if plan.files:
        yield f"disk     about {bytes_text(plan.disk)}: {', '.join(parts)}; {plan.plot_states} plot states"
    else:
        yield f"disk     {plan.plot_states} plot states at most; their size is not predicted"
    yield f"free     {bytes_text(plan.free)} where the results go"


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
