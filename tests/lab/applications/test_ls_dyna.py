"""LS-DYNA in studies: its command line, and what it prints; the text is written by us in its layout."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from command_line import crumple

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.applications.ls_dyna import LsDyna, LsDynaSettings
from crumple.results.lsdyna_log import read_lsdyna_load_profile, read_lsdyna_log

BANNER = """
     Date: 03/02/2026      Time: 10:31:13
     ___________________________________________________
     |                                                 |
     |  LS-DYNA, A Program for Nonlinear Dynamic       |
     |  Version : mpp d R13                            |
     |  Revision: R13.1.1-6-g0123456789                |
     |  Features enabled in this version:              |
     |    Distributed Memory Parallel                  |
     |  Platform   : Xeon64 Linux                      |
     |  Precision  : Double precision (I8R8)           |
     |_________________________________________________|

 Input file: model.k
 MPP execution with       2 procs
"""

END = """
      52 t 4.0000E-03 dt 7.60E-05 write d3plot file            03/02/26 10:32:20

 *** termination time reached ***
      53 t 4.0280E-03 dt 7.60E-05 write d3dump01 file          03/02/26 10:32:21

 N o r m a l    t e r m i n a t i o n                          03/02/26 10:32:21

 Memory required to complete solution   :       760534

 T i m i n g   i n f o r m a t i o n
                        CPU(seconds)   %CPU  Clock(seconds) %Clock
  ----------------------------------------------------------------
  Keyword Processing ... 1.0000E-01    0.15     1.2000E-01    0.18
    KW Reading ......... 5.0000E-02    0.07     6.0000E-02    0.09
  Element processing ... 4.1000E+01   60.30     4.2500E+01   62.00
    Shells ............. 4.0000E+01   58.82     4.1900E+01   61.10
  Contact algorithm .... 2.3000E+01   33.82     2.2000E+01   32.11
    Interf. ID         1 1.1000E+01   16.18     1.2000E+01   17.52
    Interf. ID         7 1.2000E+01   17.65     1.0000E+01   14.60
  Rigid Bodies ......... 3.9000E+00    5.74     3.9300E+00    5.74
  ----------------------------------------------------------------
  T o t a l s            6.8000E+01  100.00     6.8550E+01  100.00

 Problem time       =    4.0280E-03
 Problem cycle      =     19862
 Total CPU time     =        68 seconds (   0 hours  1 minutes  8 seconds)
 CPU time per zone cycle  =       676 nanoseconds
 Clock time per zone cycle=       678 nanoseconds

 Parallel execution with       2 MPP procs
 NLQ used/max     136/  136
 Start time   03/02/2026 10:31:13
 End time     03/02/2026 10:32:22
 Elapsed time      69 seconds(   0 hours  1 min.  9 sec.) for   19862 cycles
"""

FAILED = """
 *** Warning 40538 (SOL+538)
     NEGATIVE JACOBIAN AHEAD
 *** Error 40509 (SOL+509)
     NEGATIVE VOLUME IN BRICK ELEMENT       4711
     at time 1.2E-03
 E r r o r   t e r m i n a t i o n                             03/02/26 10:31:50
"""

PROFILE = """"Clock (seconds)"
"Solids","Shells","Contact","Others"
  1.50E+00,  4.00E+01,  1.30E+01,  2.00E+00
  1.00E+00,  4.20E+01,  9.00E+00,  5.00E+00

"Clock and percentage(%)"
"Solids","Shells","Contact","Others"
  2.65,  70.80,  23.01,  3.54
  1.75,  73.68,  15.79,  8.77
"""

GLSTAT = """
 ls-dyna mpp.123456 d             date 03/02/2026

 dt of cycle       1 is controlled by shell       42 of part          1

 time...........................   0.00000E+00
 time step......................   7.60000E-05
 total energy...................   2.00000E+03
 total energy / initial energy..   1.00000E+00

 dt of cycle   19862 is controlled by shell       42 of part          1

 time...........................   4.02800E-03
 time step......................   7.60000E-05
 total energy...................   1.99000E+03
 total energy / initial energy..   9.95000E-01
 time per zone cycle.(nanosec)..         678
