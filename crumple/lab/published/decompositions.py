"""How a benchmark model is shared out at its published size: by the solver, once, and then kept."""

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from crumple import models
from crumple.lab.cache_folder import cache_folder
from crumple.lab.traces.decomposition import FILE, Decomposition, decompose, read_decomposition
from crumple.lab.traces.trace import sha256_of
from crumple.models import Wishes, write_model
from crumple.solver import solver_path

AT_ONCE = 2  #: solvers; each holds the whole deck


@dataclass(frozen=True)
class Sharing:
    """A model over some ranks."""

    model: str
    elements: int
    ranks: int
    pfile: Path | None = None


def kept_at(wanted: Sharing, solver: str) -> Path:
    """The file that a decomposition is kept in: another solver, model or pfile is another file.

    Args:
        solver: SHA-256 of its program
    """
    sources = Path(models.__file__).parent
    code = digest_of_files(sources)
    pfile = wanted.pfile.read_text() if wanted.pfile else ""
    words = [wanted.model, str(wanted.elements), str(wanted.ranks), pfile, solver, code]
    name = sha256("\n".join(words).encode()).hexdigest()
    return cache_folder() / "published" / f"{name}.decomposition.json"


def digest_of_files(folder: Path) -> str:
    """SHA-256 of the Python files of a folder and those below it."""
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def share_out(wanted: list[Sharing], tell=lambda _: None) -> dict[Sharing, Decomposition]:  # noqa: ANN001
    """The decompositions, from the folder where they are kept or from the solver.

    Raises:
        FileNotFoundError: the solver is not built.
        TraceError: it refuses.
    """
    solver = sha256_of(solver_path())
    files = {one: kept_at(one, solver) for one in dict.fromkeys(wanted)}
    missing = [one for one, file in files.items() if not file.exists()]
    with tempfile.TemporaryDirectory(prefix="crumple-published-") as scratch:
        decks: dict[tuple[str, int], Path] = {}
        for one in missing:
            key = (one.model, one.elements)
            if key not in decks:
                decks[key] = Path(scratch, f"{one.model}-{one.elements}.k")
                tell(f"{one.model}: {one.elements:,} elements")
                write_model(one.model, decks[key], Wishes(one.elements))

        def make(one: Sharing) -> None:
            folder = Path(scratch, f"{one.model}-{one.elements}-{one.ranks}-{one.pfile is not None}")
            decompose(decks[one.model, one.elements], one.ranks, "rcb", one.pfile, folder)
            files[one].parent.mkdir(parents=True, exist_ok=True)
            part = files[one].with_suffix(".part")
            shutil.copy(folder / FILE, part)
            part.replace(files[one])
            shutil.rmtree(folder)
            tell(f"{one.model}: shared out to {one.ranks} ranks")

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(make, missing))
    return {one: read_decomposition(file) for one, file in files.items()}
