"""Rows of the page of published studies: what counts, turns, and whose text stands around them."""

import re
import tomllib
from pathlib import Path

import pytest

from crumple.lab.applications.case import StudyError
from crumple.lab.catalogue.cluster import CatalogueError
from crumple.lab.published.finding_rows import row_of
from crumple.lab.published.predict import JobPrediction, cluster_of
from crumple.lab.published.predict_findings import PublishedOutcome, PublishedStudy
from crumple.lab.published.programs import Program, read_profile
from crumple.lab.published.published_file import PublishedCase, PublishedFile, read_published
from crumple.lab.published.published_page import cells, html, markdown, summary

ROOT = Path(__file__).resolve().parents[3]
PUBLISHED = ROOT / "benchmarks" / "published"
STUDIES = sorted(PUBLISHED.glob("*.toml"))

HEAD = '[published]\nname = "own"\ntitle = "Own study"\n[case]\nnodes = 4\ncluster = "x"\n'
TURN = (
    '[[finding]]\nnumber = 1\nwhat = "a turn"\nmeasure = "turn"\npublished = 8\n'
    "over = { nodes = [4, 8, 16] }\n"
)
WITHIN = (
    '[[finding]]\nnumber = 2\nwhat = "a disk"\nmeasure = "within"\npublished = 1\n'
    'against = { file_system = "nfs" }\nhangs_on = "the size of a state"\n'
)
SHARE = '[[finding]]\nnumber = 3\nwhat = "a share"\nmeasure = "MPI share"\npublished = [80, 20]\n'


def taking(seconds: dict) -> object:
    """A program whose cases take so many seconds, by nodes or file system."""

    def predict(case: PublishedCase) -> JobPrediction:
        s = seconds.get(case.file_system or case.nodes, 10.0)
        return JobPrediction(s, 0.8 * s, 0.1 * s, 0.1 * s, 0.0, 1.0, 1.0, 0.5, 1.0, 1.0)

    return predict


def outcome_of(path: Path, text: str, seconds: dict) -> PublishedOutcome:
    """All rows of a file, of programs that take the same."""
    path.write_text(text)
    file = read_published(path)
    programs = {"ours": taking(seconds), "stand-in": taking(seconds)}
    rows = [row_of(file, finding, programs) for finding in file.finding]
    return PublishedOutcome([PublishedStudy(path, file)], rows, Program("stand-in"), read_profile())


@pytest.mark.parametrize(
    ("seconds", "said", "right"),
    [
        ({4: 12.0, 8: 10.0, 16: 11.0}, "least on 8 nodes (4: +20.0 %, 16: +10.0 %)", True),
        ({4: 12.0, 8: 10.0, 16: 9.0}, "least on 16 nodes (4: +33.3 %, 8: +11.1 %)", False),
        # 16 nodes take longer than 8, and 8 longer than 4: it turned before
        ({4: 9.0, 8: 10.0, 16: 11.0}, "least on 4 nodes (8: +11.1 %, 16: +22.2 %)", False),
    ],
)
def test_a_turn_is_scored_by_where_it_turns(tmp_path, seconds, said, right):
    outcome = outcome_of(tmp_path / "own.toml", HEAD + TURN, seconds)
    (row,) = outcome.rows
    assert row.published == "least on 8 nodes"
    assert (row.answers["ours"].text, row.answers["ours"].right) == (said, right)
    assert outcome.directions("ours") == (int(right), 1) and outcome.errors("ours") == []