"""


def write_results(folder: Path) -> Path:
    """A folder as LS-DYNA leaves it on two ranks."""
    folder.mkdir(exist_ok=True)
    (folder / "d3hsp").write_text(BANNER + END)
    (folder / "mes0000").write_text(BANNER + "\n *** Warning 40291 (SOL+291)\n     slipping\n")
    (folder / "mes0001").write_text(BANNER + "\n *** Warning 40291 (SOL+291)\n     slipping\n")
    (folder / "load_profile.csv").write_text(PROFILE)
    (folder / "glstat").write_text(GLSTAT)
    return folder


def ls_dyna(base: Path, **values) -> LsDyna:
    (base / "model.k").write_text("*KEYWORD\n*END\n")
    return LsDyna(LsDynaSettings(application="ls-dyna", deck="model.k", **values), base)


def test_d3hsp(tmp_path):
    log = read_lsdyna_log(write_results(tmp_path) / "d3hsp")
    assert (log.version, log.revision, log.precision) == ("mpp d R13", "R13.1.1-6-g0123456789", "double")
    assert (log.ranks, log.cycles, log.elapsed, log.zone_cycle) == (2, 19862, 69.0, 678.0)
    assert log.ending == "normal"
    assert log.total == 68.55
    assert log.phases == {
        "Keyword Processing": 0.12,
        "Element processing": 42.5,
        "Contact algorithm": 22.0,
        "Rigid Bodies": 3.93,
    }
    assert log.parts["Interf. ID 7"] == 10.0
    assert sum(log.phases.values()) == pytest.approx(log.total)


def test_older_banner(tmp_path):
    text = "     |  Version : smp s R9.3.1    Date: 05/17/2018     |\n     |  SVN Version: 133040        |\n"
    (tmp_path / "d3hsp").write_text(text + " Number of CPU's    4\n")
    log = read_lsdyna_log(tmp_path / "d3hsp")
    assert (log.version, log.revision, log.threads) == ("smp s R9.3.1", "133040", 4)


def test_load_profile(tmp_path):
    table = read_lsdyna_load_profile(write_results(tmp_path) / "load_profile.csv")
    assert table["Contact"] == [13.0, 9.0]
    assert [sum(row) for row in zip(*table.values(), strict=True)] == pytest.approx([56.5, 57.0])
    (tmp_path / "load_profile.csv").write_text("rank elements\n0 1.0\n")
    with pytest.raises(ValueError, match="is no load profile"):
        read_lsdyna_load_profile(tmp_path / "load_profile.csv")


def test_figures(tmp_path):
    application = ls_dyna(tmp_path)
    figures = application.figures(StudyCase(ranks=2), write_results(tmp_path / "run"), "")
    assert not figures.failure
    assert figures.values["cycles"] == 19862
    assert figures.values["solver [s]"] == 69.0
    assert figures.values["energy ratio"] == 0.995
    assert figures.values["warnings"] == 2
    assert figures.texts["precision"] == "double"
    assert figures.phases["Shells"] == [40.0, 42.0]
    (tmp_path / "run" / "load_profile.csv").unlink()
    assert application.figures(StudyCase(ranks=2), tmp_path / "run", "").phases["Contact algorithm"] == [22.0]


def test_failures(tmp_path):
    application = ls_dyna(tmp_path)
    folder = write_results(tmp_path / "run")
    assert application.figures(StudyCase(), folder, "").failure.startswith("LS-DYNA ran on 2 ranks, not on 1")
    (folder / "mes0001").write_text(BANNER + FAILED)
    said = application.figures(StudyCase(ranks=2), folder, "").failure
    assert said == "error termination: 40509 (SOL+509) NEGATIVE VOLUME IN BRICK ELEMENT 4711"
    (folder / "mes0001").unlink()
    (folder / "d3hsp").write_text(BANNER)
    assert application.figures(StudyCase(ranks=2), folder, "").failure == "LS-DYNA did not reach its end"
    (folder / "d3hsp").unlink()
    assert application.figures(StudyCase(ranks=2), folder, "").failure == "LS-DYNA wrote no d3hsp"


def test_command_line(tmp_path):
    (tmp_path / "wheels.pfile").write_text("decomp { sy 1000 }\n")
    (tmp_path / "mpp_d").write_text("")
    words = {"memory": "700m", "memory2": "300m", "options": ["endtime=0.01"], "program_double": "mpp_d"}
    application = ls_dyna(tmp_path, **words)
    case = StudyCase(ranks=4, threads=2, decomposition="pfile:wheels.pfile", precision="double")
    deck = tmp_path / "model.k"
    assert application.arguments(case) == [
        f"i={deck}",
        "memory=700m",
        "memory2=300m",
        "p=pfile",
        "ncpu=-2",
        "endtime=0.01",
    ]
    assert application.executable(case, {}) == tmp_path / "mpp_d"
    with pytest.raises(StudyError, match="needs 'program' in"):
        application.executable(StudyCase(), {})
    assert not application.obstacle(case)
    assert application.obstacle(StudyCase(decomposition="rcb")).startswith(
        "LS-DYNA's decompositions are pfile:"
    )
    assert application.obstacle(StudyCase(decomposition="pfile:no")) == f"there is no {tmp_path / 'no'}"
    (tmp_path / "run").mkdir()
    application.prepare(case, tmp_path / "run")
    assert (tmp_path / "run" / "pfile").read_text() == "decomp { sy 1000 }\n"


@pytest.mark.skipif(not shutil.which("mpirun"), reason="no mpirun")
def test_study(tmp_path):
    """A script stands in for the program: it leaves the files of a run, and exits with 0 whatever happens.

    It sleeps first, for mpirun of Open MPI 4.1 can fail at programs that end within milliseconds.
    """
    write_results(tmp_path / "left")
    (tmp_path / "model.k").write_text("*KEYWORD\n*END\n")
    script = tmp_path / "mpp_s"
    one_copies = '[ "${OMPI_COMM_WORLD_RANK:-0}" = 0 ] || exit 0'
    script.write_text(
        f'#!/bin/sh\nsleep 0.2\n[ "$2" = memory=20m ] || exit 1\n{one_copies}\ncp {tmp_path}/left/* .\n'
    )
    script.chmod(0o755)
    (tmp_path / "study.toml").write_text(
        '[study]\nname = "dyna"\nrepeats = 1\n[workload]\napplication = "ls-dyna"\n'
        'deck = "model.k"\nprogram = "mpp_s"\nmemory = "20m"\n[axes]\nranks = [1, 2]\n'
    )
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 1, done.stdout
    connection = sqlite3.connect(tmp_path / "dyna.db")
    states = connection.execute("SELECT ranks, state, log FROM run JOIN case_ ON case_.id = case_ ORDER BY 1")
    (one, failed, why), (two, good, _) = states.fetchall()
    phases = connection.execute("SELECT seconds FROM phase WHERE name = 'Shells' ORDER BY rank").fetchall()
    connection.close()
    assert (one, failed, two, good) == (1, "failed", 2, "done")
    assert "LS-DYNA ran on 2 ranks, not on 1" in why
    assert phases == [(40.0,), (42.0,)]
