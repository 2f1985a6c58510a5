"""Readers of text results, on LS-DYNA's layouts."""

import pytest

from crumple.report.facts import other_load_note
from crumple.results.d3hsp import Ending, read_d3hsp, unspaced
from crumple.results.forces import read_rcforc, read_rwforc, read_secforc
from crumple.results.glstat import read_glstat
from crumple.results.load_profile import read_load_profile
from crumple.results.matsum import read_matsum
from crumple.results.run_files import RunError, RunFiles, find_run
from crumple.results.run_record import RunRecord, read_record, write_record

GLSTAT = """ title
                         ls-dyna (crumple 0.1.0 d)     date 11/22/2026


 dt of cycle      21 is controlled by shell           1539 of part       205

 time...........................   3.12889E-01
 time step......................   1.48995E-02
 kinetic energy.................   5.17161E+05
 internal energy................   2.79375E-26
 stonewall energy...............   4.55806E+01 wall#    1
 stonewall energy...............   7.50000E+00 wall#    2
 hourglass energy ..............  -1.74664E-28
 energy ratio w/o eroded energy.   9.90000E-01
 time per zone cycle.(nanosec)..          3087


 dt of cycle      41 is controlled by load curve

 time...........................   6.10879E-01
 time step......................   1.00000E-03
 kinetic energy.................   5.00000E+05
"""

SECFORC = """{BEGIN LEGEND}
 Entity #        Title
        1     left rail
        2
{END LEGEND}

 line#1   section#   time        x-force      y-force      z-force     magnitude
 line#2   resultant  moments     x-moment     y-moment     z-moment    magnitude
 line#3   centroids              x-centroid   y-centroid   z-centroid  area
            1  0.00000E+00  1.0000E+00  2.0000E+00 -2.0000E+00  3.0000E+00
                            7.0000E+00  7.0000E+00  7.0000E+00  7.0000E+00
                            8.0000E+00  8.0000E+00  8.0000E+00  8.0000E+00
            2  0.00000E+00  0.0000E+00  4.0000E+00  0.0000E+00  4.0000E+00
                            7.0000E+00  7.0000E+00  7.0000E+00  7.0000E+00
                            8.0000E+00  8.0000E+00  8.0000E+00  8.0000E+00
"""

D3HSP = """ a title
                         crumple 0.1.0 s     date 11/22/2026


 p a r t   s u m m a r y

    part id   kind  material     elements  title
        101  shell        24          142  midsize floor
        311   none        24            0


 c o n t r o l

 end time 60


 k e y w o r d   c o v e r a g e

keyword                                              support   blocks   records
*CONTROL_SHELL                                       partial        1         2
    ESORT        given 3: used 1, ignored 2
*DATABASE_RBDOUT                                     ignored        1         0


 w a r n i n g s

 deck.k:8 CR-D103: *DATABASE_RBDOUT is ignored
       0 t 0.0000E+00 dt 1.49E-02 write d3plot file
     101 t 1.5048E+00 dt 1.49E-02 write d3plot file
"""


def test_glstat_has_walls_and_what_set_the_step(tmp_path):
    (tmp_path / "glstat").write_text(GLSTAT)
    table = read_glstat(tmp_path / "glstat")
    first, second = table.iloc[0], table.iloc[1]
    assert first["stonewall energy 1"] == 45.5806
    assert first["stonewall energy 2"] == 7.5
    assert first["hourglass energy"] == -1.74664e-28
    assert first["energy ratio w/o eroded energy"] == 0.99
    assert first["time per zone cycle.(nanosec)"] == 3087
    assert (first["controlled by"], first["controlling element"], first["controlling part"]) == (
        "shell",
        1539,
        205,
    )
    assert (second["cycle"], second["controlled by"]) == (41, "load curve")
    assert second.isna()["controlling part"]


def test_glstat_that_calls_a_part_mat(tmp_path):
    text = GLSTAT.replace("of part       205", "of mat#         205")
    (tmp_path / "glstat").write_text(text)
    assert read_glstat(tmp_path / "glstat")["controlling part"].iloc[0] == 205


