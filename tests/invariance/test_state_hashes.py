"""The state at the end of small runs keeps its bits from one version to the next.

Structure may change, numbers may not: a change of any bit is made on purpose, and its commit says why. The
hashes belong to the compiler and the instruction set that made them. `CRUMPLE_RECORD_HASHES=1` writes anew
those of the instruction sets that this machine has.
"""

import fcntl
import json
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import every_law
import pytest
import small_decks
from solver_run import run

RECORDED = Path(__file__).with_name("state_hashes.json")
RECORD = os.environ.get("CRUMPLE_RECORD_HASHES") == "1"
RELAXATION = (
    "*CONTROL_DYNAMIC_RELAXATION\n60,1e-6,0.99,1e-2,,,,1\n"
    "*DEFINE_CURVE\n21,2\n0.,0.05\n1000.,0.05\n*LOAD_BODY_Y\n21,1."
)
DECKS: dict[str, Callable[[], str]] = {
    **small_decks.CRASHES,
    "jointed_tyre": small_decks.jointed_tyre,
    "stitched_plates": small_decks.stitched_plates,
    "relaxed_forms": partial(small_decks.all_forms, extra=RELAXATION),
    "every_law": every_law.every_law,
}
FLAGS = {"baseline": "sse2", "avx2": "avx2", "avx512": "avx512dq"}


def has(isa: str) -> bool:
    """Whether this processor has an instruction set."""
    text = Path("/proc/cpuinfo").read_text()
    return bool(re.search(rf"^flags.*\b{FLAGS[isa]}\b", text, re.MULTILINE))


@pytest.fixture(scope="module")
def recorded():
    """Hashes by instruction set, precision and deck; written at the end where they are recorded."""
    hashes: dict[str, dict[str, dict[str, str]]] = {}
    yield json.loads(RECORDED.read_text()) if not RECORD else hashes
    if RECORD:
        with RECORDED.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            kept = json.loads(file.read() or "{}")
            for isa, precisions in hashes.items():
                for precision, decks in precisions.items():
                    kept.setdefault(isa, {}).setdefault(precision, {}).update(decks)
            file.truncate(0)
            file.write(json.dumps(kept, indent=1, sort_keys=True) + "\n")


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("isa", FLAGS)
def test_state_hash(isa, name, precision, recorded, tmp_path):
    if not has(isa):
        pytest.skip(f"this processor does not have {isa}")
    deck = tmp_path / f"{name}.k"
    deck.write_text(DECKS[name]())
    done = run(deck, tmp_path / "out", "--isa", isa, "--precision", precision)
    if "CR-K004" in done.said or "precision, AVX2\n" in done.stdout and isa == "avx512":
        pytest.skip(f"this solver was built without {isa}")
    assert done.status == 0, done.said
    of_isa = recorded.setdefault(isa, {}).setdefault(precision, {})
    if RECORD:
        of_isa[name] = done.hash
    assert done.hash == of_isa[name]
