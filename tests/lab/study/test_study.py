"""Studies: the file, the plan, real runs on this machine, the database. 1 and 2 ranks."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import crumple
from study_database import rows

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.processes import Job, own_memory, run_jobs
from crumple.lab.report.measurements import read_measurements
from crumple.lab.report.study_findings import reservations
from crumple.lab.study.cases import combinations, plan_cases
from crumple.lab.study.database import Database
from crumple.lab.study.launcher import cores_of_job
from crumple.lab.study.study_file import read_study
from crumple.lab.study.where.local import Local
from crumple.lab.toml_places import line_of, places

ROOT = Path(__file__).resolve().parents[3]

SLEEPER = """
[study]
name = "sleeper"
repeats = 2
time_limit = 20

[workload]
application = "command"
program = "sleeper.sh"
arguments = ["{ranks}"]
figures = { "answer [s]" = "answer (.*)" }

[axes]
ranks = [1, 2]
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    """A study of a shell script, which needs no MPI to be an MPI program.

    Scripts sleep first: launchers can fail at programs that end within milliseconds.
    """
    (tmp_path / "study.toml").write_text(SLEEPER)
    script = tmp_path / "sleeper.sh"
    script.write_text("#!/bin/sh\nsleep 0.1\necho answer $1.5\n")
    script.chmod(0o755)
    return tmp_path


def rewrite(folder: Path, old: str, new: str) -> Path:
    """Change the study file."""
    path = folder / "study.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


def words(text: str) -> str:
    """Text without the terminal's line breaks."""
    return " ".join(text.split())


