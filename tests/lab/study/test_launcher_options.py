"""Options that the user gives the launcher: in studies, `crumple run` and `crumple profile`."""

import os
import shutil
import sqlite3
import tomllib
from pathlib import Path

import pytest
from command_line import crumple

from crumple.lab.applications.case import StudyCase
from crumple.lab.study.cases import case_key, combinations
from crumple.lab.study.launcher import mpirun
from crumple.lab.study.study_file import StudyFile, Where
from crumple.lab.study.where.ranks_on_nodes import mpirun_on_nodes, srun
from crumple.mpi import Mpi, with_options

STUDY = """
[study]
name = "s"
repeats = 1
time_limit = 30
[workload]
application = "command"
program = "say.sh"
[axes]
ranks = [2]
[where]
launcher_options = ["-x", "COLOUR=red", "--tag-output"]
"""
OPENMPI = Mpi("openmpi", Path("mpirun"), None)
MPICH = Mpi("mpich", Path("mpirun"), None)


def test_the_users_binding_takes_the_place_of_ours():
    ours = ["--oversubscribe", "--bind-to", "none", "--mca", "pml", "ob1"]
    assert with_options(ours, ["--map-by", "socket"]) == [*ours, "--map-by", "socket"]
    bound = ["--bind-to", "core"]
    assert with_options(ours, bound) == ["--oversubscribe", "--mca", "pml", "ob1", *bound]
    assert with_options([], ["--bind-to", "core"]) == ["--bind-to", "core"]


def test_every_launcher_takes_them():
    where = Where(launcher_options={"mpich": ["-l"], "openmpi": ["--tag-output"]})
    case = StudyCase(ranks=2, ranks_per_node=1)
    for mpi, option in ((OPENMPI, "--tag-output"), (MPICH, "-l")):
        own = where.options_of(mpi.family)
        assert own == [option]
        for command in (mpirun(case, mpi, 0, False, own), mpirun_on_nodes(case, mpi, 0, False, own)):
            assert command.index(option) < command.index("-n")
    assert "-l" in srun(StudyCase(ranks=2, mpi="mpich"), MPICH, 0, where)
    assert where.options_of("another") == []


def test_cases_without_them_keep_their_keys():
    """Databases of before go on; other options are another case."""
    plain, other = (
        StudyFile.model_validate(tomllib.loads(STUDY.partition("launcher_options")[0] + line))
        for line in ("", 'launcher_options = ["-q"]\n')
    )
    (case,) = combinations(plain)
    assert case_key(case, plain) != case_key(case, other)
    by_name = other.model_copy(update={"where": Where(launcher_options={"openmpi": ["-q"]})})
    assert case_key(case, by_name) == case_key(case, other)
    assert case_key(case, plain) == "75f9ecc4e0537012"


def test_a_study_passes_them_on(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "say.sh").write_text("#!/bin/sh\nsleep 0.1\n[ $COLOUR = red ]\n")
    (tmp_path / "say.sh").chmod(0o755)
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    connection = sqlite3.connect(tmp_path / "s.db")
    ((command,),) = connection.execute("SELECT command FROM run").fetchall()
    connection.close()
    assert "--bind-to none -x COLOUR=red --tag-output -n 2" in command


@pytest.mark.parametrize("kind", ["run", "profile"])
def test_commands_pass_them_on(tmp_path, kind, monkeypatch):
    """A launcher that prints its words stands in for mpirun."""
    said = "[ $1 = --version ] && exec mpirun.openmpi --version"
    (tmp_path / "mpirun").write_text(f'#!/bin/sh\n{said}\necho "$@"\n')
    (tmp_path / "mpirun").chmod(0o755)
    (tmp_path / "crumple-solver").write_text("#!/bin/sh\n")
    (tmp_path / "crumple-solver").chmod(0o755)
    (tmp_path / "mpicc").symlink_to(shutil.which("mpicc.openmpi") or "/none")  # the profiler is built by it
    path = f"{tmp_path}:{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("CRUMPLE_SOLVER", str(tmp_path / "crumple-solver"))
    words = {
        "run": ["run", "deck.k", "-n", "2"],
        "profile": ["profile", "-n", "2", "--mpirun", str(tmp_path / "mpirun")],
    }[kind]
    program = ["--", "./crumple-solver"] if kind == "profile" else []
    options = ["--launcher", '--map-by socket -x "A=b c"']
    done = crumple(*words, *options, *program, directory=tmp_path)
    assert "--map-by socket -x A=b c" in done.stdout, done.stdout
    done = crumple(*words, "--launcher", '"open', *program, directory=tmp_path)
    assert done.returncode == 2 and "No closing quotation" in done.stdout
