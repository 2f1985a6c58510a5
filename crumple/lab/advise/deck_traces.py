"""Traces of a deck at all numbers of ranks: recorded at two of them, made for the others, and kept."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from crumple.cache_folder import cache_folder
from crumple.lab.advise.candidates import DeckSharing
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import Trace, open_trace, sha256_of
from crumple.lab.simulate.volume import Volume, volume_of
from crumple.lab.traces.decomposition import FILE, read_decomposition
from crumple.lab.traces.make import RECORDED, Recordings, recordings, write_from
from crumple.lab.traces.record import RecordingWish, record, to_be
from crumple.solver import solver_path
from crumple.whole_file import write_whole

Say = Callable[[str], None]
LOAD = "load"  #: file with the load average of the machine before the recordings


@dataclass
class DeckTraces:
    """Traces and the sums over them, by decomposition."""

    wish: RecordingWish  #: the deck, the cycles and the precision
    pfiles: dict[str, Path]  #: by name
    folder: Path
    known: Recordings = field(repr=False)
    elements: int
    load: float = 0.0  #: load average of this machine before the recording
    traces: dict[DeckSharing, Trace] = field(default_factory=dict, repr=False)
    volumes: dict[DeckSharing, Volume] = field(default_factory=dict, repr=False)

    def add(self, sharing: DeckSharing) -> None:
        """Make a trace, or use the one that was made earlier.

        Raises:
            TraceError: it cannot be made.
        """
        if sharing in self.traces:
            return
        pfile = self.pfiles.get(sharing.decomposition)
        method = "rcb" if pfile else sharing.decomposition
        name = re.sub(r"\W", "-", sharing.decomposition)  # the name of a pfile may contain folders
        folder = self.folder / f"{name}-{sharing.ranks}"
        trace = kept(folder)
        if trace is None:
            wish = replace(self.wish, ranks=sharing.ranks, method=method, pfile=pfile)
            with to_be(folder) as scratch:
                write_from(wish, self.known, scratch, folder)
            trace = open_trace(folder)
        self.traces[sharing] = trace
        self.volumes[sharing] = volume_of(trace)


def kept(folder: Path) -> Trace | None:
    """A trace that was made earlier; None if there is none, or it is damaged."""
    try:
        return open_trace(folder)
    except (TraceError, OSError):
        return None


def deck_traces(wish: RecordingWish, pfiles: dict[str, Path], say: Say, use_cache: bool = True) -> DeckTraces:
    """Record the deck, or use earlier recordings of the same deck by the same solver.

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the deck is wrong, or ends before the window does.
    """
    folder = cache_folder() / "advise" / key_of(wish, pfiles)
    load = os.getloadavg()[0]
    sources = [folder / f"of-{ranks}-ranks" for ranks in RECORDED]
    for ranks, source in zip(RECORDED, sources, strict=True):
        if not use_cache or kept(source) is None:
            record(replace(wish, ranks=ranks, work="cpu"), source, say)
            write_whole(folder / LOAD, f"{load}\n")
            use_cache = False  # traces that were made from an older recording are made again
    if not use_cache:
        for made in folder.iterdir():
            if made not in (*sources, folder / LOAD):
                shutil.rmtree(made, ignore_errors=True)
    known = recordings(wish, sources)
    elements = read_decomposition(sources[0] / FILE).elements
    return DeckTraces(wish, pfiles, folder, known, elements, load_of(folder))


def load_of(folder: Path) -> float:
    """Load average of the machine before the recordings; 0 if it is not known."""
    try:
        return float((folder / LOAD).read_text())
    except (OSError, ValueError):
        return 0.0


def key_of(wish: RecordingWish, pfiles: dict[str, Path]) -> str:
    """A key of everything that the traces of a deck depend on."""
    what = {
        "deck": sha256_of(wish.deck),
        "solver": sha256_of(solver_path()),
        "cycles": [wish.first, wish.end],
        "precision": wish.precision,
        "platform": sha256_of(wish.platform) if wish.platform else "",
        "pfiles": {name: sha256_of(path) for name, path in pfiles.items()},
    }
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:24]
