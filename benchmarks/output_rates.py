"""Seconds of a plot state and of a dump for a million shells, beside writing as many bytes raw.

    python benchmarks/output_rates.py [--folder DIR] [--repeat N] [--cells N]

A plate of cells x cells shells, on one rank and on two: a state of d3plot, of results.vtkhdf, plain and
compressed, and a dump in both layouts. Beside each, as many bytes are written by as many processes at once,
each to its own file, with and without fsync. All in turn, round by round: what else the machine does meets
all of them alike. Sizes of files are what was written, so a compressed state is compared with its own size.
"""

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from speed_decks import write_plate  # noqa: E402
from speed_runs import phases_of  # noqa: E402

from crumple import solver  # noqa: E402
from crumple.pinning import place  # noqa: E402

STATES = 4  #: in a run, after the first cycle
RANKS = (1, 2)
PIECE = 1 << 23  #: bytes of one write
EACH_CYCLE = 1e-12  #: s: less than a step
D3PLOT, VTKHDF, DUMP = "d3plot", "results.vtkhdf", "d3dump"


@dataclass(frozen=True)
class Kind:
    """What is written."""

    name: str
    files: str  #: how their names begin
    options: tuple[str, ...] = ()
    synced: bool = False  #: the solver flushes it to the disk


KINDS = (
    Kind("state of d3plot", D3PLOT),
    Kind("state of results.vtkhdf", VTKHDF, ("--vtkhdf",)),
    Kind("state of results.vtkhdf, compressed", VTKHDF, ("--vtkhdf", "--vtkhdf-compression", "1")),
    Kind("dump, a file a rank", DUMP, ("--dump-layout", "files"), synced=True),
    Kind("dump, one file", DUMP, ("--dump-layout", "shared"), synced=True),
)


@dataclass
class Written:
    """Of one kind and number of ranks, a value a round."""

    bytes: int = 0  #: of one state or dump
    seconds: list[float] = field(default_factory=list)
    raw: list[float] = field(default_factory=list)  #: to the page cache
    synced: list[float] = field(default_factory=list)  #: with fsync


def deck_of(kind: Kind, plate: Path, cycles: int) -> Path:
    """The plate with output in each cycle."""
    text = plate.read_text()
    if kind.files == DUMP:
        text = text.replace("*DATABASE_GLSTAT", "*DATABASE_BINARY_D3DUMP\n       1.0\n*DATABASE_GLSTAT", 1)
    elif cycles:
        text = re.sub(r"(\*DATABASE_BINARY_D3PLOT\n)[^\n]*", rf"\g<1>{EACH_CYCLE:10.3e}", text)
    changed = plate.with_name(f"plate-{kind.files}-{cycles}.k")
    if not changed.exists():
        changed.write_text(text)
    return changed


def run(kind: Kind, plate: Path, ranks: int, cycles: int, folder: Path) -> tuple[str, float]:
    """The output of a run of so many cycles, and its seconds of output.

    Raises:
        RuntimeError: it did not end well.
    """
    words = [f"i={deck_of(kind, plate, cycles)}", "-d", str(folder), f"ncycle={cycles}", *kind.options]
    command = solver.mpirun(ranks, words, pinned=place(ranks, 1).pinned)
    done = subprocess.run(command, env=solver.environment(1, ranks), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-500:]}")
    return done.stdout, phases_of(done.stdout)["output"]


def size_of(folder: Path, begins: str) -> int:
    """Bytes of the files whose names begin so."""
    return sum(path.stat().st_size for path in folder.iterdir() if path.name.startswith(begins))


