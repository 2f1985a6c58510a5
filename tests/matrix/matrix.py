"""Builds and tests the solver as `make test` does not: other compilers, MPI libraries, checks at run time.

Usage: matrix.py [cell ...]; without any, all of them. Each cell says what it found, and a table ends the run.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Runs of small decks with contact, erosion, ties, joints, an airbag and relaxation, on one rank and more.
DECKS = (
    "tests/invariance/test_same_bits.py::test_files_are_the_same",
    "tests/invariance/test_joints_and_gas.py",
    "tests/regression/test_relaxed_constraints.py",
    "tests/regression/test_airfilled_sphere.py",
)
#: Runs with more than one thread.
THREADED_DECKS = (
    "tests/invariance/test_same_bits.py::test_small_deck",
    "tests/invariance/test_same_bits.py::test_fewer_threads_than_asked_for",
    "tests/invariance/test_same_bits.py::test_three_vehicles",
)
#: Open MPI runs as root in a container.
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Failed(Exception):
    """A step of a cell ended with another status than 0."""


@dataclass(frozen=True)
class Cell:
    """One way to build and test."""

    name: str
    about: str
    run: Callable[[], str]  #: returns what the table says of it


@contextmanager
def timed(part: str) -> Iterator[None]:
    """Print how long a part of a cell took."""
    start = time.monotonic()
    yield
    print(f"   {part}: {time.monotonic() - start:.0f} s", flush=True)


def call(command: Iterable[str], **environment: str) -> str:
    """Run a command in the checkout and return what it prints.

    Raises:
        Failed: its status is not 0; all that it printed is shown.
    """
    done = subprocess.run(
        list(command),
        cwd=ROOT,
        env={**os.environ, **AS_ROOT, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(done.stdout[-12000:])
        raise Failed(" ".join(command))
    return done.stdout


def build(preset: str, *targets: str, options: tuple[str, ...] = ()) -> Path:
    """Configure a preset and build targets of it; returns its folder."""
    call(["cmake", "--preset", preset, *options])
    cores = str(os.cpu_count() or 1)
    with timed("build"):
        call(["cmake", "--build", f"build/{preset}", "-j", cores, "--target", *targets])
    return ROOT / "build" / preset


def unit_tests(folder: Path, which: str = "^unit_", **environment: str) -> int:
    """Run the unit tests of a build, one on each core at a time; returns how many programs there are."""
    # Counters of lines and shadow memory are slow where threads share them: four times as long with two.
    environment = {"OMP_NUM_THREADS": "1", **environment}
    cores = str(os.cpu_count() or 1)
    command = ["ctest", "--test-dir", str(folder), "-j", cores, "--output-on-failure", "-R", which]
    with timed("unit tests"):
        said = call(command, **environment)
    found = re.search(r"tests passed, 0 tests failed out of (\d+)", said)
    assert found, said
    return int(found[1])


def decks(folder: Path, mpi: str, which: tuple[str, ...] = DECKS, **environment: str) -> int:
    """Run decks with the solver of a build; returns how many tests passed."""
    program = folder / "bin" / "crumple-solver"
    beside = program.with_name(f"{program.name}-{mpi}")
    beside.unlink(missing_ok=True)
    beside.symlink_to(program.name)
    with timed("decks"):
        said = call(
            [sys.executable, "-m", "pytest", *which],
            CRUMPLE_SOLVER=str(program),
            CRUMPLE_TEST_MPI=mpi,
            **environment,
        )
    found = re.search(r"(\d+) passed", said)
    assert found, said
    return int(found[1])


def headers() -> str:
    """Every header compiles alone."""
    build("dev", "headers_compile_alone", options=("-DCRUMPLE_HEADERS=ON",))
    count = sum(1 for _ in (ROOT / "solver").rglob("*.hpp"))
    return f"{count} headers compile alone"


def sanitize() -> str:
    """Clang with assertions and the address and undefined behaviour sanitizers, Open MPI."""
    folder = build("sanitize-clang", "crumple-solver", "unit_tests")
    # Open MPI keeps memory at its end; its own threads and libraries are not ours to check.
    options = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1", "UBSAN_OPTIONS": "halt_on_error=1"}
    programs = unit_tests(folder, **options)
    return f"{programs} unit test programs, {decks(folder, 'openmpi', **options)} tests of decks"


def threads() -> str:
    """Clang with the thread sanitizer and LLVM's OpenMP, which tells it of barriers; Open MPI."""
    folder = build("threads-clang", "crumple-solver")
    # Open MPI and hwloc are not compiled for the sanitizer.
    known = ROOT / "tests" / "matrix" / "thread_sanitizer.supp"
    options = f"halt_on_error=1:ignore_noninstrumented_modules=1:suppressions={known}"
    return f"{decks(folder, 'openmpi', THREADED_DECKS, TSAN_OPTIONS=options)} tests of decks"


