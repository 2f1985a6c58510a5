"""The report of a study as Markdown with its charts beside it, for documentation."""

from pathlib import Path

from crumple.lab.page.chart import Chart, to_png
from crumple.lab.page.markdown_table import cell, table
from crumple.lab.page.picture_folder import folder_beside
from crumple.lab.report.comparisons import comparisons
from crumple.lab.report.decomposition_pictures import draw_decompositions
from crumple.lab.report.file_systems import CALLS, NOTE, SYSTEMS, file_system_rows, io_rows
from crumple.lab.report.measurements import Measurements, read_measurements
from crumple.lab.report.predictions import Say, predictions_of
from crumple.lab.report.program_figures import check_charts
from crumple.lab.report.published import Paper
from crumple.lab.report.published_size import FINDINGS, HEAD, published_size_of
from crumple.lab.report.study_charts import all_charts
from crumple.lab.report.study_findings import findings
from crumple.lab.report.study_page import PREDICTED, predictions_rows
from crumple.whole_file import write_whole


def about(m: Measurements, question: str) -> str:
    """The question, the machine and the date."""
    machine = next((s["machine"] for s in m.provenance), None)
    where = f"{machine['cores']} cores of {machine['processor']}, {m.provenance[0]['mpi']}" if machine else ""
    day = m.runs.started.min()[:10]
    good, total = len(m.done()), len(m.runs)
    said = cell(f"{where}; {day}; {good} of {total} runs succeeded.".removeprefix("; "))
    return (cell(question) + "\n\n" if question else "") + f"*Measured on {said}*\n"


def case_table(m: Measurements) -> str:
    """Medians and spreads."""
    rows = [
        [
            row.case.label(tuple(m.varied())),
            str(row.n),
            f"{row['median']:.3f}",
            f"{row.low:.3f} to {row.high:.3f}",
            f"{100 * row.spread / row['median']:.1f}",
            f"{row['jobs a day']:.0f}",
        ]
        for _, row in m.cases().iterrows()
    ]
    return table(["case", "runs", "median [s]", "lowest to highest", "spread [%]", "jobs a day"], rows)


def comparison_table(m: Measurements) -> str:
    """A against B."""
    rows = []
    for c in comparisons(m):
        a, b = c.values()
        rest = tuple(axis for axis in m.varied() if axis != c.axis)
        rows.append(
            [
                f"{c.axis}: {b} against {a}",
                c.a.label(rest) if rest else "",
                f"{c.ratio:.3f}",
                f"{c.low:.3f} to {c.high:.3f}",
                c.verdict,
            ]
        )
    return (
        table(["", "all else", "ratio of seconds", "from fastest to slowest", "noise"], rows) if rows else ""
    )


def prediction_table(m: Measurements) -> str:
    """Predictions beside measurements, and the cases without predictions."""
    rows = predictions_rows(m)
    found = table(PREDICTED, rows) if rows else ""
    left = "".join(
        f"* not predicted: {cell(f'{what}: {why}')}\n" for what, why in m.predictions.left_out.items()
    )
    return "\n".join(filter(None, [found, left]))


def published_size_table(m: Measurements) -> str:
    """What is predicted at the published size; empty if the study asks for nothing."""
    found = m.published_size
    if found.failure:
        return f"* not predicted at the published size: {cell(found.failure)}\n"
    if not found.cases:
        return ""
    heading = f"## At the published size, simulated\n\n{cell(found.note)}\n"
    return "\n".join([heading, table(FINDINGS, found.findings), table(HEAD, found.cases)])


def file_tables(m: Measurements) -> str:
    """Where cases wrote, and how much; empty without profiles of files."""
    rows = io_rows(m)
    if not rows:
        return ""
    systems = file_system_rows(m)
    return "\n".join([table(SYSTEMS, systems)] * bool(systems) + [table(CALLS, rows), f"*{NOTE}*\n"])


def published_table(paper: Paper, section: str) -> str:
    """Findings of a paper for a section; empty if there are none."""
    found = paper.of_section(section)
    if not found:
        return ""
    note = f"*Published for another program on other machines, not measured here: {cell(paper.title)}*"
    return f"{note}\n\n" + table(["published finding", "figure"], [list(f) for f in found])


def picture(chart: Chart, folder: str) -> str:
    """The picture of a chart, with a caption."""
    note = f"\n\n*{cell(chart.note)}*" if chart.note else ""
    return f"![{cell(chart.title)}]({folder}/{chart.name}.png){note}\n"


def block(text: str, language: str = "") -> str:
    """A block of unchanged text."""
    return f"```{language}\n" + text.strip().replace("```", "'''") + "\n```\n"


def failures(m: Measurements) -> str:
    """Runs that failed, with the end of their output; empty if there are none."""
    bad = m.runs[m.runs.state != "done"]
    told = [
        f"Run {row.run}, repeat {row['repeat'] + 1}: {row.state} after {row.elapsed:.1f} s\n\n"
        + block(f"{row.command}\n{row.log}")
        for _, row in bad.iterrows()
    ]
    return "\n".join(["## Runs that failed\n", *told]) if told else ""


def write_markdown(
    database: Path,
    output: Path,
    title: str = "",
    question: str = "",
    paper: Paper | None = None,
    say: Say = lambda _: None,
) -> list[Path]:
    """Write the page, and its pictures into a folder of its name beside it; returns all paths.

    Raises:
        StudyError: the database is missing, damaged or empty, or its study names an unknown figure.
        PageError: a file has the name of the picture folder.
    """
    m = read_measurements(database)
    check_charts(m)
    m.predictions = predictions_of(m, say)
    m.published_size = published_size_of(m, say)
    folder = folder_beside(output)
    pieces = [f"# {cell(title or m.name)}\n", about(m, question), "## What was found\n"]
    pieces.append("\n".join(f"* {cell(text)}" for text in findings(m)) + "\n")
    paths = [output]
    if not m.cases().empty:
        pieces += [case_table(m), comparison_table(m), prediction_table(m), published_size_table(m)]
        for section, charts in all_charts(m).items():
            if charts:
                pieces.append(f"## {section}\n")
            if section == "Files":
                pieces.append(file_tables(m))
            for chart in charts:
                paths.append(to_png(chart, folder))
                pieces.append(picture(chart, folder.name))
            if charts and paper:
                pieces.append(published_table(paper, section))
        for name, path in draw_decompositions(m, folder).items():
            paths.append(path)
            pieces.append(f"![{cell(name)}]({folder.name}/{path.name})\n\n*{cell(name)}*\n")
    pieces.append(failures(m))
    pieces.append(f"## The study\n\n{block(m.file, 'toml')}")
    write_whole(output, "\n".join(piece for piece in pieces if piece))
    return paths
