"""--version of both programs: one version, and the commit where they are of a checkout."""

import re
import subprocess
import tomllib
from pathlib import Path

from command_line import crumple as run_crumple

import crumple
from crumple.solver import solver_path
from crumple.version import revision, version_line

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r"(\S+) (\d+\.\d+\.\d+)( \(revision [0-9a-f]{12,}(-dirty)?\))?\n")


def test_both_programs_say_the_same_version(tmp_path):
    ours = run_crumple("--version", directory=tmp_path)
    solver = subprocess.run(
        [solver_path(), "--version"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for program, said in (("crumple", ours.stdout), ("crumple-solver", solver.stdout)):
        found = LINE.fullmatch(said)
        assert found, said
        assert found[1] == program
        assert found[2] == crumple.__version__
        assert bool(found[3]) == (ROOT / ".git").exists()


def test_version_stands_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" not in project["project"]
    assert project["tool"]["scikit-build"]["metadata"]["version"]["input"] == "crumple/__init__.py"
    for source in ("CMakeLists.txt", "solver/control/run.cpp"):
        assert crumple.__version__ not in (ROOT / source).read_text()


def git(folder: Path, *words: str) -> str:
    """What git says of a folder."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(["git", "-C", folder, *who, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_revision_is_that_of_the_checkout(tmp_path, monkeypatch):
    """Not of a checkout around it, nor of the one that a hook's environment names."""
    git(tmp_path, "init", "-q")
    (tmp_path / "file").write_text("1")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-qm", "first")
    git(tmp_path, "tag", "v9")
    commit = git(tmp_path, "rev-parse", "--short=12", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    assert revision(tmp_path) == commit
    (tmp_path / "file").write_text("2")
    assert revision(tmp_path) == f"{commit}-dirty"
    (tmp_path / "unpacked").mkdir()
    assert revision(tmp_path / "unpacked") == ""


def test_version_without_git(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert version_line("crumple") == f"crumple {crumple.__version__}"
