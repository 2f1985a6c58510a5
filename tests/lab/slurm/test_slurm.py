"""Studies through a real Slurm: controller, four virtual nodes and accounting started here."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from study_database import rows

from crumple.lab.applications.case import StudyError
from crumple.lab.study.conductor import Conductor, make_plan
from crumple.lab.study.database import Database, RunOutcome
from crumple.lab.study.where import slurm_queue

ROOT = Path(__file__).resolve().parents[3]
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
mpi = ["mpich"]

[where]
system = "slurm"
launcher = "srun"
poll = 0.3
environment = { PMIX_MCA_gds = "hash", OMPI_MCA_btl = "tcp,self", UCX_TLS = "tcp,self" }
"""
# Launchers of Open MPI 4.1 and MPICH 4.0 can fail at programs that end within milliseconds.
SCRIPT = "#!/bin/bash\nsleep 0.2\necho answer $1.5 on $SLURMD_NODENAME\n"


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


def conduct(folder: Path) -> tuple[list[RunOutcome], list[str]]:
    """Do a study in this process; its outcomes, and what it said."""
    said: list[str] = []
    database = Database(folder / "asleep.db")
    try:
        plan = make_plan(folder / "study.toml")
        return Conductor(plan, database).conduct(lambda run, outcome: None, said.append), said
    finally:
        database.close()


def start(folder: Path) -> subprocess.Popen:
    """Start the study as a process of its own."""
    command = [sys.executable, "-m", "crumple", "study", "run", "study.toml"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


def wait_for(ready: Callable[[], bool], seconds: float = 90.0) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.2)


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


@pytest.mark.parametrize(("mpi", "launcher"), [("openmpi", "mpirun"), ("mpich", "mpirun"), ("mpich", "srun")])
def test_jobs_side_by_side_share_nodes(folder, mpi, launcher):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    rewrite(
        folder,
        ("ranks = [2]", "ranks = [2]\nranks_per_node = [1]\njobs = [2]\nbinding = ['packed']"),
        ('"mpich"', f'"{mpi}"'),
        ('"srun"', f'"{launcher}"'),
        ("repeats = 2", "repeats = 1"),
    )
    write_script(folder, WHERE_AM_I)
    outcomes, _ = conduct(folder)
    assert outcomes[0].state == "done", outcomes[0].log
    first, second = outcomes[0].figures[0].texts["nodes"].strip("n[]").replace(",", "-").split("-")
    ranks = sorted((folder / "ranks.txt").read_text().split("\n")[:-1])
    assert ranks == [f"n{first} 1"] * 2 + [f"n{second} 1"] * 2


# MPICH's mpirun gives all ranks the environment of the first node: the daemon above a rank has its node's.
WHERE_AM_I = """#!/bin/bash
node=$(tr '\\0' '\\n' <"/proc/$PPID/environ" | sed -n 's/^SLURMD_NODENAME=//p')
echo "${node:-$SLURMD_NODENAME} $(nproc)" >>../../../../ranks.txt
echo answer 1
"""


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


WAYS = {
    "failed": "exit 7",
    "timeout": "",
    "cancelled": "scancel ${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID",
    "node_fail": "scontrol update nodename=$SLURMD_NODENAME state=down reason=test",
}


def write_versions(folder: Path, ways: dict[str, str]) -> None:
    """A script for each way to end, and the usual one. What ranks say takes a moment to reach the log."""
    for name, way in ways.items():
        write_script(folder, f"#!/bin/bash\necho here it ends\nsleep 1\n{way}\n")
        (folder / "asleep.sh").rename(folder / f"{name}.sh")
    write_script(folder, SCRIPT)


def test_states_are_slurms(folder, cluster):
    rewrite(
        folder,
        ("ranks = [2]", 'version = ["failed", "timeout", "cancelled", "node_fail"]'),
        ("repeats = 2", "repeats = 1"),
        ("time_limit = 50", "time_limit = 20"),
        ("[where]", "[versions]\n" + "".join(f"{k} = '{k}.sh'\n" for k in WAYS) + "[where]"),
    )
    write_versions(folder, {name: f"{way}\nsleep 60" for name, way in WAYS.items()})
    try:
        conduct(folder)
    finally:
        cluster.say("scontrol", "update", "nodename=n[1-4]", "state=resume")
    found = rows(folder / "asleep.db", "SELECT version, state, log FROM run JOIN case_ ON case_.id = case_")
    assert {version: state for version, state, _ in found} == {name: name for name in WAYS}
    assert all("here it ends" in log for *_, log in found)
    logs = {version: log for version, _, log in found}
    assert ": NODE_FAIL on n" in logs["node_fail"]
    assert ": CANCELLED on n" in logs["cancelled"]
    cluster.wait_until(cluster.idle, "nodes are not idle again")


JOB_OOM = 11  #: of slurm.h
BEYOND = {
    "timeout": "scontrol update JobId=$SLURM_JOB_ID EndTime=now+1\nsleep 90",
    "out_of_memory": "exec python3 -c 'import time; held = b\"x\" * (300 << 20); time.sleep(90)'",
}


def test_limits_are_slurms(folder):
    """Slurm itself ends a job that is beyond its end, and one beyond its memory.

    Its daemons poll the memory here: control groups would take the jobs out of those that this test runs in.
    """
    rewrite(
        folder,
        ("ranks = [2]", 'version = ["timeout", "out_of_memory"]'),
        ("repeats = 2", "repeats = 1"),
        ("time_limit = 50", "time_limit = 100"),
        ("poll = 0.3", 'poll = 0.3\noptions = ["--mem=100"]'),
        ("[where]", "[versions]\n" + "".join(f"{k} = '{k}.sh'\n" for k in BEYOND) + "[where]"),
    )
    write_versions(folder, BEYOND)
    conduct(folder)
    found = rows(folder / "asleep.db", "SELECT version, state, log FROM run JOIN case_ ON case_.id = case_")
    assert {version: state for version, state, _ in found} == {name: name for name in BEYOND}
    logs = {version: log for version, _, log in found}
    assert ": TIMEOUT on n" in logs["timeout"]
    assert "exceeded memory limit" in logs["out_of_memory"]
    assert all("here it ends" in log for log in logs.values())


