"""A whole HTML page in the style of the report of a run, and its tables and charts."""

from html import escape
from pathlib import Path
from string import Template

from plotly.offline import get_plotlyjs

from crumple import report as run_report
from crumple.lab.page.chart import Chart, to_plotly
from crumple.report.run_page import Section, card, plot

LOOKS = Path(run_report.__file__).parent  #: page.html and page.css


def html_page(
    title: str,
    subtitle: str,
    ending: str,
    verdict: str,
    sections: list[Section],
    footer: str,
    charts: bool = True,
) -> str:
    """The page as text; all texts must be HTML already.

    Args:
        ending: text of the badge, which has the colour of the verdict
        charts: whether there are charts; they need plotly's script, which is then in the page
    """
    return Template((LOOKS / "page.html").read_text()).substitute(
        title=title,
        style=(LOOKS / "page.css").read_text(),
        plotly=get_plotlyjs() if charts else "",
        subtitle=subtitle,
        ending=ending,
        verdict=verdict,
        links="".join(f'<a href="#{s.name}">{s.title}</a>' for s in sections),
        body="".join(f'<section id="{s.name}"><h2>{s.title}</h2>{s.html}</section>' for s in sections),
        footer=footer,
    )


def table(head: list[str], rows: list[list[str]], numbers: int = 1) -> str:
    """An HTML table; columns from `numbers` on are numbers. Cells must be HTML already."""

    def cells(tag: str, row: list[str]) -> str:
        return "".join(f"<{tag}{' class=n' if k >= numbers else ''}>{c}</{tag}>" for k, c in enumerate(row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    top = f"<thead><tr>{cells('th', head)}</tr></thead>"
    return f'<div class="long"><table>{top}<tbody>{body}</tbody></table></div>'


def chart_card(chart: Chart) -> str:
    """A chart in its frame."""
    note = f'<p class="note">{escape(chart.note)}</p>' if chart.note else ""
    return card(escape(chart.title), plot(to_plotly(chart)) + note)
