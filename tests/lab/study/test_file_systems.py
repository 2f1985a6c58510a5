"""The axis file_system: made, used and taken down; or not possible, with a reason; nothing is left."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import crumple
from study_database import rows

from crumple.lab.study.cases import case_key, combinations
from crumple.lab.study.database import Database
from crumple.lab.study.file_system import MADE
from crumple.lab.study.file_system.mounted_on import file_system_of
from crumple.lab.study.study_file import StudyFile

ROOT = Path(__file__).resolve().parents[3]
TYPES = {"tmpfs": "tmpfs", "ext4": "ext4", "glusterfs": "fuse.glusterfs"}

STUDY = """
[study]
name = "s"
repeats = 1
time_limit = 60
[workload]
application = "command"
program = "say.sh"
figures = { "type" = "hex (.*)" }
[axes]
file_system = ["local"]
"""
SOLVER = """
[study]
name = "s"
repeats = 1
time_limit = 60
profile = true
[workload]
model = "neon"
elements = 2000
end_time = 0.5
dump_cycles = 30
dump_layout = "shared"
[axes]
ranks = [2]
file_system = ["tmpfs"]
"""
SAY = '#!/bin/sh\nsleep 0.1\necho hex 1; stat --file-system --format %T . >"$HOME/type"\n'
KEY = "59b5d753d78ec390"  #: of a case, before the axis existed
SLEEP = '#!/bin/sh\ntouch "$HOME/runs"\nsleep 60.5\n'


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A study of a script that says on which type of file system it runs; all is made in this folder."""
    (tmp_path / "study.toml").write_text(STUDY)
    program(tmp_path, SAY)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return tmp_path


