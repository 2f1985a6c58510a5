"""The report of a study: one HTML page with everything inside, and PNGs beside it."""

from base64 import b64encode
from html import escape
from pathlib import Path

from crumple.lab.page.chart import Chart, to_png
from crumple.lab.page.html_page import chart_card, html_page, table
from crumple.lab.page.picture_folder import folder_beside
from crumple.lab.report.comparisons import comparisons
from crumple.lab.report.decomposition_pictures import draw_decompositions
from crumple.lab.report.file_systems import CALLS, NOTE, SYSTEMS, file_system_rows, io_rows
from crumple.lab.report.measurements import Measurements, read_measurements
from crumple.lab.report.predictions import Say, predictions_of
from crumple.lab.report.program_figures import check_charts, figures_section
from crumple.lab.report.published import Paper
from crumple.lab.report.published_size import FINDINGS, HEAD, published_size_of
from crumple.lab.report.study_charts import all_charts
from crumple.lab.report.study_findings import findings
from crumple.report.run_page import Section, card, missing, pair
from crumple.whole_file import write_whole


def findings_section(m: Measurements) -> Section:
    """The findings."""
    items = "".join(f"<li>{escape(text)}</li>" for text in findings(m))
    return Section("findings", "What was found", card("", f'<ul class="warnings">{items}</ul>'))


def cases_section(m: Measurements) -> Section:
    """Medians and spreads."""
    cases = m.cases()
    if cases.empty:
        return Section("cases", "Cases", missing("No run succeeded."))
    rows = [
        [
            escape(row.case.label(tuple(m.varied()))),
            str(row.n),
            f"{row['median']:.3f}",
            f"{row.low:.3f}",
            f"{row.high:.3f}",
            f"{100 * row.spread / row['median']:.1f}",
            f"{86400 / row['median']:.0f}",
            f"{row['jobs a day']:.0f}",
        ]
        for _, row in cases.iterrows()
    ]
    head = ["case", "runs", "median [s]", "lowest", "highest", "spread [%]", "rating", "jobs a day"]
    note = "Measured. Spread: half the range of the runs. Rating: 86,400 s over the elapsed time."
    return Section("cases", "Cases", card("", table(head, rows) + f'<p class="note">{note}</p>'))


def comparisons_section(m: Measurements) -> list[Section]:
    """A against B: pairs of cases that differ in one axis."""
    rows = []
    for c in comparisons(m):
        a, b = c.values()
        rest = tuple(axis for axis in m.varied() if axis != c.axis)
        words = f"{c.axis.replace('_', ' ')}: {b} against {a}" + (f" ({c.a.label(rest)})" if rest else "")
        bounds = f"{c.low:.3f} to {c.high:.3f}"
        rows.append([escape(words), escape(c.verdict), f"{c.ratio:.3f}", bounds])
    if not rows:
        return []
    note = "Ratio of medians of seconds; bounds: fastest run over slowest run of the other, and the reverse."
    head = ["B against A", "noise", "ratio", "bounds"]
    html = card("", table(head, rows, 2) + f'<p class="note">{note}</p>')
    return [Section("comparisons", "A against B", html)]


def decomposition_section(pictures: dict[str, Path]) -> list[Section]:
    """Pictures of the decompositions, inside the page."""
    if not pictures:
        return []
    cards = [
        card(
            escape(name),
            '<img style="width:100%" alt="elements coloured by rank" src="data:image/png;base64,'
            + b64encode(path.read_bytes()).decode()
            + '">',
        )
        for name, path in pictures.items()
    ]
    html = "".join(pair(*cards[k : k + 2]) for k in range(0, len(cards), 2))
    return [Section("decompositions", "Decompositions", html)]


def chart_sections(charts: dict[str, list[Chart]], paper: Paper | None) -> list[Section]:
    """Charts in pairs, with published findings below."""
    found = []
    for title, several in charts.items():
        if several:
            cards = [chart_card(chart) for chart in several]
            html = "".join(pair(*cards[k : k + 2]) for k in range(0, len(cards), 2))
            html += published_card(paper, title)
            found.append(Section(title.lower().replace(" ", "-"), title, html))
    return found


def published_card(paper: Paper | None, section: str) -> str:
    """Findings of a paper for a section of charts; empty if there are none."""
    rows = [[escape(w), escape(f)] for w, f in paper.of_section(section)] if paper else []
    return card("Published, on other machines", table(["finding", "figure"], rows, 2)) if rows else ""


def predictions_rows(m: Measurements) -> list[list[str]]:
    """Each prediction beside the measurement, if there is one; cells are text."""
    measured, rows = m.median_of("solver [s]"), []
    for p in m.predictions.found:
        seconds = measured.get(p.key)
        rows.append(
            [
                p.case.label(tuple(m.varied())),
                p.cluster,
                f"{p.seconds:.3f}",
                f"{p.low:.3f} to {p.high:.3f}",
                f"{seconds:.3f}" if seconds else "",
                f"{p.seconds / seconds:.2f}" if seconds else "",
                f"{p.energy.a_job:.3g}" if p.energy else "",
                p.label,
            ]
        )
    return rows


PREDICTED = [
    "case",
    "cluster",
    "predicted [s]",
    "range",
    "measured here [s]",
    "predicted over measured",
    "Wh a job",
    "",
]


