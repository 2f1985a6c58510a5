"""Traces of the solver at 2 and 4 ranks: recorded, made from each other, compared; and what is refused."""

import json
import re
import shutil
import subprocess
from collections import Counter

import numpy as np
import pytest
from command_line import crumple

from crumple.lab.profile.trace.trace_folder import open_trace
from crumple.lab.traces.compare import compare
from crumple.lab.traces.decomposition import read_decomposition
from crumple.lab.traces.work import phase_times, unit_costs
from crumple.models import Wishes, write_model

CYCLES = ("--cycles", "40:60")
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="10GBps" lat="1us"/>
</platform>
"""


@pytest.fixture(scope="module")
def folder(three_vehicles, tmp_path_factory):
    """Where recordings on 2 and 4 ranks lie, and what is made of one for the ranks of the other."""
    here = tmp_path_factory.mktemp("traces")
    rare = three_vehicles.read_text().replace("    0.0100\n", "    0.0400\n")  # rows every eighth cycle
    (here / "deck.k").write_text(rare)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRUMPLE_CACHE", str(here / "cache"))
        deck = str(here / "deck.k")
        for ranks in ("2", "4"):
            made(crumple("trace", deck, "-n", ranks, *CYCLES, "-o", f"recorded-{ranks}", directory=here))
        for ranks, other in (("4", "2"), ("2", "4")):
            options = ("--synthetic", "--from", f"recorded-{other}", "-o", f"synthetic-{ranks}")
            made(crumple("trace", deck, "-n", ranks, *CYCLES, *options, directory=here))
        yield here


def made(done):
    """The command's output, when it went well."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def without_work(trace, rank):
    return [line for line in trace.lines(rank) if not line.startswith(f"{rank} compute ")]


@pytest.mark.parametrize("ranks", [2, 4])
def test_a_synthetic_trace_is_what_a_recorded_one_is(folder, ranks):
    recorded, synthetic = (open_trace(folder / f"{what}-{ranks}") for what in ("recorded", "synthetic"))
    for rank in range(ranks):
        assert without_work(recorded, rank) == without_work(synthetic, rank)
    found = compare(recorded, synthetic)
    assert found.row("messages").first > 0
    for what in ("messages", "bytes", "allreduce", "bytes of allreduce"):
        assert found.row(what).relative == 0.0
    assert found.other_peers == 0
    assert synthetic.job_cycles == recorded.job_cycles > 300


def test_a_cycle_has_one_reduction(folder):
    """With contacts, bodies, ties and welds; one that writes rows has more, and one that might have to."""
    reductions = []
    for line in open_trace(folder / "recorded-4").marked_lines(0):
        if line.startswith("# cycle "):
            reductions.append(0)
        elif "reduce" in line and reductions:
            reductions[-1] += 1
    assert len(reductions) == 20
    assert reductions.count(1) >= 8
    assert all(n in (1, 2, 4) or n > 10 for n in reductions)  # 2: looks for d3kil


def test_what_is_said_of_a_recording(folder):
    trace = open_trace(folder / "recorded-4")
    assert (trace.ranks, trace.cycles, trace.origin, trace.work) == (4, (40, 60), "recorded", "cpu")
    assert trace.element_rate > 1e5
    times = phase_times(trace)
    assert times.cycles == list(range(40, 60))
    assert {"elements", "contact", "exchange", "constraints"} <= set(times.phases)
    assert trace.meta["seconds"] == pytest.approx(times.by_rank() * 1e-9)
    assert trace.meta["seconds"] == trace.meta["seconds_cpu"]
    sends, receives = Counter(), Counter()
    for rank in range(4):
        for line in trace.lines(rank):
            if found := re.match(r"\d+ i(send|recv) (\d+) (\d+) (\d+)", line):
                peer, tag = int(found[2]), found[3]
                key = (rank, peer, tag) if found[1] == "send" else (peer, rank, tag)
                (sends if found[1] == "send" else receives)[key] += 1
    assert sends == receives
    assert sum(sends.values()) == trace.meta["messages"]


