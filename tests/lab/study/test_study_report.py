"""Reports of studies: findings, charts, the page in a browser; from a database of known times."""

import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from command_line import crumple

from crumple.lab.applications.application import Figures
from crumple.lab.applications.case import StudyCase
from crumple.lab.report.measurements import read_measurements
from crumple.lab.report.study_charts import elapsed_charts
from crumple.lab.report.study_findings import findings
from crumple.lab.study.database import Database, RunOutcome

MACHINE = {
    "machine": {
        "host": "<b>h</b>",
        "cores": 8,
        "processor": "P",
        "memory": 2**33,
        "kernel": "6",
        "system": "s",
    },
    "mpi": "Open MPI",
    "executable": {"path": "/x/solver", "sha256": "0" * 64},
    "inputs": {},
    "environment": {},
}


def fill(path: Path, times: dict[StudyCase, list[float]], states: dict[StudyCase, str] | None = None) -> Path:
    """A database with runs of these times."""
    database = Database(path)
    study = database.study("s", path, '[study]\nname = "s"\ntitle = "A <i>study</i>"\n')
    source = database.provenance(MACHINE)
    for case, each in times.items():
        of_case = database.case(repr(case), case)
        for repeat, elapsed in enumerate(each):
            state = (states or {}).get(case, "done")
            figures = Figures(
                {"elapsed [s]": elapsed}, {"elements": [elapsed / 2] * case.ranks}, {"state hash": "ab"}
            )
            outcome = RunOutcome(
                state,
                elapsed,
                elapsed,
                0.0,
                0,
                "mpirun <x>",
                "2026-01-01T00:00:00+00:00",
                log="broke & burnt" if state != "done" else "",
                figures=[figures] * case.jobs,
            )
            database.add(study, of_case, repeat, source, outcome)
    database.close()
    return path


def test_scaling_is_told_with_its_noise(tmp_path):
    path = fill(
        tmp_path / "s.db", {StudyCase(ranks=1): [10.0, 10.2, 9.8], StudyCase(ranks=4): [2.9, 3.0, 3.1]}
    )
    m = read_measurements(path)
    said = findings(m)
    assert said[0] == (
        "4 ranks are 3.33 times as fast as 1: parallel efficiency 83 %; "
        "the difference is 35.0 times the spread."
    )
    assert said[1].startswith("All 6 runs ended in the same state")
    elapsed, speed, efficiency, jobs = elapsed_charts(m)
    assert elapsed.series[0].y == [10.0, 3.0]
    assert (elapsed.series[0].low, elapsed.series[0].high) == ([9.8, 2.9], [10.2, 3.1])
    assert speed.series[0].y == pytest.approx([1.0, 10 / 3])
    assert efficiency.series[0].y == pytest.approx([100.0, 250 / 3])
    assert jobs.series[0].y == pytest.approx([8640.0, 28800.0])


def test_productivity_of_jobs_side_by_side(tmp_path):
    times = {
        StudyCase(ranks=2, jobs=1, binding="packed"): [100.0, 102.0],
        StudyCase(ranks=1, jobs=2, binding="packed"): [160.0, 162.0],
    }
    said = findings(read_measurements(fill(tmp_path / "s.db", times)))
    assert said[0].startswith("1 job of 2 ranks: 855 jobs a day; 2 jobs of 1 rank: 1073 jobs")


def test_jobs_side_by_side_are_compared_all_else_equal(tmp_path):
    """Double precision side by side is not set against single precision alone."""
    times = {StudyCase(precision="single"): [40.0, 41.0], StudyCase(precision="double"): [100.0, 102.0]}
    times |= {StudyCase(jobs=2, precision="double"): [70.0, 71.0]}
    said = findings(read_measurements(fill(tmp_path / "s.db", times)))
    assert said[0].startswith(
        "1 job of 1 rank: 855 jobs a day; 2 jobs of 1 rank: 2451 jobs a day (double); the difference is"
    )


