"""Studies within an allocation that is already held: of a hostfile, and of PBS; this machine is the node."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from crumple.lab.applications.case import StudyError
from crumple.lab.study.where.allocation import slots

ROOT = Path(__file__).resolve().parents[3]
STUDY = """
[study]
name = "held"
repeats = 1
time_limit = 60

[workload]
application = "command"
program = "where.sh"
figures = { "ranks" = "^of ([0-9]+)" }

[axes]
ranks = [2, 3]
mpi = ["MPI"]

[where]
system = "allocation"
"""
# Launchers of Open MPI 4.1 and MPICH 4.0 can fail at programs that end within milliseconds.
PROGRAM = "#!/bin/bash\nsleep 0.2\necho of ${OMPI_COMM_WORLD_SIZE:-$PMI_SIZE}\n"
FORMS = {"openmpi": "localhost slots=2  # of Open MPI\n", "mpich": "localhost:2\n", "pbs": "localhost\n" * 2}


@pytest.fixture(params=["openmpi", "mpich"])
def folder(request, tmp_path) -> Path:
    """A study for each MPI library."""
    if not shutil.which(f"mpirun.{request.param}"):
        pytest.skip(f"mpirun.{request.param} is not installed")
    if (os.cpu_count() or 1) < 2:
        pytest.skip("one core")
    (tmp_path / "study.toml").write_text(STUDY.replace("MPI", request.param))
    script = tmp_path / "where.sh"
    script.write_text(PROGRAM)
    script.chmod(0o755)
    return tmp_path


def study(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run it, with what a scheduler would put into the environment."""
    known = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "PBS_"))}
    return subprocess.run(
        [sys.executable, "-m", "crumple", "study", "run", "study.toml"],
        cwd=folder,
        env=known | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def runs(folder: Path) -> list[tuple]:
    """Ranks asked for, ranks that ran, command."""
    connection = sqlite3.connect(folder / "held.db")
    query = (
        "SELECT ranks, value, state, command FROM run JOIN case_ ON case_.id = case_ "
        "LEFT JOIN figure ON figure.run = run.id AND figure.name = 'ranks'"
    )
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("form", FORMS)
def test_hostfile(folder, form):
    """Either library runs with a hostfile in any of the forms."""
    (folder / "hosts").write_text(FORMS[form])
    with (folder / "study.toml").open("a") as file:
        file.write('hostfile = "hosts"\n')
    done = study(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "left out: 3 ranks: needs 3 cores, and 1 node has 2" in done.stdout
    ((ranks, ran, state, command),) = runs(folder)
    assert (ranks, ran, state) == (2, 2.0, "done")
    assert "localhost:2" in command


def test_nodes_of_pbs(folder):
    (folder / "nodes").write_text(FORMS["pbs"])
    done = study(folder, PBS_NODEFILE=str(folder / "nodes"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(ranks, ran, state) for ranks, ran, state, _ in runs(folder)] == [(2, 2.0, "done")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "hosts names no nodes"),
        ("# n1\n\n", "hosts names no nodes"),
        ("n1\nn2 slots=two\n", "hosts:2: 'two' is no number of slots"),
        ("n1:0\n", "hosts:1: '0' is no number of slots"),
    ],
)
def test_wrong_hostfiles(tmp_path, text, says):
    (tmp_path / "hosts").write_text(text)
    with pytest.raises(StudyError, match=says):
        slots(tmp_path / "hosts")


def test_slots_of_all_forms(tmp_path):
    (tmp_path / "hosts").write_text("n1 slots=4\nn2:2 # fast\n\nn3\nn3\nn1\n")
    assert slots(tmp_path / "hosts") == {"n1": 5, "n2": 2, "n3": 2}


def test_missing_hostfile(folder):
    with (folder / "study.toml").open("a") as file:
        file.write('hostfile = "hosts"\n')
    done = study(folder)
    assert done.returncode == 2
    assert "study.toml:16: " in done.stdout and "hosts: No such file or directory" in done.stdout
    assert not (folder / "held.db").exists()
