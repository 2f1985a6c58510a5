"""The command line: run, check, model, fetch, view, watch, report, plot, diff, demo."""

import os
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from crumple import solver
from crumple.choices import DecompositionMethod, Precision
from crumple.current_folder import settings_that_mpi_would_read
from crumple.implicit_deck import ranks_for
from crumple.lab.tune.costs_file import costs_to_use
from crumple.lazy_commands import Commands
from crumple.mpi import LauncherOptionError
from crumple.optional_values import Optional, command_with
from crumple.run_options import DumpLayout, RunOptions
from crumple.stop import stop
from crumple.view.field import Field

app = Commands(
    no_args_is_help=True,
    help="Run LS-DYNA keyword crash decks, and predict how parallel programs run on clusters.",
    rich_markup_mode=None,
)
console = Console()


class MpiChoice(StrEnum):
    """MPI libraries that the solver can be built for."""

    openmpi = "openmpi"
    mpich = "mpich"


#: commands that start no MPI program
WITHOUT_MPI = ("model", "fetch", "view", "watch", "report", "plot", "diff", "catalogue", "simulate")


def say_version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        from crumple.version import version_line

        console.print(version_line("crumple"), highlight=False, markup=False)
        raise typer.Exit


@app.callback()
def every_command(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=say_version, help="Show the version and exit."),
    ] = False,
) -> None:
    """Refuse what no command may do in the current folder."""
    if context.invoked_subcommand not in WITHOUT_MPI and (why := settings_that_mpi_would_read()):
        raise stop(why)