def test_places_of_keys():
    text = 'a = 1\n[t]\nb = """\nc = 2\n"""\nd.e = 3\n[[x]]\nf = 4\n[[x]]\n"f" = 5\n'
    found = places(text)
    assert found == {
        ("a",): 1,
        ("t",): 2,
        ("t", "b"): 3,
        ("t", "d", "e"): 6,
        ("x", 0): 7,
        ("x", 0, "f"): 8,
        ("x", 1): 9,
        ("x", 1, "f"): 10,
    }
    assert line_of(("t", "z", 3), found) == 2


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "ranks = [1, 2]",
            "rank = [1]",
            "study.toml:14: unknown key 'rank' in [axes]; did you mean 'ranks'?",
        ),
        ("ranks = [1, 2]", "ranks = [0]", "study.toml:14: ranks: Input should be greater than 0"),
        ("ranks = [1, 2]", "ranks = [1, 1]", "'ranks' has a value twice"),
        (
            "ranks = [1, 2]",
            'precision = ["duoble"]',
            "study.toml:14: precision: 'duoble' is not valid; did you mean 'double'?",
        ),
        ("ranks = [1, 2]", 'mpi = ["mvapich"]', "study.toml:14: there is no MPI library 'mvapich'"),
        (
            "ranks = [1, 2]",
            'mpi = ["own"]\n[mpis]\nown = "no/mpirun"',
            "study.toml:14: mpi 'own': there is no",
        ),
        ("ranks = [1, 2]", 'version = ["new"]', "study.toml:14: there is no version 'new'"),
        (
            "ranks = [1, 2]",
            'version = ["new"]\n[versions]\nnew = "nowhere"',
            "study.toml:14: there is no executable",
        ),
        ("[axes]", "[axis]", "study.toml:13: unknown key 'axis'; did you mean 'axes'?"),
        ("[study]", "[study", "study.toml:2: "),
        ('name = "sleeper"', "", "study.toml:2: 'name' is missing in [study]"),
        (
            'application = "command"',
            'application = "comand"',
            "study.toml:8: there is no application 'comand'; did you mean 'command'?",
        ),
        (
            "arguments =",
            "argumants =",
            "study.toml:10: command takes no 'argumants'; did you mean 'arguments'?",
        ),
        ("answer (.*)", "answer (", "study.toml:11: figures: 'answer [s]' is not a regular expression"),
        ("answer (.*)", "answer", "must have one group, and has 0"),
        ('"answer [s]"', '"rating"', "study.toml:11: figures: 'rating' is a figure of the lab itself"),
        ("sleeper.sh", "sleepr.sh", "study.toml:9: there is no program 'sleepr.sh'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, old, new, says):
    rewrite(folder, old, new)
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 2
    assert says in words(done.stdout)
    assert done.stdout.count("\n") == 1
    assert not (folder / "sleeper.db").exists()


def test_combinations_and_obstacles(folder):
    path = rewrite(
        folder, "ranks = [1, 2]", 'ranks = [1, 2, 1000]\ndevice = ["default", "tcp"]\njobs = [1, 2]'
    )
    study = read_study(path)
    assert len(combinations(study)) == 12
    run, left = plan_cases(study, frozenset(), Local(study, folder).obstacle)
    assert StudyCase(ranks=1) in run
    why = {(o.case.ranks, o.case.device, o.case.jobs): o.why for o in left}
    assert why[1, "tcp", 1] == "one rank sends nothing"
    assert why[1, "default", 2].startswith("jobs side by side need their own cores")
    assert why[1000, "default", 1] == f"needs 1000 cores, and there are {os.cpu_count()}"


def test_cores_of_jobs_do_not_overlap():
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        pytest.skip("one core")
    for binding in ("packed", "scattered"):
        case = StudyCase(ranks=1, jobs=2, binding=binding)
        assert sorted(cores_of_job(case, 0) + cores_of_job(case, 1)) == cores[:2]
    with pytest.raises(StudyError, match="do not fit one to a socket"):
        cores_of_job(StudyCase(ranks=1, jobs=1000, binding="socket"), 0)


def test_runs_are_done_once(folder):
    first = crumple("study", "run", "study.toml", directory=folder)
    assert first.returncode == 0, first.stdout
    assert "[4/4] 2 ranks, repeat 2: done" in words(first.stdout)
    assert rows(
        folder / "sleeper.db", "SELECT ranks, repeat FROM run JOIN case_ ON case_.id = case_ ORDER BY run.id"
    ) == [
        (1, 0),
        (2, 0),
        (1, 1),
        (2, 1),
    ]
    assert rows(folder / "sleeper.db", "SELECT DISTINCT value FROM figure WHERE name = 'answer [s]'") == [
        (1.5,),
        (2.5,),
    ]
    again = crumple("study", "run", "study.toml", directory=folder)
    assert "0 of 4 runs are open" in words(again.stdout)
    assert rows(folder / "sleeper.db", "SELECT count(*) FROM run") == [(4,)]


def test_provenance(folder):
    crumple("study", "run", "study.toml", directory=folder)
    (text,) = {r[0] for r in rows(folder / "sleeper.db", "SELECT content FROM provenance")}
    import hashlib
    import json

    source = json.loads(text)
    assert source["executable"]["sha256"] == hashlib.sha256((folder / "sleeper.sh").read_bytes()).hexdigest()
    assert source["machine"]["cores"] == os.cpu_count()
    assert "Open MPI" in source["mpi"] or "OpenRTE" in source["mpi"]


def test_a_failed_run_is_kept_and_the_study_goes_on(folder):
    (folder / "sleeper.sh").write_text(
        "#!/bin/sh\nsleep 0.1\necho on $1\n[ $1 = 1 ] && exit 7\necho answer 1\n"
    )
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 1
    assert rows(
        folder / "sleeper.db",
        "SELECT ranks, state, count(*) FROM run JOIN case_ ON case_.id = case_ GROUP BY 1, 2",
    ) == [
        (1, "failed", 2),
        (2, "done", 2),
    ]
    status, log = rows(folder / "sleeper.db", "SELECT status, log FROM run WHERE state = 'failed'")[0]
    assert status == 7
    assert "on 1" in log
    # what has failed is done again, and replaces the failure
    (folder / "sleeper.sh").write_text("#!/bin/sh\nsleep 0.1\necho answer 1\n")
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    assert rows(folder / "sleeper.db", "SELECT state, count(*) FROM run GROUP BY 1") == [("done", 4)]


def test_missing_figure_fails_the_run(folder):
    (folder / "sleeper.sh").write_text("#!/bin/sh\nsleep 0.1\necho nothing\n")
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 1
    assert "'answer [s]' was not found" in rows(folder / "sleeper.db", "SELECT log FROM run")[0][0]


def alive(marker: str) -> list[str]:
    """Processes whose command line has a word."""
    found = subprocess.run(["pgrep", "-f", marker], capture_output=True, text=True, check=False)
    return found.stdout.split()


def test_time_limit_ends_all_ranks(folder):
    marker = f"27{os.getpid()}.5"
    (folder / "sleeper.sh").write_text(f"#!/bin/sh\ntrap '' TERM\nsleep {marker} &\nwait\nsleep {marker}\n")
    rewrite(folder, "time_limit = 20", "time_limit = 2")
    rewrite(folder, "repeats = 2", "repeats = 1")
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 1
    assert rows(folder / "sleeper.db", "SELECT DISTINCT state FROM run") == [("timeout",)]
    assert not alive(f"sleep {marker}")


def test_memory_is_the_programs_own(tmp_path):
    """Linux counts the starting process's memory for a small one; that is not said of it."""
    large = f"b = bytearray({int(own_memory()) + 200} << 20)"
    memory = []
    for command in (["true"], [sys.executable, "-I", "-S", "-c", large]):
        times = run_jobs([Job(command, tmp_path, dict(os.environ))], 60)
        assert times.statuses == [0]
        memory.append(times.memory)
    assert memory[0] is None
    assert 200 <= memory[1] - own_memory() < 240


def test_report_is_of_the_file_as_it_is(folder):
    """Runs of an earlier workload have the same axes: they would be a second curve of the same name."""
    rewrite(folder, "repeats = 2", "repeats = 1")
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    rewrite(folder, '"{ranks}"', '"{ranks}", "more"')
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    assert rows(folder / "sleeper.db", "SELECT count(*) FROM run") == [(4,)]
    m = read_measurements(folder / "sleeper.db")
    assert (len(m.runs), len(m.cases()), len(m.figures.run.unique()), m.earlier) == (2, 2, 2, 2)
    assert m.runs.command.str.endswith("more").all()
    assert "2 runs of an earlier version of the study file are left out." in reservations(m)


def test_a_program_that_has_changed_is_told(folder):
    rewrite(folder, "repeats = 2", "repeats = 1")
    first = crumple("study", "run", "study.toml", directory=folder)
    assert first.returncode == 0 and "note:" not in first.stdout
    script = folder / "sleeper.sh"
    script.write_text(script.read_text() + "# another\n")
    again = crumple("study", "run", "study.toml", "--dry-run", directory=folder)
    assert f"note: {script} has changed since runs were done" in again.stdout
    rewrite(folder, "ranks = [1, 2]", "ranks = [1, 2]\nthreads = [1, 2]")
    rewrite(folder, "time_limit = 20", "time_limit = 20\noversubscribe = true")
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    said = reservations(read_measurements(folder / "sleeper.db"))
    assert "sleeper.sh changed between runs: not all runs have the same content." in said


def test_interrupted_study_goes_on(folder):
    (folder / "sleeper.sh").write_text("#!/bin/sh\nsleep 1\necho answer 1\n")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "crumple", "study", "run", "study.toml"]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if (folder / "sleeper.db").exists():
            try:
                if rows(folder / "sleeper.db", "SELECT count(*) FROM run") != [(0,)]:
                    break
            except sqlite3.OperationalError:
                pass
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = rows(folder / "sleeper.db", "SELECT count(*) FROM run")[0][0]
    assert 1 <= before < 4
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    assert rows(
        folder / "sleeper.db", "SELECT count(*), count(DISTINCT case_ || '-' || repeat) FROM run"
    ) == [(4, 4)]