def test_jobs_side_by_side_that_all_failed(tmp_path):
    """Such as where the licence is for one: the report tells of the others."""
    beside = StudyCase(jobs=2, binding="packed")
    fill(tmp_path / "s.db", {StudyCase(): [1.0, 1.1], beside: [1.0, 1.1]}, {beside: "failed"})
    said = findings(read_measurements(tmp_path / "s.db"))
    assert not any("side by side" in words for words in said)
    assert "2 of 4 runs failed; they are listed below." in said


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        ([150.0, 151.0], "1148 jobs a day; the difference is 77.7 times the spread."),
        ([150.0, 250.0], "864 jobs a day; within the noise."),
        ([150.0], "1152 jobs a day; run once, so the noise is not known."),
    ],
)
def test_gain_of_jobs_side_by_side_is_told_with_its_noise(beside, said, tmp_path):
    times = {StudyCase(): [103.0, 104.0], StudyCase(jobs=2, binding="packed"): beside}
    found = findings(read_measurements(fill(tmp_path / "s.db", times)))
    assert found[0].endswith(said)


def test_states_are_compared_within_a_precision(tmp_path):
    """Single and double end in states of their own; jobs side by side are one run."""
    fill(
        tmp_path / "s.db",
        {StudyCase(precision="single", jobs=2): [1.0], StudyCase(precision="double"): [1.0]},
    )
    with sqlite3.connect(tmp_path / "s.db") as c:
        c.execute("UPDATE text SET value = 'cd' WHERE run = 2")
    said = findings(read_measurements(tmp_path / "s.db"))
    assert (
        "All 2 runs ended in the same state as the others of their precision, bit for bit, "
        "with any ranks and placement." in said
    )
    with sqlite3.connect(tmp_path / "s.db") as c:
        c.execute("UPDATE text SET value = 'ef' WHERE run = 1 AND job = 1")
    said = findings(read_measurements(tmp_path / "s.db"))
    assert any(words.startswith("Warning: runs of") for words in said)


def test_a_difference_within_the_noise_is_none(tmp_path):
    times = {StudyCase(precision="single"): [10.0, 11.0], StudyCase(precision="double"): [10.4, 11.2]}
    said = findings(read_measurements(fill(tmp_path / "s.db", times)))
    assert (
        "Precision: single needs 10.5 s, double 10.8 s (1.03 times); within the noise (spread 4.8 %)." in said
    )


def test_page_in_a_browser(tmp_path):
    """What a run printed and what machines are called stays text; all charts are drawn; PNGs are there."""
    times = {StudyCase(ranks=1): [10.0, 10.2], StudyCase(ranks=2): [5.9, 6.0], StudyCase(ranks=4): [1.0, 1.0]}
    fill(tmp_path / "s.db", times, {StudyCase(ranks=4): "failed"})
    done = crumple("study", "report", "s.db", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    page = (tmp_path / "s.html").read_text()
    assert "A &lt;i&gt;study&lt;/i&gt;" in page and "<i>study" not in page
    assert "&lt;b&gt;h&lt;/b&gt;" in page and "<b>h</b>" not in page
    assert "broke &amp; burnt" in page
    assert not re.search(r'<(script|link|img)\b[^>]*(src|href)="https?:', page)
    names = {p.name for p in (tmp_path / "s").glob("*.png")}
    assert names >= {"elapsed.png", "speed-up.png", "efficiency.png", "jobs.png", "phases.png"}
    browser = shutil.which("chromium")
    if not browser:
        pytest.skip("no chromium")
    dumped = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=8000",
            "--dump-dom",
            (tmp_path / "s.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert dumped.count('class="main-svg"') >= len(names), "plotly drew every chart"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE study SET file = '[[x'", "s.db is damaged: Expected"),
        (
            "UPDATE provenance SET content = '{\"mpi\": 1}'",
            "s.db is damaged: provenance: machine: Field required",
        ),
    ],
)
def test_damaged_texts_of_a_database_are_refused(damage, says, tmp_path):
    fill(tmp_path / "s.db", {StudyCase(): [1.0]})
    with sqlite3.connect(tmp_path / "s.db") as c:
        c.execute(damage)
    done = crumple("study", "report", "s.db", directory=tmp_path)
    assert done.returncode == 2 and says in done.stdout and "Traceback" not in done.stdout
    assert not (tmp_path / "s.html").exists()


