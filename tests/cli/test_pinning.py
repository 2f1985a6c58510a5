"""Which cores ranks and threads are pinned to, with the topologies of small and large machines."""

import json
import os
import subprocess
import sys

import pytest
from command_line import crumple
from small_decks import block

from crumple import mpi, other_load, pinning
from crumple.mpi import placed_by_user
from crumple.other_load import OTHER_LOAD, busy_between, busy_threads, cores_at_work
from crumple.pinning import Pinning, choose, place
from crumple.solver import mpirun
from crumple.topology import PhysicalCore, TopologyError, cores_in, cores_of_this_machine

TWO = [PhysicalCore(0, (0,)), PhysicalCore(0, (1,))]
SMT = [PhysicalCore(0, (0, 4)), PhysicalCore(0, (1, 5)), PhysicalCore(0, (2, 6)), PhysicalCore(0, (3, 7))]
SOCKETS = [PhysicalCore(k // 4, (k,)) for k in range(8)]


@pytest.mark.parametrize(
    ("cores", "ranks", "threads", "expected"),
    [
        (TWO, 1, 1, []),  # left to the system
        (TWO, 2, 1, [[0], [1]]),
        (TWO, 1, 2, [[0, 1]]),
        (TWO, 3, 1, []),
        (TWO, 2, 2, []),
        (SMT, 4, 1, [[0], [1], [2], [3]]),
        (SMT, 2, 2, [[0, 1], [2, 3]]),
        (SMT, 6, 1, [[0], [1], [2], [3], [4], [5]]),
        (SMT, 9, 1, []),
        (SOCKETS, 4, 1, [[0], [1], [4], [5]]),
        (SOCKETS, 2, 4, [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (SOCKETS, 2, 3, [[0, 1, 2], [4, 5, 6]]),
        (SOCKETS[:3] + SOCKETS[4:7], 2, 3, [[0, 1, 2], [4, 5, 6]]),
        (SOCKETS[:3] + SOCKETS[4:7], 3, 2, [[0, 1], [2, 4], [5, 6]]),
    ],
)
def test_idle_machine(cores, ranks, threads, expected):
    assert choose(cores, {}, ranks, threads) == expected


def test_busy_cores_are_left_to_others():
    assert choose(SMT, {1: 1.0}, 3, 1) == [[0], [2], [3]]
    assert choose(SMT, {5: 1.0}, 3, 1) == [[0], [2], [3]], "the other hardware thread of the core"
    assert choose(SMT, {5: 0.1}, 4, 1) == [[0], [1], [2], [3]]
    assert choose(SMT, {1: 1.0}, 4, 1) == []
    assert choose(TWO, {0: 0.5}, 2, 1) == []


def xml_of(cores):
    """A topology in the form of hwloc 2."""
    packages = {}
    for core in cores:
        units = "".join(f'<object type="PU" os_index="{unit}"/>' for unit in core.threads)
        packages.setdefault(core.package, []).append(
            f'<object type="L2Cache"><object type="Core">{units}</object></object>'
        )
    inner = "".join(f'<object type="Package">{"".join(of)}</object>' for of in packages.values())
    return f'<topology version="2.0"><object type="Machine">{inner}</object></topology>'


@pytest.mark.parametrize("cores", [TWO, SMT, SOCKETS])
def test_topology_is_read(cores):
    units = {unit for core in cores for unit in core.threads}
    assert cores_in(xml_of(cores), units) == cores


def test_only_allowed_hardware_threads_are_used():
    assert cores_in(xml_of(SMT), {1, 6, 2}) == [PhysicalCore(0, (1,)), PhysicalCore(0, (2, 6))]
    with pytest.raises(TopologyError, match="no cores"):
        cores_in(xml_of(SMT), {99})
    with pytest.raises(TopologyError, match="cannot be read"):
        cores_in("nothing", {0})


def test_this_machine():
    units = [unit for core in cores_of_this_machine() for unit in core.threads]
    assert set(units) == os.sched_getaffinity(0)


STAT = """cpu  30 0 0 70 0 0 0 0 0 0
cpu0 {0} 0 0 {1} 0 0 0 0 0 0
cpu1 0 0 5 {2} 100 0 0 0 0 0
intr 5
"""


def test_busy_time_from_two_looks():
    before, after = STAT.format(10, 20, 30), STAT.format(18, 22, 40)
    assert busy_between(before, after, [0, 1]) == {0: 0.8, 1: 0.0}
    assert busy_between(before, before, [0]) == {0: 0.0}
    assert busy_between(before, after, [7]) == {7: 0.0}


def test_no_proc_is_no_load(monkeypatch, tmp_path):
    monkeypatch.setattr(other_load, "STAT", tmp_path / "stat")
    assert busy_threads([0, 1]) == {0: 0.0, 1: 0.0}


def test_cores_at_work_are_those_of_now(monkeypatch):
    """The load average would have the run before in it."""
    monkeypatch.setattr(other_load, "busy_threads", lambda allowed: {0: 0.75, 1: 1.0})
    assert cores_at_work() == 1.75


def test_warning_has_numbers():
    assert Pinning([[0], [1]], allowed=2, other_load=0.1).warning == ""
    assert Pinning([], allowed=2, other_load=1.3).warning == (
        "other processes use 1.3 of this machine's 2 cores: times are not those of an idle machine, "
        "and ranks are not pinned to cores"
    )
    pinned = Pinning([[0], [1]], allowed=8, other_load=1.0).warning
    assert pinned.endswith("2 cores: times are not those of an idle machine") or "8 cores" in pinned
    assert "pinned" not in pinned


def test_users_placement_wins(monkeypatch):
    for name in (*mpi.ALLOCATIONS, *mpi.THREADS_PLACED):
        monkeypatch.delenv(name, raising=False)
    for words in (["--bind-to", "core"], ["--map-by", "socket"], ["--host", "a,b"], ["--map-by=core"]):
        assert placed_by_user(words, {}), words
    assert not placed_by_user(["--report-bindings", "-x", "A=b"], {})
    assert placed_by_user([], {"SLURM_JOB_ID": "5"})
    assert placed_by_user([], {"OMP_PROC_BIND": "true"})
    monkeypatch.setattr(pinning, "busy_threads", lambda allowed: dict.fromkeys(allowed, 0.0))
    monkeypatch.setattr(pinning, "cores_of_this_machine", lambda: TWO)
    assert place(2, 1).pinned == [[0], [1]]
    assert place(2, 1, ["--bind-to", "core"]).pinned == []


def test_no_hwloc_is_said(monkeypatch):
    monkeypatch.setattr("crumple.topology.LIBRARY", "libhwloc.so.0")
    found = place(2, 1)
    assert found.pinned == [] and "apt-get install libhwloc15" in found.why_not


def test_pinned_cores_are_passed_to_the_solver():
    line = mpirun(2, ["i=deck.k"], 2, pinned=[[0, 1], [2, 3]])
    assert line[-3:] == ["i=deck.k", "--cores", "0,1/2,3"]
    assert line[line.index("--bind-to") + 1] == "none"
    assert "--cores" not in mpirun(2, ["i=deck.k"])


def test_mpirun_binds_only_where_others_place(monkeypatch):
    for name in (*mpi.ALLOCATIONS, *mpi.THREADS_PLACED):
        monkeypatch.delenv(name, raising=False)
    assert "none" in mpirun(1, [])
    assert "--bind-to" not in mpirun(1, [], launcher=["--map-by", "core"])
    monkeypatch.setenv("PBS_NODEFILE", "nodes")
    assert "--bind-to" not in mpirun(1, [])


def test_other_load_is_told_and_recorded(tmp_path):
    (tmp_path / "deck.k").write_text(block(0.02, 0.01))
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        done = crumple("run", "deck.k", "-n", "2", directory=tmp_path)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning CR-S005: other processes use " in done.stderr
    assert "times are not those of an idle machine, and ranks are not pinned to cores" in done.stderr
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["other_load"] > OTHER_LOAD and record["pinned"] == []
