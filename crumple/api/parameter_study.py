"""Studies of parameters: a function that makes decks, a function that measures results, and runs between."""

import hashlib
import itertools
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from crumple.api.input_deck import DeckSource, as_deck
from crumple.api.results_folder import Results
from crumple.api.run_failed import RunFailed
from crumple.api.solver_run import RunSettings, SolverRun, start
from crumple.solver import solver_path
from crumple.whole_file import write_whole

if TYPE_CHECKING:
    import pandas as pd

Point = Mapping[str, float | int | str]
Measured = float | Mapping[str, float]
OnPoint = Callable[[Point, dict[str, float]], object]
RECORD = "point.json"  #: what a folder of the study is of
VALUE = "value"  #: name of what is measured where it has none


@dataclass(frozen=True)
class StudyPoint:
    """A point that was run: its parameters, what was measured, and its folder."""

    parameters: dict[str, float | int | str]
    measured: dict[str, float]
    folder: Path


class ParameterStudy:
    """Runs of a deck with other parameters, each in a folder of its own, and what they gave.

    A point that was run before is not run again, also by a later study in the same folder, as long as its
    deck, its options and the solver are the same. Files that the deck includes are not compared.
    """

    def __init__(
        self,
        build: Callable[..., DeckSource],
        measure: Callable[[Results], Measured],
        folder: str | os.PathLike[str],
        **settings: Unpack[RunSettings],
    ) -> None:
        """Describe the study; nothing runs yet.

        Args:
            build: from parameters by name to a deck: a Deck, text, keywords of ansys-dyna-core, or a file
            measure: from results to a number, or to several by name
            folder: for run-0001, run-0002, ...
            settings: of each run, as for `crumple.run`; default: one rank, one thread
        """
        self.build, self.measure, self.folder = build, measure, Path(folder)
        self.settings: RunSettings = {"ranks": 1, "threads": 1, **settings}
        self.known_: dict[str, Path] = {}  #: folders by key, of an earlier study, too
        self.points_: dict[str, StudyPoint] = {}
        self.going_: list[SolverRun] = []
        self.lock_ = threading.Lock()
        self.find_earlier()

    def __repr__(self) -> str:
        return f"<ParameterStudy in {self.folder}: {len(self.points_)} points>"

    def __call__(self, **parameters: float | int | str) -> dict[str, float]:
        """What a point gives, by name ("value" where `measure` returns a number); it is run if need be.

        Raises:
            RunFailed: the run failed.
            Exception: what `build` or `measure` raises.
        """
        return dict(self.point(parameters).measured)

    def point(self, parameters: Point) -> "StudyPoint":
        """A point; it is run if need be. Errors are those of a call."""
        deck = as_deck(self.build(**parameters))
        key = self.key(deck.write())
        with self.lock_:
            if key in self.points_:
                return self.points_[key]
            place = self.known_.get(key) or self.new_folder()
        if not (place / RECORD).is_file():
            self.finish(start(deck, place, **self.settings))
            said = {"key": key, "parameters": dict(parameters)}
            write_whole(place / RECORD, json.dumps(said, default=str) + "\n")
        found = StudyPoint(dict(parameters), by_name(self.measure(Results(place))), place)
        with self.lock_:
            self.known_[key], self.points_[key] = place, found
        return found

    def finish(self, going: SolverRun) -> None:
        """Wait for a run, which an interruption of the study stops."""
        with self.lock_:
            self.going_.append(going)
        try:
            going.wait()
        except KeyboardInterrupt:
            going.stop()
            raise
        finally:
            with self.lock_:
                self.going_.remove(going)

    def run(
        self,
        points: Iterable[Point],
        workers: int | None = None,
        on_error: Literal["raise", "keep"] = "raise",
        on_point: OnPoint | None = None,
    ) -> "pd.DataFrame":
        """Run points side by side; a row each, in their order: parameters, what was measured, folder, error.

        Args:
            points: parameters by name, such as those of `grid`
            workers: runs at a time; default: as many as have a core for each of their ranks and threads
            on_error: "raise" ends the study at the first run that fails, when those beside it have ended;
                "keep" writes its message into the column "error"
            on_point: called when a point is done

        Raises:
            RunFailed: a run failed, unless such are kept.
        """
        import pandas as pd

        listed = [dict(point) for point in points]
        size = self.settings["ranks"] * self.settings["threads"]
        most = workers or max(1, (os.cpu_count() or 1) // size)
        with ThreadPoolExecutor(most) as pool:
            futures = [pool.submit(self.row, point, on_error == "keep", on_point) for point in listed]
            try:
                return pd.DataFrame([future.result() for future in futures])
            except BaseException as error:
                for future in futures:
                    future.cancel()
                if isinstance(error, KeyboardInterrupt):
                    self.stop()
                raise

    def stop(self) -> None:
        """Stop the runs that are on their way."""
        with self.lock_:
            for going in self.going_:
                going.stop()

    def row(self, parameters: Point, keep: bool, on_point: OnPoint | None) -> dict:
        """The row of one point; with `keep` also of one whose run fails."""
        try:
            found = self.point(parameters)
        except RunFailed as error:
            if not keep:
                raise
            return {**parameters, "folder": str(error.folder or ""), "error": str(error)}
        if on_point:
            on_point(parameters, dict(found.measured))
        return {**parameters, **found.measured, "folder": str(found.folder), "error": ""}

    def objective(
        self,
        names: Sequence[str],
        value: str = VALUE,
        failed: float | None = None,
        scale: float = 1.0,
    ) -> Callable[[Sequence[float]], float]:
        """A function of a vector, as scipy.optimize takes it.

        Args:
            names: of the parameters, in the order of the vector
            value: which of the measured numbers to return
            failed: what a run that fails counts; default: it raises
            scale: factor of the value: -1 to look for the largest
        """

        def function(x: Sequence[float]) -> float:
            try:
                return scale * self(**dict(zip(names, map(float, x), strict=True)))[value]
            except RunFailed:
                if failed is None:
                    raise
                return failed

        return function

    @property
    def table(self) -> "pd.DataFrame":
        """All points so far, in the order in which they were done."""
        import pandas as pd

        found = list(self.points_.values())
        return pd.DataFrame([{**one.parameters, **one.measured, "folder": str(one.folder)} for one in found])

    def key(self, text: str) -> str:
        """What tells a run from others: its deck, its options, and the solver that is built."""
        program = solver_path().stat()
        said = json.dumps({name: str(value) for name, value in self.settings.items()}, sort_keys=True)
        said += f" {program.st_size} {program.st_mtime_ns}"
        return hashlib.sha256(f"{said}\n{text}".encode("latin-1", "replace")).hexdigest()

    def new_folder(self) -> Path:
        """A folder for another run."""
        numbers = [int(path.name[4:]) for path in self.folder.glob("run-*") if path.name[4:].isdigit()]
        place = self.folder / f"run-{max(numbers, default=0) + 1:04d}"
        place.mkdir(parents=True)
        return place

    def find_earlier(self) -> None:
        """The folders of an earlier study with the same folder."""
        for path in sorted(self.folder.glob(f"run-*/{RECORD}")):
            try:
                self.known_[json.loads(path.read_text())["key"]] = path.parent
            except (ValueError, KeyError, TypeError):
                continue


def by_name(measured: Measured) -> dict[str, float]:
    """Measured numbers by name."""
    if isinstance(measured, Mapping):
        return {str(name): float(value) for name, value in measured.items()}
    return {VALUE: float(measured)}


def grid(**values: Iterable[float | int | str]) -> Iterator[dict[str, float | int | str]]:
    """All combinations of values: `grid(thickness=[1, 2], speed=[10, 15])` has four points."""
    names = list(values)
    for combination in itertools.product(*values.values()):
        yield dict(zip(names, combination, strict=True))