def test_threads_are_told_in_words(tmp_path):
    said = findings(
        read_measurements(fill(tmp_path / "s.db", {StudyCase(): [3.0], StudyCase(threads=2): [2.0]}))
    )
    assert said[0].startswith("Threads: 2 threads need 2 s, 1 thread 3 s (1.50 times); run once")


def test_markdown_lists_failed_runs_and_a_file_in_the_way_is_left(tmp_path):
    fill(
        tmp_path / "s.db",
        {StudyCase(ranks=1): [10.0], StudyCase(ranks=4): [1.0]},
        {StudyCase(ranks=4): "failed"},
    )
    assert crumple("study", "report", "s.db", "-o", "r.md", directory=tmp_path).returncode == 0
    said = (tmp_path / "r.md").read_text()
    assert "Run 2, repeat 1: failed after 1.0 s\n\n```\nmpirun <x>\nbroke & burnt\n```" in said
    (tmp_path / "s").write_text("a program\n")
    for page in ("s.html", "s.md"):
        done = crumple("study", "report", "s.db", "-o", page, directory=tmp_path)
        assert done.returncode == 2 and "choose another -o" in done.stdout
    assert (tmp_path / "s").read_text() == "a program\n"


def test_published_findings_stand_beside(tmp_path):
    fill(tmp_path / "s.db", {StudyCase(): [1.0]})
    (tmp_path / "p.toml").write_text(
        '[paper.x]\ntitle = "A paper"\n[[paper.x.finding]]\nwhat = "IB < GigE"\nreduction_up_to = [40, 55]\n'
    )
    done = crumple("study", "report", "s.db", "--published", "p.toml", "--paper", "x", directory=tmp_path)
    assert done.returncode == 0
    page = (tmp_path / "s.html").read_text()
    assert (
        "IB &lt; GigE" in page
        and "reduction up to 40, 55 %" in page
        and "Published, on other machines" in page
    )
    alone = crumple("study", "report", "s.db", "--paper", "x", directory=tmp_path)
    assert alone.returncode == 2 and "give --published, too" in alone.stdout
    wrong = crumple("study", "report", "s.db", "--published", "p.toml", "--paper", "y", directory=tmp_path)
    assert wrong.returncode == 2 and "no paper 'y'" in wrong.stdout


@pytest.mark.parametrize("name", ["runs.csv", "runs.parquet"])
def test_export(name, tmp_path):
    fill(tmp_path / "s.db", {StudyCase(ranks=1): [10.0, 10.2], StudyCase(ranks=2, jobs=2): [5.0]})
    assert crumple("study", "export", "s.db", name, directory=tmp_path).returncode == 0
    table = pd.read_csv(tmp_path / name) if name.endswith("csv") else pd.read_parquet(tmp_path / name)
    assert table.elapsed.tolist() == [10.0, 10.2, 5.0, 5.0]
    assert table.job.tolist() == [0, 0, 0, 1]
    assert crumple("study", "export", "s.db", "runs.xls", directory=tmp_path).returncode == 2


def test_nothing_to_report(tmp_path):
    assert "run the study first" in crumple("study", "report", "no.db", directory=tmp_path).stdout
    fill(tmp_path / "s.db", {StudyCase(): [1.0]}, {StudyCase(): "failed"})
    assert crumple("study", "report", "s.db", directory=tmp_path).returncode == 0
    assert "No run succeeded." in (tmp_path / "s.html").read_text()


@pytest.mark.parametrize(
    ("two", "said"), [([101.0, 210.0], "no difference"), ([220.0, 221.0], "nothing here")]
)
def test_jobs_that_bring_nothing_are_told_from_noise(two, said, tmp_path):
    times = {StudyCase(ranks=2): [50.0, 51.0], StudyCase(jobs=2, binding="packed"): two}
    assert said in findings(read_measurements(fill(tmp_path / "s.db", times)))[0]
