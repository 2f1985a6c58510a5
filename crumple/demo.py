"""The demo: three vehicles crash, and the results are shown."""

import time
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.table import Table

from crumple import solver
from crumple.models import Wishes, write_model
from crumple.pinning import place, tell_of
from crumple.plain_matplotlib import new_figure
from crumple.printed_table import print_whole
from crumple.progress_line import ProgressLine, shows_one_line
from crumple.results.d3hsp import end_time_in
from crumple.results.glstat import read_glstat
from crumple.view.state_pictures import draw

LINES = {
    "kinetic energy": "kinetic",
    "internal energy": "internal",
    "hourglass energy": "hourglass",
    "sliding interface energy": "sliding",
    "total energy": "total",
}


def plot_energies(history: pd.DataFrame, path: Path) -> None:
    """Energies over time as a PNG."""
    figure = new_figure(9, 5)
    axes = figure.subplots()
    for column, label in LINES.items():
        axes.plot(history["time"], history[column] / 1e3, label=label, linewidth=1.8)
    axes.set(xlabel="time, ms", ylabel="energy, kJ", title="Energy balance of the three-vehicle collision")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    axes.set_xlim(0, history["time"].max())
    figure.savefig(path)


def summary(history: pd.DataFrame, elements: int, ranks: int, seconds: float) -> Table:
    """A summary of the run, with its energy balance."""
    first, last = history.iloc[0], history.iloc[-1]
    table = Table(title="Three-vehicle collision", show_header=False, title_justify="left")
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_row("elements", f"{elements:,}")
    table.add_row("ranks", str(ranks))
    table.add_row("simulated", f"{last['time']:.1f} ms")
    table.add_row("computed in", f"{seconds:.0f} s")
    table.add_row("rating", f"{86400 / seconds:,.0f} jobs a day")
    table.add_row(
        "kinetic energy", f"{first['kinetic energy'] / 1e3:.1f} -> {last['kinetic energy'] / 1e3:.1f} kJ"
    )
    table.add_row("absorbed by the bodies", f"{last['internal energy'] / 1e3:.1f} kJ")
    table.add_row("hourglass / internal", f"{100 * last['hourglass energy'] / last['internal energy']:.1f} %")
    table.add_row("total / initial energy", f"{last['total energy'] / first['total energy']:.4f}")
    return table


def run_demo(elements: int, ranks: int, directory: Path, console: Console) -> int:
    """Write the deck, run it, draw the results. Returns the exit status."""
    directory.mkdir(parents=True, exist_ok=True)
    deck = directory / "three-vehicle.k"
    count = write_model("three-vehicle", deck, Wishes(elements))
    console.print(f"[bold]{deck}[/bold]: {count:,} elements", highlight=False)
    pinning = place(ranks, 1)
    tell_of(pinning)
    start = time.monotonic()
    arguments = [f"i={deck.name}", "--units", "kg-mm-ms"]
    progress = ProgressLine(lambda: end_time_in(directory / "d3hsp")) if shows_one_line() else None
    ended = solver.run(ranks, arguments, directory=directory, pinned=pinning.pinned, progress=progress)
    status = ended.returncode
    seconds = time.monotonic() - start
    if status != 0:
        return status
    history = read_glstat(directory / "glstat")
    energies = directory / "energies.png"
    plot_energies(history, energies)
    pictures = draw(directory, directory / "three-vehicle.png")
    console.print()
    print_whole(summary(history, count, ranks, seconds), console)
    for label, path in (
        ("picture", pictures[0]),
        ("interactive page", pictures[1]),
        ("energy plot", energies),
    ):
        console.print(f"{label:>18}: {path}", highlight=False)
    return 0
