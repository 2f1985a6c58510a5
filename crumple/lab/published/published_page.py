"""The page of published studies with all rows, good and bad, as Markdown and as HTML."""

from html import escape
from pathlib import Path
from statistics import median
from string import Template

from crumple.lab.applications.case import StudyError
from crumple.lab.page.html_page import html_page
from crumple.lab.page.html_page import table as html_table
from crumple.lab.page.markdown_table import cell, table
from crumple.lab.published.finding_rows import Answer, FindingRow
from crumple.lab.published.predict_findings import SIMULATED, PublishedOutcome, PublishedStudy
from crumple.report.run_page import Section, card
from crumple.whole_file import write_whole

TEXT = "page.md"
PROGRAMS = ("ours", "stand-in")


def columns(outcome: PublishedOutcome) -> tuple[str, ...]:
    """The answers that are shown, each with its error."""
    return ("ours", SIMULATED, "stand-in") if outcome.cycles else PROGRAMS


def head(outcome: PublishedOutcome) -> list[str]:
    """Headings of the tables."""
    both = [name for column in columns(outcome) for name in (column, "error")]
    return ["", "finding", "published", *both, "not in the model; what the figure depends on"]


def error_of(answer: Answer | None) -> str:
    """The error of an answer; if no figure was published, whether its direction is right."""
    if answer is None:
        return ""
    if answer.fitted:
        return "input"
    if answer.idle:
        return "no change"
    wrong = "" if answer.right else ", wrong"
    if answer.error is None:
        return "right" if answer.right else "wrong"
    return f"{100 * answer.error:+.0f} %{wrong}"


def cells(outcome: PublishedOutcome, row: FindingRow) -> list[str]:
    """The cells of a row."""
    found = [str(row.number), row.what, row.published]
    for program in columns(outcome):
        answer = row.answers.get(program)
        if program == SIMULATED and not answer:
            found += ["", ""]
            continue
        found += [answer.text if answer else "" if row.answers else "not predicted", error_of(answer)]
    return [*found, row.missing]


def summary(outcome: PublishedOutcome) -> list[str]:
    """A summary of the errors."""
    lines = []
    for program in columns(outcome):
        right, of = outcome.directions(program)
        errors = outcome.errors(program)
        if not errors:
            continue
        over = sum(e > 0.4 for e in errors)
        lines.append(
            f"{program}: the direction is right in {right} of {of} rows; the error of ratios is "
            f"{100 * outcome.median_error(program):.1f} % (median of {len(errors)}) and at most "
            f"{100 * max(errors):.0f} %; {over} are above 40 %"
        )
    if over := [one for row in outcome.rows for one in row.over_model]:
        off = [1.0 / one - 1.0 for one in over]
        lines.append(
            f"model against simulation, time of {outcome.cycles} cycles of each window of ours: "
            f"median error {100 * median(map(abs, off)):.1f} %, "
            f"{100 * min(off):+.0f} to {100 * max(off):+.0f} %"
        )
    apart = [(name, outcome.not_counted(name)) for name in columns(outcome)]
    inputs = ", ".join(f"{name} {fitted}" for name, (fitted, _) in apart)
    same = ", ".join(f"{name} {idle}" for name, (_, idle) in apart)
    unknown = sum(not row.answers for row in outcome.rows)
    return [
        *lines,
        f"not counted: rows that are input ({inputs}), and rows that cannot fail ({same}) "
        "because in the model the compared change alters no time by more than 0.1 %",
        f"{unknown} findings are not predicted",
    ]


def stand_in_words(outcome: PublishedOutcome) -> str:
    """A description of the stand-in."""
    s = outcome.stand_in
    calls = ", ".join(f"{each:.2f} {op} of {size} bytes" for op, size, each in s.collectives)
    return (
        f"Stand-in ({outcome.profile.name}): an element takes {s.work:.2f} times as long as ours, "
        f"{s.to_each:.2f} messages per cycle go from each rank to each other rank; "
        f"a rank calls {calls} per cycle."
    )


def rows_of(outcome: PublishedOutcome, study: PublishedStudy) -> list[FindingRow]:
    """The rows of one paper."""
    return [row for row in outcome.rows if row.paper == study.file.published.name]


def text_of(outcome: PublishedOutcome) -> tuple[Path, Template]:
    """The text around the tables: page.md beside the study files, if they are in one folder; else ours."""
    folders = {study.path.resolve().parent for study in outcome.studies}
    own = folders.pop() / TEXT
    path = own if not folders and own.is_file() else Path(__file__).with_name(TEXT)
    return path, Template(path.read_text())


def markdown(outcome: PublishedOutcome) -> str:
    """The page as Markdown.

    Raises:
        StudyError: the text beside the study files has an unknown $name.
    """
    path, text = text_of(outcome)
    tables = []
    for study in outcome.studies:
        tables.append(f"## {cell(study.file.published.title)}\n")
        if study.file.published.note:
            tables.append(cell(study.file.published.note) + "\n")
        tables.append(table(head(outcome), [cells(outcome, row) for row in rows_of(outcome, study)]))
    try:
        return text.substitute(
            files=", ".join(cell(study.path.name) for study in outcome.studies),
            summary="\n".join(f"* {cell(line)}" for line in summary(outcome)),
            stand_in=cell(stand_in_words(outcome)),
            tables="\n".join(tables).rstrip(),
        )
    except (KeyError, ValueError) as error:
        raise StudyError(f"{path}: {error}: it may have $files, $summary, $stand_in and $tables") from None


def html(outcome: PublishedOutcome) -> str:
    """One page with everything inside."""
    items = "".join(f"<li>{escape(line)}</li>" for line in [*summary(outcome), stand_in_words(outcome)])
    sections = [Section("summary", "Summary", card("", f'<ul class="warnings">{items}</ul>'))]
    for study in outcome.studies:
        rows = [[escape(c) for c in cells(outcome, row)] for row in rows_of(outcome, study)]
        body = card(escape(study.file.published.title), html_table(head(outcome), rows, 99))
        name = escape(study.file.published.name)
        sections.append(Section(name, name, body))
    right, of = (sum(k) for k in zip(*(outcome.directions(p) for p in PROGRAMS), strict=True))
    return html_page(
        title="Published studies, predicted",
        subtitle="predicted for clusters of the catalogue; the published figures are of other programs",
        ending=f"{right} of {of} directions right",
        verdict="good" if right == of else "look",
        sections=sections,
        footer="All figures except those marked as published are modelled or simulated; none is measured.",
        charts=False,
    )


def write_page(outcome: PublishedOutcome, path: Path) -> None:
    """Write the page: Markdown or HTML, by its name.

    Raises:
        OSError: it cannot be written.
        StudyError: the text beside the study files has an unknown $name.
    """
    write_whole(path, markdown(outcome) if path.suffix == ".md" else html(outcome))
