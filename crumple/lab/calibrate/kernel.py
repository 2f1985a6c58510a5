"""How fast the solver's element work is on each core, with one to all of them busy."""

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TextIO

from crumple.lab.applications.crumple_solver import SPEED
from crumple.lab.calibrate.machine import cores
from crumple.lab.calibrate.network import counts
from crumple.lab.calibrate.platform_file import CalibrationError, Kernel, Platform, summarized
from crumple.models import Wishes, write_model
from crumple.mpi import environment
from crumple.results.load_profile import read_load_profile
from crumple.solver import solver_path

HOW = {
    "kernel": "the solver on three-vehicle, one process of one rank on each busy core, side by side; element "
    "updates over the seconds of the phase 'elements' in load_profile; a sample is a process"
}


def rates(busy: int, deck: Path, cycles: int, precision: str) -> tuple[list[float], list[float]]:
    """Element updates a second of processes side by side, and the share of a core that each had."""
    solver, started = solver_path(), []
    with tempfile.TemporaryDirectory(prefix="crumple-calibrate-", dir=deck.parent) as folder:
        start = time.monotonic()
        for core in cores()[:busy]:
            directory = Path(folder) / str(core)
            directory.mkdir()
            command = ["taskset", "-c", str(core), str(solver), f"i={deck}", f"ncycle={cycles}"]
            command += ["--precision", precision, "--directory", str(directory)]
            log = (directory / "log").open("w")
            process = subprocess.Popen(command, cwd=directory, env=environment(), stdout=log, stderr=log)
            started.append((directory, log, process))
        found = [rate_of(*one) for one in started]
        used = time.monotonic() - start
    return [rate for rate, _ in found], [cpu / used for _, cpu in found]


def rate_of(directory: Path, log: TextIO, process: subprocess.Popen) -> tuple[float, float]:
    """A process's rate when it has ended, and its processor seconds.

    Raises:
        CalibrationError: it failed.
    """
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    log.close()
    text = (directory / "log").read_text()
    if process.returncode or not (speed := SPEED.search(text)):
        raise CalibrationError("the solver failed:\n" + "\n".join(text.strip().splitlines()[-5:]))
    updates = float(speed[2]) / (float(speed[3]) * 1e-9)
    seconds = float(read_load_profile(directory / "load_profile")["elements"].sum())
    if seconds <= 0.0:
        raise CalibrationError(f"{speed[1]} cycles were too few to be timed")
    return updates / seconds, used.ru_utime + used.ru_stime


def measure_kernel(
    platform: Platform, repeats: int, elements: int, cycles: int, precisions: tuple[str, ...]
) -> None:
    """With 1 core busy, 2, 4, up to all.

    Raises:
        FileNotFoundError: the solver is not built.
    """
    solver_path()
    with tempfile.TemporaryDirectory(prefix="crumple-calibrate-") as folder:
        deck = Path(folder) / "model.k"
        count = write_model("three-vehicle", deck, Wishes(elements))
        for precision in precisions:
            for busy in counts(len(cores())):
                values: list[float] = []
                shares: list[float] = []
                for _ in range(repeats):
                    more, on_core = rates(busy, deck, cycles, precision)
                    values += more
                    shares += on_core
                platform.kernel.append(
                    Kernel(busy_cores=busy, precision=precision, elements=count, **summarized(values, shares))
                )
