"""The command line: `crumple simulate`."""

import json
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from crumple.choices import Precision
from crumple.lab.byte_count import ByteCountError, bytes_of
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.progress import watched
from crumple.lab.simulate.noise import NOISE
from crumple.lab.simulate.simulator_program import NoPlaceError, SimulationError, simulator
from crumple.lab.words import count
from crumple.stop import is_of_system, stop
from crumple.whole_file import write_whole

if TYPE_CHECKING:
    from crumple.lab.catalogue.cluster import Cluster
    from crumple.lab.profile.trace.trace_folder import Trace
    from crumple.lab.simulate.experiment import Experiment, Options
    from crumple.lab.simulate.placement import PlacementWish
    from crumple.lab.simulate.results import Simulation

LONG = 1_000_000  #: a trace of more lines is simulated twice, not three times

console = Console()
app = typer.Typer(add_completion=False, rich_markup_mode=None)


class NodeShare(StrEnum):
    """The part of a node that one job gets."""

    node = "node"
    socket = "socket"
    half_socket = "half-socket"
    core = "core"


def numbers(option: str, text: str) -> list[int]:
    """Return the numbers of a list with commas.

    Raises:
        SimulationError: it is no such list.
    """
    try:
        found = [int(word) for word in text.split(",") if word.strip()]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise SimulationError(f"{option} {text}: give numbers from 1 on, such as 1,2,4")
    return found


def reference_rate(text: str, trace: "Trace") -> float:
    """Element updates per second of a core of the trace's machine; 0: the rate in the trace.

    Args:
        text: a number, or a file of `crumple calibrate`. Of a file, the rate is the one with as many cores
            busy as in the recording.

    Raises:
        SimulationError: it is neither.
    """
    if not text:
        return 0.0
    try:
        rate = float(text)
    except ValueError:
        rate = rate_in(Path(text), trace)
    if not 0 < rate < float("inf"):
        raise SimulationError(f"--reference {text}: a rate is positive")
    return rate


def rate_in(path: Path, trace: "Trace") -> float:
    """The rate in a platform file."""
    from crumple.lab.traces.reference import from_platform

    said = trace.meta.get("reference", {})
    busy, precision = said.get("busy_cores"), said.get("precision")
    try:
        return float(
            from_platform(
                precision if isinstance(precision, str) else "double",
                path,
                busy if isinstance(busy, int) and busy > 0 else trace.ranks,
            )["element_rate"]
        )
    except TraceError as error:
        raise SimulationError(f"--reference: {error}") from None


def check_ranks(traces: "list[Trace]", ranks: str) -> None:
    """Check that the traces have the ranks that were asked for.

    Raises:
        SimulationError: they do not.
    """
    wanted = numbers("--ranks", ranks) if ranks else []
    for trace in traces:
        if wanted and trace.ranks not in wanted:
            asked = ", ".join(map(str, wanted))
            raise SimulationError(
                f"{trace.folder}: a trace of {trace.ranks} ranks, and --ranks asks for {asked}; "
                f"`crumple trace -n {wanted[0]}` makes one"
            )
    for one in wanted:
        if one not in [trace.ranks for trace in traces]:
            raise SimulationError(f"--ranks: no trace of {one} ranks is given")


def check_use(
    cluster: "Cluster",
    traces: "list[Trace]",
    reference: str,
    precision: Precision | None,
    job_cycles: int,
    network: tuple[float, int],
) -> None:
    """Check that the options have an effect.

    Args:
        network: --latency-factor and --extra-hops

    Raises:
        SimulationError: an option would change nothing.
    """
    if cluster.nodes == 1 and network != (1.0, 0):
        raise SimulationError(f"--latency-factor, --extra-hops: {cluster.name} is one node without a network")
    if not cluster.node.cpu.rate_known and (reference or precision):
        what = "--reference" if reference else "--precision"
        raise SimulationError(
            f"{what}: the rate of {cluster.node.cpu.name} is not known, so nothing can be compared with it; "
            "give its speed with --speed"
        )
    for one in traces:
        if precision and not (one.element_rate or reference):
            raise SimulationError(
                f"--precision: the speed of {one.folder}'s machine is not known: give it with --reference"
            )
        if job_cycles and not one.cycles:
            raise SimulationError(f"--job-cycles: the window of {one.folder} is not in cycles")


