"""`cmake --install`: what it writes, and that it runs where nothing may be written."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_decks import block

import crumple
from crumple.solver import solver_path

ROOT = Path(__file__).resolve().parents[2]
#: Runs the rest of the line where a folder is mounted read-only, for root too.
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


@pytest.fixture(scope="module")
def prefix(tmp_path_factory) -> Path:
    """This checkout and the solver under test installed, with the Python packages of the tests."""
    scratch = tmp_path_factory.mktemp("install")
    solver = scratch / "crumple-solver"
    shutil.copy(solver_path(), solver)
    built = f"-DCRUMPLE_BUILT_SOLVERS={solver}"
    for line in (
        ["cmake", "-S", ROOT, "-B", scratch / "build", "-G", "Ninja", built, "-DCMAKE_SKIP_INSTALL_RPATH=ON"],
        ["cmake", "--install", scratch / "build", "--prefix", scratch / "prefix"],
    ):
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    (scratch / "prefix" / "lib" / "crumple" / ".venv").symlink_to(sys.prefix)
    return scratch / "prefix"


def files(folder: Path) -> dict[str, int]:
    """The files below a folder, without the Python packages, and when they were written."""
    return {
        str(path.relative_to(folder)): path.lstat().st_mtime_ns
        for path in folder.rglob("*")
        if ".venv" not in path.parts
    }


@pytest.fixture
def installed(prefix, tmp_path):
    """Runs a program of the installation in a folder of its own, with the installation read-only."""
    if os.getuid() == 0:
        before = ["unshare", "-m", "sh", "-c", READ_ONLY, str(prefix)]
    else:
        before = []
        subprocess.run(["chmod", "-R", "a-w", str(prefix)], check=True)
    cache = tmp_path / "cache"
    env = {name: value for name, value in os.environ.items() if name != "CRUMPLE_SOLVER"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        line = [*before, str(prefix / "bin" / words[0]), *words[1:]]
        return subprocess.run(
            line,
            cwd=tmp_path,
            env=env | {"XDG_CACHE_HOME": str(cache), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


def test_folders(prefix):
    written = set(files(prefix))
    package = "lib/crumple/crumple"
    for path in (
        "bin/crumple",
        "bin/crumple-solver",
        f"{package}/cli.py",
        f"{package}/report/page.css",
        f"{package}/lab/catalogue/cpus.toml",
        f"{package}/lab/study/world/world_size.c",
        f"{package}/share/profiler/generate.py",
        f"{package}/share/simulator/Makefile",
        f"{package}/share/calibrate/main.c",
        f"{package}/share/benchmarks/clusters/e5-2680-gige.toml",
        f"{package}/share/benchmarks/published/programs/ls-dyna-971.toml",
        f"share/modulefiles/crumple/{crumple.__version__}",
        "share/doc/crumple/LICENSE",
        "share/bash-completion/completions/crumple",
        "share/fish/vendor_completions.d/crumple.fish",
        "share/zsh/site-functions/_crumple",
    ):
        assert path in written, path
    assert {path.split("/")[0] for path in written} == {"bin", "lib", "share"}
    assert not [path for path in written if "__pycache__" in path or "/tests/" in path]
    link = prefix / package / "bin" / "crumple-solver"
    assert link.resolve() == (prefix / "bin" / "crumple-solver").resolve()
    assert "/" not in (prefix / package / "share" / "revision").read_text()


def test_completion_of_zsh_is_in_debians_folder_in_usr(tmp_path):
    solver = f"-DCRUMPLE_BUILT_SOLVERS={solver_path()}"
    for line in (
        ["cmake", "-S", ROOT, "-B", tmp_path / "build", "-G", "Ninja", solver, "-DCMAKE_INSTALL_PREFIX=/usr"],
        ["cmake", "--install", tmp_path / "build", "--component", "lab"],
    ):
        environment = os.environ | {"DESTDIR": str(tmp_path / "package")}
        done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "package" / "usr" / "share" / "zsh" / "vendor-completions" / "_crumple").is_file()


def test_a_solver_that_was_built_before_is_found_where_libraries_are(prefix):
    listed = subprocess.run(
        ["readelf", "-d", prefix / "bin" / "crumple-solver"], capture_output=True, text=True, check=True
    )
    assert "libmpi" in listed.stdout
    assert "RUNPATH" not in listed.stdout


def test_a_run_from_a_read_only_installation(prefix, installed, tmp_path):
    before = files(prefix)
    (tmp_path / "deck.k").write_text(block(0.02, 0.01))
    ran = installed("crumple", "run", "deck.k", "-n", "2", "-d", "out")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    alone = installed("crumple-solver", "i=deck.k", "-d", "alone")
    hashes = [re.search(r"state hash: (\w+)", text)[1] for text in (ran.stdout, alone.stdout)]
    assert hashes[0] == hashes[1]
    assert files(prefix) == before


def test_what_commands_build_is_in_the_users_cache(prefix, installed, tmp_path):
    before = files(prefix)
    (tmp_path / "deck.k").write_text(block(0.02, 0.01))
    solver = str(prefix / "bin" / "crumple-solver")
    done = installed("crumple", "profile", "-n", "2", "--", solver, "i=deck.k", "--directory", "out")
    assert done.returncode == 0, done.stdout + done.stderr
    built = list((tmp_path / "cache" / "crumple" / "build" / "profiler").glob("*/libcrumple-profiler.so"))
    assert len(built) == 1
    assert files(prefix) == before


def test_the_installed_command_tells_the_commit_of_the_checkout(prefix, installed):
    """Without .git beside it."""
    said = installed("crumple", "--version").stdout
    revision = (prefix / "lib" / "crumple" / "crumple" / "share" / "revision").read_text().strip()
    assert said == f"crumple {crumple.__version__}" + (f" (revision {revision})" if revision else "") + "\n"


@pytest.mark.skipif(not shutil.which("tclsh"), reason="tclsh is not installed")
def test_the_module_file_sets_the_path(prefix):
    """Read by Tcl with the commands that Environment Modules give it."""
    module = prefix / "share" / "modulefiles" / "crumple" / crumple.__version__
    script = """
        proc module-whatis {text} {}
        proc conflict {name} {}
        proc setenv {name value} {puts "$name=$value"}
        proc prepend-path {name value} {puts "$name+=$value"}
        set ModulesCurrentModulefile [lindex $argv 0]
        source $ModulesCurrentModulefile
    """
    done = subprocess.run(
        ["tclsh", "/dev/stdin", str(module)], input=script, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [f"PATH+={prefix}/bin", f"CRUMPLE_ROOT={prefix}"]


def test_uninstall_leaves_only_what_others_have_put_there(prefix, tmp_path):
    copy = tmp_path / "prefix"
    shutil.copytree(prefix, copy, symlinks=True)
    for other in ("bin/other", "lib/other/file", "share/doc/other/README"):
        (copy / other).parent.mkdir(parents=True, exist_ok=True)
        (copy / other).touch()
    done = subprocess.run(
        ["make", "uninstall", f"PREFIX={copy}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    left = {str(path.relative_to(copy)) for path in copy.rglob("*") if not path.is_dir()}
    assert left == {"bin/other", "lib/other/file", "share/doc/other/README"}
