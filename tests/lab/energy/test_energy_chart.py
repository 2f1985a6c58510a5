"""Energy in reports: what was measured stands apart from what is modelled."""

from sample_provenance import PROVENANCE

from crumple.lab.applications.case import StudyCase
from crumple.lab.report.measurements import read_measurements
from crumple.lab.report.study_charts import energy_charts
from crumple.lab.study.conductor import Run, estimate
from crumple.lab.study.database import Database, Figures, RunOutcome


def add(database: Database, case: StudyCase, seconds: float, label: str) -> None:
    """A run with its energy."""
    study = database.study("s", "s.toml", "")
    outcome = RunOutcome(
        "done", seconds, seconds, 0.0, 0, "c", "2026-01-01", figures=[Figures({"energy [Wh]": 2.0})]
    )
    outcome.labels = {"energy [Wh]": label}
    database.add(study, database.case(str(case.ranks), case), 0, database.provenance(PROVENANCE), outcome)


def test_measured_and_modelled_are_bars_apart(tmp_path):
    database = Database(tmp_path / "s.db")
    add(database, StudyCase(ranks=1), 4.0, "measured (RAPL: packages and memory)")
    add(database, StudyCase(ranks=2), 2.0, "modelled")
    database.close()
    (chart,) = energy_charts(read_measurements(tmp_path / "s.db"))
    assert chart.title == "Energy a job (measured (RAPL: packages and memory); modelled)"
    assert [series.y for series in chart.series] == [[2.0, 0.0], [0.0, 2.0]]


def test_time_of_cases_that_have_not_run_yet(tmp_path):
    database = Database(tmp_path / "s.db")
    first, second = (Run(StudyCase(ranks=n), str(n), 0) for n in (1, 2))
    assert estimate(database, [second], [first, second]) is None
    add(database, StudyCase(ranks=1), 4.0, "modelled")
    assert estimate(database, [second], [first, second]) == 4.0
    database.close()
