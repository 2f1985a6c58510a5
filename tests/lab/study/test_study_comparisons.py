"""Comparisons, balance, and the page of Markdown, from a database of known times."""

from pathlib import Path

import pytest

from crumple.lab.applications.application import Figures
from crumple.lab.applications.case import StudyCase
from crumple.lab.profile.profile import Profile
from crumple.lab.report.comparisons import comparisons
from crumple.lab.report.decomposition_pictures import draw_decompositions
from crumple.lab.report.markdown import write_markdown
from crumple.lab.report.measurements import read_measurements
from crumple.lab.report.published import Paper
from crumple.lab.report.study_charts import balance_chart
from crumple.lab.report.study_findings import messages
from crumple.lab.study.database import Database, RunOutcome

FILE = '[study]\nname = "s"\n[workload]\nmodel = "nothing"\n'
MACHINE = {
    "machine": {"host": "h", "cores": 2, "processor": "P|Q", "memory": 1, "kernel": "6", "system": "s"},
    "mpi": "Open MPI",
    "executable": {"path": "/x", "sha256": "0"},
    "inputs": {},
}


@pytest.fixture
def database(tmp_path) -> Path:
    """Two ranks with two decompositions; A's second rank has twice the work."""
    path = tmp_path / "s.db"
    opened = Database(path)
    study = opened.study("s", tmp_path / "s.toml", FILE)
    source = opened.provenance(MACHINE)
    of = {"rcb": ([10.0, 12.0, 11.0], [1.0, 3.0]), "pfile:a_b": ([5.0, 5.5, 6.0], [2.0, 2.0])}
    for name, (times, phase) in of.items():
        case = opened.case(name, StudyCase(ranks=2, decomposition=name))
        for repeat, seconds in enumerate(times):
            figures = [Figures({}, {"contact": phase}, {})]
            outcome = RunOutcome("done", seconds, seconds, 0.0, 0, "x", "2026-01-01", figures=figures)
            opened.add(study, case, repeat, source, outcome)
    opened.close()
    return path


def test_a_against_b_has_ratio_and_bounds(database):
    (found,) = comparisons(read_measurements(database))
    assert found.values() == ("rcb", "pfile:a_b")
    assert found.ratio == pytest.approx(0.5)
    assert (found.low, found.high) == pytest.approx((5 / 12, 6 / 10))
    assert found.verdict == "the difference is 5.5 times the spread"


def test_balance_is_slowest_over_mean(database):
    (chart,) = balance_chart(read_measurements(database))
    assert [series.y for series in chart.series] == [pytest.approx([1.5]), pytest.approx([1.0])]


def test_markdown_has_findings_tables_pictures_and_no_markup_from_outside(database, tmp_path):
    paper = Paper("Old <b>study</b>", [("elapsed | fell", "reduction 20 %"), ("message sizes", "")])
    page = tmp_path / "out.md"
    paths = write_markdown(database, page, "A <i>title</i>", "Which?", paper)
    text = page.read_text()
    assert text.startswith("# A \\<i\\>title\\</i\\>\n")
    assert "0.500 | 0.417 to 0.600" in text
    assert "P\\|Q" in text and "pfile:a\\_b" in text
    assert "elapsed \\| fell" in text and "Old \\<b\\>study" in text
    assert "message sizes" not in text, "there are no messages to set it beside"
    pictures = [p for p in paths if p.suffix == ".png"]
    assert {p.name for p in pictures} == {"elapsed.png", "phases.png", "balance.png"}
    assert all(p.stat().st_size > 5000 and f"(out/{p.name})" in text for p in pictures)


def test_no_picture_of_a_workload_that_is_not_there(database, tmp_path):
    assert draw_decompositions(read_measurements(database), tmp_path) == {}


def test_messages_are_told_in_words(database):
    m = read_measurements(database)
    functions = {"MPI_Allreduce": [3.0, 6, 48, 0], "MPI_Send": [1.0, 2, 0, 0]}
    keys = ("time", "calls", "bytes_out", "bytes_in")
    rank = {
        "rank": 0,
        "application": 1.0,
        "functions": {
            name: dict(zip(keys, values, strict=True)) | {"longest": 1.0, "waiting": 0.0}
            for name, values in functions.items()
        },
        "collective": {"3": [6, 48]},
        "point_to_point": {"20": [2, 2**21]},
    }
    m.profiles = {int(run): [Profile("x", 2, [rank, rank], 0)] for run in m.runs.run}
    assert messages(m) == [
        "MPI (rcb): MPI_Allreduce has 75 % of the time in MPI; 75 % of the messages are of 4 KB or less."
    ]
