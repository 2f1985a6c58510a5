"""`crumple calibrate` with the real MPI libraries and the real solver, a few repetitions of each."""

import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from command_line import crumple
from rich.console import Console

from crumple.lab.calibrate import kernel, network, storage, turns
from crumple.lab.calibrate import this_machine as machine
from crumple.lab.calibrate.micro_benchmarks import (
    Library,
    MeasuringEffort,
    launchers,
    library,
    measured,
    on_hosts,
)
from crumple.lab.calibrate.show_platform import show
from crumple.lab.calibrate.this_machine import cores, describe, kind_of, pairs
from crumple.lab.catalogue.platform import figures_of
from crumple.lab.catalogue.platform_file import (
    CalibrationError,
    Kernel,
    MeasuredCollective,
    Memory,
    Platform,
    read_platform,
    summarized,
    write_platform,
)

SHORT = MeasuringEffort(2, 0.002)


@pytest.fixture(params=["openmpi", "mpich"])
def which(request) -> Library:
    """Each MPI library of this machine, with the program built for it."""
    if not (found := shutil.which(f"mpirun.{request.param}")):
        pytest.skip(f"mpirun.{request.param} is not installed")
    return library(Path(found))


@pytest.fixture
def platform() -> Platform:
    """Of this machine, with nothing measured yet."""
    return Platform(machine=describe(quick=True))


@pytest.mark.skipif(len(cores()) < 2, reason="one core only")
def test_pairs(which, platform):
    network.measure_pairs(platform, which, SHORT, 512, [])
    kinds = pairs(cores())
    assert [link.pair for link in platform.link] == list(kinds)
    assert [row.size for row in platform.point_to_point] == [1, 8, 64, 512] * len(kinds)
    for row in platform.point_to_point:
        assert 1e-8 < row.low <= row.median <= row.high
        assert row.samples == 2
        assert row.mpi.split()[0] in ("Open", "MPICH")
    link, last = platform.link[0], platform.point_to_point[3]
    assert link.latency == platform.point_to_point[0].median
    assert link.bandwidth == pytest.approx(512 / last.median)
    assert link.message_rate > 1.0


@pytest.mark.skipif(len(cores()) < 2, reason="one core only")
def test_collectives(which, platform):
    network.measure_collectives(platform, which, SHORT, 128)
    found = {(row.operation, row.ranks, row.size) for row in platform.collective}
    assert found >= {("allreduce", 2, 8), ("allreduce", 2, 128), ("bcast", 2, 8), ("bcast", 2, 128)}
    assert all(row.median > 0 for row in platform.collective)


def test_turns_of_ranks_that_share_cores(platform, tmp_path):
    """Beyond the work a wait takes something, and more where ranks share a core; a cluster file takes it."""
    turns.measure_turns(platform, library(launchers([])[0]), MeasuringEffort(3, 0.01))
    found = {(row.wait, row.ranks_per_core, row.work): row for row in platform.turns}
    waits, works = ("neighbours", "all"), (1e-5, 1e-4, 1e-3)
    assert set(found) == {(wait, each, work) for wait in waits for each in (1, 2) for work in works}
    assert found["all", 1, 1e-5].low > 0.0
    kernels = {"busy_cores": 1, "precision": "double", "elements": 1}
    platform.kernel.append(Kernel(**kernels, **summarized([1e7], [1.0])))
    write_platform(platform, tmp_path / "p.toml")
    node, _ = figures_of(tmp_path / "p.toml")
    for key, wait in {"turn_messages": "neighbours", "turn_collectives": "all"}.items():
        for work, seconds in node[key]["value"]:
            more = found[wait, 2, work].low - found[wait, 1, work].low
            assert seconds == pytest.approx(max(0.0, more))


def test_memory_of_one_to_all_cores(platform):
    storage.measure_memory(platform, library(launchers([])[0]), SHORT, 1 << 22)
    assert [row.cores for row in platform.memory] == network.counts(len(cores()))
    assert all(1e6 < row.median < 1e13 for row in platform.memory)


def test_files_are_written_read_and_removed(which, platform, tmp_path):
    storage.measure_files(platform, which, SHORT, 2 << 20, [tmp_path])
    ways = {(row.access, row.direction) for row in platform.files}
    assert ways == {(a, d) for a in ("shared file", "file per rank") for d in ("write", "read")}
    assert all(row.directory == str(tmp_path) and row.median > 0 for row in platform.files)
    assert platform.files[0].file_system != "unknown"
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(platform, tmp_path):
    with pytest.raises(CalibrationError, match="No such file"):
        storage.measure_files(platform, library(launchers([])[0]), SHORT, 1 << 20, [tmp_path / "none"])


def test_kernel_of_the_solver(platform):
    kernel.measure_kernel(platform, 1, 3200, 60, ("double",))
    assert [row.busy_cores for row in platform.kernel] == network.counts(len(cores()))
    assert platform.kernel[-1].samples == len(cores())
    assert all(1e3 < row.low < 1e9 for row in platform.kernel)


