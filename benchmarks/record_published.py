"""Records the benchmark models for the published studies: in the crash, on 2 and 8 ranks, 20,000 elements.

Three windows of 40 cycles, near the middle of each third of a job. One that writes a plot state or a row of
histories is recorded again from the cycle after it: few cycles of a job do, and their reductions are large.
Nothing else may be at work: what an element costs is processor time, and is printed. A window that stands out
is recorded again by its first cycle.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from crumple.lab.profile.trace.convert import SUMMARY  # noqa: E402
from crumple.lab.profile.trace.trace_folder import Trace  # noqa: E402
from crumple.lab.published.patterns import RECORDINGS  # noqa: E402
from crumple.lab.published.published_file import DECKS  # noqa: E402
from crumple.lab.traces.displacements import FILE, KEY  # noqa: E402
from crumple.lab.traces.record import RecordingWish, record  # noqa: E402
from crumple.lab.traces.work import phase_times  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402

ELEMENTS, CYCLES, RANKS = 20_000, 40, (2, 8)
#: of a job: half a row of histories after the middles of thirds, at one of which a row is written
LATER = 1 / 400
THIRDS = (1 / 6 + LATER, 3 / 6 + LATER, 5 / 6 + LATER)
SORT = 8  #: collectives of a cycle that sorts contacts; one that writes has 15 or more
BEGINNING = (10, 20)  #: cycles whose step tells how many a job has


def quiet(_: str) -> None:
    """Nothing is said of a recording until it is done."""


def windows_of(deck: Path, folder: Path) -> list[int]:
    """First cycles, if the step stays what it is in the beginning."""
    cycles = record(RecordingWish(deck, 2, *BEGINNING), folder, quiet).trace.job_cycles
    return [round(cycles * third) - CYCLES // 2 for third in THIRDS]


def tidy(folder: Path, with_displacements: bool) -> None:
    """Leave out of a trace what is of this machine: folders; and displacements that another trace has."""
    path = folder / SUMMARY
    meta = json.loads(path.read_text())
    words = [word.rsplit("/", 1)[-1] for word in meta["command"]]
    if "-d" in words:
        del words[words.index("-d") : words.index("-d") + 2]
    words[1] = f"i={words[1].removeprefix('i=')}"
    meta["command"] = words
    if not with_displacements:
        meta.pop(KEY, None)
        (folder / FILE).unlink(missing_ok=True)
    path.write_text(json.dumps(meta, indent=1) + "\n")


def after_writing(trace: Trace) -> int:
    """The cycle after the last one of a trace that writes a state or a row; 0: none does."""
    times = phase_times(trace)
    collectives = (kind.count(",") + 1 for kind in times.kinds)
    return max((c + 1 for c, n in zip(times.cycles, collectives, strict=True) if n > SORT), default=0)


def record_window(deck: Path, first: int, folder: Path) -> int:
    """Record a window into a folder named by its first cycle, and print what it costs.

    Returns:
        the cycle to begin with instead, where it writes; nothing of it is left then. 0: it is recorded
    """
    for ranks in RANKS:
        made = record(
            RecordingWish(deck, ranks, first, first + CYCLES), folder / str(first) / f"{ranks}-ranks", quiet
        )
        if after := after_writing(made.trace):
            print(f"{folder.name} {first}: writes in cycle {after - 1}", flush=True)
            shutil.rmtree(folder / str(first))
            return after
        tidy(made.trace.folder, ranks == RANKS[-1])
        each = 1e9 * sum(made.trace.meta["seconds"]) / CYCLES / made.decomposition.elements
        rate = made.trace.meta["reference"]["element_rate"]
        said = f"{folder.name} {first}: {ranks} ranks, {each:.0f} ns an element and cycle"
        print(f"{said}; {rate / 1e6:.2f} M updates/s; {made.seconds:.0f} s", flush=True)
    return 0


def record_model(model: str, firsts: list[int], to: Path) -> None:
    """Record a model's windows and print what they cost.

    Args:
        firsts: cycles that windows begin with; []: in the middle of each third
    """
    with tempfile.TemporaryDirectory(prefix="crumple-published-") as scratch:
        deck = Path(scratch, f"{model}.k")
        write_model(model, deck, Wishes(ELEMENTS))
        for first in firsts or windows_of(deck, Path(scratch, "beginning")):
            while first:
                first = record_window(deck, first, to / model)


def main() -> None:
    """Record some models or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="*", default=list(DECKS), help=f"of {', '.join(DECKS)}; all without")
    parser.add_argument(
        "--first", type=int, action="append", default=[], help="cycle of one window; again for more"
    )
    parser.add_argument("--to", type=Path, default=RECORDINGS, help="folder of the recordings")
    args = parser.parse_args()
    for model in args.model:
        record_model(model, args.first, args.to)


if __name__ == "__main__":
    main()
