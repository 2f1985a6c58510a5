"""The simulator: built against SimGrid on first use, run as a program of its own."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path

from crumple.lab.build_once import BuildError, build_once, digest_of
from crumple.places import builds, shipped

SOURCES = shipped("simulator")
BUILDS = builds("simulator")
HEADER = Path("/usr/include/simgrid/s4u.hpp")


class SimulationError(Exception):
    """A simulation is not possible; the message has the reason and what to do."""


class NoPlaceError(SimulationError):
    """A cluster has too few cores for a job."""


@cache
def simulator() -> Path:
    """The simulator's executable; it is built on first use.

    Raises:
        SimulationError: SimGrid or a compiler is missing, or it cannot be built.
    """
    folder = BUILDS / digest_of(SOURCES)[:12]
    program = folder / "crumple-simulator"
    if program.exists():
        return program
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not HEADER.exists() and "CPATH" not in os.environ:
        raise SimulationError(
            "SimGrid is not installed; it simulates the cluster: apt-get install libsimgrid-dev"
        )
    if compiler is None:
        raise SimulationError("there is no C++ compiler to build the simulator: apt-get install g++ make")
    try:
        build_once(SOURCES, folder, "-j2", f"CXX={compiler}")
    except BuildError as error:
        raise SimulationError(
            f"the simulator cannot be built with {compiler} (SimGrid 3.32 is needed):\n{error}"
        ) from None
    return program


def simulate(experiment: dict, progress: Callable[[float], None] = lambda _: None) -> dict:
    """Run the program on an experiment; its results.

    Args:
        progress: called with the share of the traces that is done

    Raises:
        SimulationError: it fails.
    """
    program = simulator()
    with tempfile.TemporaryDirectory(prefix="crumple-simulate-") as folder:
        asked, said = Path(folder, "experiment.json"), Path(folder, "result.json")
        asked.write_text(json.dumps(experiment, allow_nan=False))
        with subprocess.Popen(
            [str(program), str(asked), str(said)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",  # its messages repeat text that it cannot read
        ) as process:
            complaints = deque(maxlen=200)
            for line in process.stdout:
                if line.startswith("progress "):
                    progress(float(line.split()[1]))
                else:
                    complaints.append(line.rstrip())
        if process.returncode or not said.exists():
            files = [Path(file) for job in experiment["jobs"] for file in job["files"]]
            raise SimulationError(failure(process.returncode, list(complaints), files))
        return json.loads(said.read_text())


def failure(status: int, complaints: list[str], files: list[Path]) -> str:
    """The message for a simulation that failed.

    Args:
        files: files of the ranks
    """
    ours = next((line.removeprefix("error: ") for line in complaints if line.startswith("error: ")), "")
    if ours and "deadlock" not in ours:
        return ours
    text = "\n".join(complaints[:12])
    if "deadlock" in text:
        stuck = next(line for line in reversed(complaints) if "deadlock" in line)
        stuck = stuck.split("deadlock: ")[-1]
        return f"the trace does not end: ranks wait for messages that no rank sends ({stuck})"
    if unknown := re.search(r"action (.*) is unknown", text):
        return f"{where_is(unknown[1], files)}'{unknown[1]}': a replay does not support this action"
    if "MPI_ERR_TRUNCATE" in text:
        return "the trace is damaged: a message is longer than what its receiver waits for"
    return f"the simulator failed ({status}):\n{text}"


def where_is(action: str, files: list[Path]) -> str:
    """The file and line of an action, with a colon; "" if it is not found."""
    for file in files:
        with file.open(errors="replace") as lines:
            if any(action == " ".join(line.split(" ")[1:2]).strip() for line in lines):
                return f"{file}: "
    return ""