def seeds_of(trace: "Trace", first: int, repeats: int | None) -> tuple[int, ...]:
    """Seeds for the simulations of a trace: as many as asked for; else as many as two cores do in minutes."""
    if first == 0:
        return (0,)
    usual = 2 if int(trace.meta.get("lines", 0)) > LONG else 3
    return tuple(range(first, first + (repeats or usual)))


def what_fits(
    traces: "list[Trace]",
    cluster: "Cluster",
    options: "Options",
    wishes: "list[PlacementWish]",
    seeds: dict[Path, tuple[int, ...]],
    rates: dict[Path, float],
) -> "tuple[list[Experiment], list[str]]":
    """Return an experiment for each trace and wish, and the reasons why some are left out.

    Raises:
        SimulationError: none fits on the cluster.
    """
    from crumple.lab.simulate.experiment import experiment_of

    found, left_out = [], []
    for trace in traces:
        own = replace(options, seeds=seeds[trace.folder], reference_rate=rates[trace.folder])
        for wish in wishes:
            try:
                found.append(experiment_of(trace, cluster, replace(own, wish=wish)))
            except NoPlaceError as error:
                left_out.append(str(error))
    if not found:
        raise SimulationError(left_out[0])
    return found, left_out


def write_report(done: "list[Simulation]", path: Path) -> None:
    """Write the page.

    Raises:
        SimulationError: it cannot be written.
    """
    from crumple.lab.simulate.simulation_page import page  # plotly takes its time

    text = page(done)
    try:
        write_whole(path, text)
    except OSError as error:
        if is_of_system(error):
            raise
        raise SimulationError(f"--report {path}: {error.strerror}") from None


def simulated(experiments: "list[Experiment]", cache: bool) -> "list[Simulation]":
    """Simulate, with progress on standard error: a bar on a terminal, lines elsewhere."""
    from crumple.lab.simulate.run_simulations import conduct

    total = sum(len(e.options.seeds) for e in experiments)
    terminal = sys.stderr.isatty()
    quiet = Console(stderr=True, quiet=not terminal)  # else the bar ends with an empty line
    bars = Progress(console=quiet, transient=True, disable=not terminal)
    with watched(f"simulating: {count(total, 'simulation')}") as watch, bars as bar:
        task = bar.add_task("simulating", total=total)
        shares = watch.shares

        def tell(name: str, share: float) -> None:
            watch.tell(name, share)
            bar.update(task, completed=total - len(shares) + sum(shares.values()))

        return conduct(experiments, tell, cache)


