"""The solver built with MPICH: the same bits as with Open MPI, and how a run asks for it. 2 ranks."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import crumple

from crumple.lab.applications.case import StudyError
from crumple.lab.study.conductor import make_plan
from crumple.mpi import environment, family_of_program
from crumple.solver import mpirun, solver_path

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


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_run_with_the_solver_of_an_mpi_library(mpi, tmp_path, three_vehicles):
    if not shutil.which(f"mpirun.{mpi}"):
        pytest.skip(f"mpirun.{mpi} is not installed")
    if mpi == "mpich" and not (solver_path().parent / "crumple-solver-mpich").exists():
        pytest.skip("not built: make solver-mpich")
    options = ["-n", "2", "--mpi", mpi, "--end-time", "0.2", "-d", str(tmp_path)]
    done = crumple("run", str(three_vehicles), *options, directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b2 ranks\b", done.stdout)  # one job of two ranks, not two of one
    assert json.loads((tmp_path / "run.json").read_text())["mpi"] == mpi


def test_run_with_a_solver_that_is_not_built(tmp_path, monkeypatch):
    (tmp_path / "crumple-solver").write_text("#!/bin/sh\n")
    monkeypatch.setenv("CRUMPLE_SOLVER", str(tmp_path / "crumple-solver"))
    done = crumple("run", "deck.k", "--mpi", "mpich", directory=tmp_path)
    assert done.returncode == 2
    assert "the solver is not built for mpich: run `make solver-mpich` in the checkout" in words(done.stdout)
    assert not (tmp_path / "run.json").exists()
    monkeypatch.setenv("CRUMPLE_SOLVER", shutil.which("mpichversion") or "")
    if shutil.which("mpichversion"):
        done = crumple("run", "deck.k", "--mpi", "openmpi", directory=tmp_path)
        assert done.returncode == 2
        assert "is built for MPICH, not Open MPI: run `make build`" in words(done.stdout)


def test_run_with_a_library_that_is_not_installed(tmp_path, monkeypatch):
    for name in ("crumple-solver", "crumple-solver-mpich"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    monkeypatch.setenv("CRUMPLE_SOLVER", str(tmp_path / "crumple-solver"))
    (tmp_path / "bin").mkdir()
    for name in ("env", "ldd", "bash", "sh"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for mpi, make in (("mpich", "make solver-mpich"), ("openmpi", "make build")):
        with pytest.raises(FileNotFoundError, match=f"no mpirun.{mpi} on the PATH; run `{make}`"):
            mpirun(2, [], mpi=mpi)


def words(text: str) -> str:
    """Text without the terminal's line breaks."""
    return " ".join(text.split())
