"""Published studies predicted: a reduced one by the command, bad files, the figures of the reference."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crumple.cli import app
from crumple.lab.applications.case import StudyError
from crumple.lab.published.published_file import read_published
from crumple.lab.simulate.simulator_program import HEADER
from crumple.solver import solver_path

ROOT = Path(__file__).resolve().parents[3]
STUDIES = sorted((ROOT / "benchmarks" / "published").glob("*.toml"))
REFERENCE = ROOT.parent / "shared" / "reference" / "published.toml"

SMALL = """
[published]
name = "small"
title = "A <small> study"
clusters = "none of its own"

[case]
elements = 6000
nodes = 4
cluster = "opteron-2382-infiniband-ddr"

[[finding]]
number = 1
what = "InfiniBand against GigE"
measure = "reduction"
published = 50
against = { cluster = "opteron-2382-gige" }
over = { nodes = [2, 4] }
missing = "<b>nothing</b>"

[[finding]]
number = 2
what = "Connections"
measure = "connections"
case = { ranks_per_node = 16, nodes = 256 }
published = { RC = 65536, XRC = 4096, DCT = 16 }

[[finding]]
number = 3
what = "Cache misses"
measure = "not predicted"
missing = "caches of messages"
"""


def run(*words: object):
    return CliRunner().invoke(app, ["study", "run", *map(str, words)])


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def has_solver() -> bool:
    try:
        return solver_path().exists()
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not has_solver(), reason="the solver is not built")
@pytest.mark.slow
def test_a_small_study_gives_the_same_pages_twice(small, tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    # Ranks of many elements, on which the model and the simulator agree: docs/published.md
    large = 'model = "car2car"\nelements = 20000\nranks_per_node = 4'
    small.write_text(SMALL.replace("elements = 6000", large))
    pages = [tmp_path / name for name in ("a.md", "b.md", "c.html")]
    for page in pages:
        done = run(small, "--page", page)
        assert done.exit_code == 0, done.output
    a, b, html = (page.read_text() for page in pages)
    assert a == b
    row = next(line for line in a.splitlines() if "InfiniBand against GigE" in line)
    reduction, error = re.search(r"\| 50 % \| (\d+) % \| ([+-]\d+) %", row).groups()
    assert 10 < int(reduction) < 90
    assert int(error) == pytest.approx(100 * ((1 / (1 - int(reduction) / 100)) / 2 - 1), abs=2.5)
    assert "| RC 65536, XRC 4096, DCT 16 | RC 65536, XRC 4096, DCT 16 | right |" in a
    assert "not predicted" in a and "caches of messages" in a
    assert "from small.toml" in a and "benchmarks/published" not in a and "Opterons" not in a
    assert "A &lt;small&gt; study" in html and "<b>nothing" not in html
    if HEADER.exists() and shutil.which("g++"):
        simulated_beside(small, tmp_path / "d.md", row)


def simulated_beside(small: Path, page: Path, row: str) -> None:
    """What is simulated stands beside the same row of the model, and is near it."""
    done = run(small, "--simulate", 2, "--page", page)
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "model against simulation, time of 2 cycles of each window of ours" in text
    of_model, of_both = (
        [cell.strip() for cell in line.split("|")]
        for line in (row, next(line for line in text.splitlines() if "InfiniBand against GigE" in line))
    )
    assert of_both[:6] + of_both[8:] == of_model
    assert int(of_both[6].removesuffix(" %")) == pytest.approx(int(of_both[4].removesuffix(" %")), abs=6)
    not_simulated = next(line for line in text.splitlines() if "Connections" in line)
    assert "| right |  |  | RC 65536" in not_simulated


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'measure = "reduction"',
            'measure = "reductoin"',
            "small.toml:15: measure: 'reductoin' is not valid",
        ),
        ("number = 1", "numbr = 1", "small.toml:13: unknown key 'numbr'; did you mean 'number'?"),
        ("nodes = 4", "nods = 4", "unknown key 'nods'; did you mean 'nodes'?"),
        ("published = 50\n", "", "'published' is missing"),
        ("published = 50\n", "published = 100\n", "'published' is less than 100 %"),
        ("published = 50\n", "published = [1]\n", "'published' is a positive number"),
        ("published = 50\n", "published = -3\n", "'published' is a positive number"),
        ("RC = 65536", "RD = 65536", "'published' is a table by transport: RC, XRC, DCT, TCP"),
        ("ranks_per_node = 16, ", "", "'case' has to give ranks_per_node and nodes"),
        ("over = { nodes = [2, 4] }", "over = { nodes = [] }", "'over' has a key without a value"),
        ("nodes = 4\n", "nodes = 0\n", "nodes: Input should be greater than 0"),
        ("nodes = 4\n", "nodes = 4\njobs = 40\n", "finding 1: a job without a rank: 40 jobs"),
        ("nodes = 4\n", "nodes = 4\ndecomposition = 'none'\n", "finding 1: there is no pfile"),
        ("nodes = 4\n", "nodes = 4\nfile_system = 'paralel'\n", "did you mean 'parallel'?"),
        ("elements = 6000", "model = 'flow'", "'elements' is missing: cells of a flow"),
        ("elements = 6000", "elements = 10", "10 elements are too few"),
        ("elements = 6000", 'model = "noen"', "there is no 'noen'; did you mean 'neon'?"),
        ("opteron-2382-gige", "opteron-2382-gig", "opteron-2382-gig"),
        ("over = { nodes = [2, 4] }", "over = { nodes = [2, 400] }", "400 nodes, and"),
        ("[[finding]]\nnumber = 1", "[[finding]\nnumber = 1", "small.toml:12"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(small, old, new, said):
    assert old in SMALL
    small.write_text(SMALL.replace(old, new, 1))
    done = run(small)
    assert done.exit_code == 2
    assert said in done.output.replace("\n", "")


def test_a_published_study_and_another_do_not_go_together(small):
    done = run(small, ROOT / "benchmarks" / "quick.toml")
    assert done.exit_code == 2
    assert "quick.toml: give one study" in done.output


def numbers_in(value: object) -> set[float]:
    """All figures of a finding."""
    if isinstance(value, dict):
        return set().union(*map(numbers_in, value.values()))
    if isinstance(value, list):
        return set().union(*map(numbers_in, value))
    return {float(value)} if isinstance(value, int | float) else set()


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference folder is missing")
@pytest.mark.parametrize("path", STUDIES, ids=lambda p: p.stem)
def test_every_finding_of_the_reference_has_its_rows_and_figures(path):
    file = read_published(path)
    paper = tomllib.loads(REFERENCE.read_text())["paper"][file.published.name]
    assert file.published.title == paper["title"]
    assert {f.number for f in file.finding} == set(range(1, len(paper["finding"]) + 1))
    for number, finding in enumerate(paper["finding"], 1):
        known = numbers_in({k: v for k, v in finding.items() if k != "what"})
        told = set().union(*(numbers_in(f.published) for f in file.finding if f.number == number), set())
        in_words = {float(n) for n in re.findall(r"\d+(?:\.\d+)?", finding["what"])}
        assert told <= known | in_words, number


@pytest.mark.parametrize("path", STUDIES, ids=lambda p: p.stem)
def test_shipped_studies_can_be_read(path):
    assert read_published(path).finding


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(StudyError, match="none.toml: No such file"):
        read_published(tmp_path / "none.toml")