@app.command("simulate", short_help="Predict a run on a cluster from a trace.")
def simulate_command(
    trace: Annotated[list[Path], typer.Argument(help="folder of a trace; give one per number of ranks")],
    cluster: Annotated[Path, typer.Option(help="cluster file")],
    ranks: Annotated[str, typer.Option(help="check that the traces have these ranks, such as 48,192")] = "",
    ranks_per_node: Annotated[
        int | None,
        typer.Option(min=1, help="ranks of one job on each node; default: one for each core that it gets"),
    ] = None,
    jobs: Annotated[str, typer.Option(help="numbers of copies side by side, such as 1,2,4,8")] = "1",
    placement: Annotated[
        NodeShare | None,
        typer.Option(help="part of each node that a job gets; default: all jobs share all nodes evenly"),
    ] = None,
    oversubscribe: Annotated[bool, typer.Option(help="allow more ranks than cores")] = False,
    precision: Annotated[
        Precision | None,
        typer.Option(help="precision of the element computations on the cluster; default: the trace's"),
    ] = None,
    latency_factor: Annotated[
        float, typer.Option(min=0, help="multiply the latency of the network and the switches by this")
    ] = 1.0,
    extra_hops: Annotated[int, typer.Option(min=0, help="additional switches between any two nodes")] = 0,
    noise: Annotated[
        float, typer.Option(min=0, help="standard deviation of the time of a block of compute")
    ] = NOISE,
    seed: Annotated[
        int, typer.Option(min=0, help="seed of the noise in the first simulation; 0: no noise")
    ] = 1,
    repeats: Annotated[
        int | None,
        typer.Option(min=1, help="number of simulations, each with its own seed; default: 3, long traces 2"),
    ] = None,
    reference: Annotated[
        str,
        typer.Option(
            help="element updates per second of a core of the trace's machine, or its platform file"
        ),
    ] = "",
    speed: Annotated[
        float | None,
        typer.Option(help="speed of a core of the cluster over one of the trace's machine, for any program"),
    ] = None,
    job_cycles: Annotated[
        int, typer.Option(min=0, help="cycles of the whole job; default: as in the trace")
    ] = 0,
    written: Annotated[str, typer.Option(help="bytes that a job writes, such as 2G; modelled")] = "0",
    report: Annotated[
        Path | None, typer.Option(help="HTML page to write, with the timeline and the load of links")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print data")] = False,
    cache: Annotated[
        bool, typer.Option(help="reuse results of earlier simulations, and keep the new")
    ] = True,
) -> None:
    """Predict a run on a cluster from a trace: elapsed time and its parts, jobs a day, energy."""
    from crumple.lab.catalogue.cluster import CatalogueError, read_cluster
    from crumple.lab.profile.trace.trace_folder import open_trace
    from crumple.lab.simulate.experiment import Options
    from crumple.lab.simulate.placement import PlacementWish
    from crumple.lab.simulate.show_simulation import as_data, show, show_all
    from crumple.lab.simulate.simulated_machine import Change

    try:
        if speed is not None and not 0 < speed < float("inf"):
            raise SimulationError(f"--speed {speed:g}: a speed is positive")
        if speed is not None and (reference or precision):
            raise SimulationError("--speed replaces --reference and --precision: give only one of them")
        if seed == 0 and (repeats or noise != NOISE):
            raise SimulationError(
                "--seed 0 is one simulation without noise: --repeats and --noise need another"
            )
        simulator()
        there = read_cluster(cluster)
        traces = [open_trace(folder) for folder in trace]
        check_ranks(traces, ranks)
        check_use(there, traces, reference, precision, job_cycles, (latency_factor, extra_hops))
        change = Change(latency_factor, extra_hops)
        share = placement.value if placement else None
        wishes = [PlacementWish(n, share, ranks_per_node, oversubscribe) for n in numbers("--jobs", jobs)]
        options = Options(
            change=change,
            precision=precision.value if precision else "",
            noise=noise,
            speed=speed or 0.0,
            job_cycles=job_cycles,
            written=bytes_of("--written", written),
        )
        seeds = {one.folder: seeds_of(one, seed, repeats) for one in traces}
        rates = {one.folder: reference_rate(reference, one) for one in traces}
        experiments, left_out = what_fits(traces, there, options, wishes, seeds, rates)
        done = simulated(experiments, cache)
        if report:
            with watched("writing the report"):
                write_report(done, report)
    except (SimulationError, CatalogueError, TraceError, ByteCountError) as error:
        raise stop(error, one_line=True) from None
    for line in (*(f"note: {note}" for note in there.notes), *(f"left out: {why}" for why in left_out)):
        Console(stderr=True).print(line, highlight=False, markup=False, soft_wrap=True)
    if as_json:
        print(json.dumps([as_data(s) for s in done], indent=1))
        return
    for s in done:
        show(s, console)
        console.print()
    if len(done) > 1:
        show_all(done, console)
    if report:
        console.print(str(report), highlight=False, markup=False)
