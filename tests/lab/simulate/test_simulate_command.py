"""The command line: what it prints, and everything that is refused."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import crumple
from rich.console import Console
from small_clusters import write_trace

from crumple.lab.calibrate.this_machine import describe
from crumple.lab.catalogue.platform_file import Kernel, Platform, summarized, write_platform
from crumple.lab.commands.simulate_command import reference_rate, seeds_of
from crumple.lab.profile.trace.trace_folder import open_trace
from crumple.lab.simulate.show_simulation import plain
from crumple.lab.simulate.simulator_program import HEADER, SimulationError

needs_simgrid = pytest.mark.skipif(
    not HEADER.exists() or not shutil.which("g++"), reason="SimGrid (libsimgrid-dev) is not installed"
)
ROOT = Path(__file__).parents[3]
CLUSTER = ROOT / "benchmarks/clusters/opteron-2382-gige.toml"


@pytest.fixture
def trace(tmp_path, monkeypatch) -> Path:
    """Eight ranks, ten cycles."""
    monkeypatch.setenv("CRUMPLE_CACHE", str(tmp_path / "cache"))
    lines = ["compute 1000000", "allreduce 8 0 6"] * 10
    return write_trace(tmp_path / "trace", 8, lambda _: lines, job_cycles=1000).folder


def run(trace: Path, *options: str):
    """crumple simulate on the cluster of 24 nodes."""
    return crumple("simulate", str(trace), "--cluster", str(CLUSTER), *options, directory=trace.parent)


def said(done) -> str:
    """What was printed, without its line ends."""
    return " ".join(done.stdout.split())


@needs_simgrid
def test_what_is_printed_says_that_it_is_simulated(trace):
    done = run(trace, "--jobs", "1,2", "--ranks", "8", "--ranks-per-node", "2", "--written", "1G")
    assert done.returncode == 0, done.stdout + done.stderr
    text = said(done)
    assert "Simulated: 8 ranks on 4 of 24 nodes" in text
    assert "Simulated: 2 jobs of 8 ranks on 4 of 24 nodes" in text
    assert "extrapolated from the window, x 100" in text
    assert "range: lowest and highest of 3 simulations (seeds 1 to 3)" in text
    assert "writing (modelled)" in text
    assert "MPI_Allreduce" in text
    assert "Simulated, all" in text


@needs_simgrid
def test_progress_without_a_terminal_is_on_standard_error(trace):
    done = run(trace, "--json", "--no-cache")
    json.loads(done.stdout)
    assert done.stderr.splitlines()[0] == "simulating: 3 simulations"
    assert all(done.stderr.splitlines())  # no empty lines


@needs_simgrid
def test_json_is_the_same_twice(trace):
    first, again = (run(trace, "--json", "--no-cache", "--ranks-per-node", "1") for _ in range(2))
    assert first.returncode == 0, first.stdout + first.stderr
    assert first.stdout == again.stdout
    (data,) = json.loads(first.stdout)
    assert data["label"] == "simulated"
    assert data["job"]["low"] <= data["job"]["elapsed"] <= data["job"]["high"]
    shares = sum(s["seconds"] for s in data["spent"])
    assert shares == pytest.approx(data["window"]["jobs"][0], rel=0.02)


@needs_simgrid
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--ranks", "16"), "a trace of 8 ranks, and --ranks asks for 16"),
        (("--jobs", "0"), "--jobs 0: give numbers from 1 on"),
        (("--jobs", "200"), "need 200 nodes; opteron-2382-gige has 24 of 8 cores; --oversubscribe"),
        (("--ranks-per-node", "9"), "a job has 8 cores of a node of opteron-2382-gige; --oversubscribe"),
        (("--reference", "none.toml"), "--reference: none.toml: No such file"),
        (("--reference", "-3"), "a rate is positive"),
        (("--reference", "inf"), "a rate is positive"),
        (("--written", "much"), "--written much: give bytes"),
    ],
)
def test_what_cannot_be_simulated_is_refused(trace, options, message):
    done = run(trace, *options)
    assert done.returncode == 2
    assert message in said(done)


@needs_simgrid
def test_oversubscribed_on_leave(trace):
    done = run(trace, "--ranks-per-node", "16", "--oversubscribe", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)[0]["oversubscribed"]


def test_a_platform_file_gives_the_rate_of_as_many_busy_cores_as_ranks_ran(tmp_path):
    kernels = [
        Kernel(busy_cores=busy, precision="double", elements=1, **summarized([rate], [1.0]))
        for busy, rate in {1: 10.0, 2: 9.0, 4: 6.0}.items()
    ]
    path = tmp_path / "p.toml"
    write_platform(Platform(machine=describe(quick=True), kernel=kernels), path)

    def rate(ranks, **reference):
        trace = write_trace(tmp_path / "trace", ranks, lambda _: ["compute 1"], reference=reference)
        return reference_rate(str(path), trace)

    assert [rate(ranks) for ranks in (1, 2, 3, 8)] == [10.0, 9.0, 7.5, 6.0]
    assert rate(192, busy_cores=2, precision="double") == 9.0  # made from recordings on two
    with pytest.raises(SimulationError, match="--reference: .*no rate of one busy core in single precision"):
        rate(2, precision="single")


def test_a_narrow_screen_cuts_no_cell():
    """Eight columns had been three letters each on a screen of 80, and in a pipe."""
    text = io.StringIO()
    columns = ["configuration", "elapsed", "range", "jobs a day", "Wh a job"]
    row = ["64 ranks on 16 nodes", "10.51 s", "10.50 to 10.52 s", "8221.8", "18.29"]
    Console(file=text, width=40).print(plain("", columns, [row]), soft_wrap=True)
    head, body = text.getvalue().splitlines()
    assert re.split(r"  +", head.strip()) == columns
    assert re.split(r"  +", body.strip()) == row


def test_long_traces_are_simulated_twice(trace):
    short, long = open_trace(trace), replace(open_trace(trace), meta={"lines": 2_000_000})
    assert seeds_of(short, 1, None) == (1, 2, 3)
    assert seeds_of(long, 1, None) == (1, 2)
    assert seeds_of(long, 5, 4) == (5, 6, 7, 8)
    assert seeds_of(short, 0, 3) == (0,)


@needs_simgrid
def test_of_several_what_does_not_fit_is_left_out(trace):
    done = run(trace, "--jobs", "1,200", "--json")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)) == 1
    assert "left out: 200 jobs of 8 ranks" in done.stderr


@needs_simgrid
def test_a_report_is_written_or_refused(trace):
    assert run(trace, "--report", "page.html").returncode == 0
    assert "simulated, not measured" in (trace.parent / "page.html").read_text()
    done = run(trace, "--report", "none/page.html")
    assert done.returncode == 2
    assert "--report none/page.html: No such file" in said(done)


@needs_simgrid
def test_half_a_trace_is_refused(trace):
    path = trace / "rank.3.txt"
    path.write_text(path.read_text()[:-20])
    done = run(trace)
    assert done.returncode == 2
    assert "rank.3.txt" in said(done)


@needs_simgrid
def test_a_trace_of_any_program_is_simulated_as_it_was_recorded(trace):
    """As `crumple profile --trace` writes it: it does not say how many elements its machine updates."""
    meta = json.loads((trace / "trace.json").read_text())
    del meta["reference"]
    (trace / "trace.json").write_text(json.dumps(meta))

    def computing(*options: str) -> tuple[float, list[str]]:
        done = run(trace, "--json", "--seed", "0", "--ranks-per-node", "1", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        (data,) = json.loads(done.stdout)
        return next(s["seconds"] - s["waiting"] for s in data["spent"] if s["name"] == "compute"), data[
            "assumed"
        ]

    seconds, assumed = computing()
    assert seconds == pytest.approx(10 * 1e-3, rel=1e-6)  # ten times a million operations of 1 ns
    assert "is as fast as one of the machine that the trace was recorded on" in assumed[0]
    assert "with more busy cores of a socket" in assumed[1]
    assert len(assumed) == 2
    seconds, assumed = computing("--speed", "2")
    assert seconds == pytest.approx(5e-3, rel=1e-6)
    assert len(assumed) == 1
    seconds, assumed = computing("--reference", "1e6")
    assert seconds != pytest.approx(10e-3, rel=0.01)
    assert len(assumed) == 1 and "between processors" in assumed[0]
    done = run(trace)
    assert "assumed: a core of opteron-2382-gige is as fast as one of the machine" in said(done)


@needs_simgrid
def test_a_trace_of_all_of_a_run_is_the_whole_job(trace):
    """As that of another program, without a window: nothing is extrapolated, and writing counts."""
    path = trace / "trace.json"
    meta = json.loads(path.read_text()) | {"window": ""}
    del meta["job_cycles"]
    path.write_text(json.dumps(meta))
    done = run(trace, "--written", "1G", "--jobs", "2")
    text = said(done)
    assert "elapsed, the trace: " in text
    assert "the trace is the whole job" in text and "writing (modelled)" in text and "jobs a day" in text
    assert "assumed: jobs side by side start together" in text
    done = run(trace, "--job-cycles", "100")
    assert done.returncode == 2
    assert "is not in cycles" in said(done)
    path.write_text(json.dumps(meta | {"window": "0.5s:2s"}))
    text = said(run(trace, "--written", "1G"))
    assert "elapsed, whole job: not known; the trace's window is not in cycles" in text
    assert "--written is not in these times" in text


@needs_simgrid
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seed", "0", "--repeats", "2"], "--seed 0 is one simulation without noise"),
        (["--seed", "0", "--noise", "0.5"], "--seed 0 is one simulation without noise"),
        (["--speed", "0"], "--speed 0: a speed is positive"),
        (["--speed", "nan"], "--speed nan: a speed is positive"),
        (["--speed", "2", "--reference", "1e6"], "--speed replaces --reference and --precision"),
    ],
)
def test_options_that_could_not_be_used(trace, options, message):
    done = run(trace, *options)
    assert done.returncode == 2
    assert message in said(done)


@needs_simgrid
def test_a_processor_without_rates_is_as_fast_as_the_traces_machine(trace, tmp_path):
    """Nothing but cores and memory bandwidth is known of it."""
    file = tmp_path / "mine.toml"
    file.write_text(
        '[cluster]\nname = "mine"\nnodes = 4\n[node]\nsockets = 1\nmemory_bytes = 8e9\n'
        '[cpu]\nname = "Arm"\ncores = 8\nmemory_bandwidth = 1e12\ncache_bytes = 1e6\n'
        '[network]\nuse = "infiniband-edr"\n[topology]\nuse = "star-infiniband"\n'
    )
    ask = ("simulate", str(trace), "--cluster", str(file), "--seed", "0", "--ranks-per-node", "2")
    done = crumple(*ask, directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "because the rate of Arm is not known; give it with --speed" in said(done)
    assert "energy: the node's power is not known" in said(done)
    notes = " ".join(done.stderr.split())
    assert "note: [cpu]: the speed of Arm is not known" in notes
    assert "note: mine.toml: power and energy of the nodes are not known" in notes
    assert re.search(r"compute +10 +10\.\d+ ms", done.stdout)
    for option, value in (("--reference", "1e6"), ("--precision", "single")):
        done = crumple(*ask, option, value, directory=tmp_path)
        assert done.returncode == 2
        assert f"{option}: the rate of Arm is not known" in said(done)
    file.write_text(file.read_text().replace("nodes = 4", "nodes = 1"))
    done = crumple(*ask, "--extra-hops", "2", directory=tmp_path)
    assert done.returncode == 2
    assert "--latency-factor, --extra-hops: mine is one node" in said(done)


@needs_simgrid
def test_unknown_algorithm_is_refused(trace, tmp_path):
    text = re.sub(r"(?m)^\[mpi\]\n(^.+\n)*", "", CLUSTER.read_text())
    text += '[mpi]\nname = "x"\nsource = "x"\n[mpi.collectives]\nallreduce = [{ algorithm = "fastest" }]\n'
    (tmp_path / "mine.toml").write_text(text)
    done = crumple("simulate", str(trace), "--cluster", "mine.toml", directory=tmp_path)
    assert done.returncode == 2
    assert "fastest" in said(done)


@needs_simgrid
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("nodes = 24", "nodes = 0", "mine.toml:5: nodes: a cluster has 1 node or more, not 0"),
        ("nodes = 24", "nodes = 24\nprice_per_kwh = -1", "mine.toml:6: [cluster] price_per_kwh"),
        ('use = "gige"', 'use = "gige"\nlatency = { value = 1e-5 }', "latency: a number without its source"),
        ('use = "gige"', 'use = "gigge"', "the catalogue has no network 'gigge'; did you mean 'gige'?"),
    ],
)
def test_an_impossible_cluster_is_refused(trace, old, new, message, tmp_path):
    text = CLUSTER.read_text()
    assert old in text
    (tmp_path / "mine.toml").write_text(text.replace(old, new))
    done = crumple("simulate", str(trace), "--cluster", "mine.toml", directory=tmp_path)
    assert done.returncode == 2
    assert message in said(done)
    assert "Traceback" not in done.stdout + done.stderr


@needs_simgrid
def test_an_action_that_no_replay_knows_is_named_with_its_file(trace):
    path = trace / "rank.3.txt"
    path.write_text(path.read_text().replace("3 allreduce", "3 al\udcffreduce", 1), errors="surrogateescape")
    done = run(trace)
    assert done.returncode == 2
    assert "rank.3.txt: " in said(done)
    path.write_text(path.read_text(errors="replace").replace("\ufffd", "x"))
    done = run(trace)
    assert done.returncode == 2
    assert f"{path}: 'alxreduce': a replay does not support this action" in said(done).replace("- ", "")


@needs_simgrid
def test_a_damaged_result_of_before_is_simulated_again(trace):
    first = run(trace, "--json")
    kept = sorted((trace.parent / "cache" / "simulate").glob("*.json"))
    for k, path in enumerate(kept):
        path.write_bytes((b"[]", b"\xff" + path.read_bytes(), path.read_bytes()[:-5])[k % 3])
    again = run(trace, "--json")
    assert (again.returncode, again.stdout) == (0, first.stdout)


def test_without_simgrid_the_command_says_what_to_install(trace):
    """In a checkout whose simulator was never built, on a machine without SimGrid's headers."""
    code = (
        "from pathlib import Path; from crumple.lab.simulate import simulator_program as program; "
        "program.BUILDS = program.HEADER = Path('/none'); from crumple.cli import app; app()"
    )
    words = [sys.executable, "-c", code, "simulate", str(trace), "--cluster", str(CLUSTER)]
    env = {k: v for k, v in os.environ.items() if k != "CPATH"} | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "apt-get install libsimgrid-dev" in said(done)


def test_without_simgrid_it_says_what_to_install(tmp_path, monkeypatch):
    from crumple.lab.simulate import simulator_program

    simulator_program.simulator.cache_clear()
    monkeypatch.setattr(simulator_program, "BUILDS", tmp_path)
    monkeypatch.setattr(simulator_program, "HEADER", tmp_path / "simgrid.hpp")
    monkeypatch.delenv("CPATH", raising=False)
    with pytest.raises(simulator_program.SimulationError, match="apt-get install libsimgrid-dev"):
        simulator_program.simulator()
    simulator_program.simulator.cache_clear()