def test_work_from_counts(folder, three_vehicles):
    options = ("--work", "counts", "--from", "recorded-2", "-o", "counts-4")
    said = made(crumple("trace", str(folder / "deck.k"), "-n", "4", *CYCLES, *options, directory=folder))
    assert "work of a rank by counts differs from processor time by" in said
    trace = open_trace(folder / "counts-4")
    assert trace.work == "counts"
    shares = read_decomposition(folder / "counts-4" / "decomposition.json").shares
    times = phase_times(trace)
    elements = times.operations[:, :, times.phases.index("elements")]
    each = elements / [[share.cost] for share in shares]
    assert each == pytest.approx(np.broadcast_to(each[0], each.shape), rel=1e-3)
    assert compare(open_trace(folder / "recorded-4"), trace).row("bytes").relative == 0.0


def test_the_same_sources_make_the_same_trace(folder, three_vehicles):
    options = ("--synthetic", "--from", "recorded-2", "-o", "again-4")
    made(crumple("trace", str(folder / "deck.k"), "-n", "4", *CYCLES, *options, directory=folder))
    assert open_trace(folder / "again-4").digest == open_trace(folder / "synthetic-4").digest


def test_many_ranks_without_running_them(folder, three_vehicles):
    options = ("--synthetic", "--from", "recorded-2", "--from", "recorded-4", "-o", "of-64")
    made(crumple("trace", str(folder / "deck.k"), "-n", "64", *CYCLES, *options, directory=folder))
    trace = open_trace(folder / "of-64")
    expected, open_messages = Counter(), Counter()
    for rank in range(64):
        for line in trace.lines(rank):
            _, action, *rest = line.split()
            if action == "isend":
                open_messages[rank, int(rest[0]), rest[1]] += 1
            elif action == "irecv":
                expected[int(rest[0]), rank, rest[1]] += 1
    assert expected == open_messages
    shared = [read_decomposition(folder / f"recorded-{n}" / "decomposition.json") for n in (2, 4)]
    recorded = [open_trace(folder / f"recorded-{n}") for n in (2, 4)]
    measured = [(phase_times(t, d), d) for t, d in zip(recorded, shared, strict=True)]
    whole = sum(share.cost for share in measured[0][1].shares)
    spent = phase_times(trace, read_decomposition(trace.folder / "decomposition.json"))
    cost = unit_costs(measured)[spent.kinds[5], "elements"]
    total = spent.operations[:, 5, spent.phases.index("elements")].sum()
    assert total == pytest.approx(64 * cost.constant + cost.each[0] * whole, rel=0.01)


