"""Traces of known programs, replayed by SimGrid: they run to their end, and carry what was sent."""

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from command_line import crumple

PROGRAMS = Path(__file__).with_name("programs")
HEADER = PROGRAMS.parents[3] / "profiler"
FAMILIES = ("openmpi", "mpich")

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-{last}" speed="1Gf" bw="10GBps" lat="1us"/>
</platform>
"""


@pytest.fixture(params=FAMILIES)
def family(request) -> str:
    """Each MPI library of this machine."""
    if not shutil.which(f"mpicc.{request.param}"):
        pytest.skip(f"mpicc.{request.param} is not installed")
    return request.param


def traced(
    source: str, family: str, ranks: int, directory: Path, *options: str, arguments: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Trace a program of the folder beside this file."""
    program = directory / Path(source).stem
    compiler = f"mpicc.{family}" if source.endswith(".c") else f"mpifort.{family}"
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    compiled = [compiler, "-O1", "-w", f"-I{HEADER}", str(PROGRAMS / source), "-o", str(program)]
    subprocess.run(compiled, check=True, capture_output=True)
    run = ["profile", "run", "-n", str(ranks), "--trace", *options, "--", str(program), *arguments]
    return crumple(*run, directory=directory)


def summary(directory: Path) -> dict:
    """What the trace says of itself."""
    return json.loads((directory / "trace" / "trace.json").read_text())


class Replay:
    """What SimGrid saw."""

    def __init__(self, directory: Path, ranks: int) -> None:
        if not shutil.which("smpirun"):
            pytest.skip("SimGrid (libsimgrid-dev) is not installed")
        folder = directory / "trace"
        (folder / "platform.xml").write_text(PLATFORM.format(last=ranks - 1))
        (folder / "hosts").write_text("".join(f"h{k}\n" for k in range(ranks)))
        done = subprocess.run(
            ["smpirun", "-replay", "trace.txt", "-platform", "platform.xml", "-hostfile", "hosts"]
            + ["-np", str(ranks), "-trace", "-trace-file", "seen.paje"]
            + [
                "--cfg=tracing/smpi/display-sizes:yes",
                "--cfg=smpi/lat-factor:0:1",
                "--cfg=smpi/bw-factor:0:1",
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0, said
        assert "Simulation time" in said, said
        self.seconds = float(said.rsplit("Simulation time", 1)[1].split()[0])
        rows = [line.split() for line in (folder / "seen.paje").read_text().splitlines()]
        self.sent = Counter(int(row[7]) for row in rows if row and row[0] == "15")
        self.received = sum(1 for row in rows if row and row[0] == "16")


@pytest.mark.parametrize("ranks", [2, 3])
def test_what_simgrid_sees_is_what_was_sent(family, ranks, tmp_path):
    done = traced("known.c", family, ranks, tmp_path, arguments=("shared.dat",))
    assert done.returncode == 0, done.stdout + done.stderr
    replay = Replay(tmp_path, ranks)
    n = ranks
    assert replay.sent == {1000: 50 * n, 300_000: 3 * n, 400: 20 * n, 24: 1, 8: n}  # 8: put
    assert replay.received == sum(replay.sent.values())
    said = summary(tmp_path)
    assert said["messages"] == sum(replay.sent.values())
    assert said["bytes"] == sum(size * count for size, count in replay.sent.items())
    assert said["left_out"] == {"MPI_File_write_at_all": n}
    assert not said["cut"]
    assert not said["dropped"]


@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_one_of_everything_replays(family, ranks, tmp_path):
    done = traced("traced.c", family, ranks, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    replay = Replay(tmp_path, ranks)
    said = summary(tmp_path)
    assert not said["dropped"]
    assert not said["left_out"]
    assert replay.received == sum(replay.sent.values()) == said["messages"]
    for size in (70_000, 90_000, 64, 128):
        assert replay.sent[size] == ranks
    assert replay.sent[300] == 2 * ranks
    assert replay.sent[50] == replay.sent[40] == 2 * (ranks - 1)
    # twelve cycles of 4 ms one after the other, and 3 or 4 times 2 ms on the longest way
    assert replay.seconds == pytest.approx(0.048 + 0.008, rel=0.25)


@pytest.mark.parametrize("language", ["known_mpif", "known_f08"])
def test_fortran_is_traced(family, language, tmp_path):
    done = traced(f"{language}.f90", family, 3, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert Replay(tmp_path, 3).sent == {80: 75, 32: 15}


def test_cycles_of_the_solver(tmp_path):
    """Each of 10 cycles exchanges the same messages, both ranks do, and each arrives."""
    from crumple.solver import solver_path

    model = ("model", "three-vehicle", "--elements", "4000", "-o", "m.k")
    assert crumple(*model, directory=tmp_path).returncode == 0
    run = ("--trace-window", "5:15", "--", str(solver_path()), "i=m.k", "ncycle=20")
    done = crumple("profile", "run", "-n", "2", *run, directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    replay = Replay(tmp_path, 2)
    assert replay.received == sum(replay.sent.values()) > 0
    assert all(count % 10 == 0 for count in replay.sent.values())
    assert sum(replay.sent.values()) % 20 == 0
    assert summary(tmp_path)["window"] == "5:15"


def test_window_in_cycles(family, tmp_path):
    done = traced("traced.c", family, 2, tmp_path, "--trace-window", "3:7", arguments=("cycles",))
    assert done.returncode == 0, done.stdout + done.stderr
    replay = Replay(tmp_path, 2)
    assert replay.sent == {1000 + cycle: 2 for cycle in range(3, 7)}
    assert replay.seconds == pytest.approx(4 * 0.004, rel=0.2)
    assert not summary(tmp_path)["cut"]


def test_window_in_seconds(family, tmp_path):
    """By the clock each rank begins elsewhere: what is replayed lies between reductions that all have."""
    done = traced("traced.c", family, 2, tmp_path, "--trace-window", "0s:1000s", arguments=("cycles",))
    assert done.returncode == 0, done.stdout + done.stderr
    replay = Replay(tmp_path, 2)
    assert replay.sent == {1000 + cycle: 2 for cycle in range(1, 12)}  # from the first reduction on


def test_size_limit_says_so_and_replays(family, tmp_path):
    """13.7 KB are the names of functions; then some cycles."""
    done = traced("traced.c", family, 2, tmp_path, "--trace-limit", "15K", arguments=("cycles",))
    assert done.returncode == 0, done.stdout + done.stderr
    said = " ".join(done.stdout.split())
    assert (
        "warning: the trace is cut off: rank 0 reached the size limit; rank 1 reached the size limit" in said
    )
    replay = Replay(tmp_path, 2)
    assert 0 < len(replay.sent) < 12
    assert summary(tmp_path)["cut"].startswith("rank 0 reached the size limit")


def test_killed_rank(tmp_path, family):
    done = traced("dies.c", family, 2, tmp_path)
    assert "rank 1 ended early; the ranks have no common collective" in " ".join(done.stdout.split())


def test_threads_are_refused(family, tmp_path):
    done = traced("threads.c", family, 2, tmp_path)
    assert done.returncode == 2
    assert "calls MPI from more than one thread" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--trace-window", "7:3", "ends before it begins"),
        ("--trace-window", "x", "give cycles, such as 200:400"),
        ("--trace-limit", "much", "give bytes, such as 300M"),
    ],
)
def test_bad_options(option, value, says, tmp_path):
    done = crumple("profile", "run", "--trace", option, value, "--", "true", directory=tmp_path)
    assert done.returncode == 2
    assert says in " ".join(done.stdout.split())
