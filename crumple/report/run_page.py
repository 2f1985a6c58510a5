"""The report as one HTML page with its script, style and picture inside."""

import base64
import tempfile
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from crumple.curves.quantity import QuantityError
from crumple.curves.signal_error import SignalError
from crumple.report import (
    accelerations,
    facts,
    figures,
    implicit_figures,
    implicit_sections,
    named_curves,
    restraints,
    tables,
)
from crumple.report.named_curves import CurvesAsked
from crumple.report.run_results import RunResults, read_results
from crumple.results.damage import DamagedFile
from crumple.results.forces import Forces
from crumple.results.run_files import RunError
from crumple.units import find_units
from crumple.whole_file import write_whole

if TYPE_CHECKING:
    import plotly.graph_objects as go

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Section:
    """A heading and its contents."""

    name: str
    title: str
    html: str


def plot(figure: "go.Figure") -> str:
    """The HTML division for a figure."""
    # Dragging zooms and a double click resets; buttons would cover the legend.
    config = {"displayModeBar": False, "responsive": True}
    return figure.to_html(include_plotlyjs=False, full_html=False, config=config)


def card(title: str, html: str, css: str = "") -> str:
    """A framed piece of the page."""
    return f'<div class="card {css}">{f"<h3>{title}</h3>" if title else ""}{html}</div>'


def pair(*cards: str, css: str = "") -> str:
    """Cards side by side if the window is wide enough; with css "wide" the first one is wider."""
    return f'<div class="pair {css}">{"".join(cards)}</div>'


def missing(text: str) -> str:
    """The text if a run has no data for a section."""
    return card("", f'<p class="none">{text}</p>')


def summary(results: RunResults) -> Section:
    """Facts, checks, and the message of a failure."""
    message = results.log.message if facts.ending(results)[1] is facts.Verdict.bad else ""
    html = card("Why the run ended", f"<pre>{escape(message)}</pre>", "message") if message else ""
    found = facts.run_facts(results)
    if results.convergence is not None:
        found = [fact for fact in found if fact.name != "Cycles"]
        found += implicit_sections.facts_of(results.convergence)
    html += f'<div class="tiles">{tables.fact_tiles(found)}</div>'
    html += card("Checks", tables.check_table(facts.checks(results)))
    return Section("summary", "Summary", html)


def final_picture(results: RunResults) -> Section:
    """The last plot state."""
    from crumple.view.drawing import last_state
    from crumple.view.own_process import in_own_process
    from crumple.view.plot_file import ResultError

    d3plot = results.files.find("d3plot")
    if not d3plot:
        return Section("picture", "Final state", missing("The run wrote no d3plot."))
    with tempfile.TemporaryDirectory() as folder:
        png = Path(folder) / "final.png"
        try:
            in_own_process(d3plot, last_state, d3plot, png, results.units)
        except ResultError as error:
            return Section("picture", "Final state", missing(escape(str(error))))
        data = base64.b64encode(png.read_bytes()).decode()
    image = f'<img alt="deformed model, effective plastic strain" src="data:image/png;base64,{data}">'
    return Section("picture", "Final state", card("", image, "picture"))


def energy_section(results: RunResults) -> Section:
    """Energies and their balance."""
    if results.history is None:
        html = missing("No glstat: the deck has no *DATABASE_GLSTAT.")
    else:
        html = pair(
            card("Energies", plot(figures.energies(results.history, results.units))),
            card(
                "Energy balance and hourglass energy", plot(figures.balance(results.history, results.units))
            ),
        )
    return Section("energies", "Energies", html)


def force_section(results: RunResults) -> Section:
    """Walls, contacts, cross sections."""
    found: list[tuple[str, str, Forces | None]] = [
        ("Rigid walls", "wall", results.walls),
        ("Contacts", "contact", results.contacts),
        ("Cross sections", "section", results.sections),
    ]
    html = ""
    for title, what, forces in found:
        if forces is not None:
            peaks = f'<div class="long">{tables.force_table(forces, what)}</div>'
            html += pair(
                card(f"{title}: force", plot(figures.force_curves(forces, what, results.units))),
                card(f"{title}: peaks", peaks),
                css="wide",
            )
    if not html:
        html = missing("No rwforc, rcforc or secforc: the deck asks for no forces.")
    else:
        html = '<p class="note">Forces as written, not filtered; resultant |F|.</p>' + html
    return Section("forces", "Forces", html)