def test_it_replays(folder, tmp_path):
    if not shutil.which("smpirun"):
        pytest.skip("SimGrid (libsimgrid-dev) is not installed")
    trace = open_trace(folder / "synthetic-4")
    trace.unpack(tmp_path)
    (tmp_path / "platform.xml").write_text(PLATFORM)
    (tmp_path / "hosts").write_text("h0\nh1\nh2\nh3\n")
    command = "smpirun -replay trace.txt -platform platform.xml -hostfile hosts -np 4"
    done = subprocess.run(
        command.split(), cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert float(said.rsplit("Simulation time", 1)[1].split()[0]) >= max(trace.meta["seconds"])


def test_show_and_compare(folder):
    said = made(crumple("trace", "show", "recorded-4", directory=folder))
    assert "recorded, 4 ranks, 20 cycles (40 to 59)" in said
    for what in ("messages sent", "neighbours", "allreduce", "contact", "most/mean"):
        assert what in said
    said = made(crumple("trace", "--compare", "recorded-4", "synthetic-4", directory=folder))
    assert re.search(r"^messages +(\S+) +\1 *$", said, re.M), said


REFUSED = [
    (("--cycles", "60:40"), "--cycles 60:40: it ends before it begins"),
    (("--cycles", "2s:5s"), "--cycles 2s:5s: give cycles, such as 200:400"),
    (("-n", "4000"), "CR-P010"),
    (("-o", "full"), "full is not empty, and not a trace"),
    (("--platform", "nothing.toml"), "nothing.toml: No such file"),
    (("-p", "no.pfile"), "there is no pfile no.pfile"),
    (("--limit", "much"), "error: --limit much: give bytes"),
    (("--limit", "20K"), "the trace is cut off: rank 0 reached the size limit"),
    (("--synthetic", "--from", "missing"), "missing is not a trace"),
    (("--synthetic", "--from", "recorded-2", "--cycles", "40:70"), "it is of cycles 40:60, and 40:70 are"),
    (("--synthetic", "--from", "synthetic-2"), "costs are measured in traces recorded with --work cpu"),
    (("--synthetic", "--from", "recorded-2", "--precision", "single"), "it is of another precision"),
]


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_refused(folder, three_vehicles, options, says, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(folder / "cache"))
    (folder / "full").mkdir(exist_ok=True)
    (folder / "full" / "thesis.txt").write_text("mine")
    arguments = ["-n", "2", *CYCLES, "-o", "refused", *options]
    done = crumple("trace", str(folder / "deck.k"), *arguments, directory=folder)
    assert done.returncode == 2, done.stdout + done.stderr
    assert says in done.stdout
    assert not (folder / "refused").exists()
    assert not list(folder.glob(".crumple-*"))


def test_of_another_deck(folder, three_vehicles, tmp_path):
    other = tmp_path / "other.k"
    other.write_text(three_vehicles.read_text().replace("*END", "$ changed\n*END"))
    arguments = ["-n", "4", *CYCLES, "--synthetic", "--from", str(folder / "recorded-2")]
    done = crumple("trace", str(other), *arguments, directory=tmp_path)
    assert done.returncode == 2
    assert "it is of another deck than what is asked for" in done.stdout


def test_a_window_that_the_deck_does_not_reach(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("CRUMPLE_CACHE", str(folder / "cache"))
    write_model("three-vehicle", tmp_path / "short.k", Wishes(3200, end_time=0.1))
    for cycles in ("500:510", "10:500"):
        done = crumple("trace", "short.k", "-n", "2", "--cycles", cycles, directory=tmp_path)
        assert done.returncode == 2, done.stdout + done.stderr
        assert f"--cycles {cycles}: the deck ends at cycle 19" in done.stdout


def test_what_cannot_be_compared(folder, tmp_path):
    done = crumple("trace", "--compare", "recorded-2", "recorded-4", directory=folder)
    assert done.returncode == 2
    assert "recorded-2 is of 2 ranks and recorded-4 of 4" in done.stdout
    done = crumple("trace", "show", str(tmp_path), directory=folder)
    assert done.returncode == 2
    assert "is not a trace" in done.stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("decomposition.json", r"decomposition.json:\d+: cut off or damaged"),
        ("displacements.zst", "displacements.zst: damaged"),
    ],
)
def test_what_lies_beside_a_recording_may_be_cut_off(folder, tmp_path, name, says):
    shutil.copytree(folder / "recorded-2", tmp_path / "cut")
    whole = crumple("trace", "show", "cut", directory=tmp_path)
    assert re.search(r"^elements +\d+ +1600 ", made(whole), re.M)
    path = tmp_path / "cut" / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = crumple("trace", "show", "cut", directory=tmp_path)
    assert done.returncode == 2
    assert re.search(says, done.stdout)


def test_a_decomposition_of_other_ranks(folder, tmp_path):
    shutil.copytree(folder / "recorded-2", tmp_path / "other")
    shutil.copy(folder / "recorded-4" / "decomposition.json", tmp_path / "other")
    done = crumple("trace", "show", "other", directory=tmp_path)
    assert done.returncode == 2
    assert "decomposition.json: 4 ranks, and the trace has 2" in done.stdout


def test_marks_are_not_in_traces_for_smpirun(three_vehicles, tmp_path):
    from crumple.solver import solver_path

    run = ("--trace-window", "5:7", "--", str(solver_path()), f"i={three_vehicles}", "ncycle=8")
    made(crumple("profile", "run", "-n", "2", *run, directory=tmp_path))
    assert "#" not in (tmp_path / "trace" / "rank.0.txt").read_text()
    assert json.loads((tmp_path / "trace" / "trace.json").read_text())["ranks"] == 2
