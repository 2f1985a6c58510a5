"""OpenRadioss in studies: programs found, the starter run first, and the engine's listing, written by us."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from command_line import crumple

from crumple.lab.applications import applications
from crumple.lab.applications.application import PreparationError
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.applications.openradioss import OpenRadioss, RadiossSettings
from crumple.results.radioss_listing import read_listing

HEAD = """
 ************************************************************************
 **                         OpenRadioss Engine                         **
 **                      Double Precision Version                      **
 ************************************************************************

 ROOT: beam  RESTART: 0001
 NUMBER OF HMPP PROCESSES     2
 02/03/2026
 NC=       0 T= 0.0000E+00 DT= 9.9045E-04 ERR=  0.0% DM/M= 0.0000E+00
     ANIMATION FILE: beamA001 WRITTEN
 NC=     100 T= 9.9045E-02 DT= 9.9045E-04 ERR= -0.1% DM/M= 0.0000E+00
 ELAPSED TIME=          2.58 s  REMAINING TIME=         25.37 s
"""

END = """
 NC=    1000 T= 9.9045E-01 DT= 9.9040E-04 ERR= -0.4% DM/M= 1.5000E-03
 ELAPSED TIME=         27.10 s  REMAINING TIME=          0.00 s

                          ** CPU USER TIME **

                          ** SUMMARY **

 #PROC  CONTSORT  CONTFOR   ELEMENT   KINCOND   INTEG     IO        T0        ASM       RESOL
     1  .1000E+01 .2000E+01 .1500E+02 .5000E+00 .1500E+01 .2500E+01 .1000E+01 .1500E+01 .2500E+02
     2  .2000E+01 .3000E+01 .1300E+02 .5000E+00 .1500E+01 .2500E+01 .1000E+01 .1500E+01 .2500E+02

                          ** SPMD COM. TIME **

 #PROC  FORCES    RBYFOR    RBYVEL    VEL       TOT       %
     1  .1000E+01 .1000E+00 .1000E+00 .8000E+00 .2000E+01 .8000E+01
     2  .2000E+01 .1000E+00 .1000E+00 .8000E+00 .3000E+01 .1200E+02

                   ** CUMULATIVE CPU TIME SUMMARY **

 CONTACT SORTING.............: .3000E+01     6.00 %
 TOTAL.......................: .5000E+02   100.00 %

                   ** MEMORY USAGE STATISTICS **

 MAXIMUM MEMORY PER PROCESSOR...............:       59 MB

 ELAPSED TIME     =         27.31 s
                          0:00:27

     NORMAL TERMINATION
     TOTAL NUMBER OF CYCLES  :    1001
"""

KILLED = """
 MESSAGE ID :        205

 ** RUN KILLED: ENERGY ERROR LIMIT REACHED

     ERROR TERMINATION
     TOTAL NUMBER OF CYCLES  :     102