def node_sections(results: RunResults) -> list[Section]:
    """Accelerations of nodes, if the run wrote any."""
    if not accelerations.has_nodes(results):
        return []
    if not results.units:
        html = missing(
            "The run wrote nodout. Accelerations are filtered and rated only if their units are known: "
            "report --units t-mm-s, run --units, or *CONTROL_UNITS in the deck."
        )
        return [Section("nodes", "Accelerations", html)]
    run = accelerations.run_of(results)
    try:
        keys = run.tables.table("nodout").keys[: accelerations.NODES]
        drawn = plot(accelerations.acceleration_figure(run, keys))
    except SignalError as error:
        drawn = f'<p class="none">{escape(str(error))}</p>'
    except (DamagedFile, QuantityError) as error:
        return [Section("nodes", "Accelerations", missing(escape(str(error))))]
    rows = f'<div class="long">{accelerations.figure_table(run, keys)}</div>'
    html = card("Accelerations of nodes, resultant, CFC 60", drawn)
    html += card("Figures of nodes", rows + f'<p class="note">{escape(accelerations.NOTE)}</p>')
    return [Section("nodes", "Accelerations", html)]


def restraint_sections(results: RunResults) -> list[Section]:
    """Belts, airbags, springs and dampers, if the run wrote any."""
    found = restraints.histories(results)
    made = []
    if found:
        run = restraints.run_of(results)
        for name, title, make in restraints.SECTIONS:
            try:
                pieces = make(run, found)
            except DamagedFile as error:
                made.append(Section(name, title, missing(escape(str(error)))))
                continue
            cards = [
                card(what, f'<div class="long">{shown}</div>' if isinstance(shown, str) else plot(shown))
                for what, shown in pieces
            ]
            html = "".join(pair(*cards[k : k + 2], css="wide") for k in range(0, len(cards), 2))
            if html:
                made.append(Section(name, title, html))
    if restraints.only_text(results):
        made.append(Section("restraints", "Belts, airbags, springs", missing(restraints.NOTE)))
    return made


def curve_sections(results: RunResults, asked: CurvesAsked) -> list[Section]:
    """The curves that were asked for, and the comparison with other runs.

    Raises:
        RunError, DamagedFile, QuantityError, SignalError: as for `crumple plot`.
    """
    drawn = named_curves.plots(results.files.path("d3hsp"), asked, results.units)
    pieces = [named_curves.drawn_html(one) for one in drawn]
    cards = [card(one.title, one.picture + one.figures) for one in pieces]
    if len(pieces) % 2:  # the last one has a row for itself
        cards[-1:] = [card(pieces[-1].title, pieces[-1].picture), card("Figures", pieces[-1].figures)]
    html = "".join(pair(*cards[k : k + 2]) for k in range(0, len(cards), 2))
    if not asked.others:
        return [Section("curves", "Curves", html)] if html else []
    runs = [results, *(read_results(other) for other in asked.others)]
    table = card("The runs beside each other", named_curves.fact_table(runs))
    return [Section("comparison", "Comparison", table + html)]


def part_section(results: RunResults) -> Section:
    """Energies of parts."""
    if results.parts is None:
        return Section("parts", "Parts", missing("No matsum: the deck has no *DATABASE_MATSUM."))
    html = pair(
        card("Internal energy of the parts with most of it", plot(figures.part_curves(results))),
        card("Parts at the end", plot(figures.part_bars(results))),
    )
    html += card("All parts at the end", f'<div class="long">{tables.part_table(results)}</div>')
    return Section("parts", "Parts", html)


def step_section(results: RunResults) -> Section:
    """The time step, and the elements that set it."""
    if results.history is None:
        return Section("step", "Time step", missing("No glstat, so no history of the time step."))
    titles = {part.id: part.title for part in results.log.parts}
    html = pair(
        card("Time step, by the part that set it", plot(figures.time_step(results.history, results.units))),
        card("What set it", f'<div class="long">{tables.control_table(results.history, titles)}</div>'),
    )
    return Section("step", "Time step", html)


def rating_note(results: RunResults) -> str:
    """The rating, for those who look at what a machine does."""
    said = facts.rating(results)
    return f'<p class="note">{said}</p>' if said else ""


def load_section(results: RunResults) -> Section:
    """Seconds of each phase on each rank."""
    if results.load is None:
        html = missing("No load_profile beside the results, so nothing is known of ranks and phases.")
        html += rating_note(results)
    else:
        html = pair(
            card("Seconds of each phase on each rank", plot(figures.load_bars(results.load))),
            card(
                "Balance of each phase over ranks",
                tables.load_table(results.load)
                + '<p class="note">A rank that is ahead waits in "exchange" for the others.</p>'
                + rating_note(results),
            ),
            css="wide",
        )
    return Section("load", "Load balance", html)


