"""The C program of the micro-benchmarks: it is built for each MPI library, and runs on chosen cores."""

import re
import shutil
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from crumple.lab.build_for_mpi import BuildError, build_for_mpi
from crumple.lab.catalogue.platform_file import CalibrationError
from crumple.lab.processes import end_all
from crumple.lab.provenance import mpi_version
from crumple.mpi import FAMILIES, Mpi, environment, mpi_of_launcher, options
from crumple.places import builds, shipped

SOURCES = shipped("calibrate")
BUILDS = builds("calibrate")
NAMES = ("openmpi", "mpich")


@dataclass(frozen=True)
class Library:
    """An MPI library, and the program built for it."""

    name: str
    mpi: Mpi
    program: Path


@dataclass(frozen=True)
class MeasuringEffort:
    """Duration of a block of repetitions (s), and number of blocks."""

    blocks: int
    seconds: float


@dataclass
class Samples:
    """The samples of one measurement."""

    values: list[float]
    shares: list[float]


def launchers(named: list[Path]) -> list[Path]:
    """Launchers of Debian's libraries, if installed, and those given by the user.

    Raises:
        CalibrationError: there is none, or one is missing.
    """
    for path in named:
        if not path.is_file():
            raise CalibrationError(f"--mpirun {path}: there is no such file")
    found = [Path(p) for name in NAMES if (p := shutil.which(f"mpirun.{name}"))]
    if not found and (plain := shutil.which("mpirun")):
        found = [Path(plain)]
    if not found and not named:
        raise CalibrationError("there is no MPI library: no mpirun on the PATH; name one with --mpirun")
    return [*found, *named]


def name_of(mpirun: Path, family: str) -> str:
    """A library's name and version."""
    version = re.search(r"\d+(\.\d+)+\w*", mpi_version(mpirun))
    return f"{FAMILIES[family]} {version[0]}" if version else FAMILIES[family]


def library(mpirun: Path) -> Library:
    """The program for a launcher's library; it is built on first use.

    Raises:
        CalibrationError: it cannot be built.
    """
    mpi = mpi_of_launcher(mpirun)
    try:
        folder = build_for_mpi("the program of the micro-benchmarks", SOURCES, BUILDS, mpi)
    except BuildError as error:
        raise CalibrationError(str(error)) from error
    return Library(name_of(mpirun, mpi.family), mpi, folder / "crumple-calibrate")


def on_cores(which: Library, cores: list[int], arguments: list[str]) -> list[str]:
    """Command line for one rank on each of some cores of this machine; a repeated core has several ranks."""
    shared = len(set(cores)) < len(cores)
    command = [str(which.mpi.mpirun), *options(which.mpi.family, share=shared, unbound=True)]
    command += ["--quiet"] if which.mpi.family == "openmpi" else []
    for k, core in enumerate(cores):
        command += [":"] if k else []
        command += ["-n", "1", "taskset", "-c", str(core), str(which.program), *arguments]
    return command


def on_hosts(which: Library, hosts: list[str], arguments: list[str]) -> list[str]:
    """Command line for one rank on each of some hosts."""
    command = [str(which.mpi.mpirun)]
    if which.mpi.family == "openmpi":
        command += ["--quiet", "--host", ",".join(f"{h}:1" for h in hosts), "--map-by", "node"]
    else:
        command += ["-hosts", ",".join(hosts), "-ppn", "1"]
    return [*command, "-n", str(len(hosts)), str(which.program), *arguments]


def words(kind: str, effort: MeasuringEffort, size: int, *more: str) -> list[str]:
    """The program's arguments."""
    return [kind, str(effort.blocks), str(effort.seconds), str(size), *more]


def measured(command: list[str], limit: float = 300.0) -> dict[tuple[str, int], Samples]:
    """Run a command and read its samples, by name and size.

    Raises:
        CalibrationError: it fails, or takes longer than the limit (s).
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment(), stdout=pipe, stderr=pipe, text=True) as process:
        try:
            said, complained = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            end_all([process])
            raise CalibrationError(f"no end after {limit:.0f} s: {' '.join(command)}") from None
    found: dict[tuple[str, int], Samples] = defaultdict(lambda: Samples([], []))
    for line in said.splitlines():
        if line.startswith("sample "):
            _, name, size, value, share = line.split()
            found[name, int(size)].values.append(float(value))
            found[name, int(size)].shares.append(float(share))
    if process.returncode or not found:
        end = "\n".join((complained or said).strip().splitlines()[-5:])
        raise CalibrationError(f"{' '.join(command)} failed ({process.returncode}):\n{end}")
    return found
