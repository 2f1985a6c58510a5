"""The decomposition of a benchmark model at its published size, with the contacts of each recorded window.

The solver computes it once; then it is stored.
"""

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from crumple import models
from crumple.cache_folder import cache_folder
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import sha256_of
from crumple.lab.published.moved_nodes import moved_as
from crumple.lab.published.patterns import Recording, recordings_of
from crumple.lab.traces.decomposition import FILE, Decomposition, at_state, decompose, read_decomposition
from crumple.models import Wishes, write_model
from crumple.models.deck_mesh import read_mesh
from crumple.solver import solver_path

AT_ONCE = 2  #: number of solvers at a time; each holds the whole deck
States = tuple[Decomposition, ...]  #: one for each window of the model's recordings


@dataclass(frozen=True)
class ModelSharing:
    """A model distributed to some ranks."""

    model: str
    elements: int
    ranks: int
    pfile: Path | None = None


def kept_at(wanted: ModelSharing, solver: str) -> list[Path]:
    """The files with a stored decomposition, one for each window.

    Each solver, model, pfile and recording has its own file.

    Args:
        solver: SHA-256 of its program
    """
    sources = Path(models.__file__).parent
    code = digest_of_files(sources)
    pfile = wanted.pfile.read_text() if wanted.pfile else ""
    words = [wanted.model, str(wanted.elements), str(wanted.ranks), pfile, solver, code]
    files = []
    for window in recordings_of(wanted.model):
        name = sha256("\n".join([*words, digest_of_state(window)]).encode()).hexdigest()
        files.append(cache_folder() / "published" / f"{name}.decomposition.json")
    return files


def digest_of_state(window: Recording) -> str:
    """SHA-256 of the displacements of nodes; "": none."""
    moved = window.displacements
    return sha256(moved.node.tobytes() + moved.moved.tobytes()).hexdigest() if moved else ""


def digest_of_files(folder: Path) -> str:
    """SHA-256 of the Python files of a folder and its subfolders."""
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def states_of(model: str, deck: Path, folder: Path) -> list[Path | None]:
    """Files with the displacements of a deck's nodes in each recorded window; None: contacts as at the start.

    Raises:
        TraceError: the recordings are not of the present version of the model.
    """
    windows = recordings_of(model)
    moved = [w.displacements for w in windows if w.displacements]
    if not moved:
        return [None] * len(windows)
    small = folder / f"{model}-recorded.k"
    write_model(model, small, Wishes(recorded_elements(windows[0])))
    recorded = read_mesh(small)
    if any(not np.array_equal(one.node, recorded.node) for one in moved):
        raise TraceError(f"the recordings of {model} have other nodes than its present version")
    there = iter(moved_as(read_mesh(deck), recorded, moved))
    files: list[Path | None] = []
    for k, window in enumerate(windows):
        path = folder / f"{deck.stem}.{k}.displacements"
        files.append(next(there).write_for_solver(path) if window.displacements else None)
    return files


def recorded_elements(window: Recording) -> int:
    """Number of elements of the recorded deck."""
    return read_decomposition(window.trace.folder / FILE).elements


def share_out(wanted: list[ModelSharing], tell=lambda _: None) -> dict[ModelSharing, States]:  # noqa: ANN001
    """The decompositions, from the store or from the solver.

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: the solver refuses the deck.
    """
    solver = sha256_of(solver_path())
    files = {one: kept_at(one, solver) for one in dict.fromkeys(wanted)}
    missing = [one for one, several in files.items() if not all(file.exists() for file in several)]
    with tempfile.TemporaryDirectory(prefix="crumple-published-") as scratch:
        decks: dict[tuple[str, int], Path] = {}
        states: dict[tuple[str, int], list[Path | None]] = {}
        for one in missing:
            key = (one.model, one.elements)
            if key not in decks:
                decks[key] = Path(scratch, f"{one.model}-{one.elements}.k")
                tell(f"{one.model}: {one.elements:,} elements")
                write_model(one.model, decks[key], Wishes(one.elements))
                states[key] = states_of(one.model, decks[key], Path(scratch))

        def make(one: ModelSharing) -> None:
            folder = Path(scratch, f"{one.model}-{one.elements}-{one.ranks}-{one.pfile is not None}")
            key = one.model, one.elements
            moved = [state for state in states[key] if state]
            decompose(decks[key], one.ranks, "rcb", one.pfile, folder, moved)
            for file, state in zip(files[one], states[key], strict=True):
                file.parent.mkdir(parents=True, exist_ok=True)
                part = file.with_suffix(".part")
                shutil.copy(folder / (at_state(1 + moved.index(state)) if state else FILE), part)
                part.replace(file)
            shutil.rmtree(folder)
            tell(f"{one.model}: shared out to {one.ranks} ranks")

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(make, missing))
    return {one: tuple(map(read_decomposition, several)) for one, several in files.items()}
