"""Traces of our solver from Python, as `crumple trace` makes them."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace
from crumple.lab.traces.make import make
from crumple.lab.traces.record import RecordingWish, record

Named = str | os.PathLike[str]


def quiet(_text: str) -> None:
    """Tells nothing."""


def trace_deck(
    deck: Named,
    ranks: int,
    folder: Named,
    cycles: tuple[int, int] = (200, 400),
    synthetic: bool = False,
    sources: Sequence[Named] = (),
    decomposition: Literal["rcb", "metis"] = "rcb",
    pfile: Named | None = None,
    precision: Literal["single", "double"] = "double",
    platform: Named | None = None,
    say: Callable[[str], object] = quiet,
) -> Trace:
    """What each of some ranks computes and sends: recorded here, or made without such a run.

    Args:
        deck: a keyword deck
        ranks: of the run, also more than this machine has cores
        folder: for the trace
        cycles: the first, and the one behind the last
        synthetic: make it from the decomposition, and from recordings of few ranks
        sources: recorded traces for costs, and for the pattern of a synthetic one; default: recorded now
        platform: file of `crumple calibrate` with the speed of this machine
        say: told of each stage

    Raises:
        TraceError: the deck is wrong, or ends before the window does.
        FileNotFoundError: the solver is not built.
    """
    for path, what in ((deck, "deck"), (pfile, "pfile")):
        if path is not None and not Path(path).is_file():
            raise TraceError(f"there is no {what} {path}")
    wish = RecordingWish(
        Path(deck),
        ranks,
        *cycles,
        method=decomposition,
        pfile=None if pfile is None else Path(pfile),
        precision=precision,
        platform=None if platform is None else Path(platform),
        costs=tuple(map(Path, sources)),
    )
    if synthetic:
        return make(wish, list(wish.costs), Path(folder), say).trace
    return record(wish, Path(folder), say).trace