@app.command(cls=command_with(restart=Optional("auto", "[^-].*"), auto_restart=Optional("5", r"\d+")))
def run(
    deck: Annotated[
        Path | None, typer.Argument(help="keyword deck; a restart from a dump needs none")
    ] = None,
    ranks: Annotated[
        int | None,
        typer.Option("-n", "--ranks", min=1, help="MPI ranks; default: one a core, one of an implicit deck"),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="OpenMP threads per rank; default: 1, of an implicit deck one a core"),
    ] = None,
    output: Annotated[Path, typer.Option("-d", "--directory", help="folder for the results")] = Path("."),
    end_time: Annotated[float | None, typer.Option(help="end time, instead of the deck's")] = None,
    precision: Annotated[
        Precision, typer.Option(help="floating-point precision of the element computations")
    ] = Precision.double,
    decomposition: Annotated[
        DecompositionMethod, typer.Option(help="method that distributes the elements to ranks")
    ] = DecompositionMethod.rcb,
    pfile: Annotated[
        Path | None, typer.Option("-p", "--pfile", help="LS-DYNA pfile with decomp { ... }")
    ] = None,
    costs: Annotated[
        str,
        typer.Option(
            help="file of element costs, or built-in; default: the costs that `crumple tune` stored"
        ),
    ] = "",
    mpi: Annotated[
        MpiChoice | None,
        typer.Option(help="run the solver built for this MPI library; default: bin/crumple-solver"),
    ] = None,
    launcher: Annotated[
        str, typer.Option(help="further options for mpirun, quoted: '--map-by socket --bind-to core'")
    ] = "",
    memory: Annotated[
        str,
        typer.Option(help="limit on rank 0 in words, such as 200m; without --memory2 on every rank"),
    ] = "",
    memory2: Annotated[str, typer.Option(help="limit on each other rank in words")] = "",
    units: Annotated[
        str, typer.Option(help="units of the deck, such as t-mm-s, printed with the numbers")
    ] = "",
    vtkhdf: Annotated[bool, typer.Option(help="also write results.vtkhdf, for ParaView")] = False,
    vtkhdf_compression: Annotated[
        int,
        typer.Option(
            min=0,
            max=9,
            show_default=False,
            help="also write results.vtkhdf, compressed: 1 (fast) to 9",
        ),
    ] = 0,
    allow_unsupported: Annotated[
        bool, typer.Option(help="run without the physics that is not supported")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option(help="replace earlier results, instead of moving them to previous-1, ...")
    ] = False,
    restart: Annotated[
        str,
        typer.Option(
            metavar="[DUMP]",
            help="go on from this dump, on any number of ranks; auto or no value: from the newest whole one "
            "in the folder of the results",
        ),
    ] = "",
    auto_restart: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="[TIMES]",
            show_default=False,
            help="if a rank, the launcher or the system fails, start again from the newest whole dump; no "
            "value: at most 5 times",
        ),
    ] = 0,
    dump_cycles: Annotated[
        int | None,
        typer.Option(min=0, help="cycles between dumps to runrsf, instead of the deck's; 0: none"),
    ] = None,
    error_dump: Annotated[
        int | None,
        typer.Option(
            min=0,
            show_default=False,
            help="cycles between copies of the state in memory, from which an error that ends the run leaves "
            "a dump; 0: none; without this option, by the time that they take",
        ),
    ] = None,
    dump_layout: Annotated[
        DumpLayout, typer.Option(help="dumps: a file for each rank, or one that all share")
    ] = DumpLayout.files,
    walltime: Annotated[
        str, typer.Option(help="end with a dump before this time has passed: 8h, 90m, 7:30:00, 1-12:00:00")
    ] = "",
    listen: Annotated[
        str,
        typer.Option(
            metavar="[ADDRESS:]PORT",
            help="let `crumple watch --socket` connect to the run; port 0: any that is free; without an "
            "address from this machine only",
        ),
    ] = "",
    listen_interval: Annotated[
        float | None,
        typer.Option(
            min=0,
            show_default=False,
            help="with --listen: seconds between states besides the plot states; 0: none; default: 5",
        ),
    ] = None,
    case: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS", help="of a deck with *CASE: only these cases, such as 101,103; default: all"
        ),
    ] = "",
    notify: Annotated[
        str,
        typer.Option(
            help="shell command at the end of the run, such as 'mail -s \"$CRUMPLE_ENDED\" me@here'"
        ),
    ] = "",
    dry_run: Annotated[
        bool, typer.Option(help="only predict time, memory and disk, by a trial of ten seconds")
    ] = False,
) -> None:
    """Run a deck to its end time."""
    from crumple.deck_cases import cases_of, chosen_cases
    from crumple.notice import give_notice
    from crumple.restart.run_command import run_cases

    if deck is None and not restart:
        raise stop("no deck given: crumple run deck.k, or crumple run --restart DUMP")
    try:
        cases = chosen_cases(cases_of(deck) if deck and restart in ("", "auto") else [], case)
    except ValueError as error:
        raise stop(str(error)) from None
    if len(cases) > 1 and restart:
        raise stop("a restart goes on with one case: name it by --case")
    if cases and dry_run:
        raise stop("--dry-run of a deck with *CASE is not supported")
    chosen = ranks_for(deck, ranks, threads, os.cpu_count() or 1)
    if chosen.said:
        console.print(chosen.said, highlight=False, markup=False)
    options = RunOptions(
        deck=deck,
        ranks=chosen.ranks,
        threads=chosen.threads,
        output=output,
        end_time=end_time,
        precision=precision,
        decomposition=decomposition,
        pfile=pfile,
        costs=costs_to_use(costs),
        mpi=mpi.value if mpi else "",
        launcher=launcher,
        memory=memory,
        memory2=memory2,
        units=units,
        vtkhdf=vtkhdf,
        vtkhdf_compression=vtkhdf_compression,
        allow_unsupported=allow_unsupported,
        overwrite=overwrite,
        restart=restart,
        auto_restart=auto_restart,
        dump_cycles=dump_cycles,
        error_dump=error_dump,
        dump_layout=dump_layout,
        walltime=walltime,
        listen=listen,
        listen_interval=listen_interval,
    )
    if dry_run and restart:
        raise stop("--dry-run starts from the deck: it does not go with --restart")
    begin = time.monotonic()
    try:
        if dry_run:
            from crumple.dry_run import print_plan

            raise typer.Exit(print_plan(options, console))
        status = run_cases(options, cases)
    except (FileNotFoundError, LauncherOptionError) as error:
        raise stop(str(error)) from None
    if notify:
        give_notice(notify, deck, output, status, time.monotonic() - begin)
    raise typer.Exit(status)


