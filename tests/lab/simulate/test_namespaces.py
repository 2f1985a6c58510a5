"""Reality that one machine can have: Open MPI over TCP between namespaces at two rates, and predicted."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest
from network_namespaces import BURST, PAYLOAD, missing, two_hosts
from small_clusters import ELEMENT_RATE, ETHERNET, cluster

from crumple.lab.profile.launch import TraceWish, run_profiled
from crumple.lab.profile.trace.trace_folder import open_trace
from crumple.lab.simulate.experiment import Options, experiment_of
from crumple.lab.simulate.placement import PlacementWish
from crumple.lab.simulate.run_simulations import conduct
from crumple.lab.simulate.simulator_program import HEADER

RATES = (100e6, 40e6)  #: bit/s
REPEATS = 3
MESSAGES = 6  #: of PROGRAM; each finds its link rested, and may pass BURST of it unshaped
PROGRAM = Path(__file__).parent / "programs/there_and_back.c"


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """Built with Open MPI."""
    built = tmp_path_factory.mktemp("program") / PROGRAM.stem
    subprocess.run(["mpicc.openmpi", "-O2", "-o", str(built), str(PROGRAM)], check=True)
    return built


def predicted(program: Path, folder: Path) -> list[float]:
    """Seconds at each rate, simulated from a trace of the program on this machine."""
    wish = TraceWish(folder / "trace")
    with (folder / "log").open("w") as log:
        run_profiled([str(program)], 2, Path(shutil.which("mpirun.openmpi")), False, wish, log)
    trace = open_trace(wish.folder)
    options = Options(PlacementWish(ranks_per_node=1), seeds=(0,), noise=0.0, reference_rate=ELEMENT_RATE)
    networks = [replace(ETHERNET, bandwidth=rate / 8 * PAYLOAD) for rate in RATES]
    experiments = [experiment_of(trace, cluster(2, network), options) for network in networks]
    return [done.window for done in conduct(experiments, use_cache=False)]


@pytest.mark.skipif(missing() != "", reason=missing())
@pytest.mark.skipif(not HEADER.exists() or not shutil.which("g++"), reason="SimGrid is not installed")
def test_two_rates_between_namespaces(program, tmp_path, capsys):
    """Seconds at each rate, and their ratio, are what was predicted: within 25 % beside the noise."""
    expected = predicted(program, tmp_path)
    seconds: dict[float, list[float]] = {rate: [] for rate in RATES}
    with two_hosts(tmp_path) as hosts:
        for _ in range(REPEATS):  # in turn: what else the machine does meets both
            for rate in RATES:
                hosts.set_rate(rate)
                seconds[rate].append(float(re.search(r"seconds (\S+)", hosts.run([str(program)]))[1]))
    fast, slow = (seconds[rate] for rate in RATES)
    ratio, low, high = median(slow) / median(fast), min(slow) / max(fast), max(slow) / min(fast)
    with capsys.disabled():
        print("\nnamespaces, 6 x 1 MiB in turn over TCP, seconds (median of 3, least to most):")
        for rate, of in zip(RATES, expected, strict=True):
            runs = seconds[rate]
            middle, noise = median(runs), (max(runs) - min(runs)) / 2 / median(runs)
            print(
                f"{rate / 1e6:5.0f} Mbit/s: predicted {of:.3f}, measured {middle:.3f} ({min(runs):.3f} to "
                f"{max(runs):.3f}, noise {noise:.1%}), predicted over measured {of / middle:.2f}"
            )
        print(
            f"ratio of the two: predicted {expected[1] / expected[0]:.2f}, measured {ratio:.2f} "
            f"({low:.2f} to {high:.2f})"
        )
    assert 0.75 * low <= expected[1] / expected[0] <= 1.25 * high
    for rate, of in zip(RATES, expected, strict=True):
        assert 0.75 * min(seconds[rate]) <= of <= 1.05 * max(seconds[rate]) + MESSAGES * BURST
    assert ratio > 1.5


@pytest.mark.skipif(missing() != "", reason=missing())
def test_namespaces_are_taken_away(tmp_path):
    with pytest.raises(ZeroDivisionError), two_hosts(tmp_path) as hosts:
        name, bridge = hosts.name, hosts.bridge
        raise ZeroDivisionError
    assert name not in subprocess.run(["ip", "netns"], capture_output=True, text=True).stdout
    assert bridge not in subprocess.run(["ip", "link"], capture_output=True, text=True).stdout


def test_without_root_it_is_left_out_with_a_reason():
    code = "import os; os.geteuid = lambda: 1000\nfrom network_namespaces import missing; print(missing())"
    here = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True)
    assert done.stdout == "network namespaces need root\n"
