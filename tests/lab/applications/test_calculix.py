"""CalculiX in studies: nested cylinders against Lame's thick cylinder, real runs with threads."""

import shutil
import sqlite3
import subprocess

import numpy as np
import pytest
from command_line import crumple

from crumple.lab.applications.calculix import Calculix, CalculixSettings
from crumple.lab.applications.case import StudyCase
from crumple.models.cylinders_calculix import (
    CYLINDERS,
    INNER,
    LENGTH,
    OUTER,
    WALL,
    coordinates,
    divisions,
    elements,
    lame,
)

needs_calculix = pytest.mark.skipif(not shutil.which("ccx"), reason="CalculiX is not installed")

STUDY = """
[study]
name = "ccx"
repeats = 1
time_limit = 200
[workload]
application = "calculix"
elements = 500
[axes]
ranks = [1, 2]
threads = [1, 2]
"""


@pytest.mark.parametrize("wanted", [500, 1200, 5000, 12_000, 100_000, 921_600])
def test_any_size(wanted):
    assert divisions(wanted).elements == pytest.approx(wanted, rel=0.05)


def test_bricks_fill_the_cylinders():
    d = divisions(5000)
    x, bricks = coordinates(d), elements(d)
    assert bricks.shape == (CYLINDERS, d.wall, d.around, d.along, 8)
    corner = x[bricks - 1].reshape(-1, 8, 3)
    a, b, c = (corner[:, k] - corner[:, 0] for k in (1, 3, 4))
    assert (np.einsum("ij,ij->i", np.cross(a, b), c) > 0).all()
    sides = 0.5 * d.around * np.sin(2 * np.pi / d.around)  # area of a polygon over radius squared
    area = 0.5 * np.cross(corner[:, 2] - corner[:, 0], corner[:, 3] - corner[:, 1])[:, 2]
    assert area.sum() * LENGTH / d.along == pytest.approx(sides * (OUTER**2 - INNER**2) * LENGTH)
    radius = np.hypot(x[:, 0], x[:, 1]).reshape(CYLINDERS, -1)
    for k in range(CYLINDERS):
        assert radius[k].min() == pytest.approx(INNER + k * WALL)
        assert radius[k].max() == pytest.approx(INNER + (k + 1) * WALL)


def test_lame_by_its_stress():
    # Hooke with the ends held: radial stress at the bore must be the pressure, and zero at the rim.
    young, nu, h = 210e3, 0.3, 1e-4
    for radius, pressure in ((INNER, 100.0), (OUTER, 0.0)):
        strain = (lame(radius + h) - lame(radius - h)) / (2 * h)
        hoop = lame(radius) / radius
        stress = young / ((1 + nu) * (1 - 2 * nu)) * ((1 - nu) * strain + nu * hoop)
        assert stress == pytest.approx(-pressure, abs=1e-3)


@needs_calculix
@pytest.mark.parametrize(
    ("joint", "solver"), [("tied", "spooles"), ("contact", "spooles"), ("tied", "iterative-cholesky")]
)
def test_answer_is_lames(tmp_path, joint, solver):
    settings = CalculixSettings(application="calculix", elements=1200, joint=joint, linear_solver=solver)
    application, case = Calculix(settings, tmp_path), StudyCase()
    application.prepare(case, tmp_path)
    command = [str(application.executable(case, {})), *application.arguments(case)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=200)
    figures = application.figures(case, tmp_path, done.stdout)
    assert not figures.failure
    assert figures.values["error against Lame [%]"] < 1.5  # one element through each wall
    assert figures.values["equations"] <= 3 * divisions(1200).nodes
    assert figures.values["iterations"] == (2 if joint == "contact" else 1)
    # an error that ccx names
    deck = tmp_path / "cylinders.inp"
    deck.write_text(deck.read_text().replace("*ELASTIC", "*PLASTIC"))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=200)
    assert "*ERROR" in application.figures(case, tmp_path, done.stdout).failure


@needs_calculix
def test_study_over_threads(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "2 ranks, 1 thread: CalculiX runs on one rank; it has threads" in " ".join(done.stdout.split())
    connection = sqlite3.connect(tmp_path / "ccx.db")
    found = connection.execute(
        "SELECT threads, value, command FROM run JOIN case_ ON case_.id = case_"
        " JOIN figure ON figure.run = run.id WHERE name = 'equations' ORDER BY 1"
    ).fetchall()
    connection.close()
    assert [threads for threads, _, _ in found] == [1, 2]
    assert found[0][1] == found[1][1] > 1000
    assert "CCX_NPROC_EQUATION_SOLVER=2 " in found[1][2]