@app.command(short_help="Check a deck: contents, errors, memory that a run needs.")
def check(
    deck: Annotated[Path, typer.Argument(help="keyword deck")],
    strict: Annotated[bool, typer.Option(help="warnings make the exit status 1")] = False,
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks of the planned run")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="OpenMP threads per rank of the planned run")] = 1,
    precision: Annotated[Precision, typer.Option(help="precision of the planned run")] = Precision.double,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="write the memory to this file as JSON")
    ] = None,
    case: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS", help="of a deck with *CASE: only these cases, such as 101,103; default: all"
        ),
    ] = "",
    units: Annotated[
        str, typer.Option(help="units of the deck, such as t-mm-s, printed with the numbers")
    ] = "",
) -> None:
    """Check a deck: print its contents, everything that is wrong with it, and the memory that a run needs.

    Exit status: 0 no errors, 1 warnings with --strict, 2 errors.
    """
    arguments = ["--check", f"i={deck}"] + (["--strict"] if strict else [])
    arguments += ["--ranks", str(ranks), "--threads", str(threads), "--precision", precision.value]
    if json_file:
        arguments += ["--json", str(json_file)]
    if case:
        arguments.append(f"case={case}")
    if units:
        arguments += ["--units", units]
    try:
        raise typer.Exit(solver.run(1, arguments).returncode)
    except FileNotFoundError as error:
        raise stop(str(error)) from None


@app.command(short_help="Decompose a deck: balance and neighbours of the ranks, a picture.")
def decompose(
    deck: Annotated[Path, typer.Argument(help="keyword deck")],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks")],
    pfile: Annotated[
        Path | None, typer.Option("-p", "--pfile", help="LS-DYNA pfile with decomp { ... }")
    ] = None,
    output: Annotated[Path, typer.Option("-d", "--directory", help="folder for the results")] = Path("."),
    method: Annotated[
        DecompositionMethod, typer.Option(help="method that distributes the elements to ranks")
    ] = DecompositionMethod.rcb,
    costs: Annotated[
        str,
        typer.Option(
            help="file of element costs, or built-in; default: the costs that `crumple tune` stored"
        ),
    ] = "",
) -> None:
    """Distribute the elements of a deck to ranks: balance, shared nodes, neighbours, a picture by rank."""
    arguments = [f"i={deck}", "--decompose", str(ranks), "-d", str(output), "--decomposition", method.value]
    arguments += costs_to_use(costs)
    if pfile:
        arguments.append(f"p={pfile}")
    shared_out = output / "decomposition.json"
    before = shared_out.stat().st_mtime_ns if shared_out.exists() else 0
    try:
        status = solver.run(1, arguments).returncode
    except FileNotFoundError as error:
        raise stop(str(error)) from None
    if status:
        raise typer.Exit(status)
    if not shared_out.exists() or shared_out.stat().st_mtime_ns == before:
        return  # an implicit model stays whole: there is no picture of its ranks
    from crumple.view.ranks import draw_ranks

    picture = output / "decomposition.png"
    draw_ranks(output, picture)
    console.print(str(picture), highlight=False)