def predictions_section(m: Measurements) -> list[Section]:
    """Predictions, and the cases without predictions."""
    rows = [[escape(cell) for cell in row] for row in predictions_rows(m)]
    why = "".join(f"<li>{escape(f'{what}: {why}')}</li>" for what, why in m.predictions.left_out.items())
    html = card("Predicted, beside what was measured here", table(PREDICTED, rows, 2)) if rows else ""
    html += card("Not predicted", f'<ul class="warnings">{why}</ul>') if why else ""
    return [Section("predictions", "Predictions", html)] if html else []


def published_size_section(m: Measurements) -> list[Section]:
    """What is predicted at the published size."""
    found = m.published_size
    if found.failure:
        html = missing(escape(f"Not predicted: {found.failure}"))
    elif found.cases:
        tables = ((FINDINGS, found.findings, 3), (HEAD, found.cases, 2))
        html = "".join(table(h, [[escape(c) for c in row] for row in rows], n) for h, rows, n in tables)
        html = card("", html + f'<p class="note">{escape(found.note)}</p>')
    else:
        return []
    return [Section("published-size", "At the published size, simulated", html)]


def files_section(m: Measurements) -> list[Section]:
    """Where cases wrote, and how much."""
    several = [(SYSTEMS, file_system_rows(m), 4), (CALLS, io_rows(m), 1)]
    html = "".join(table(h, [[escape(c) for c in row] for row in rows], n) for h, rows, n in several if rows)
    note = f'<p class="note">{NOTE}</p>'
    return [Section("file-systems", "Where the results went", card("", html + note))] if html else []


def published_section(paper: Paper | None) -> list[Section]:
    """The findings of the paper."""
    if paper is None:
        return []
    rows = [[escape(what), escape(figure)] for what, figure in paper.findings]
    note = '<p class="note">Published for another program on other machines; not measured here.</p>'
    body = card(escape(paper.title), table(["finding", "figure"], rows, 2) + note)
    return [Section("published", "Published", body)]


def failures_section(m: Measurements) -> list[Section]:
    """Runs that failed, with the end of their output."""
    bad = m.runs[m.runs.state != "done"]
    if bad.empty:
        return []
    cards = [
        card(
            escape(f"run {row.run}, repeat {row['repeat'] + 1}: {row.state} after {row.elapsed:.1f} s"),
            f"<pre>{escape(row.command)}</pre><pre>{escape(row.log)}</pre>",
        )
        for _, row in bad.iterrows()
    ]
    return [Section("failures", "Runs that failed", "".join(cards))]


def source_section(m: Measurements) -> Section:
    """Machines, commands and the study file."""
    rows = []
    for source in m.provenance:
        machine, program = source["machine"], source["executable"]
        inputs = [f"{Path(p).name} {content[:12]}" for p, content in source["inputs"].items()]
        rows.append(
            [
                escape(f"{machine['host']}: {machine['cores']} x {machine['processor']}"),
                escape(f"{machine['memory'] / 2**30:.0f} GiB"),
                escape(machine["kernel"]),
                escape(source["mpi"]),
                escape(f"{Path(program['path']).name} {program['sha256'][:12]}"),
                escape(", ".join(inputs) or "none, or made by the lab"),
            ]
        )
    head = ["machine", "memory", "kernel", "MPI", "program (SHA-256)", "inputs (SHA-256)"]
    commands = "\n".join(dict.fromkeys(m.runs.command))
    html = card("Where the figures come from", table(head, rows, 99))
    html += card("Commands, as they were run", f'<div class="long"><pre>{escape(commands)}</pre></div>')
    html += card("Study file", f'<div class="long"><pre>{escape(m.file)}</pre></div>')
    return Section("sources", "Sources", html)


def page(
    m: Measurements,
    title: str,
    charts: dict[str, list[Chart]],
    paper: Paper | None,
    decompositions: dict[str, Path],
) -> str:
    """The page as text."""
    sections = [
        findings_section(m),
        cases_section(m),
        *figures_section(m),
        *comparisons_section(m),
        *predictions_section(m),
        *published_size_section(m),
        *files_section(m),
        *chart_sections(charts, paper),
        *decomposition_section(decompositions),
        *published_section(paper),
        *failures_section(m),
        source_section(m),
    ]
    good, total = len(m.done()), len(m.runs)
    machine = next((s["machine"] for s in m.provenance), None)
    where = f"{machine['cores']} cores of {machine['processor']}" if machine else ""
    return html_page(
        title=escape(title),
        subtitle=escape(" · ".join(filter(None, [where, f"first run {m.runs.started.min()[:10]}"]))),
        ending=f"{good} of {total} runs",
        verdict="good" if good == total else "look",
        sections=sections,
        footer="Times were measured on the machine named above. Modelled and published figures are marked.",
    )


def write_study_report(
    database: Path, output: Path, title: str = "", paper: Paper | None = None, say: Say = lambda _: None
) -> list[Path]:
    """Write the page, and a PNG of each chart into a folder beside it; returns all paths.

    Raises:
        StudyError: the database is missing, damaged or empty, or its study names an unknown figure.
        PageError: a file has the name of the picture folder.
    """
    m = read_measurements(database)
    check_charts(m)
    m.predictions = predictions_of(m, say)
    m.published_size = published_size_of(m, say)
    charts = {} if m.cases().empty else all_charts(m)
    folder = folder_beside(output)
    decompositions = {} if m.cases().empty else draw_decompositions(m, folder)
    write_whole(output, page(m, title or m.name, charts, paper, decompositions))
    return [
        output,
        *decompositions.values(),
        *(to_png(chart, folder) for several in charts.values() for chart in several),
    ]