def test_a_turn_needs_its_nodes(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(HEAD + TURN.replace("published = 8", "published = 7"))
    with pytest.raises(StudyError, match="own.toml:7: finding: 'published' is one of the nodes in 'over'"):
        read_published(path)


@pytest.mark.parametrize(("nfs", "counted", "word"), [(10.0, 0, "no change"), (10.05, 1, "right")])
def test_what_cannot_fail_is_not_counted(tmp_path, nfs, counted, word):
    outcome = outcome_of(tmp_path / "own.toml", HEAD + WITHIN, {"nfs": nfs})
    assert outcome.directions("ours") == (counted, counted)
    assert outcome.not_counted("ours") == (0, 1 - counted)
    row = cells(outcome, outcome.rows[0])
    assert row[4] == word and row[-1] == "the size of a state"
    assert f"cannot fail (ours {1 - counted}, stand-in {1 - counted})" in summary(outcome)[-2]


def test_a_share_has_no_direction(tmp_path):
    outcome = outcome_of(tmp_path / "own.toml", HEAD + SHARE, {})
    assert outcome.directions("ours") == (0, 0)
    assert outcome.errors("ours") == [pytest.approx(0.0)]


def test_a_users_folder_needs_no_file_of_ours_and_its_page_speaks_of_it_alone(tmp_path):
    outcome = outcome_of(tmp_path / "own.toml", HEAD + TURN + WITHIN, {})
    text = markdown(outcome)
    assert "wrote this page from own.toml" in text and "Own study" in text
    for ours in ("benchmarks/published", "Connect-IB", "Opteron", "productivity", "docs/"):
        assert ours not in text and ours not in html(outcome)
    (tmp_path / "page.md").write_text("# Mine\n\n$summary\n\n$tables\n")
    assert markdown(outcome).startswith("# Mine\n\n* ")
    (tmp_path / "page.md").write_text("$nothing")
    with pytest.raises(StudyError, match=r"page.md: 'nothing': it may have \$files"):
        markdown(outcome)


def test_shipped_clusters_serve_a_folder_without_any(tmp_path):
    cluster = cluster_of(PublishedCase(cluster="opteron-2382-gige", nodes=24), tmp_path / "none")
    assert cluster.name == "opteron-2382-gige"
    with pytest.raises(CatalogueError, match="none/opteron-2382-gig.toml"):
        cluster_of(PublishedCase(cluster="opteron-2382-gig"), tmp_path / "none")


def rows_by_input(file: PublishedFile) -> dict[int, list[bool]]:
    """Whether the rows of each finding are an input of the stand-in."""
    found: dict[int, list[bool]] = {}
    for finding in file.finding:
        found.setdefault(finding.number, []).append("stand-in" in finding.input_of)
    return found


def test_rows_that_share_an_input_are_called_so():
    """The choice by row 6 is that of the same runs in 4, 5, 7 (both Ethernets) and 11."""
    inputs = rows_by_input(read_published(PUBLISHED / "productivity.toml"))
    assert {n for n, rows in inputs.items() if any(rows)} == {4, 5, 6, 7, 11}
    assert inputs[7] == [True, True, False]
    profile = tomllib.loads((PUBLISHED / "programs" / "ls-dyna-971.toml").read_text())["program"]
    shares = [f for f in read_published(PUBLISHED / "xeon64.toml").finding if f.measure == "MPI share"]
    for share in shares:
        assert ("stand-in" in share.input_of) == (share.published[0] == profile["application"])


def test_the_page_in_the_documentation_is_of_these_files():
    """Every finding has its row, and what stands on top is the count of the rows."""
    text = (ROOT / "docs" / "published.md").read_text()
    rows = [line for line in text.splitlines() if re.match(r"\| \d+ \| ", line)]
    findings = [f for path in STUDIES for f in read_published(path).finding]
    assert len(rows) == len(findings)
    for finding in findings:
        assert any(f"| {finding.number} | {finding.what} |" in row for row in rows), finding.what
    names = ("ours", "simulated", "stand-in")
    errors = {name: [row.split(" | ")[4 + 2 * k].strip() for row in rows] for k, name in enumerate(names)}
    for name in names:
        inputs = errors[name].count("input")
        same = errors[name].count("no change")
        assert re.search(rf"rows that are input \([^)]*{name} {inputs}\b", text), name
        assert re.search(rf"cannot fail \([^)]*{name} {same}\b", text), name


def test_a_row_tells_what_it_hangs_on_though_it_is_near():
    (first,) = [f for f in read_published(PUBLISHED / "connectib.toml").finding if f.number == 1]
    assert "496 connections" in first.hangs_on
