"""A full disk: its message and exit status 4, no traceback, and no half of a file."""

import errno
import json
import os
import subprocess
from pathlib import Path

import pytest
from command_line import crumple
from small_decks import block
from typer.testing import CliRunner

from crumple import cli
from crumple.lab.applications.case import StudyError
from crumple.lab.study import database
from crumple.results import run_record
from crumple.whole_file import write_whole


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(line, capture_output=True, check=False).returncode:
        pytest.skip("a disk of a given size can be mounted by root only")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("ranks", [1, 2])
def test_run_on_a_full_disk(ranks, small_disk, tmp_path):
    (tmp_path / "deck.k").write_text(block(20.0, 0.02))
    done = crumple("run", "deck.k", "-n", str(ranks), "-d", str(small_disk), directory=tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode == 4, said
    assert "CR-O10" in said
    assert "No space left" in said
    assert "Traceback" not in said
    record = small_disk / "run.json"
    assert not record.exists() or json.loads(record.read_text())["status"] == 4
    assert [path.name for path in small_disk.iterdir() if path.name.startswith(".")] == []


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "run.json")


@pytest.mark.parametrize(("status", "shown"), [(0, 4), (3, 3)])
def test_record_that_cannot_be_written(status, shown, tmp_path, monkeypatch):
    """A run that went well but left no record has failed as well; one that did not keeps its status."""
    monkeypatch.setattr(cli.solver, "run", lambda *_, **__: cli.solver.SolverEnd(status))
    monkeypatch.setattr("crumple.restart.run_command.write_record", full)
    result = CliRunner().invoke(cli.app, ["run", "deck.k", "-d", str(tmp_path)])
    assert result.exit_code == shown
    assert "CR-O107" in result.output
    assert "No space left" in result.output


def test_any_command_on_a_full_disk(monkeypatch, tmp_path):
    monkeypatch.setattr("crumple.models.write_model", full)
    result = CliRunner().invoke(cli.app, ["model", "neon", "-o", str(tmp_path / "neon.k")])
    assert result.exit_code == 4
    assert "No space left" in result.output


def test_old_file_stays_where_the_new_one_fails(tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    write_whole(path, "old")
    path.chmod(0o640)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_link_and_pipe(tmp_path):
    """A link stays one, and what is no file is written to as it is."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    write_whole(Path(os.devnull), "away")
    assert not Path(os.devnull).is_file()


def test_record_is_whole_or_not_there(tmp_path, monkeypatch):
    (tmp_path / "d3hsp").write_text("log")
    monkeypatch.setattr("crumple.whole_file.os.fsync", full)
    record = run_record.RunRecord(deck="d", ranks=1, threads=1, precision="double", decomposition="rcb")
    with pytest.raises(OSError, match="No space left"):
        run_record.write_record(record, tmp_path, 0.0)
    assert not (tmp_path / "run.json").exists()


def test_study_killed_while_its_database_is_made(tmp_path, monkeypatch):
    """What is left has nothing in it, and the next study fills it."""
    path = tmp_path / "study.db"
    monkeypatch.setattr(database, "VERSION", "stopped here(")
    with pytest.raises(StudyError):
        database.Database(path)
    monkeypatch.undo()
    database.Database(path).close()
    database.Database(path).close()
