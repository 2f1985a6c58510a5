"""Fuzzes the Python readers: a damaged file gives a result or the reader's own error, soon, in little memory.

usage: fuzz_readers.py SECONDS [READER ...]
"""

import faulthandler
import importlib
import math
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutation import damaged
from readers import Reader, readers, write_corpus

LONGEST = 20.0  #: s of an input, on a busy machine
MEMORY = 1 << 30  #: bytes that a reader may take beyond what its modules have
FOUND = Path(__file__).resolve().parents[2] / "build" / "fuzz" / "readers"


@dataclass
class Finding:
    """An input on which a reader did not do what it should."""

    reader: str
    number: int
    what: str
    kept: Path | None = None  #: its folder

    @property
    def kind(self) -> str:
        """What findings of the same cause have alike: where an exception came from."""
        lines = self.what.splitlines()
        return "".join(line for line in lines if line.startswith("  File ")) or self.what[:20]


def write_input(reader: Reader, good: Path, folder: Path, seed: int, number: int) -> Path:
    """The files of an input, one of them damaged; which it is."""
    shutil.copytree(good / reader.corpus, folder)
    choice = random.Random(f"{seed} {reader.name} {number}")
    path = choice.choice(sorted(folder.glob(reader.damages)))
    path.write_bytes(damaged(choice, path.read_bytes()))
    return path


def complaint(reader: Reader, folder: Path, path: Path) -> str:
    """What is wrong with how a reader took an input; empty where nothing is."""
    try:
        reader.read(folder)
    except reader.errors as error:
        said = str(error)
        if path.name not in said and str(folder) not in said and not (reader.names and reader.names in said):
            return f"its error does not name {path.name}: {said}"
    except BaseException:
        return traceback.format_exc(limit=-6)
    return ""


def limit_memory() -> None:
    """Let this process take so much more and no more."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def work(reader: Reader, good: Path, place: Path, seed: int, first: int, pipe) -> None:  # noqa: ANN001
    """Take inputs from a number on, and tell of each before and after."""
    shutil.copytree(good / reader.corpus, place / "good")
    reader.read(place / "good")  # imports what it needs, and shows that the corpus is good
    shutil.rmtree(place / "good")
    faulthandler.disable()
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)  # what libraries print of a damaged file
    os.dup2(silent, 2)
    limit_memory()
    number = first
    while True:
        folder = place / str(number)
        path = write_input(reader, good, folder, seed, number)
        pipe.send((number, None))
        pipe.send((number, complaint(reader, folder, path)))
        if not pipe.recv():
            return
        number += 1


class Fuzzing:
    """A process that takes inputs, started again where one has ended it."""

    def __init__(self, reader: Reader, good: Path, place: Path, seed: int) -> None:
        self.reader, self.good, self.place, self.seed = reader, good, place, seed
        self.next = 0
        self.until = math.inf

    def go_on(self, count: int | None) -> bool:
        """Whether there is time, and not yet a number of inputs."""
        return time.monotonic() < self.until and (count is None or self.next < count)

    def outcomes(self, seconds: float, count: int | None) -> Iterator[tuple[int, str]]:
        """Numbers of inputs, and what is wrong with each; empty where nothing is.

        Args:
            seconds: from the first input on
        """
        while self.go_on(count):
            ours, theirs = multiprocessing.Pipe()
            arguments = (self.reader, self.good, self.place, self.seed, self.next, theirs)
            process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
            process.start()
            theirs.close()
            try:
                yield from self.listen(ours, seconds, count)
            finally:
                process.kill()
                process.join()

    def listen(self, pipe, seconds: float, count: int | None) -> Iterator[tuple[int, str]]:  # noqa: ANN001
        """What one process tells."""
        started = False
        while True:
            try:
                if not pipe.poll(LONGEST if started else 120.0):
                    # What may die has a process of its own, with a limit (crumple/view/own_process.py).
                    yield self.done("" if self.reader.may_die else f"no end after {LONGEST:.0f} s")
                    return
                self.next, said = pipe.recv()
            except EOFError:
                if not started:
                    raise RuntimeError(f"{self.reader.name}: the good files cannot be read") from None
                yield self.done("" if self.reader.may_die else "it ended the process")
                return
            if not started and math.isinf(self.until):
                self.until = time.monotonic() + seconds
            started = True
            if said is not None:
                yield self.done(said)
                pipe.send(self.go_on(count))
                if not self.go_on(count):
                    return

    def done(self, said: str) -> tuple[int, str]:
        """The input that was taken, and on to the next."""
        number, self.next = self.next, self.next + 1
        return number, said


def fuzz(
    reader: Reader, good: Path, seed: int, seconds: float = 1e9, count: int | None = None, keep: bool = True
) -> tuple[int, list[Finding]]:
    """Fuzz a reader for some time or a number of inputs; how many it took, and what was found.

    Args:
        good: folder of `write_corpus`
        keep: the inputs of findings, in build/fuzz/readers
    """
    taken, findings = 0, []
    if reader.module:
        importlib.import_module(reader.module)
    with tempfile.TemporaryDirectory(prefix="crumple-fuzz-", dir="/dev/shm") as place:
        fuzzing = Fuzzing(reader, good, Path(place), seed)
        for number, what in fuzzing.outcomes(seconds, count):
            taken += 1
            folder = Path(place) / str(number)
            if what:
                finding = Finding(reader.name, number, what)
                if keep:
                    finding.kept = FOUND / f"{reader.name}-{seed}-{number}"
                    shutil.rmtree(finding.kept, ignore_errors=True)
                    shutil.copytree(folder, finding.kept)
                findings.append(finding)
            shutil.rmtree(folder, ignore_errors=True)
    return taken, findings


def main(seconds: float, names: list[str]) -> int:
    """Fuzz readers, each for its share of the time; the exit status."""
    chosen = [reader for reader in readers() if not names or reader.name in names]
    seed, failed = int(time.time()), 0
    with tempfile.TemporaryDirectory() as folder:
        good = Path(folder) / "corpus"
        write_corpus(good)
        for reader in chosen:
            taken, findings = fuzz(reader, good, seed, seconds / len(chosen))
            print(f"{reader.name}: {taken} inputs, seed {seed}, {len(findings)} findings", flush=True)
            for finding in {f.kind: f for f in findings}.values():
                print(f"  {finding.kept}: {finding.what[-1500:]}")
            failed += len(findings)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
