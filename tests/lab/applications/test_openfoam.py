"""OpenFOAM in studies: the case that is written for it, and real runs on 1 and 2 ranks."""

import shutil
import sqlite3
import subprocess

import pytest
from command_line import crumple

from crumple.lab.applications.case import StudyCase
from crumple.lab.applications.openfoam import OpenFoam, OpenFoamSettings
from crumple.models.coolant import LENGTH, PITCH, SPEED, divisions, split, time_step

needs_openfoam = pytest.mark.skipif(not shutil.which("simpleFoam"), reason="OpenFOAM is not installed")

STUDY = """
[study]
name = "cfd"
repeats = 1
time_limit = 200
[workload]
application = "openfoam"
cells = 1000
iterations = 4
[axes]
"""


@pytest.mark.parametrize("cells", [1000, 5000, 20_000, 324_480, 5_000_000])
def test_any_size(cells):
    assert divisions(cells).cells == pytest.approx(cells, rel=0.03)


def test_parts_cut_little():
    assert split(2) == (2, 1, 1)
    assert split(16) == (8, 2, 1)
    assert split(64) == (16, 4, 1)


def settings(**values) -> OpenFoamSettings:
    return OpenFoamSettings(application="openfoam", **values)


@needs_openfoam
def test_flow_is_sane(tmp_path):
    application = OpenFoam(settings(cells=1500, iterations=80), tmp_path)
    case, folder = StudyCase(), tmp_path / "run"
    folder.mkdir()
    application.prepare(case, folder)
    command = ["env", *(f"{k}={v}" for k, v in application.environment(case).items())]
    command += [str(application.executable(case, {})), *application.arguments(case)]
    log = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=200).stdout
    application = OpenFoam(settings(cells=1500, iterations=80), tmp_path)  # figures need no memory of the run
    short = application.figures(case, folder, log[: log.index("\nTime = 80\n")])
    assert short.failure == "79 of 80 iterations were done"
    figures = application.figures(case, folder, log)
    assert not figures.failure
    values = figures.values
    assert values["mesh cells"] == pytest.approx(1500, rel=0.05)
    assert values["mass balance [%]"] < 0.5
    assert f"sum(inlet) of phi = {-SPEED * PITCH * 0.04:g}" in log
    assert values["residual of p"] < 0.1
    assert values["residual of Ux"] < 0.02
    assert values["CFD rating"] == pytest.approx(86400 / (78 * values["iteration [s]"]))
    assert 0 < values["iteration [s]"] < values["ClockTime [s]"] + 1


def test_time_step_keeps_to_the_courant_number():
    gap = PITCH / 2 - 0.038
    speed = SPEED * PITCH / (2 * gap)
    fine, coarse = time_step(100_000), time_step(1000)
    assert fine * speed / (gap / divisions(100_000).outwards) == pytest.approx(0.5)
    assert fine < coarse < LENGTH / SPEED


@needs_openfoam
def test_parallel_study(tmp_path):
    extra = 'ranks = [1, 2]\ndecomposition = ["simple", "scotch"]\n'
    text = STUDY.replace("iterations = 4", 'iterations = 4\nsolver = "pisoFoam"') + extra
    (tmp_path / "study.toml").write_text(text)
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "2 ranks, scotch: there is no decomposition 'scotch'" in " ".join(done.stdout.split())
    connection = sqlite3.connect(tmp_path / "cfd.db")
    found = {
        (ranks, name): value
        for ranks, name, value in connection.execute(
            "SELECT ranks, name, value FROM figure JOIN run ON run.id = run JOIN case_ ON case_.id = case_"
        )
    }
    commands = [c for (c,) in connection.execute("SELECT command FROM run ORDER BY id")]
    connection.close()
    assert found[1, "mesh cells"] == found[2, "mesh cells"] == 1008
    assert found[2, "residual of p"] == pytest.approx(found[1, "residual of p"], rel=0.5)
    assert found[2, "decomposePar [s]"] > 0
    assert found[2, "iteration [s]"] > 0
    assert [c.endswith("/pisoFoam -parallel") for c in commands] == [False, True]


@needs_openfoam
def test_mesh_that_fails(tmp_path, monkeypatch):
    monkeypatch.setenv("WM_PROJECT_DIR", str(tmp_path / "nowhere"))
    (tmp_path / "study.toml").write_text(STUDY)
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 1, done.stdout
    connection = sqlite3.connect(tmp_path / "cfd.db")
    state, log = connection.execute("SELECT state, log FROM run").fetchone()
    connection.close()
    assert state == "failed"
    assert "blockMesh failed: exit status" in log
    assert "controlDict" in log


def test_what_cannot_run(tmp_path):
    application = OpenFoam(settings(), tmp_path)
    assert application.obstacle(StudyCase(ranks=2, decomposition="hierarchical")) == ""
    assert application.obstacle(StudyCase(decomposition="hierarchic")).endswith(
        "did you mean 'hierarchical'?"
    )
    assert application.obstacle(StudyCase(threads=2)) == "OpenFOAM has no threads"
    assert application.obstacle(StudyCase(mpi="mpich")) == "Debian's OpenFOAM is built for Open MPI"