def convergence_section(results: RunResults) -> Section:
    """Iterations and steps of an implicit run."""
    of = results.convergence
    if of is None or not len(of.steps):
        return Section("convergence", "Convergence", missing("No step has ended."))
    units = results.units
    html = pair(
        card("Iterations of each step", plot(implicit_figures.iterations_of_steps(of))),
        card("Length of steps", plot(implicit_figures.step_lengths(of, units))),
    )
    html += card("Norms of all iterations; dotted: their tolerances", plot(implicit_figures.norms(of)))
    return Section("convergence", "Convergence", html)


def work_section(results: RunResults) -> Section:
    """What an implicit run took."""
    of = results.convergence
    if of is None or not len(of.steps):
        return Section("work", "Time, memory and disk", missing("No step has ended."))
    html = pair(
        card("Seconds of each part in each step", plot(implicit_figures.part_seconds(of))),
        card("Memory and disk", plot(implicit_figures.memory(of))),
    )
    html += card("Parts of the run", implicit_sections.part_table(of) + rating_note(results))
    return Section("work", "Time, memory and disk", html)


def deck_section(results: RunResults) -> Section:
    """The use of the deck's keywords."""
    warnings = [f"<li>{escape(text)}</li>" for text in results.log.warnings + results.unreadable]
    html = card(
        f"Warnings ({len(warnings)})",
        f'<div class="long"><ul class="warnings">{"".join(warnings)}</ul></div>'
        if warnings
        else '<p class="none">None.</p>',
    )
    if left_out := results.log.left_out:
        lines = "".join(f"<li>{escape(text)}</li>" for text in left_out)
        title = f"Left out by --allow-unsupported ({len(left_out)})"
        html = card(title, f'<div class="long"><ul class="warnings">{lines}</ul></div>') + html
    keywords = results.log.keywords
    rows = tables.coverage(keywords) if keywords else '<p class="none">d3hsp has no coverage table.</p>'
    html += card("What became of every keyword", f'<div class="long">{rows}</div>')
    return Section("deck", "Deck", html)


def script_of_plots(sections: list[Section]) -> str:
    """The script that draws the plots in a browser (some megabytes); "" if there are no plots."""
    if not any("plotly-graph-div" in section.html for section in sections):
        return ""
    from plotly.offline import get_plotlyjs

    return get_plotlyjs()


def page(results: RunResults, asked: CurvesAsked) -> str:
    """The page as text; errors are those of `curve_sections`."""
    middle = (step_section, load_section)
    if results.convergence is not None:
        middle = (convergence_section, work_section)
    makers = (summary, final_picture, energy_section, force_section, part_section, *middle, deck_section)
    sections = [make(results) for make in makers]
    place = next(k for k, section in enumerate(sections) if section.name == "parts")
    sections[place:place] = node_sections(results) + restraint_sections(results)
    sections[2:2] = curve_sections(results, asked)  # below the picture
    ending, verdict = facts.ending(results)
    log = results.log
    title = log.title or results.files.directory.resolve().name
    deck = facts.deck_name(results) or "deck not recorded"
    return Template((HERE / "page.html").read_text()).substitute(
        title=escape(title),
        style=(HERE / "page.css").read_text(),
        plotly=script_of_plots(sections),
        subtitle=escape(" · ".join(filter(None, [deck, log.version, log.date]))),
        ending=escape(ending),
        verdict=verdict.value,
        links="".join(f'<a href="#{s.name}">{s.title}</a>' for s in sections),
        body="".join(f'<section id="{s.name}"><h2>{s.title}</h2>{s.html}</section>' for s in sections),
        footer=escape(about_units(results) + (f" State hash {log.hash}." if log.hash else "")),
    )


def about_units(results: RunResults) -> str:
    """A sentence about the units of the figures."""
    units = results.units
    if units:
        return (
            f"Units as the run was told ({units.name}): "
            + ", ".join(f"{what} {label}" for what, label in units.labels.items())
            + "."
        )
    return (
        "Decks carry no units: every figure but elapsed seconds is in deck units, the consistent units "
        "that the deck was written in."
    )


def write_report(
    where: Path, output: Path | None = None, units: str = "", asked: CurvesAsked | None = None
) -> Path:
    """Write the report of the run in a folder; returns the page's path.

    Args:
        where: folder of results, or the d3hsp in it
        output: page to write
        units: name of a system of units, instead of the run's own
        asked: curves to draw, and runs to compare with

    Raises:
        RunError: the folder contains no run.
        ValueError: there is no such system of units, no such curve, or a filter cannot be applied to it.
        DamagedFile: a curve that is asked for cannot be read.
    """
    if output and output.suffix not in (".html", ".htm"):
        raise RunError(f"'{output}' is no page: name one that ends in .html")
    given = find_units(units)
    results = read_results(where)
    if given:
        results = replace(results, units=given)
    path = output or results.files.path("report.html")
    write_whole(path, page(results, asked or CurvesAsked()))
    return path