@app.command()
def model(
    name: Annotated[
        str,
        typer.Argument(
            help="three-vehicle, neon, car2car, caravan, barrier, sled, bird, headform, composite-tube or "
            "cylinders"
        ),
    ],
    elements: Annotated[int, typer.Option(help="number of elements")] = 20_000,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="file to write")] = None,
    speed: Annotated[float | None, typer.Option(help="impact speed in m/s, instead of the model's")] = None,
    end_time: Annotated[float | None, typer.Option(help="end time in ms, instead of the model's")] = None,
    angle: Annotated[
        float | None, typer.Option(help="headform: degrees of its path below the horizontal")
    ] = None,
) -> None:
    """Write a benchmark model as a keyword deck."""
    import filecmp

    from crumple.earlier_output import keep_earlier, told
    from crumple.models import Wishes, write_model

    path = output or Path(f"{name}.k")
    kept = None
    try:
        kept = keep_earlier(path)
        count = write_model(name, path, Wishes(elements, speed, end_time, angle=angle))
    except (ValueError, OSError) as error:
        if kept:
            kept.replace(path)
        raise stop(error) from None
    console.print(f"{path}: {count} elements", highlight=False)
    if kept and filecmp.cmp(kept, path, shallow=False):
        kept.unlink()  # the same model once more
    elif kept:
        console.print(told(path, kept), highlight=False)


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="camry")],
    directory: Annotated[
        Path | None, typer.Option("-d", "--directory", help="folder for the deck; default: its name")
    ] = None,
    wheel: Annotated[
        Path | None, typer.Option(help="ansys-dyna-core wheel, instead of a download by pip")
    ] = None,
    properties: Annotated[
        Path | None,
        typer.Option(help="camry_rc_data.py of PyDYNA's examples, instead of a download from GitHub"),
    ] = None,
) -> None:
    """Build the deck of a vehicle that others have published.

    camry: the 2012 Camry body (NCAC, MIT by PyDYNA; 975,435 shells): main_frontal.k, main_frontal_bt.k and
    main_roofcrush.k. The meshes come from the package ansys-dyna-core. The thicknesses, welds and materials
    of the parts come from its example script.
    """
    from crumple.fetch.camry import write_camry
    from crumple.fetch.pydyna import FetchError

    if name != "camry":
        raise stop(f"there is no vehicle '{name}'; there is: camry")
    try:
        for path in write_camry(directory or Path(name), wheel, properties):
            console.print(str(path), highlight=False)
    except (FetchError, OSError) as error:
        raise stop(error) from None


