"""The report's table and charts of what a program says: from a database of known figures."""

import pytest
from sample_provenance import PROVENANCE

from crumple.lab.applications.application import Figures
from crumple.lab.applications.case import StudyCase
from crumple.lab.report.measurements import read_measurements
from crumple.lab.report.program_figures import figure_charts, figures_section, names
from crumple.lab.study.database import Database, RunOutcome

FILE = '[study]\nname = "s"\ncharts = ["iteration [s]", "memory [MiB]"]\n'


@pytest.fixture
def measured(tmp_path):
    """Two cases, three runs each, with figures of a program whose names are not to be trusted."""
    database = Database(tmp_path / "s.db")
    study = database.study("s", tmp_path, FILE)
    source = database.provenance(PROVENANCE)
    for ranks, each in ((1, [4.0, 6.0, 5.0]), (2, [2.0, 3.0, 2.5])):
        case = StudyCase(ranks=ranks)
        for repeat, seconds in enumerate(each):
            values = {"iteration [s]": seconds, "<b>x</b>": 7.0, "elapsed [s]": 9.0, "energy [Wh]": 1.0}
            outcome = RunOutcome("done", 9.0, 9.0, 0.0, 0, "x", "2026-01-01T00:00:00+00:00")
            outcome.figures, outcome.labels = [Figures(values)], {"energy [Wh]": "modelled"}
            database.add(study, database.case(repr(case), case), repeat, source, outcome)
    database.close()
    return read_measurements(tmp_path / "s.db")


def test_table(measured):
    assert names(measured) == ["iteration [s]", "<b>x</b>"]
    (section,) = figures_section(measured)
    assert "<td>iteration [s]</td><td class=n>5</td><td class=n>2.5</td>" in section.html
    assert "&lt;b&gt;x&lt;/b&gt;" in section.html and "<b>x</b>" not in section.html
    assert "<th class=n>1 rank</th><th class=n>2 ranks</th>" in section.html


def test_charts(measured):
    (chart,) = figure_charts(measured)
    assert (chart.name, chart.title, chart.x_title, chart.y_title) == (
        "iteration",
        "iteration [s]",
        "ranks",
        "s",
    )
    assert (chart.series[0].x, chart.series[0].y) == ([1, 2], [5.0, 2.5])