def test_interrupted_study_cancels_its_jobs(folder, cluster):
    rewrite(folder, ("time_limit = 50", "time_limit = 500"))
    # A job that Slurm has not yet launched would end by itself when its folder goes: both must be under way.
    write_script(folder, "#!/bin/bash\ntouch ../../../../begun.$SLURM_ARRAY_TASK_ID\nsleep 400\n")
    process = start(folder)
    wait_for(lambda: len(list(folder.glob("begun.*"))) == 2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 130
    assert "interrupted; the same command continues with the missing runs" in process.stdout.read()
    wait_for(lambda: cluster.idle(), 60)
    assert not list((folder / "asleep.runs").iterdir())
    assert rows(folder / "asleep.db", "SELECT count(*) FROM run") == [(0,)]


def test_lost_study_finds_its_jobs_again(folder, cluster):
    write_script(folder, "#!/bin/bash\nwhile [ ! -e ../../../../go ]; do sleep 0.2; done\necho answer 1\n")
    process = start(folder)
    wait_for(lambda: len(cluster.say("squeue", "-h", "-r", "-t", "R").stdout.split("\n")) == 3)
    process.kill()
    process.wait()
    rewrite(folder, ("repeats = 2", "repeats = 3"))
    (folder / "go").touch()
    outcomes, said = conduct(folder)
    assert said[0].startswith("found 2 earlier runs: jobs ")
    assert said[1].startswith("1 runs submitted to Slurm: jobs ")
    assert [o.state for o in outcomes] == ["done"] * 3
    assert len({o.figures[0].texts["slurm job"].split("_")[0] for o in outcomes}) == 2


def test_without_accounting(folder, cluster, monkeypatch):
    monkeypatch.setenv("SLURM_CONF", str(cluster.folder / "without-accounting.conf"))
    rewrite(folder, ("repeats = 2", "repeats = 1"))
    outcomes, _ = conduct(folder)
    assert outcomes[0].state == "done"
    assert slurm_queue.by_sacct(outcomes[0].figures[0].texts["slurm job"]) is None
    assert outcomes[0].figures[0].texts["nodes"].startswith("n")


def accounted(task: str) -> slurm_queue.Record:
    """The record of a job, once the controller has told the accounting."""
    for _ in range(300):
        if record := slurm_queue.by_sacct(task):
            return record
        time.sleep(0.1)
    pytest.fail(f"the accounting does not know job {task}")


def test_energy_of_the_accounting(folder, cluster):
    """No energy plug-in runs here: what it would have written is put into the accounting's database."""
    rewrite(folder, ("repeats = 2", "repeats = 1"))
    outcomes, _ = conduct(folder)
    task = outcomes[0].figures[0].texts["slurm job"]
    assert accounted(task).joules is None
    cluster.sql("UPDATE slurm.crumple_step_table SET consumed_energy = 7200")
    assert slurm_queue.by_sacct(task).joules == 7200.0


def test_memory_of_the_accounting(folder, cluster):
    """No control group ends a step here: what Slurm would have written is put into the database."""
    rewrite(folder, ("repeats = 2", "repeats = 1"))
    outcomes, _ = conduct(folder)
    task = outcomes[0].figures[0].texts["slurm job"]
    assert accounted(task).state == "COMPLETED"
    cluster.sql(f"UPDATE slurm.crumple_step_table SET state = {JOB_OOM} WHERE id_step >= 0")
    assert slurm_queue.by_sacct(task).state == "OUT_OF_MEMORY"


def test_energy_of_steps():
    whole = [["1.batch", "", "1", "", "60"], ["1.0", "", "4", "", "200"]]
    assert slurm_queue.joules(whole, 4) == 200.0
    parts = [["1.batch", "", "1", "", "60"], ["1.0", "", "3", "", "150"]]
    assert slurm_queue.joules(parts, 4) == 210.0
    assert slurm_queue.joules([["1.batch", "", "1", "", "0"]], 1) is None


def test_allocation(folder):
    rewrite(
        folder,
        ('"slurm"', '"allocation"'),
        ("ranks = [2]", "ranks = [2, 6]\nranks_per_node = [1, 2]"),
        ("repeats = 2", "repeats = 1"),
    )
    with pytest.raises(StudyError, match=r"study.toml:18: no allocation is held: neither SLURM_JOB_ID nor"):
        make_plan(folder / "study.toml")
    command = [sys.executable, "-m", "crumple", "study", "run", "study.toml"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    salloc = ["salloc", "-N", "2", "--ntasks-per-node=2", *command]
    done = subprocess.run(salloc, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "left out: 6 ranks, 2 a node: needs 3 nodes, and there are 2" in done.stdout
    assert rows(
        folder / "asleep.db", "SELECT ranks_per_node, state FROM run JOIN case_ ON case_.id = case_"
    ) == [
        (1, "done"),
        (2, "done"),
    ]


def test_wrong_partition(folder):
    rewrite(folder, ("poll = 0.3", 'partition = "smal"'))
    with pytest.raises(
        StudyError, match=r"study.toml:20: Slurm has no partition 'smal'; did you mean 'small'"
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