def test_work_of_others_is_flagged(platform):
    """Three processes that never wait share the core with the measurement."""
    spin = ["taskset", "-c", str(cores()[0]), sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spin) for _ in range(3)]
    try:
        storage.measure_memory(platform, library(launchers([])[0]), MeasuringEffort(2, 0.3), 1 << 20)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert platform.memory[0].contended
    assert platform.memory[0].cpu_share < 0.9


def test_summary_of_samples():
    assert summarized([3.0, 1.0, 2.0], [0.99, 0.95]) == {
        "median": 2.0,
        "low": 1.0,
        "high": 3.0,
        "samples": 3,
        "cpu_share": 0.95,
        "contended": False,
    }
    assert not summarized([1.0], [0.1], needs_core=False)["contended"]


def test_platform_file_is_read_back(platform, tmp_path):
    platform.memory.append(Memory(cores=1, array_bytes=8, **summarized([2.0, 4.0], [1.0])))
    write_platform(platform, tmp_path / "p.toml")
    again = read_platform(tmp_path / "p.toml")
    assert again == platform
    assert again.memory[0].spread == pytest.approx(2.0 / 3.0)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("version = 1", "version = 9", "version"),
        ("quick = true", "quikc = true", "quick"),
        ('format = "crumple-platform"', "format = ", "Invalid value"),
    ],
)
def test_damaged_platform_file_is_refused(platform, old, new, says, tmp_path):
    path = tmp_path / "p.toml"
    write_platform(platform, path)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(CalibrationError, match=says):
        read_platform(path)
    assert crumple("calibrate", "--show", "p.toml", directory=tmp_path).returncode == 2


def test_command(tmp_path):
    done = crumple("calibrate", "--quick", "--only", "files", "-o", "p.toml", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "file per rank, write" in done.stdout
    assert read_platform(tmp_path / "p.toml").how.keys() == {"files"}
    shown = crumple("calibrate", "--show", "p.toml", directory=tmp_path).stdout
    assert "file per rank, write" in shown


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--only", "memroy"], "there is no part 'memroy'; did you mean 'memory'?"),
        (["--mpirun", "/none/mpirun"], "there is no such file"),
        (["--show", "none.toml"], "No such file"),
    ],
)
def test_bad_options_of_calibrate(options, says, tmp_path):
    done = crumple("calibrate", *options, directory=tmp_path)
    assert done.returncode == 2
    assert says in " ".join(done.stdout.split())
    assert not (tmp_path / "platform.toml").exists()


def test_a_file_that_cannot_be_written_is_said_before_anything_is_measured(tmp_path, monkeypatch):
    done = crumple("calibrate", "-o", "nowhere/platform.toml", directory=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        2,
        "error: nowhere/platform.toml cannot be written; -o names another file",
    )
    (tmp_path / "tomli_w.py").write_text("raise ImportError\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = crumple("calibrate", directory=tmp_path)
    assert done.returncode == 2
    assert "tomli-w is missing" in done.stdout
    assert "pairs" not in done.stdout


def test_tables_have_units_and_marks_on_any_terminal(platform, monkeypatch, capsys):
    """A unit in brackets is no markup, and a narrow terminal cuts nothing off."""
    monkeypatch.setenv("COLUMNS", "60")
    for ranks in (2, 4, 8):
        times = summarized([1e-6, 2e-6, 4e-6], [0.5])
        what = {"mpi": "Open MPI 4.1.4", "operation": "allreduce", "ranks": ranks, "size": 8}
        platform.collective.append(MeasuredCollective(**what, **times))
    show(platform, Console())
    said = capsys.readouterr().out
    assert said.count("ranks [us]") == 3
    assert said.count("150 % !") == 3


def test_a_command_that_fails_says_what_it_said():
    with pytest.raises(CalibrationError, match="wrong"):
        measured(["sh", "-c", "echo wrong >&2; exit 3"])


def test_a_command_without_end_is_ended():
    with pytest.raises(CalibrationError, match="no end after 1 s"):
        measured(["sh", "-c", "sleep 4321 & wait"], limit=1.0)
    assert not any("4321" in p.info["cmdline"] for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"])


def test_ranks_on_two_nodes(which):
    command = on_hosts(which, ["n1", "n2"], ["pair"])
    assert command[-2:] == [str(which.program), "pair"]
    assert ("n1:1,n2:1" if which.mpi.family == "openmpi" else "n1,n2") in command


def test_kinds_of_pairs(monkeypatch):
    where = {0: ("0", "0"), 1: ("0", "0"), 2: ("0", "1"), 3: ("1", "0")}
    monkeypatch.setattr(machine, "place", lambda core, what: where[core]["core_id" in what])
    assert kind_of(0, 1) == "same core"
    assert pairs([0, 1, 2, 3]) == {"same core": (0, 1), "same socket": (0, 2), "other socket": (0, 3)}