@pytest.mark.parametrize(
    "content",
    [b"not a database, but more than a hundred bytes of text" * 3, b"SQLite format 3\0" + bytes(200)],
)
def test_damaged_database_is_left_alone(folder, content):
    (folder / "sleeper.db").write_bytes(content)
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 2
    assert "is damaged, or no database of a study" in words(done.stdout)
    assert (folder / "sleeper.db").read_bytes() == content


def test_damaged_names_of_a_database_are_no_surprise(tmp_path):
    path = tmp_path / "names.db"
    Database(path).close()
    whole = path.read_bytes()
    damaged = whole.replace(b"tableprofileprofile", b"tablepro\xffileprofile").replace(
        b"CREATE TABLE profile", b"CREATE T\xffBLE profile"
    )
    assert damaged != whole
    path.write_bytes(damaged)
    with pytest.raises(StudyError, match="is damaged, or no database of a study"):
        Database(path)


def test_a_study_file_stands_for_its_database(folder, tmp_path_factory):
    """It is looked for here, and beside the file."""
    missing = crumple("study", "report", "study.toml", directory=folder)
    assert missing.returncode == 2 and "there is no database sleeper.db" in missing.stdout
    rewrite(folder, "repeats = 2", "repeats = 1")
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for where, file in ((folder, "study.toml"), (elsewhere, str(folder / "study.toml"))):
        assert crumple("study", "report", file, "-o", "page.md", directory=where).returncode == 0
        assert "# sleeper" in (where / "page.md").read_text()
        assert crumple("study", "export", file, "runs.csv", directory=where).returncode == 0
        assert len((where / "runs.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_a_study_in_which_nothing_can_run(folder, dry):
    rewrite(folder, "ranks = [1, 2]", "ranks = [1000]")
    done = crumple("study", "run", "study.toml", *dry, directory=folder)
    assert done.returncode == 2
    assert "left out: 1000 ranks: needs 1000 cores" in words(done.stdout)
    assert "error: study.toml: nothing can run: all cases are left out" in words(done.stdout)
    assert not (folder / "sleeper.db").exists()


@pytest.mark.parametrize("command", [["report"], ["export"]])
def test_reports_leave_what_is_no_database_alone(folder, command):
    for name, content in (("empty.db", b""), ("text.db", b"no database " * 50)):
        (folder / name).write_bytes(content)
        output = ["out.csv"] if command == ["export"] else []
        done = crumple("study", *command, name, *output, directory=folder)
        assert done.returncode == 2
        assert words(done.stdout).startswith(f"error: {name} is ")
        assert (folder / name).read_bytes() == content


def test_an_mpi_library_that_is_not_installed(folder, monkeypatch):
    rewrite(folder, "ranks = [1, 2]", 'mpi = ["mpich"]')
    (folder / "bin").mkdir()
    monkeypatch.setenv("PATH", str(folder / "bin"))
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 2
    assert words(done.stdout) == (
        "error: study.toml:14: the MPI library mpich is not installed: there is no mpirun.mpich"
    )
    assert not (folder / "sleeper.db").exists()


def test_names_from_outside_are_escaped_in_the_report(folder):
    """What a study file makes run is quoted as it was run, and is no HTML."""
    odd = "<script>alert(1)</script>"
    (folder / "sleeper.sh").rename(folder / "say<b>.sh")
    rewrite(folder, "sleeper.sh", "say<b>.sh")
    rewrite(folder, 'arguments = ["{ranks}"]', f'arguments = ["1", "{odd}"]')
    rewrite(folder, "[study]", f'[study]\ntitle = "{odd}"\nquestion = "{odd}"')
    rewrite(
        folder, "ranks = [1, 2]", 'directory = ["d<u>1"]\n[cost]\ncurrency = "<s>EUR</s>"\nnode_hour = 1.0'
    )
    rewrite(folder, "repeats = 2", "repeats = 1")
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 0
    assert crumple("study", "report", "sleeper.db", directory=folder).returncode == 0
    page = (folder / "sleeper.html").read_text()
    for raw in (odd, "<b>.sh", "<u>1", "<s>EUR"):
        assert raw not in page
    assert "&lt;b&gt;.sh" in page and "&lt;script&gt;alert(1)" in page


def test_another_programs_database_is_left_alone(folder):
    connection = sqlite3.connect(folder / "sleeper.db")
    connection.execute("CREATE TABLE run (x)")
    connection.close()
    before = (folder / "sleeper.db").read_bytes()
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 2
    assert (folder / "sleeper.db").read_bytes() == before


def test_dry_run_runs_nothing(folder):
    done = crumple("study", "run", "study.toml", "--dry-run", directory=folder)
    assert done.returncode == 0
    assert "4 of 4 runs are open: time unknown, at most 80 s" in words(done.stdout)
    assert not (folder / "sleeper.db").exists()


def test_solver_study_with_profiles(tmp_path):
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    (tmp_path / "study.toml").write_text(
        """
[study]
name = "sleeper"
repeats = 1
profile = true
[workload]
model = "three-vehicle"
elements = 4000
end_time = 0.1
[axes]
ranks = [1, 2]
precision = ["single", "double"]
[energy]
idle_watts = 100
peak_watts = 300
[cost]
node_hour = 3.6
"""
    )
    done = crumple("study", "run", "study.toml", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    assert rows(
        tmp_path / "sleeper.db", "SELECT count(*) FROM profile WHERE content LIKE '%MPI_Allreduce%'"
    ) == [(4,)]
    hashes = rows(
        tmp_path / "sleeper.db",
        "SELECT precision, count(DISTINCT value) FROM text JOIN run ON run.id = run"
        " JOIN case_ ON case_.id = case_ WHERE name = 'state hash' GROUP BY 1",
    )
    assert hashes == [("double", 1), ("single", 1)]
    elapsed, wh, label = rows(
        tmp_path / "sleeper.db",
        "SELECT elapsed, value, label FROM figure JOIN run ON run.id = run JOIN case_ ON case_.id = case_"
        " WHERE name = 'energy [Wh]' AND ranks = 1",
    )[0]
    watts = 100 + 200 / os.cpu_count()
    assert wh == pytest.approx(watts * elapsed / 3600)
    assert label == "modelled"
    cost = rows(
        tmp_path / "sleeper.db",
        "SELECT value, elapsed FROM figure JOIN run ON run.id = run WHERE name = 'cost [EUR]'",
    )
    assert all(value == pytest.approx(seconds * 0.001) for value, seconds in cost)
    assert rows(tmp_path / "sleeper.db", "SELECT count(DISTINCT name) FROM phase")[0][0] >= 5