@app.command(short_help="See all states of a run, or of two, in the browser; a picture, a page or a film.")
def view(
    result: Annotated[Path, typer.Argument(help="d3plot file, or the folder that contains it")],
    other: Annotated[Path | None, typer.Argument(help="a second run, to be seen beside the first")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="write a file instead: .png of one state (with an HTML page beside it), .html with all "
            "states for any browser, .gif or .mp4 of all states",
        ),
    ] = None,
    film: Annotated[
        Path | None, typer.Option(help="write a film of all states: the same as -o with .mp4 or .gif")
    ] = None,
    state: Annotated[int | None, typer.Option(help="state to show, from 0; negative: from the end")] = None,
    field: Annotated[Field, typer.Option(help="field shown by the colours")] = Field.plastic_strain,
    parts: Annotated[str, typer.Option(help="parts to show, such as 3,7-9; default: all")] = "",
    hide: Annotated[str, typer.Option(help="parts to hide, such as 3,7-9")] = "",
    camera: Annotated[
        str, typer.Option(help="viewpoint: auto, +x, -x, +y, -y, +z, -z, or a direction such as 1,-2,0.5")
    ] = "auto",
    rate: Annotated[float, typer.Option(min=0.1, max=120, help="states per second of a film")] = 12.0,
    units: Annotated[str, typer.Option(help="units, such as t-mm-s, instead of those of the run")] = "",
    deck: Annotated[
        Path | None,
        typer.Option(help="deck with rigid walls, sections and airbags, instead of the one in run.json"),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="port of the page; 0: any that is free")] = 0,
    megabytes: Annotated[float, typer.Option(min=0.01, help="most that a .html may take")] = 50.0,
) -> None:
    """Show the deformed model: all states in the browser, until Ctrl-C; or write a picture, a page or a film.

    Deleted elements are left out. A film has one camera and one colour scale throughout.
    """
    from crumple.view.camera import read_direction
    from crumple.view.parts import PartChoice, read_ranges
    from crumple.view.plot_file import ResultError
    from crumple.viewer.viewer_command import ViewerOptions, view_run

    def say(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    try:
        options = ViewerOptions(
            port=port,
            units=units,
            deck=deck,
            state=state,
            field=field,
            choice=PartChoice(*(read_ranges(text) if text else () for text in (parts, hide))),
            direction=read_direction(camera),
            rate=rate,
            megabytes=megabytes,
        )
        view_run([result, *([other] if other else [])], film or output, options, say)
    except (ResultError, ValueError, OSError) as error:
        raise stop(error) from None


@app.command(short_help="Watch a run in the browser while it goes on.")
def watch(
    results: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="result folder, the d3hsp in it, or host:port of a run that listens"
        ),
    ],
    socket: Annotated[
        bool,
        typer.Option("--socket", help="connect to the run of the folder, which was started with --listen"),
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="port on this machine; 0: any that is free")
    ] = 8266,
    read_only: Annotated[
        bool, typer.Option(help="without the switches for stop, dump and plot state")
    ] = False,
    private: Annotated[
        bool, typer.Option(help="with a secret in the address, so that other users here cannot look")
    ] = False,
    triangles: Annotated[
        int, typer.Option(min=1000, max=5_000_000, help="triangles of the model that are sent at most")
    ] = 250_000,
    wait: Annotated[float, typer.Option(min=0, help="seconds to wait for a run to start")] = 600.0,
    units: Annotated[str, typer.Option(help="units, such as t-mm-s, instead of those of the run")] = "",
) -> None:
    """Watch a running, finished or killed job in the browser.

    Shows progress, time left, energies, speed, load of the ranks, the time step and what holds it, warnings,
    deleted elements, forces, accelerations, and the deformed model in 3D. Only browsers on this machine reach
    the page; from another one a tunnel of ssh does, which is printed.
    """
    from crumple.results.run_files import RunError
    from crumple.watch.watch_command import WatchOptions
    from crumple.watch.watch_command import watch as watch_run

    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    try:
        watch_run(results, WatchOptions(port, units, not read_only, private, triangles, wait, socket), say)
    except (RunError, ValueError, OSError) as error:
        raise stop(error) from None
    except KeyboardInterrupt:
        raise typer.Exit from None