"""


def folder_with(tmp_path: Path, *programs: str) -> Path:
    """Input, and executables that do nothing."""
    for name in ("beam_0000.rad", "beam_0001.rad"):
        (tmp_path / name).write_text("#RADIOSS\n")
    (tmp_path / "exec").mkdir()
    for name in programs:
        path = tmp_path / "exec" / name
        path.write_text("#!/bin/sh\necho ' NORMAL TERMINATION'\n")
        path.chmod(0o755)
    return tmp_path


def open_radioss(base: Path, **values) -> OpenRadioss:
    given = {"deck": "beam_0000.rad", "engine": "beam_0001.rad", "folder": "exec"} | values
    return OpenRadioss(RadiossSettings(application="openradioss", **given), base)


def test_listing(tmp_path):
    path = tmp_path / "beam_0001.out"
    path.write_text(HEAD + END)
    listing = read_listing(path)
    assert (listing.cycles, listing.elapsed, listing.domains, listing.memory) == (1001, 27.31, 2, 59.0)
    assert (listing.time, listing.energy_error, listing.mass_error) == (0.99045, -0.4, 1.5e-3)
    assert listing.precision == "double"
    assert listing.phases["ELEMENT"] == [15.0, 13.0]
    assert "RESOL" not in listing.phases
    sums = [sum(each) for each in zip(*listing.phases.values(), strict=True)]
    assert sums == pytest.approx(listing.totals)
    assert not listing.failure
    path.write_text(HEAD + KILLED)
    assert read_listing(path).failure == "error termination: RUN KILLED: ENERGY ERROR LIMIT REACHED"
    path.write_text(HEAD)
    assert read_listing(path).failure == "the program did not reach its end"


def test_programs(tmp_path):
    base = folder_with(
        tmp_path,
        "starter_linux64_gf",
        "engine_linux64_gf",
        "engine_linux64_gf_ompi",
        "engine_linux64_gf_impi",
        "engine_linux64_gf_ompi_sp",
    )
    application = open_radioss(base)
    chosen = {
        case: application.executable(case, {}).name
        for case in (
            StudyCase(),
            StudyCase(ranks=2),
            StudyCase(ranks=2, mpi="mpich"),
            StudyCase(ranks=2, precision="single"),
        )
    }
    assert list(chosen.values()) == [f"engine_linux64_gf{x}" for x in ("_ompi", "_ompi", "_impi", "_ompi_sp")]
    assert application.obstacle(StudyCase(precision="single")) == "there is no starter of this precision"
    assert not application.obstacle(StudyCase())
    (base / "exec" / "engine_linux64_gf_ompi").unlink()
    assert application.executable(StudyCase(), {}).name == "engine_linux64_gf"
    with pytest.raises(StudyError, match="there is no engine for openmpi in exec"):
        application.executable(StudyCase(ranks=2), {})
    with pytest.raises(StudyError, match="there is no file"):
        open_radioss(base, deck="bean_0000.rad")


def test_environment_of_a_release(tmp_path):
    base = folder_with(tmp_path, "starter_linux64_gf")
    application = open_radioss(base)
    assert "RAD_CFG_PATH" not in application.environment(StudyCase(threads=2))
    (tmp_path / "hm_cfg_files").mkdir()
    variables = application.environment(StudyCase(threads=2))
    assert variables["OMP_NUM_THREADS"] == "2"
    assert variables["RAD_CFG_PATH"] == str(tmp_path / "hm_cfg_files")
    assert variables["LD_LIBRARY_PATH"].startswith(str(tmp_path / "extlib/hm_reader/linux64"))


def test_starter_that_fails(tmp_path):
    base = folder_with(tmp_path, "starter_linux64_gf", "engine_linux64_gf_ompi")
    (base / "exec" / "starter_linux64_gf").write_text(
        "#!/bin/sh\necho ' ** ERROR 21 : SHELL WITHOUT AREA'\necho '  ERROR TERMINATION'\n"
    )
    (tmp_path / "run").mkdir()
    with pytest.raises(PreparationError, match="the starter failed: error termination: 21 : SHELL WITHOUT"):
        open_radioss(base).prepare(StudyCase(), tmp_path / "run")


@pytest.mark.skipif(not shutil.which("mpirun"), reason="no mpirun")
@pytest.mark.parametrize("name", ["openradioss", "opencourant"])
def test_study(tmp_path, name):
    """Scripts stand in for the programs: the engine needs what the starter has written.

    The engine sleeps first, for mpirun of Open MPI 4.1 can fail at programs that end within milliseconds.
    """
    assert name in applications()
    base = folder_with(tmp_path, "starter", "engine_ompi")
    (tmp_path / "listing").write_text(HEAD + END)
    (base / "exec" / "starter").write_text(
        '#!/bin/sh\n[ "$*" = "-i beam_0000.rad -np 2 -nt 1" ] || exit 3\ntouch beam_0000_0001.rst\n'
        "echo '  NORMAL TERMINATION'\n"
    )
    (base / "exec" / "engine_ompi").write_text(
        '#!/bin/sh\nsleep 0.2\n[ "$*" = "-i beam_0001.rad -nt 1" ] && [ -f beam_0000_0001.rst ] || exit 3\n'
        '[ "${OMPI_COMM_WORLD_RANK:-0}" = 0 ] || exit 0\n'
        f"cp {tmp_path}/listing beam_0001.out\n"
    )
    (tmp_path / "study.toml").write_text(
        f'[study]\nname = "beam"\nrepeats = 1\n[workload]\napplication = "{name}"\n'
        'deck = "beam_0000.rad"\nengine = "beam_0001.rad"\nfolder = "exec"\n[axes]\nranks = [2]\n'
    )
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    connection = sqlite3.connect(tmp_path / "beam.db")
    found = dict(connection.execute("SELECT name, value FROM figure"))
    phases = connection.execute("SELECT seconds FROM phase WHERE name = 'CONTFOR' ORDER BY rank").fetchall()
    connection.close()
    assert (found["cycles"], found["solver [s]"], found["energy error [%]"]) == (1001, 27.31, -0.4)
    assert found["starter [s]"] > 0
    assert phases == [(2.0,), (3.0,)]
