"""Studies through a real Slurm: controller, four virtual nodes and accounting started here."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from slurm_cluster import NoCluster, SlurmCluster

from crumple.lab.study.conduct import Conductor, make_plan
from crumple.lab.study.database import Database, Outcome
from crumple.lab.study.study_file import StudyError
from crumple.lab.study.where import slurm_queue

STUDY = """
[study]
name = "asleep"
repeats = 2
time_limit = 50

[workload]
application = "command"
program = "asleep.sh"
arguments = ["{ranks}"]
figures = { "answer [s]" = "answer ([0-9.]+)" }

[axes]
ranks = [2]

[where]
system = "slurm"
poll = 0.3
environment = { PMIX_MCA_gds = "hash", OMPI_MCA_btl = "tcp,self", UCX_TLS = "tcp,self" }
"""
SCRIPT = "#!/bin/bash\necho answer $1.5 on $SLURMD_NODENAME\n"


@pytest.fixture(scope="module")
def cluster() -> Iterator[SlurmCluster]:
    """The daemons; ended whatever happens."""
    try:
        started = SlurmCluster()
    except NoCluster as error:
        pytest.skip(str(error))
    yield started
    started.stop()


@pytest.fixture
def folder(tmp_path, cluster, monkeypatch) -> Path:
    """A study of a shell script on the cluster."""
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    write_script(tmp_path, SCRIPT)
    return tmp_path


def write_script(folder: Path, text: str) -> None:
    """What the study runs."""
    script = folder / "asleep.sh"
    script.write_text(text)
    script.chmod(0o755)


def rewrite(folder: Path, *changes: tuple[str, str]) -> None:
    """Change the study file."""
    text = (folder / "study.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "study.toml").write_text(text)


def conduct(folder: Path) -> tuple[list[Outcome], list[str]]:
    """Do a study in this process; its outcomes, and what it said."""
    said: list[str] = []
    database = Database(folder / "asleep.db")
    try:
        plan = make_plan(folder / "study.toml")
        return Conductor(plan, database).conduct(lambda run, outcome: None, said.append), said
    finally:
        database.close()


def test_runs_are_an_array_of_jobs(folder):
    outcomes, said = conduct(folder)
    assert [o.state for o in outcomes] == ["done", "done"]
    assert said == [f"2 runs submitted to Slurm: jobs {outcomes[0].figures[0].texts['slurm job'][:-2]}"]
    jobs = {o.figures[0].texts["slurm job"].split("_")[1] for o in outcomes}
    assert jobs == {"0", "1"}
    assert {o.figures[0].texts["nodes"] for o in outcomes} <= {"n1", "n2", "n3", "n4"}
    assert all(o.figures[0].values["answer [s]"] == 2.5 for o in outcomes)
    assert not list((folder / "asleep.runs").iterdir())
    assert conduct(folder) == ([], [])


def test_what_does_not_fit_is_left_out(folder):
    rewrite(
        folder,
        (
            "ranks = [2]",
            "ranks = [2, 4, 8, 16]\nranks_per_node = [2, 4]\njobs = [1, 2]\nbinding = ['packed']",
        ),
    )
    plan = make_plan(folder / "study.toml")
    assert {(r.case.ranks, r.case.ranks_per_node, r.case.jobs) for r in plan.runs} == {
        (2, 2, 1),
        (4, 2, 1),
        (8, 2, 1),
    }
    why = {(o.case.ranks, o.case.ranks_per_node, o.case.jobs): o.why for o in plan.left_out}
    assert why[16, 2, 1] == "needs 8 nodes, and there are 4"
    assert why[8, 4, 1] == "needs 4 cores of each node, and a node has 2"
    assert why[4, 2, 2] == "needs 4 cores of each node, and a node has 2"
    assert why[2, 4, 1] == "2 ranks do not fill nodes with 4 each"


def test_energy_of_steps():
    whole = [["1.batch", "", "1", "", "60"], ["1.0", "", "4", "", "200"]]
    assert slurm_queue.joules(whole, 4) == 200.0
    parts = [["1.batch", "", "1", "", "60"], ["1.0", "", "3", "", "150"]]
    assert slurm_queue.joules(parts, 4) == 210.0
    assert slurm_queue.joules([["1.batch", "", "1", "", "0"]], 1) is None


def test_wrong_partition(folder):
    rewrite(folder, ("poll = 0.3", 'partition = "smal"'))
    with pytest.raises(
        StudyError, match=r"study.toml:18: Slurm has no partition 'smal'; did you mean 'small'"
    ):
        make_plan(folder / "study.toml")


def test_what_sbatch_refuses(folder):
    rewrite(folder, ("poll = 0.3", 'options = ["--constraint=none"]'))
    with pytest.raises(StudyError, match="sbatch: "):
        conduct(folder)
    assert not list((folder / "asleep.runs").iterdir())


def test_no_slurm(folder, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(StudyError, match="there is no Slurm on this machine: sinfo is not on the PATH"):
        make_plan(folder / "study.toml")
