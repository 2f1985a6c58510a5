"""Nothing in the folder where one stands is imported or run: every command, in a folder of traps."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import crumple
from small_decks import block

from crumple.current_folder import absolute_entries, keep_out_current_folder
from crumple.lab.simulate.simulator_program import HEADER
from crumple.solver import solver_path

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "benchmarks" / "clusters" / "5160-infiniband-sdr.toml"

MODULES = (
    "crumple click json matplotlib multiprocessing numpy pandas pathlib pickle pip plotly psutil pydantic "
    "pyvista random re rich shutil sitecustomize socket struct subprocess tempfile tomllib typer typing "
    "usercustomize vtk"
).split()
PROGRAMS = (
    "as awk bash c++ cc cpp crumple-solver dirname env ffmpeg g++ gcc git hydra_pmi_proxy ld ldd make mpicc "
    "mpicc.mpich mpicc.openmpi mpirun mpirun.mpich mpirun.openmpi orted python python3 readlink sed sh "
    "taskset uname"
).split()
STUDY = """
[study]
name = "traps"
repeats = 1
time_limit = 60

[workload]
application = "command"
program = "true"

[axes]
ranks = [1]
"""


@pytest.fixture(scope="module")
def traps(tmp_path_factory) -> Path:
    """A folder of somebody's results in which all that can be run leaves its name in `ran`."""
    folder = tmp_path_factory.mktemp("traps")
    for name in MODULES:
        package = folder / name
        package.mkdir()
        trap = f"open({str(folder / 'ran')!r}, 'a').write('{name}.py\\n')\n"
        (package / "__init__.py").write_text(trap)
        (package / "__main__.py").write_text(trap)
    for name in PROGRAMS:
        program = folder / name
        program.write_text(f"#!{shutil.which('sh')}\necho {name} >>'{folder / 'ran'}'\nexit 1\n")
        program.chmod(0o755)
    for name in ("Makefile", "GNUmakefile"):
        (folder / name).write_text(f"$(shell echo {name} >>'{folder / 'ran'}')\nall:\n")
    for name in ("libmpi.so.40", "libopen-rte.so.40", "libmpich.so.12", "libcrumple-profiler.so"):
        (folder / name).write_bytes(b"not a library")
    (folder / "matplotlibrc").write_bytes(b"\xff\xfe no text\n")
    (folder / "pip.conf").write_text("[no section\n")
    (folder / "deck.k").write_text(block(0.02, 0.01))
    (folder / "study.toml").write_text(STUDY)
    return folder


