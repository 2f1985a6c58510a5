"""Reports of studies on file systems: where cases wrote, how much; predictions at a published size."""

import json
from pathlib import Path

import pytest

from crumple.lab.applications.application import Figures
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.profile.profile import read_profile, text_of
from crumple.lab.published.predict import JobPrediction
from crumple.lab.published.published_file import read_published
from crumple.lab.report.file_systems import file_charts, file_system_rows, io_rows, kind_of
from crumple.lab.report.markdown import write_markdown
from crumple.lab.report.measurements import read_measurements
from crumple.lab.report.published_size import published_size_of
from crumple.lab.report.study_findings import findings
from crumple.lab.report.study_page import write_study_report
from crumple.lab.study.database import Database, RunOutcome

ROOT = Path(__file__).resolve().parents[3]
SIZED = ROOT / "benchmarks" / "published_size" / "file-systems.toml"
SOURCE = {
    "machine": {"host": "h", "cores": 8, "processor": "P", "memory": 2**33, "kernel": "6"},
    "mpi": "Open MPI",
    "executable": {"path": "/x/solver", "sha256": "0" * 64},
    "inputs": {},
}


def profile(seconds: float) -> str:
    """Two ranks: each writes a plot file in a phase, and the first a dump outside."""
    made = read_profile(ROOT / "tests" / "fuzz" / "corpus" / "profile" / "profile.json")
    for rank in made.ranks:
        rank["io"] = {"files": [], "others": False, "renames": [], "more_renames": 0}
    rank = made.ranks[0]
    for path, phase, writes in (("/r/d3plot01", "output", 3), ("/r/runrsf.c5.r0", "(none)", 1)):
        calls = {
            "writes": {"calls": writes, "time": seconds * writes, "bytes": 1_000_000},
            "syncs": {"calls": 1, "time": 0.0, "bytes": 0},
        }
        sizes = {"read_sizes": [0] * 7, "write_sizes": [0] * 7}
        layers = {"posix": {"calls": calls} | sizes}
        rank["io"]["files"].append({"path": path, "device": 1, "inode": 7, "phases": {phase: layers}})
    return text_of(made)


@pytest.fixture
def measured(tmp_path) -> Path:
    """A database: local, where a call takes 0.1 s, and glusterfs, where it takes 0.5 s; runs of 10 s."""
    return database(tmp_path, "")


def database(folder: Path, key: str) -> Path:
    path = folder / "s.db"
    opened = Database(path)
    study = opened.study("s", folder / "s.toml", f'[study]\nname = "s"\n{key}\n[workload]\nmodel = "neon"\n')
    for name, kind, seconds in (("local", "ext4", 0.1), ("glusterfs", "fuse.glusterfs", 0.5)):
        case = StudyCase(ranks=2, file_system=name)
        under = {"type": kind, "options": "rw", "device": f"<{name}>"}
        source = opened.provenance(SOURCE | {"file_system": under})
        of_case = opened.case(name, case)
        for repeat in range(2):
            started = "2026-01-01T00:00:00+00:00"
            outcome = RunOutcome("done", 10.0, 10.0, 0.0, 0, "mpirun", started, figures=[Figures()])
            outcome.profiles = [profile(seconds * (1 + repeat))]
            opened.add(study, of_case, repeat, source, outcome)
    opened.close()
    return path


def test_kinds_of_files():
    assert [kind_of(p) for p in ("/r/d3plot07", "/r/runrsf.c5.r0", "/r/glstat", "/r/01")] == [
        "d3plot",
        "runrsf",
        "glstat",
        "01",
    ]


def test_where_and_how_much(measured):
    """Means over 2 ranks of 4 calls on one of them; medians over runs are 1.5 times those of the first."""
    m = read_measurements(measured)
    assert file_system_rows(m) == [
        ["local", "ext4", "<local>", "rw"],
        ["glusterfs", "fuse.glusterfs", "<glusterfs>", "rw"],
    ]
    assert io_rows(m) == [
        ["local", "2.0", "0.0", "4", "2", "0.300", "3.0", "output 0.225; outside phases 0.075"],
        ["glusterfs", "2.0", "0.0", "4", "2", "1.500", "15.0", "output 1.125; outside phases 0.375"],
    ]
    phases, kinds = file_charts(m)
    assert [(s.name, s.y) for s in phases.series] == [
        ("output", pytest.approx([0.225, 1.125])),
        ("outside phases", pytest.approx([0.075, 0.375])),
    ]
    assert [(s.name, s.x, s.y) for s in kinds.series] == [
        ("local", ["d3plot", "runrsf"], pytest.approx([0.225, 0.075])),
        ("glusterfs", ["d3plot", "runrsf"], pytest.approx([1.125, 0.375])),
    ]
    assert "Calls on files take 3.0 % (local) to 15.0 % (glusterfs) of the elapsed time." in findings(m)


def test_pages_have_both(measured):
    write_markdown(measured, measured.with_name("s.md"))
    page = measured.with_name("s.md").read_text()
    assert "| glusterfs | fuse.glusterfs |" in page and "| 1.500 | 15.0 |" in page
    assert "published size" not in page
    write_study_report(measured, measured.with_name("s.html"))
    page = measured.with_name("s.html").read_text()
    assert "&lt;glusterfs&gt;" in page and "<glusterfs>" not in page and "Where the results went" in page


class FakeSimulated:
    """Instead of simulations: the parallel file system needs 10 s of 1000 s, a local disk 20 s of 1010 s."""

    def __init__(self, predictor: object, cycles: int) -> None:
        assert cycles > 0

    def simulate(self, cases: list, say: object) -> None:
        assert len(cases) == 6

    def predict(self, case: object) -> JobPrediction:
        writing = {"parallel": 10.0, "local-disk": 20.0}[case.file_system]
        return JobPrediction(990.0 + writing, 900.0, 0.0, 0.0, writing, 0.0, 0.0, 0.0, 0.0, 0.0)


def test_what_is_predicted_at_the_published_size(tmp_path, monkeypatch):
    monkeypatch.setattr("crumple.lab.published.simulated.Simulated", FakeSimulated)
    monkeypatch.setattr("crumple.lab.published.model_sharing.share_out", lambda *_: {})
    path = database(tmp_path, f"published_size = {json.dumps(str(SIZED))}")
    write_markdown(path, tmp_path / "s.md")
    page = (tmp_path / "s.md").read_text()
    assert "## At the published size, simulated" in page and read_published(SIZED).published.note[:40] in page
    assert "against local disk | within 1 % | 1.0 % |" in page
    assert "| three-vehicle, 16 nodes, 5160-infiniband-sdr | local-disk | 1010 | 20.0 | 1.98 |" in page
    write_study_report(path, tmp_path / "s.html")
    assert "At the published size, simulated" in (tmp_path / "s.html").read_text()


def test_a_file_of_the_published_size_that_is_missing(tmp_path):
    path = database(tmp_path, 'published_size = "nowhere.toml"')
    with pytest.raises(StudyError, match=r"nowhere\.toml: No such file"):
        published_size_of(read_measurements(path), lambda _: None)
