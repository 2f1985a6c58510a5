"""Runs crumple-solver in a folder of its own and reads what it printed."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from crumple import solver
from crumple.restart.dumps import read_dump

MPI = os.environ.get("CRUMPLE_TEST_MPI", "")  #: library of the solver, where it is not the usual one
LIMIT = 300.0  # seconds; a run that hangs fails its test, not the suite
ROW = re.compile(r"^ *(\d+) +(\S+e\S+) +(\S+e\S+) +(\S+e\S+) +(\S+e\S+) +(\S+e\S+) +(\S+) +(\S+) +(\S+)$")


@dataclass(frozen=True)
class Progress:
    """One line of the screen's table."""

    cycle: int
    time: float
    step: float
    kinetic: float
    internal: float
    total: float
    ratio: float


@dataclass(frozen=True)
class Run:
    """What a finished run left: exit status, texts, folder."""

    status: int
    stdout: str
    stderr: str
    directory: Path

    @property
    def said(self) -> str:
        return self.stdout + self.stderr

    @property
    def hash(self) -> str:
        found = re.search(r"^state hash: ([0-9a-f]{16})$", self.stdout, re.MULTILINE)
        assert found, f"no state hash (exit status {self.status}):\n{self.said[-3000:]}"
        return found.group(1)

    def history(self, file: str) -> list[str]:
        """Lines of a text file of histories, but for what tells when and how fast it ran."""
        lines = (self.directory / file).read_text().splitlines()
        return [line for line in lines if "date" not in line and "zone cycle" not in line]

    @property
    def progress(self) -> list[Progress]:
        rows = [ROW.match(line) for line in self.stdout.splitlines()]
        return [Progress(int(m[1]), *(float(m[k]) for k in range(2, 8))) for m in rows if m]


def command(ranks: int, arguments: list[str], threads: int = 1) -> list[str]:
    """The command line of a run; more ranks than cores share them."""
    line = solver.mpirun(ranks, arguments, threads, mpi=MPI)
    binding = {"--bind-to", "-bind-to"} & set(line)
    return [line[0], *([] if binding else ["--bind-to", "none"]), *line[1:]]


#: Of mpirun after a rank has ended the job: it is not to wait for the others, 2 s of every run that fails.
AT_ONCE = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}


def surroundings(threads: int) -> dict[str, str]:
    """The environment of a run. Threads sleep while they wait: ranks and tests share few cores."""
    return solver.environment(threads) | {"OMP_WAIT_POLICY": "passive"}


def run(
    deck: Path | None,
    directory: Path,
    *arguments: str,
    ranks: int = 1,
    threads: int = 1,
    limit: float = LIMIT,
    environment: dict[str, str] | None = None,
) -> Run:
    """Run a deck with its results in `directory`, which is made if it does not exist."""
    directory.mkdir(parents=True, exist_ok=True)
    words = ([f"i={deck}"] if deck else []) + ["-d", str(directory), *arguments]
    done = subprocess.run(
        command(ranks, words, threads),
        env=surroundings(threads) | AT_ONCE | (environment or {}),
        capture_output=True,
        text=True,
        timeout=limit,
        check=False,
        cwd=directory,
    )
    return Run(done.returncode, done.stdout, done.stderr, directory)


def start(deck: Path, directory: Path, *arguments: str, ranks: int = 1) -> subprocess.Popen[str]:
    """Start a run that the test will disturb; its output comes with communicate()."""
    directory.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(
        command(ranks, [f"i={deck}", "-d", str(directory), *arguments]),
        env=surroundings(1),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=directory,
    )


def solver_processes(directory: Path) -> list[int]:
    """Process ids of the solver's ranks that work on `directory`, in no order."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words and words[0].endswith(b"crumple-solver") and os.fsencode(directory) in words:
            found.append(int(entry.name))
    return found


def same_on_two_ranks(deck: Path, directory: Path) -> Run:
    """The run on one rank, into `out1`; one on two, into `out2`, ends well and in the same state."""
    runs = [run(deck, directory / f"out{ranks}", ranks=ranks) for ranks in (1, 2)]
    for done in runs:
        assert done.status == 0, done.said
    assert runs[0].hash == runs[1].hash
    return runs[0]


#: Ranks, threads and decomposition.
LAYOUTS = ((1, 2, "rcb"), (2, 1, "metis"), (3, 2, "rcb"))
MORE_RANKS = ((2, 1, "metis"), (3, 2, "rcb"), (7, 1, "metis"))


def expect_same_bits(
    one: Run,
    deck: Path,
    directory: Path,
    precision: str,
    files: tuple[str, ...] = ("glstat",),
    layouts: tuple[tuple[int, int, str], ...] = LAYOUTS,
) -> None:
    """Runs of the deck on other ranks and threads have the state and the histories of `one`."""
    different = []
    for ranks, threads, method in layouts:
        where = directory / f"{ranks}x{threads}{method}"
        options = ("--precision", precision, "--decomposition", method)
        done = run(deck, where, *options, ranks=ranks, threads=threads)
        if done.hash != one.hash:
            different.append((ranks, threads, method))
            continue
        for file in files:
            assert done.history(file) == one.history(file), (file, ranks)
    assert not different


def expect_same_after_restart(deck: Path, directory: Path) -> None:
    """A run on two ranks that ends in the middle and goes on with three has the state of a whole one."""
    whole = run(deck, directory / "whole")
    cycles = whole.progress[-1].cycle
    options = (f"ncycle={cycles // 2}", "--dump-cycles", str(cycles // 2))
    half = run(deck, directory / "part", *options, ranks=2)
    assert half.status == 0, half.said
    rest = run(None, half.directory, f"r={half.directory / 'runrsf'}", ranks=3)
    assert rest.hash == whole.hash


def expect_torn_the_same(deck: Path, directory: Path, precision: str) -> None:
    """A deck that deletes elements, on one rank, on two and three, and stopped at 0.6 of its cycles."""
    options = ("--precision", precision)
    whole = run(deck, directory / "one", *options)
    assert whole.status == 0, whole.said
    deleted = int(re.search(r"(\d+) elements were deleted", whole.stdout)[1])
    assert deleted > 4
    hashes = {r: run(deck, directory / f"on{r}", *options, ranks=r).hash for r in (2, 3)}
    assert set(hashes.values()) == {whole.hash}
    cycle = int(0.6 * int(whole.progress[-1].cycle))
    out = directory / "stopped"
    first = run(deck, out, f"ncycle={cycle}", "--dump-cycles", str(cycle), *options, ranks=2)
    assert first.status == 0, first.said
    dump = read_dump(out / "runrsf")
    assert dump and dump.cycle == cycle
    assert run(None, out, f"r={out / 'runrsf'}", *options, ranks=3).hash == whole.hash
