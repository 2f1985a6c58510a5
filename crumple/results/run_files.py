"""Finds the files of one run in a folder, with the prefix of `jobid=`."""

from dataclasses import dataclass
from pathlib import Path


class RunError(Exception):
    """A folder without a run, or a file of a run that cannot be read."""


@dataclass(frozen=True)
class RunFiles:
    """The result files of one run: a folder, and the prefix of their names (`run7.`, or empty)."""

    directory: Path
    prefix: str = ""

    def path(self, name: str) -> Path:
        """The path for the file with this plain name, existing or not."""
        return self.directory / f"{self.prefix}{name}"

    def find(self, name: str) -> Path | None:
        """The file with this plain name, or None if the run has not written it."""
        path = self.path(name)
        return path if path.is_file() else None


def find_run(where: Path) -> RunFiles:
    """The run of a folder, or of one of its files `d3hsp` and `d3plot`.

    Raises:
        RunError: there is none, or there are several.
    """
    if where.is_file():
        for name in ("d3hsp", "d3plot"):
            if where.name.endswith(name):
                return RunFiles(where.parent, where.name.removesuffix(name))
        raise RunError(f"{where} is neither a folder of results nor a d3hsp file")
    found = sorted(where.glob("*d3hsp")) if where.is_dir() else []
    if not found:
        raise RunError(f"{where} has no d3hsp: it is no folder of results")
    if (where / "d3hsp") in found:
        return RunFiles(where)
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise RunError(f"{where} has several runs: name one of {names}")
    return RunFiles(where, found[0].name.removesuffix("d3hsp"))
