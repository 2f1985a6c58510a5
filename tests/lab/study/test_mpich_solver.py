"""The solver built with MPICH: the same bits as with Open MPI. 2 ranks."""

import re
import subprocess
from pathlib import Path

import pytest

from crumple.lab.study.conduct import make_plan
from crumple.lab.study.study_file import StudyError
from crumple.mpi import environment, family_of_program
from crumple.solver import solver_path

STUDY = """
[study]
name = "libraries"
[workload]
model = "three-vehicle"
elements = 4000
[axes]
mpi = ["mpich"]
"""


def state_hash(mpirun: str, solver: Path, deck: Path, folder: Path) -> str:
    """Hash of the state in which a short run ends."""
    folder.mkdir()
    command = [mpirun, "-n", "2", str(solver), f"i={deck}", "endtime=0.5"]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=True)
    return re.search(r"state hash: ([0-9a-f]{16})", done.stdout)[1]


def test_same_bits_as_with_open_mpi(tmp_path, three_vehicles):
    built = solver_path().parent / "crumple-solver-mpich"
    if not built.exists():
        pytest.skip("not built: make solver-mpich")
    assert family_of_program(built)[0] == "mpich"
    hashes = {
        state_hash("mpirun.openmpi", solver_path(), three_vehicles, tmp_path / "openmpi"),
        state_hash("mpirun.mpich", built, three_vehicles, tmp_path / "mpich"),
    }
    assert len(hashes) == 1


def test_a_solver_that_is_not_built_is_said_with_its_line(tmp_path, monkeypatch):
    (tmp_path / "crumple-solver").write_text("#!/bin/sh\n")
    (tmp_path / "crumple-solver").chmod(0o755)
    monkeypatch.setenv("CRUMPLE_SOLVER", str(tmp_path / "crumple-solver"))
    (tmp_path / "study.toml").write_text(STUDY)
    with pytest.raises(
        StudyError, match=r"study.toml:4: the solver is not built for mpich: run `make solver-"
    ):
        make_plan(tmp_path / "study.toml")
