"""Makes what the prediction of the published implicit step needs: benchmarks/published/implicit.

    python benchmarks/record_implicit.py recording [--elements 12000]
    python benchmarks/record_implicit.py division [--elements 115200] [--ranks 16]

The recording is of the model `cylinders` on 2 ranks, in double precision: it has the order of requests and
the rates. The division is grown to the published equations; at the published size, 921,600 elements,
it takes minutes and several GB of memory.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import zstandard

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crumple.lab.published.implicit_step import RECORDING, STORED, stored_division  # noqa: E402
from crumple.lab.traces.factor_division import DIVISION, divide  # noqa: E402
from crumple.lab.traces.implicit_runs import record_implicit  # noqa: E402
from crumple.lab.traces.record import RecordingWish  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402

LEVEL = 19  #: of zstd


def main() -> None:
    """Make one of both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("recording")
    one.add_argument("--elements", type=int, default=12_000)
    other = commands.add_parser("division")
    other.add_argument("--elements", type=int, default=115_200)
    other.add_argument("--ranks", type=int, default=16)
    options = parser.parse_args()
    STORED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        deck = Path(scratch, "cylinders.k")
        print(write_model("cylinders", deck, Wishes(options.elements)), "elements", flush=True)
        if options.command == "recording":
            wish = RecordingWish(deck, 2, 0, 1)
            print(record_implicit(wish, STORED / RECORDING, print).seconds, "s")
            return
        divide(deck, options.ranks, Path(scratch, "division"))
        text = Path(scratch, "division", DIVISION).read_bytes()
        stored_division(options.ranks).write_bytes(zstandard.compress(text, LEVEL))


if __name__ == "__main__":
    main()