def bin_crumple(folder: Path) -> Path:
    """What `make build` makes, beside links to this checkout."""
    (folder / "bin").mkdir(exist_ok=True)
    (folder / ".venv" / "bin").mkdir(parents=True, exist_ok=True)
    command = folder / "bin" / "crumple"
    if not command.exists():
        shutil.copy(ROOT / "install" / "crumple.sh", command)
        command.chmod(0o755)
        (folder / "crumple").symlink_to(ROOT / "crumple")
        (folder / ".venv" / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (folder / ".venv" / "bin" / "python").chmod(0o755)
    return command


@pytest.fixture(scope="module")
def command(tmp_path_factory) -> Path:
    """The command as users start it."""
    return bin_crumple(tmp_path_factory.mktemp("checkout"))


SIMULATES = pytest.mark.skipif(not HEADER.exists(), reason="SimGrid is not installed")
SOLVER = str(solver_path())
#: in this order: later ones read what earlier ones wrote
COMMANDS = [
    "--help",
    "--version",
    "check deck.k",
    "run deck.k -n 2 -d out",
    "decompose deck.k -n 2 -d shares",
    "model neon --elements 4000 -o neon.k",
    "view out -o view.png",
    "view out -o film.gif",
    "report out",
    f"profile -n 2 -- {SOLVER} i=deck.k --directory profiled",
    "profile show profile.json",
    "study run study.toml",
    "study report traps.db",
    "study report traps.db -o traps.md",
    "study export traps.db traps.csv",
    pytest.param("tune --quick -o costs.json", marks=pytest.mark.slow),
    "calibrate --quick --only memory,kernel",
    "catalogue list",
    f"catalogue check {CLUSTER}",
    "trace deck.k -n 2 --cycles 2:4",
    "trace show trace",
    pytest.param(f"simulate trace --cluster {CLUSTER} --report page.html", marks=SIMULATES),
    pytest.param(
        f"advise deck.k --cluster {CLUSTER} --cycles 2:4 --most-ranks 2 --decomposition rcb --simulate 1",
        marks=[SIMULATES, pytest.mark.slow],
    ),
]


@pytest.mark.parametrize("words", COMMANDS)
def test_no_trap_is_run(traps, command, words):
    env = os.environ | {
        "PATH": f".:{os.environ['PATH']}:",
        "PYTHONPATH": f":.:{traps.name}",
        "LD_LIBRARY_PATH": ":.",
        "CRUMPLE_CACHE": str(traps / "cache"),
        "OMP_WAIT_POLICY": "passive",
    }
    if not words.startswith("tune"):  # which starts the solver forty times, as others do once
        env.pop("OMPI_MCA_pml", None)  # of the tests: users have all that Open MPI looks for
    line = [command, *words.split()]
    done = subprocess.run(line, cwd=traps, env=env, capture_output=True, text=True, timeout=300, check=False)
    ran = traps / "ran"
    assert not ran.exists(), ran.read_text()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "matplotlibrc" not in done.stderr


@pytest.mark.parametrize("words", [["fetch", "camry"], ["demo", "--elements", "10"]])
def test_no_trap_is_run_where_a_command_ends_with_an_error(traps, command, words):
    """Without a network pip finds nothing; so few elements are refused."""
    env = os.environ | {"PIP_NO_INDEX": "1", "PATH": f".:{os.environ['PATH']}", "PYTHONPATH": ":."}
    done = subprocess.run(
        [command, *words], cwd=traps, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert not (traps / "ran").exists(), (traps / "ran").read_text()
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_another_checkout_is_not_run(tmp_path, command):
    """Standing in one checkout, the command of another is that of the other, with its own solver."""
    (tmp_path / "crumple").mkdir()
    (tmp_path / "crumple" / "__init__.py").write_text("raise SystemExit('the wrong checkout')")
    (tmp_path / "deck.k").write_text(block(0.02, 0.01))
    line = [command, "check", "deck.k"]
    env = {name: value for name, value in os.environ.items() if name != "CRUMPLE_SOLVER"}
    done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_module_started_by_hand_takes_no_other_module_from_here(traps, tmp_path):
    """`python -m crumple` finds the package by PYTHONPATH; what it imports then is not of the folder."""
    (tmp_path / "json.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    assert crumple("model", "neon", "--elements", "4000", directory=tmp_path).returncode == 0
    assert not (tmp_path / "ran").exists()


def test_programs_that_are_run_see_the_users_python_path(tmp_path, command):
    """Somebody's Python program under MPI needs it as it is."""
    (tmp_path / "study.toml").write_text(STUDY.replace('"true"', '"show.sh"').replace("[1]", "[2]"))
    (tmp_path / "show.sh").write_text(f'#!/bin/sh\nsleep 0.1\necho "$PYTHONPATH" >>"{tmp_path}/seen"\n')
    (tmp_path / "show.sh").chmod(0o755)
    env = os.environ | {"PYTHONPATH": "mine:theirs"}
    line = [command, "study", "run", "study.toml"]
    done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "seen").read_text().split() == ["mine:theirs"] * 2


def test_commands_that_start_mpi_refuse_to_beside_settings_of_ucx(tmp_path):
    """UCX reads ucx.conf of the current folder, and would load libraries that it names."""
    (tmp_path / "ucx.conf").write_text("UCX_MODULE_DIR=.\n")
    (tmp_path / "deck.k").write_text(block(0.02, 0.01))
    for words in ("run deck.k", "check deck.k", "profile -n 2 -- true", "calibrate --quick"):
        done = crumple(*words.split(), directory=tmp_path)
        assert done.returncode == 2
        assert "ucx.conf of the current folder" in " ".join(done.stdout.split())
    assert crumple("model", "neon", "--elements", "4000", directory=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("entries", "kept"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin"),
        (":/usr/bin::.:bin:../x:/bin:", "/usr/bin:/bin"),
        (".", ""),
        ("", ""),
    ],
)
def test_only_whole_paths_are_kept(entries, kept, monkeypatch):
    assert absolute_entries(entries) == kept
    assert absolute_entries(entries.replace(":", ";"), ":;") == kept
    monkeypatch.setenv("LD_LIBRARY_PATH", entries)
    monkeypatch.setenv("PATH", entries)
    keep_out_current_folder()
    assert os.environ.get("LD_LIBRARY_PATH", "") == os.environ.get("PATH", "") == kept