def test_rwforc(tmp_path):
    (tmp_path / "rwforc").write_text(
        "{BEGIN LEGEND}\n Entity #        Title\n        1     barrier\n        2     \n{END LEGEND}\n\n"
        "    time       wall#   normal-force    x-force        y-force        z-force\n"
        " 1.51515E-02       1   5.000000E+00  -3.000000E+00  -0.000000E+00   4.000000E+00\n"
        " 1.51515E-02       2   0.000000E+00   0.000000E+00   0.000000E+00   0.000000E+00\n"
    )
    table = read_rwforc(tmp_path / "rwforc")
    assert table.titles == {1: "barrier", 2: ""}
    assert table.rows["id"].tolist() == [1, 2]
    assert table.rows.loc[0, ["time", "normal", "x", "resultant"]].tolist() == [0.0151515, 5.0, -3.0, 5.0]


def test_rcforc_keeps_sides_apart(tmp_path):
    line = "  {:<6}{:11d} time 1.20686E+00  x {} y -2.00000E+00  z  2.00000E+00 mass  0.00000E+00\n"
    (tmp_path / "rcforc").write_text(
        line.format("slave", 7, " 1.00000E+00 ") + line.format("master", 7, "-1.00000E+00 ")
    )
    rows = read_rcforc(tmp_path / "rcforc").rows
    assert rows["side"].tolist() == ["slave", "master"]
    assert rows["x"].tolist() == [1.0, -1.0]
    assert rows["resultant"].tolist() == [3.0, 3.0]


def test_secforc_takes_forces_not_moments(tmp_path):
    (tmp_path / "secforc").write_text(SECFORC)
    table = read_secforc(tmp_path / "secforc")
    assert table.rows["id"].tolist() == [1, 2]
    assert table.rows["resultant"].tolist() == [3.0, 4.0]
    assert table.titles == {1: "left rail", 2: ""}


def test_matsum(tmp_path):
    part = (
        " mat.#={:5d}             inten=   {}     kinen=   2.0000E+00     eroded_ie=   0.0000E+00"
        "     eroded_ke=   0.0000E+00\n x-mom=  -1.0000E+00     y-mom=   0.0000E+00     z-mom=   0.0000E+00\n"
        "                         hgeng=   3.0000E+00     +mass=   4.0000E+00     eroded_he=   0.0000E+00\n\n"
    )
    text = "{BEGIN LEGEND}\n Entity #  Title\n   101     floor\n{END LEGEND}\n"
    for time, energy in (("0.0000E+00", "0.0000E+00"), ("1.5000E+00", "7.0000E+00")):
        text += f"\n\n time =   {time}\n" + part.format(101, energy)
    (tmp_path / "matsum").write_text(text)
    table = read_matsum(tmp_path / "matsum")
    assert table.titles == {101: "floor"}
    last = table.rows.iloc[-1]
    assert [last[name] for name in ("time", "part", "inten", "kinen", "x-mom", "hgeng", "+mass")] == [
        1.5,
        101,
        7.0,
        2.0,
        -1.0,
        3.0,
        4.0,
    ]


@pytest.mark.parametrize("unit", ["", " s"])
def test_load_profile(tmp_path, unit):
    text = f"# seconds\nrank elements contact\n0 1.50{unit} 2.00{unit}\n1 3.00{unit} 4.00{unit}\n"
    (tmp_path / "load_profile").write_text(text)
    table = read_load_profile(tmp_path / "load_profile")
    assert table.loc[1, "contact"] == 4.0
    assert table.index.tolist() == [0, 1]
    (tmp_path / "load_profile").write_text("rank elements contact\n0 1.0\n")
    with pytest.raises(ValueError, match="no table"):
        read_load_profile(tmp_path / "load_profile")