def program(folder: Path, text: str, name: str = "say.sh") -> None:
    """Write a script."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def asks(folder: Path, *names: str) -> None:
    """Give the axis these values."""
    (folder / "study.toml").write_text(STUDY.replace('["local"]', json.dumps(list(names))))


def left(folder: Path) -> list[str]:
    """What a study has left: files (not Open MPI's), mounts in any namespace, loop devices, processes."""
    found = [str(path) for path in (folder / "tmp").iterdir() if not path.name.startswith("ompi.")]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            mounts = (process / "mountinfo").read_text()
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if f"{folder}/" in mounts or (f"{folder}/" in command and process.name != str(os.getpid())):
            found.append(f"{process.name}: {command}")
    devices = subprocess.run(["losetup", "--all"], capture_output=True, text=True, check=False)
    return found + [line for line in devices.stdout.splitlines() if str(folder) in line]


def nothing_left(folder: Path, patience: float = 15.0) -> list[str]:
    """What is left after some time; it should be nothing."""
    end = time.monotonic() + patience
    while (found := left(folder)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


@pytest.fixture(params=list(TYPES))
def made(request) -> str:
    """Each file system that can be made here."""
    if why := MADE[request.param].obstacle():
        pytest.skip(why)
    return request.param


def test_a_run_in_a_file_system_that_is_made(folder, made):
    asks(folder, made)
    text = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(text.replace("repeats = 1", "repeats = 2"))
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 0, done.stdout
    assert rows(folder / "s.db", "SELECT count(*) FROM run WHERE state = 'done'") == [(2,)]
    ((content, name),) = rows(
        folder / "s.db",
        "SELECT DISTINCT content, file_system FROM run JOIN case_ ON case_.id = case_"
        " JOIN provenance ON provenance.id = provenance LIMIT 1",
    )
    source = json.loads(content)["file_system"]
    assert name == made and source["type"] == TYPES[made]
    assert source["options"].startswith("rw") and source["device"]
    said = (folder / "type").read_text().strip()
    assert said == {"ext4": "ext2/ext3", "glusterfs": "fuseblk"}.get(made, made)
    assert nothing_left(folder) == []


def test_dumps_of_the_solver_go_there(folder):
    """With an I/O profile, in which the dumps are."""
    if why := MADE["tmpfs"].obstacle():
        pytest.skip(why)
    (folder / "study.toml").write_text(SOLVER)
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 0, done.stdout
    assert rows(folder / "s.db", "SELECT state FROM run") == [("done",)]
    figures = dict(rows(folder / "s.db", "SELECT name, value FROM figure"))
    assert figures["dumps"] == 3 and figures["dumped [MB]"] > 0.5 and figures["dumping [s]"] >= 0
    ((text,),) = rows(folder / "s.db", "SELECT content FROM profile")
    files = [file["path"] for rank in json.loads(text)["ranks"] for file in rank["io"]["files"]]
    assert any("/runrsf" in path and path.endswith(".all") for path in files), files
    assert nothing_left(folder) == []


def test_paths_and_the_usual_place(folder):
    (folder / "mine").mkdir()
    asks(folder, "local", str(folder / "mine"), str(folder / "missing"))
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 0, done.stdout
    assert f"there is no folder {folder}/missing" in done.stdout.replace("\n", "")
    assert not (folder / "missing").exists()
    under = file_system_of(folder / "mine")
    assert under["type"]
    contents = rows(folder / "s.db", "SELECT content FROM provenance")
    assert [json.loads(text)["file_system"] for (text,) in contents] == [under]
    assert nothing_left(folder) == [] and not any((folder / "mine").iterdir())


def test_names_that_are_wrong(folder):
    asks(folder, "local", "ext5")
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 2
    assert done.stdout == "error: study.toml:11: there is no file system 'ext5'; did you mean 'ext4'?\n"


def test_directory_and_file_system_at_once(folder):
    with (folder / "study.toml").open("a") as file:
        file.write(f'directory = ["{folder}/tmp"]\n')
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 2
    assert "directory and file_system both name the place" in done.stdout


def test_without_the_right_to_mount_the_reason_is_told(folder):
    """As in a container, or as another user: the reason is told, and the rest runs."""
    without = ["setpriv", "--bounding-set=-sys_admin"] if os.geteuid() == 0 else []
    asks(folder, "local", *TYPES)
    done = subprocess.run(
        [*without, sys.executable, "-m", "crumple", "study", "run", "study.toml"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "left out: tmpfs: tmpfs cannot be mounted: unshare: unshare failed" in done.stdout
    assert "left out: ext4: ext4 cannot be made: " in done.stdout
    assert "left out: glusterfs: " in done.stdout
    assert "[1/1] local, repeat 1: done" in done.stdout


def test_what_is_not_installed_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert MADE["glusterfs"].obstacle().startswith("GlusterFS is not installed: make glusterfs")


def test_daemons_that_fail(folder, monkeypatch):
    """A daemon that ends at once: its run fails with the reason, and the study goes on."""
    if MADE["tmpfs"].obstacle():
        pytest.skip("only root may mount")
    program(folder / "bin", "#!/bin/sh\nshift 6\necho no port is free >$1\nexit 1\n", "glusterd")
    program(folder / "bin", "#!/bin/sh\nexit 1\n", "gluster")
    program(folder / "bin", "#!/bin/sh\nexit 1\n", "glusterfs")
    monkeypatch.setenv("PATH", f"{folder}/bin:{os.environ['PATH']}")
    asks(folder, "glusterfs", "tmpfs")
    done = crumple("study", "run", "study.toml", directory=folder)
    assert done.returncode == 1
    assert "its file system could not be made: glusterd ended: no port is free" in done.stdout
    found = rows(
        folder / "s.db", "SELECT file_system, state FROM run JOIN case_ ON case_.id = case_ ORDER BY run.id"
    )
    assert found == [("glusterfs", "failed"), ("tmpfs", "done")]
    assert nothing_left(folder) == []


def test_a_run_that_fails_leaves_nothing(folder):
    if why := MADE["ext4"].obstacle():
        pytest.skip(why)
    program(folder, "#!/bin/sh\nsleep 0.1\nyes | head -c 3000000 >much\nexit 3\n")
    asks(folder, "ext4")
    assert crumple("study", "run", "study.toml", directory=folder).returncode == 1
    assert rows(folder / "s.db", "SELECT state, status FROM run") == [("failed", 3)]
    assert nothing_left(folder) == []


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("tmpfs", signal.SIGTERM),
        ("ext4", signal.SIGKILL),
        ("glusterfs", signal.SIGKILL),
    ],
)
def test_a_killed_study_leaves_nothing(folder, name, number):
    if why := MADE[name].obstacle():
        pytest.skip(why)
    program(folder, SLEEP)
    asks(folder, name)
    process = subprocess.Popen(
        [sys.executable, "-m", "crumple", "study", "run", "study.toml"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 60
    while not (folder / "runs").exists():
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.05)
    assert left(folder)
    process.send_signal(number)
    assert process.wait(timeout=30) in (130, -signal.SIGKILL)
    assert nothing_left(folder) == []


def test_keys_and_databases_of_before(tmp_path):
    """Runs of databases that do not know the axis still count."""
    tables = {"study": {"name": "s"}, "workload": {"application": "command"}, "axes": {"ranks": [2]}}
    study = StudyFile.model_validate(tables)
    (case,) = combinations(study)
    assert case_key(case, study) == KEY
    path = tmp_path / "s.db"
    Database(path).close()
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("ALTER TABLE case_ DROP COLUMN file_system")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    opened = Database(path)
    assert opened.case(KEY, case) == 1
    opened.close()
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT ranks, file_system FROM case_").fetchall() == [(2, "")]
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    connection.close()


def test_mounts_of_a_table(tmp_path, monkeypatch):
    """The innermost mount counts, and of two on one folder the later one; names have escaped spaces."""
    table = tmp_path / "mountinfo"
    table.write_text(
        "20 1 8:1 / / rw,relatime - ext4 /dev/root rw,errors=remount-ro\n"
        f"21 20 0:9 / {tmp_path}/a\\040b rw,noatime - tmpfs first rw\n"
        f"22 21 0:9 / {tmp_path}/a\\040b rw,noatime master:3 - fuse.glusterfs host:results rw,user_id=0\n"
        f"23 20 0:9 / {tmp_path}/a ro - tmpfs other rw\n"
    )
    monkeypatch.setattr("crumple.lab.study.file_system.mounted_on.MOUNTS", table)
    found = file_system_of(tmp_path / "a b" / "run")
    assert found == {
        "type": "fuse.glusterfs",
        "options": "rw,noatime,user_id=0",
        "device": "host:results",
    }
    assert file_system_of(tmp_path)["device"] == "/dev/root"
