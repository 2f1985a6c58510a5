"""Traces of explicit and implicit decks alike."""

import re
import subprocess
import tempfile
from pathlib import Path

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.traces.decomposition import said
from crumple.lab.traces.implicit_runs import make_implicit, record_implicit
from crumple.lab.traces.make import Made, make
from crumple.lab.traces.record import Recorded, RecordingWish, Say, record
from crumple.mpi import environment
from crumple.solver import mpirun

MAY_BE = re.compile(r"^\*(CONTROL_IMPLICIT_GENERAL|INCLUDE)", re.M | re.I)
SAID = "an implicit model is whole on rank 0"  #: by `crumple-solver --decompose`


def is_implicit(deck: Path) -> bool:
    """Whether a deck has an implicit run, as the solver says.

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck is wrong.
    """
    if not MAY_BE.search(deck.read_text(errors="replace")):
        return False
    with tempfile.TemporaryDirectory(prefix="crumple-trace-") as folder:
        words = [f"i={deck}", "--decompose", "1", "-d", folder]
        done = subprocess.run(
            mpirun(1, words), env=environment(), capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise TraceError(f"the solver cannot share {deck} out:\n{said(done)}")
    return SAID in done.stdout


def record_any(wish: RecordingWish, folder: Path, say: Say) -> Recorded:
    """Record a trace of a deck.

    Raises:
        FileNotFoundError, TraceError, ProfileError: as `record`.
    """
    return (record_implicit if is_implicit(wish.deck) else record)(wish, folder, say)


def make_any(wish: RecordingWish, sources: list[Path], folder: Path, say: Say) -> Made:
    """Write a synthetic trace of a deck.

    Raises:
        FileNotFoundError, TraceError, ProfileError: as `make`.
    """
    if not is_implicit(wish.deck):
        return make(wish, sources, folder, say)
    return Made(*make_implicit(wish, sources, folder, say))