@app.command(short_help="Write an HTML page on a run.")
def report(
    results: Annotated[Path, typer.Argument(metavar="RUN", help="result folder, or the d3hsp in it")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="page to write; default: report.html beside the results"),
    ] = None,
    units: Annotated[str, typer.Option(help="units, such as t-mm-s, instead of those of the run")] = "",
    curve: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUANTITY",
            help="curve to draw, as of plot: nodout/12-34/distance (intrusion), or "
            "'rwforc/1/x_force over nodout/3/x_displacement'; several times for several",
        ),
    ] = None,
    others: Annotated[
        list[Path] | None,
        typer.Option("--with", metavar="RUN", help="another run, whose curves are drawn over this one's"),
    ] = None,
    channel_filter: Annotated[
        list[str] | None,
        typer.Option("--filter", help="filter of --curve, such as CFC60"),
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="measured curve to rate against: CSV, or ISO-MME")
    ] = None,
    column: Annotated[list[str] | None, typer.Option(help="column or channel of --against")] = None,
    corridor: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="CSV of time, lower and upper limit")
    ] = None,
    atd: Annotated[
        list[str] | None,
        typer.Option(metavar="PLACE", help="limits of a dummy: head, chest, ... (see plot)"),
    ] = None,
    filter_test: Annotated[bool, typer.Option(help="filter measured curves, too")] = False,
    hic: Annotated[
        list[int] | None, typer.Option(min=1, help="HIC within so many ms, of --curve that are resultants")
    ] = None,
    clip: Annotated[bool, typer.Option(help="3 ms clip of --curve that are accelerations")] = False,
    olc: Annotated[bool, typer.Option(help="occupant load criterion, of components")] = False,
    vpi: Annotated[bool, typer.Option(help="vehicle pulse index, of components")] = False,
    start: Annotated[float | None, typer.Option("--from", help="first time of --curve, in ms")] = None,
    end: Annotated[float | None, typer.Option("--to", help="last time of --curve, in ms")] = None,
) -> None:
    """Write one HTML page on a run: how it ended, energies, forces, parts, time step, load balance, deck.

    The page needs no network. It shows what the run wrote. Energies and the time step need glstat, parts
    need matsum, forces need rwforc, rcforc or secforc, each as text or in binout. The picture needs d3plot,
    the load balance needs load_profile.

    --filter, --against, --column, --corridor and --atd are given once for all curves, or several times for
    the curves in their order, with - for none. They and the options after them are those of plot.
    """
    from crumple.curves.curve_figures import Wanted
    from crumple.report.curve_options import CurveOptions, curves_asked
    from crumple.report.run_page import write_report
    from crumple.results.damage import DamagedFile
    from crumple.results.run_files import RunError

    options = CurveOptions(
        curves=tuple(curve or ()),
        others=tuple(others or ()),
        channel_filter=tuple(channel_filter or ()),
        against=tuple(against or ()),
        column=tuple(column or ()),
        corridor=tuple(corridor or ()),
        atd=tuple(atd or ()),
        filter_test=filter_test,
        wanted=Wanted(tuple(hic or ()), clip, olc, vpi),
        window=(start, end),
    )
    try:
        path = write_report(results, output, units, curves_asked(options))
    except (RunError, DamagedFile, ValueError, OSError) as error:
        raise stop(error) from None
    console.print(str(path), highlight=False)


@app.command(short_help="Draw curves of runs: filtered, rated, with HIC and OLC.")
def plot(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]... QUANTITY...",
            help="result folders (default: the current one), and what to draw of them",
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", help=".png, .svg or .csv; several times for several files"),
    ] = None,
    channel_filter: Annotated[
        str, typer.Option("--filter", help="CFC60, CFC180, CFC600 or CFC1000 (SAE J211)")
    ] = "",
    hic: Annotated[
        list[int] | None, typer.Option(min=1, help="HIC within so many ms, 15 or 36, of accelerations")
    ] = None,
    clip: Annotated[bool, typer.Option(help="3 ms clip of accelerations")] = False,
    olc: Annotated[bool, typer.Option(help="occupant load criterion of a pulse")] = False,
    vpi: Annotated[bool, typer.Option(help="vehicle pulse index of a pulse")] = False,
    versus: Annotated[str, typer.Option(help="quantity on the horizontal axis, instead of time")] = "",
    against: Annotated[
        Path | None, typer.Option(help="measured curve to rate against: CSV, or ISO-MME")
    ] = None,
    column: Annotated[str, typer.Option(help="column or channel of --against")] = "",
    filter_test: Annotated[bool, typer.Option(help="filter the measured curve, too")] = False,
    limit: Annotated[
        list[str] | None, typer.Option(help="line at a value in the unit shown: 80, or 80:head")
    ] = None,
    corridor: Annotated[
        Path | None, typer.Option(help="CSV of time, lower and upper limit, in the units shown")
    ] = None,
    atd: Annotated[
        str,
        typer.Option(
            metavar="PLACE",
            help="limits of a dummy: head, neck (force and moment), chest, deflection, femur (FMVSS 208), "
            "head-r94 (UN R94)",
        ),
    ] = "",
    start: Annotated[float | None, typer.Option("--from", help="first time shown, in ms")] = None,
    end: Annotated[float | None, typer.Option("--to", help="last time shown, in ms")] = None,
    title: Annotated[str, typer.Option(help="title of the picture")] = "",
    units: Annotated[str, typer.Option(help="units, such as t-mm-s, instead of those of the run")] = "",
    contents: Annotated[bool, typer.Option("--list", help="list what the runs have; draw nothing")] = False,
) -> None:
    """Draw curves of one or several runs, and print their figures.

    A quantity is history/entity/component: nodout/1234/x_acceleration, glstat/kinetic_energy,
    matsum/*/internal_energy, secforc/7/force (the magnitude), nodout/12-34/distance (between two nodes).
    The entity may be a title of the deck. --list shows what there is. With known units accelerations are
    in g, forces in kN, lengths in mm, energies in kJ, times in ms.
    """
    from crumple.curves.atd_limits import read_place
    from crumple.curves.curve_figures import Wanted
    from crumple.curves.filters import read_class
    from crumple.curves.plot_command import contents as contents_of
    from crumple.curves.plot_command import figure_lines, read_limit, write_plot
    from crumple.curves.plot_request import PlotRequest, divided
    from crumple.results.damage import DamagedFile
    from crumple.results.run_files import RunError
    from crumple.units import find_units

    try:
        runs, quantities = divided(words or [])
        request = PlotRequest(
            runs=runs,
            quantities=quantities,
            channel_class=read_class(channel_filter) if channel_filter else None,
            wanted=Wanted(tuple(hic or ()), clip, olc, vpi),
            versus=versus,
            against=against,
            column=column,
            filter_test=filter_test,
            limits=tuple(read_limit(text) for text in limit or ()),
            corridor=corridor,
            atd=read_place(atd) if atd else None,
            window=(start, end),
            title=title,
            units=find_units(units),
        )
        if contents:
            lines = contents_of(request)
        else:
            drawn, files = write_plot(request, output or [])
            lines = [*figure_lines(drawn), *(str(path) for path in files)]
    except (RunError, DamagedFile, ValueError, OSError) as error:
        raise stop(error) from None
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