def audit() -> str:
    """GCC with assertions, MPICH; lines that ran are counted."""
    folder = build("audit-mpich", "crumple-solver", "unit_tests")
    for counts in folder.rglob("*.gcda"):
        counts.unlink()
    programs = unit_tests(folder)
    tests = decks(folder, "mpich")
    print(coverage(folder))
    return f"{programs} unit test programs, {tests} tests of decks"


def mpich() -> str:
    """GCC with assertions, MPICH: what needs ranks, and decks."""
    folder = build("audit-mpich", "crumple-solver", "unit_tests_on_ranks")
    programs = unit_tests(folder, "^unit_.*_mpi[0-9]+$")
    return f"{programs} unit test programs, {decks(folder, 'mpich')} tests of decks"


def coverage(folder: Path) -> str:
    """Lines of each folder of solver/ that unit tests and decks ran, as a table."""
    said = call(
        [
            sys.executable,
            "-m",
            "gcovr",
            "--root",
            ".",
            "--filter",
            "solver/",
            "--merge-mode-functions",
            "separate",
            "--gcov-ignore-parse-errors",  # threads that count at the same time may leave a negative count
            "negative_hits.warn_once_per_file",
        ]
        + ["-j", str(os.cpu_count() or 1), "--csv", "-", str(folder)]
    )
    lines: dict[str, list[int]] = {}
    for row in said.splitlines():
        columns = row.split(",")
        if not columns[0].startswith("solver/"):
            continue
        name = "/".join(columns[0].split("/")[:2])
        total = lines.setdefault(name, [0, 0])
        total[0] += int(columns[1])
        total[1] += int(columns[2])
    rows = [f"{'folder':<24} {'lines':>7} {'ran':>7}"]
    lines["all"] = [sum(n for n, _ in lines.values()), sum(ran for _, ran in lines.values())]
    for name, (count, ran) in lines.items():
        rows.append(f"{name:<24} {count:7d} {ran / max(count, 1):7.1%}")
    return "\n".join(rows)


def tidy() -> str:
    """clang-tidy's checks of .clang-tidy find nothing. Nothing is compiled."""
    call(["cmake", "--preset", "tidy"])
    # The files of a folder are read together, as one that includes them: that takes an eighth of the time.
    command = ["run-clang-tidy-16", "-quiet", "-checks=-bugprone-suspicious-include", "-p", "build/tidy"]
    compiled = f"^{re.escape(str(ROOT))}/(solver|build/tidy/(CMakeFiles|generated/materials))/"
    done = subprocess.run(
        [*command, "-j", str(os.cpu_count() or 1), compiled],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found = sorted(set(re.findall(r"^\S+: (?:warning|error): .*$", done.stdout, re.MULTILINE)))
    if found or done.returncode != 0:
        # A check that crashes leaves only the stack in stderr, between thousands of counts of warnings.
        counts = re.compile(r"^\d+ warnings?( and \d+ errors?)? generated\.$\n?", re.MULTILINE)
        print("\n".join(found))
        print((done.stdout if not found else "")[-8000:] + counts.sub("", done.stderr)[:4000])
        raise Failed(f"{len(found)} findings of clang-tidy, exit status {done.returncode}")
    count = sum(1 for suffix in ("hpp", "cpp") for _ in (ROOT / "solver").rglob(f"*.{suffix}"))
    return f"{count} files without a finding"


CELLS = (
    Cell("headers", "every header compiles alone", headers),
    Cell("audit", "gcc, MPICH, assertions, coverage", audit),
    Cell("mpich", "gcc, MPICH, assertions: what needs ranks", mpich),
    Cell("sanitize", "clang, Open MPI, assertions, sanitizers", sanitize),
    Cell("threads", "clang, thread sanitizer", threads),
    Cell("tidy", "clang-tidy", tidy),
)


def processor_seconds() -> float:
    """What the programs that this one ran took by now."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Run the cells asked for; the status is 1 if any failed."""
    names = [cell.name for cell in CELLS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", nargs="*", help=", ".join(names))
    asked = parser.parse_args().cells or names
    if unknown := sorted(set(asked) - set(names)):
        parser.error(f"no such cell: {', '.join(unknown)}; there are {', '.join(names)}")
    rows, failed = [], False
    for cell in CELLS:
        if cell.name not in asked:
            continue
        print(f"== {cell.name}: {cell.about}", flush=True)
        start, before = time.monotonic(), processor_seconds()
        try:
            said = cell.run()
        except Failed as error:
            said, failed = f"FAILED: {error}", True
        wall, cpu = time.monotonic() - start, processor_seconds() - before
        rows.append(f"{cell.name:<10} {wall:6.0f} s  {cpu:6.0f} s CPU  {said}")
        print(rows[-1], flush=True)
    print("\n".join(["", *rows]))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