@pytest.mark.parametrize(
    ("end", "ending", "message"),
    [
        ("", Ending.none, ""),
        (
            "\n\n s m a l l e s t   s t e p s\n\n 1.9e-04   solid   139   2\n"
            "\n 5756 cycles in 33.7 s, 1679.7 ns per zone and cycle\n state hash: c832fe491829e733\n"
            " N o r m a l    t e r m i n a t i o n\n",
            Ending.normal,
            "",
        ),
        (
            "\nerror CR-R101: solid 133 of part 2\n E r r o r    t e r m i n a t i o n\n",
            Ending.error,
            "error CR-R101: solid 133 of part 2",
        ),
        (
            "\n 301 cycles in 0.0 s, 4261.5 ns per zone and cycle\n"
            " the last dump before is out/d3dump01: cycle 201\n"
            " error CR-R105: hourglass energy ran away\n E r r o r    t e r m i n a t i o n\n",
            Ending.error,
            "error CR-R105: hourglass energy ran away\nthe last dump before is out/d3dump01: cycle 201",
        ),
    ],
)
def test_d3hsp(tmp_path, end, ending, message):
    (tmp_path / "d3hsp").write_text(D3HSP + end)
    log = read_d3hsp(tmp_path / "d3hsp")
    assert (log.title, log.precision, log.ending, log.message) == ("a title", "single", ending, message)
    assert [(part.id, part.elements, part.title) for part in log.parts] == [
        (101, 142, "midsize floor"),
        (311, 0, ""),
    ]
    assert log.number("control", "end time") == 60.0
    assert [(k.name, k.support, k.fields) for k in log.keywords] == [
        ("*CONTROL_SHELL", "partial", ["ESORT given 3: used 1, ignored 2"]),
        ("*DATABASE_RBDOUT", "ignored", []),
    ]
    assert log.warnings == ["deck.k:8 CR-D103: *DATABASE_RBDOUT is ignored"]
    assert log.states == [(0, 0.0), (101, 1.5048)]
    if ending is Ending.normal:
        assert (log.cycles, log.seconds, log.hash) == (5756, 33.7, "c832fe491829e733")


def test_headings_are_spaced():
    assert unspaced(" p a r t   s u m m a r y") == "part summary"
    assert unspaced(" none") is None
    assert unspaced(" end time 60") is None


def test_runs_are_found_by_their_prefix(tmp_path):
    with pytest.raises(RunError, match="no d3hsp"):
        find_run(tmp_path)
    (tmp_path / "run7.d3hsp").touch()
    assert find_run(tmp_path) == RunFiles(tmp_path, "run7.")
    (tmp_path / "run8.d3hsp").touch()
    with pytest.raises(RunError, match="several runs"):
        find_run(tmp_path)
    assert find_run(tmp_path / "run8.d3hsp").path("glstat") == tmp_path / "run8.glstat"


def test_record_belongs_to_the_run_it_was_written_for(tmp_path):
    import os

    record = RunRecord(deck="a.k", ranks=3, threads=1, precision="double", decomposition="rcb")
    log = tmp_path / "d3hsp"
    write_record(record, tmp_path, since=0.0)
    assert not (tmp_path / "run.json").exists(), "a refused deck leaves nothing"
    log.touch()
    write_record(record, tmp_path, since=log.stat().st_mtime + 100)
    assert not (tmp_path / "run.json").exists(), "old results are not this run's"
    write_record(record, tmp_path, since=log.stat().st_mtime - 1)
    assert read_record(RunFiles(tmp_path)) == record
    later = (tmp_path / "run.json").stat().st_mtime + 100
    os.utime(log, (later, later))
    assert read_record(RunFiles(tmp_path)) is None, "the solver has run again since"


def test_other_load_stands_beside_the_elapsed_time():
    record = RunRecord(
        deck="a.k", ranks=2, threads=1, precision="double", decomposition="rcb", cores=4, other_load=1.26
    )
    assert other_load_note(record) == "other processes used 1.3 of 4 cores at the start"
    assert other_load_note(record.model_copy(update={"other_load": 0.1})) == ""
    assert other_load_note(None) == ""