def one_state(kind: Kind, plate: Path, ranks: int, folder: Path) -> tuple[int, float]:
    """Bytes and seconds of a state: what more of them in a run take, without those at its ends.

    States of d3plot are written beside those of results.vtkhdf; theirs are taken off.
    """
    beside = one_state(KINDS[0], plate, ranks, folder)[1] if kind.files == VTKHDF else 0.0
    spent, sizes = [], []
    for cycles in (1, 1 + STATES):
        with tempfile.TemporaryDirectory(dir=folder) as here:
            spent.append(run(kind, plate, ranks, cycles, Path(here))[1])
            sizes.append(size_of(Path(here), kind.files))
    return (sizes[1] - sizes[0]) // STATES, (spent[1] - spent[0]) / STATES - beside


def one_dump(kind: Kind, plate: Path, ranks: int, folder: Path) -> tuple[int, float]:
    """Bytes and seconds of a dump, as the run itself says them: the second, whose files are new, too."""
    with tempfile.TemporaryDirectory(dir=folder) as here:
        said, _ = run(kind, plate, ranks, 2, Path(here))
        dumps = re.findall(r"written, cycle \d+: ([\d.]+) MB in ([\d.]+) s", said)
        return int(1e6 * float(dumps[-1][0])), float(dumps[-1][1])


def write_raw(path: Path, size: int, sync: bool, together: Barrier, said: "Queue[float]") -> None:
    """So many bytes, in large pieces; says how long it took."""
    piece = os.urandom(PIECE)
    together.wait()
    start = time.monotonic()
    with path.open("wb", buffering=0) as out:
        for begin in range(0, size, PIECE):
            out.write(piece[: size - begin])
        if sync:
            os.fsync(out.fileno())
    said.put(time.monotonic() - start)


def raw_seconds(folder: Path, size: int, ranks: int, sync: bool) -> float:
    """As many bytes by as many processes at once, in new files."""
    together, said = multiprocessing.Barrier(ranks), multiprocessing.Queue()
    with tempfile.TemporaryDirectory(dir=folder) as here:
        writers = [
            multiprocessing.Process(
                target=write_raw, args=(Path(here) / str(rank), size // ranks, sync, together, said)
            )
            for rank in range(ranks)
        ]
        for writer in writers:
            writer.start()
        seconds = max(said.get() for _ in writers)
        for writer in writers:
            writer.join()
    return seconds


def measure(
    folder: Path, cells: int, repeat: int, tell: Callable[[str], None]
) -> dict[tuple[Kind, int], Written]:
    """All kinds on all numbers of ranks."""
    plate = folder / "plate.k"
    write_plate(plate, cells)
    found = {(kind, ranks): Written() for kind in KINDS for ranks in RANKS}
    for number in range(repeat):
        for (kind, ranks), written in found.items():
            tell(f"round {number + 1} of {repeat}: {kind.name}, {ranks} ranks")
            of = one_dump if kind.files == DUMP else one_state
            written.bytes, seconds = of(kind, plate, ranks, folder)
            written.seconds.append(seconds)
            written.raw.append(raw_seconds(folder, written.bytes, ranks, sync=False))
            written.synced.append(raw_seconds(folder, written.bytes, ranks, sync=True))
    return found


def in_words(values: list[float]) -> str:
    """The median, and in brackets the least and the most."""
    return f"{median(values):.2f} [{min(values):.2f}, {max(values):.2f}]"


def table(found: dict[tuple[Kind, int], Written]) -> str:
    """As Markdown."""
    lines = [
        "| | ranks | MB | seconds | raw | raw with fsync | over raw; with fsync |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for (kind, ranks), of in found.items():
        ratios = f"{median(of.seconds) / median(of.raw):.1f}; {median(of.seconds) / median(of.synced):.1f}"
        cells = (in_words(of.seconds), in_words(of.raw), in_words(of.synced), ratios)
        lines.append(f"| {kind.name} | {ranks} | {of.bytes / 1e6:.0f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, help="on the file system to measure; default: a temporary one")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--cells", type=int, default=1000, help="shells of an edge of the plate")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        found = measure(Path(folder), options.cells, options.repeat, lambda w: print(w, file=sys.stderr))
    print(table(found))


if __name__ == "__main__":
    main()
