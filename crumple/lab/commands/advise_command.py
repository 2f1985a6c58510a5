"""The command line: `crumple advise`."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from crumple.choices import Precision
from crumple.lab.advise.objective import Objective
from crumple.lab.byte_count import ByteCountError, bytes_of
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.options import cycles_of
from crumple.lab.progress import watched
from crumple.lab.simulate.simulator_program import SimulationError, simulator
from crumple.stop import stop

if TYPE_CHECKING:
    from crumple.lab.advise.advice import Advice
    from crumple.lab.advise.question import Question
    from crumple.lab.catalogue.hardware import Cluster
    from crumple.lab.traces.record import RecordingWish

console = Console()
app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Unused(StrEnum):
    """What happens to nodes without ranks."""

    idle = "idle"
    off = "off"


def decompositions_of(names: list[str], pfiles: list[Path]) -> tuple[tuple[str, ...], dict[str, Path]]:
    """Return the names of all decompositions to try, and the pfiles by name.

    Raises:
        AdviceError: a pfile does not exist, or two have the same name.
    """
    from crumple.lab.advise.question import AdviceError

    found: dict[str, Path] = {}
    for path in pfiles:
        if not path.is_file():
            raise AdviceError(f"--pfile {path}: there is no such file")
        if path.name in found or path.name in ("rcb", "metis"):
            raise AdviceError(f"--pfile {path}: another decomposition has this name")
        found[path.name] = path
    return (*names, *found), found


def writable(output: Path) -> None:
    """Check that the page can be written, before a search of minutes begins.

    Raises:
        AdviceError: it cannot be written.
    """
    from crumple.lab.advise.question import AdviceError

    if output.suffix != ".html":
        raise AdviceError(f"-o {output}: the page must end with .html")
    if not output.parent.is_dir() or output.is_dir():
        raise AdviceError(f"-o {output}: it cannot be written there")


@app.command("advise", short_help="Find how to run a deck on a cluster, and which upgrade pays.")
def advise_command(
    deck: Annotated[Path, typer.Argument(help="keyword deck")],
    cluster: Annotated[Path, typer.Option(help="cluster file")],
    objective: Annotated[Objective, typer.Option(help="what to optimise")] = Objective.jobs_per_day,
    deadline: Annotated[str, typer.Option(help="time limit of each job, such as 8h or 90min")] = "",
    licences: Annotated[
        int | None, typer.Option(min=1, help="number of licences; a job needs one for each core in use")
    ] = None,
    written: Annotated[str, typer.Option(help="bytes that a job writes, such as 2G")] = "0",
    pue: Annotated[
        float | None,
        typer.Option(min=1, help="power usage effectiveness (PUE); default: the cluster file's"),
    ] = None,
    kwh: Annotated[
        float | None, typer.Option(min=0, help="price of a kWh; default: the cluster file's")
    ] = None,
    node_hour: Annotated[
        float | None, typer.Option(min=0, help="price of a node per hour; default: the cluster file's")
    ] = None,
    licence_hour: Annotated[float, typer.Option(min=0, help="price of a licence per hour")] = 0.0,
    unused: Annotated[
        Unused, typer.Option(help="nodes without ranks: idle, or off (they do not count)")
    ] = Unused.idle,
    cycles: Annotated[str, typer.Option(help="cycles to trace, FIRST:END; END is excluded")] = "200:260",
    precision: Annotated[
        Precision, typer.Option(help="floating-point precision of the element computations")
    ] = Precision.double,
    decomposition: Annotated[str, typer.Option(help="decompositions to try")] = "rcb,metis",
    pfile: Annotated[
        list[Path] | None,
        typer.Option("-p", "--pfile", help="pfile to try as well; repeat the option for more"),
    ] = None,
    platform: Annotated[
        Path | None, typer.Option(help="file of `crumple calibrate` with the speed of this machine")
    ] = None,
    most_ranks: Annotated[int, typer.Option(min=1, help="largest number of ranks to try")] = 1024,
    simulate: Annotated[
        int, typer.Option(min=0, help="how many of the best to simulate; 0: only the analytic model")
    ] = 5,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="HTML page to write; pictures go beside it")
    ] = Path("advice.html"),
    as_json: Annotated[bool, typer.Option("--json", help="print data, write no page")] = False,
    cache: Annotated[bool, typer.Option(help="reuse earlier traces and simulations")] = True,
) -> None:
    """Find how to run a deck on a cluster (ranks, nodes, jobs side by side), and which upgrade pays."""
    from crumple.lab.advise.question import Question, seconds_of
    from crumple.lab.advise.show_advice import as_data, show
    from crumple.lab.catalogue.cluster import CatalogueError
    from crumple.lab.page.picture_folder import PageError
    from crumple.lab.profile.rank_file import ProfileError
    from crumple.lab.traces.record import RecordingWish

    try:
        a = answer(
            deck,
            cluster,
            Question(
                objective,
                seconds_of(deadline) if deadline else float("inf"),
                licences,
                licence_hour,
                bytes_of("--written", written),
                unused is Unused.idle,
            ),
            (pue, kwh, node_hour),
            RecordingWish(deck, 1, *cycles_of(cycles), precision=precision.value, platform=platform),
            names_of(decomposition),
            pfile or [],
            (most_ranks, simulate, cache),
            None if as_json else output,
        )
    except (
        SimulationError,
        CatalogueError,
        TraceError,
        ProfileError,
        ByteCountError,
        PageError,
        OSError,
    ) as error:
        raise stop(error, one_line=True) from None
    if as_json:
        print(json.dumps(as_data(a), indent=1))
        return
    show(a, console)


def names_of(text: str) -> list[str]:
    """Return the names of decompositions in a list with commas.

    Raises:
        AdviceError: there is no decomposition of that name.
    """
    from crumple.lab.advise.question import AdviceError

    names = [word.strip() for word in text.split(",") if word.strip()]
    for name in names:
        if name not in ("rcb", "metis"):
            raise AdviceError(f"--decomposition {name}: there are rcb and metis; --pfile names a file")
    return list(dict.fromkeys(names))


def answer(
    deck: Path,
    path: Path,
    question: "Question",
    prices: tuple,
    wish: "RecordingWish",
    names: list[str],
    pfiles: list[Path],
    effort: tuple[int, int, bool],
    output: Path | None,
) -> "Advice":
    """Search, with progress on standard error, and write the page if one is wanted."""
    from crumple.lab.advise.advice import SearchEffort, advise
    from crumple.lab.advise.deck_traces import deck_traces
    from crumple.lab.advise.question import AdviceError, at_prices, check
    from crumple.lab.catalogue.cluster import read_cluster

    if not deck.is_file():
        raise AdviceError(f"there is no deck {deck}")
    if output:
        writable(output)

    def priced(cluster: "Cluster") -> "Cluster":
        return at_prices(cluster, *prices)

    there = priced(read_cluster(path))
    check(question, there)
    for note in there.notes:
        Console(stderr=True).print(f"note: {note}", highlight=False, markup=False, soft_wrap=True)
    most_ranks, count, cache = effort
    if count:
        simulator()
    tried, named = decompositions_of(names, pfiles)
    errors = Console(stderr=True, quiet=not sys.stderr.isatty())  # else the bar ends with an empty line

    bars = Progress(console=errors, transient=True, disable=not sys.stderr.isatty())
    with watched() as watch, bars as bar:
        task = bar.add_task("simulating", total=None)

        def say(line: str) -> None:
            watch.stage(line)
            if watch.terminal:
                errors.print(line, highlight=False, markup=False, soft_wrap=True)

        def tell(name: str, share: float) -> None:
            watch.tell(name, share)
            bar.update(task, total=len(watch.shares), completed=sum(watch.shares.values()))

        traces = deck_traces(wish, named, say, cache)
        how = SearchEffort(most_ranks, count, tried, cache)
        a = advise(traces, path, there, priced, question, how, say, tell)
        if output:
            from crumple.lab.advise.advice_page import write_page  # plotly takes its time

            say("writing the page")
            say(f"{output}, pictures in {write_page(a, output)}")
    return a