@app.command(short_help="Compare two runs: deck, version, options, histories, last states.")
def diff(
    first: Annotated[Path, typer.Argument(metavar="RUN", help="result folder, or the d3hsp in it")],
    second: Annotated[Path, typer.Argument(metavar="RUN", help="the same of another run")],
    tolerance: Annotated[
        float, typer.Option(min=0.0, help="difference that does not count, over the largest value")
    ] = 1e-6,
    strict: Annotated[
        bool, typer.Option(help="a difference of deck, version or options makes the exit status 1, too")
    ] = False,
    states: Annotated[bool, typer.Option(help="compare the last plot states, too")] = True,
) -> None:
    """Compare two runs: what differs in deck, version and options, and how much in the results.

    Exit status: 0 the results are the same within the tolerance, 1 they differ, 2 they cannot be compared.
    """
    from crumple.compare.compared_runs import compare, counts, table, verdict
    from crumple.printed_table import print_folded
    from crumple.results.damage import DamagedFile
    from crumple.results.run_files import RunError
    from crumple.view.plot_file import ResultError

    try:
        found = compare(first, second, tolerance, states)
    except (RunError, DamagedFile, ResultError, OSError) as error:
        raise stop(error) from None
    if found:
        print_folded(table(found, (str(first), str(second)), console.width), console, highlight=False)
    console.print(verdict(found, tolerance, strict), highlight=False, markup=False)
    raise typer.Exit(1 if counts(found, strict) else 0)


@app.command(short_help="Crash three vehicles into each other and show the result.")
def demo(
    elements: Annotated[int, typer.Option(help="approximate number of elements")] = 10_000,
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks")] = os.cpu_count() or 1,
    directory: Annotated[
        Path, typer.Option("-d", "--directory", help="folder for the deck and the results")
    ] = Path("demo"),
) -> None:
    """Crash three vehicles into each other, then show a picture, an energy plot and a summary."""
    from crumple.demo import run_demo

    try:
        status = run_demo(elements, ranks, directory, console)
    except (ValueError, OSError) as error:
        raise stop(str(error)) from None
    raise typer.Exit(status)
