"""Reads a trace folder, checks that it is complete, and returns its lines one at a time; docs/traces.md."""

import hashlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import zstandard

from crumple.lab.profile.trace.convert import FORMAT, INDEX, SUMMARY, VERSION
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.options import window_of
from crumple.whole_file import write_whole

COMPRESSED = ".zst"
NAME = r"\w[\w.+-]{0,99}"  #: name of a rank's file
CHUNK = 1 << 20
HINT = "record one with `crumple trace` or `crumple profile --trace`"


@dataclass(frozen=True)
class Trace:
    """A complete trace; its lines stay on disk."""

    folder: Path
    ranks: int
    files: tuple[str, ...]  #: the files of the ranks in the folder
    cycles: (
        tuple[int, int] | None
    )  #: first cycle of the window, and the one after the last; None: no cycles known
    job_cycles: int  #: cycles of the whole job; 0: not known
    origin: str  #: recorded or synthetic
    work: str  #: the source of the work: cpu or counts
    operations_per_second: float  #: of compute on the machine of the trace
    machine: str  #: processor of this machine; "": not known
    element_rate: float  #: its element updates per second on one core; 0: not known
    digest: str  #: SHA-256 of everything that a replay depends on
    meta: dict[str, Any] = field(repr=False, compare=False)  #: all of trace.json

    @property
    def whole(self) -> bool:
        """Whether it covers the whole run, from the start to the end."""
        return self.meta.get("window") == "" and not self.job_cycles

    @property
    def of_solver(self) -> bool:
        """Whether it is of our solver."""
        return "deck_sha256" in self.meta

    @property
    def implicit(self) -> bool:
        """Whether it is of an implicit run of our solver."""
        return self.meta.get("implicit") is True

    @contextmanager
    def open(self, rank: int) -> Iterator[TextIO]:
        """The text of a rank's actions, uncompressed."""
        with opened(self.folder / self.files[rank]) as raw:
            yield io.TextIOWrapper(raw, encoding="ascii", newline="\n")

    def marked_lines(self, rank: int) -> Iterator[str]:
        """The lines of a rank as in the file, with the marks of cycles and phases; without line ends.

        Raises:
            TraceError: the file ends before the rank does.
        """
        line = ""
        try:
            with self.open(rank) as text:
                for line in text:
                    yield line[:-1]
        except (zstandard.ZstdError, UnicodeDecodeError) as error:
            raise TraceError(f"{self.folder / self.files[rank]}: damaged: {error}") from None
        if line != f"{rank} finalize\n":
            raise TraceError(
                f"{self.folder / self.files[rank]}: cut off: its last line is not '{rank} finalize'"
            )

    def lines(self, rank: int) -> Iterator[str]:
        """The actions of a rank for SimGrid's replay, without line ends; memory does not grow.

        Consecutive compute lines of different phases are one action.

        Raises:
            TraceError: the file ends before the rank does, or is damaged.
        """
        computing, operations = f"{rank} compute ", 0
        for line in self.marked_lines(rank):
            if line.startswith(computing):
                if not (count := line[len(computing) :]).isdecimal():
                    raise TraceError(f"{self.folder / self.files[rank]}: damaged: no number in '{line}'")
                operations += int(count)
            elif not line.startswith("#"):
                if operations:
                    yield f"{computing}{operations}"
                    operations = 0
                yield line

    def unpack(self, folder: Path) -> Path:
        """Write the ranks' files uncompressed into a folder; returns the index for `smpirun -replay`."""
        folder.mkdir(parents=True, exist_ok=True)
        names = [name.removesuffix(COMPRESSED) for name in self.files]
        for rank, plain in enumerate(names):
            with (folder / plain).open("w") as target:
                target.writelines(f"{line}\n" for line in self.lines(rank))
        write_whole(folder / INDEX, "".join(f"{plain}\n" for plain in names))
        return folder / INDEX


def open_trace(folder: Path) -> Trace:
    """Open a trace, and check that it is complete, has all ranks, and is unchanged.

    Sizes and hashes are those of the files in the folder, so this reads them once.

    Raises:
        TraceError: it is missing, cut off or damaged, or its parts do not belong together.
    """
    meta = read_summary(folder)
    names = read_index(folder, meta["ranks"])
    check_files(folder, names, meta)
    cycles = window_cycles(folder, meta["window"])
    reference = meta.get("reference", {})
    return Trace(
        folder,
        meta["ranks"],
        tuple(names),
        cycles,
        int(figure(folder, "job_cycles", meta.get("job_cycles", 0))),
        str(meta.get("origin", "recorded")),
        str(meta.get("work", "cpu")),
        figure(folder, "operations_per_second", meta["operations_per_second"]),
        str(reference.get("machine", "")),
        figure(folder, "element_rate", reference.get("element_rate", 0.0)),
        digest_of(folder, names, meta),
        meta,
    )


def figure(folder: Path, key: str, value: object) -> float:
    """A number of trace.json.

    Raises:
        TraceError: it is not a number, not finite, or negative.
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= sys.float_info.max:
        raise TraceError(f"{folder / SUMMARY}: {key} is {str(value)[:40]}, not a number")
    return float(value)


def read_summary(folder: Path) -> dict[str, Any]:
    """Read trace.json, with every key that a trace must have."""
    path = folder / SUMMARY
    try:
        meta = json.loads(path.read_text())
    except (FileNotFoundError, NotADirectoryError):
        raise TraceError(f"{folder} is not a trace: it has no {SUMMARY}; {HINT}") from None
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from None
    except json.JSONDecodeError as error:
        raise TraceError(f"{path}:{error.lineno}: not whole: {error.msg}") from None
    except (ValueError, RecursionError):
        raise TraceError(f"{path}: not a trace's summary") from None
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise TraceError(f"{path}: format: this is not a trace; {HINT}")
    if meta.get("version") != VERSION:
        raise TraceError(f"{path}: version: {meta.get('version')!r}; this program reads version {VERSION}")
    check_keys(path, meta)
    if meta["cut"]:
        raise TraceError(f"{path}: cut: the trace is cut off: {meta['cut']}; record it again")
    return meta


def check_keys(path: Path, meta: dict[str, Any]) -> None:
    """Check that the keys exist and have the right type."""
    kinds = {"ranks": int, "operations_per_second": (int, float), "window": str, "cut": str}
    for key, kind in kinds.items():
        if key not in meta:
            raise TraceError(f"{path}: {key}: it is missing")
        if not isinstance(meta[key], kind) or isinstance(meta[key], bool):
            raise TraceError(f"{path}: {key}: {meta[key]!r} is not valid")
    for key in ("ranks", "operations_per_second"):
        if meta[key] <= 0:
            raise TraceError(f"{path}: {key}: {meta[key]} is not positive")
    for key, kind in {"files": list, "reference": dict}.items():
        if not isinstance(meta.get(key, kind()), kind):
            raise TraceError(f"{path}: {key}: {meta[key]!r} is not valid")


def read_index(folder: Path, ranks: int) -> list[str]:
    """Read the names in trace.txt: one per rank, of files in the folder."""
    path = folder / INDEX
    try:
        names = path.read_text().split("\n")
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise TraceError(f"{path}: damaged: {error}") from None
    if names.pop():
        raise TraceError(f"{path}:{len(names) + 1}: cut off: the line does not end")
    if len(names) != ranks:
        raise TraceError(f"{path}: {len(names)} ranks, and {folder / SUMMARY} says {ranks}")
    for number, name in enumerate(names, 1):
        if not re.fullmatch(NAME, name):
            raise TraceError(f"{path}:{number}: {name[:40]!r} is not the name of a file in its folder")
        if not (folder / name).is_file():
            raise TraceError(f"{path}:{number}: rank {number - 1}: there is no file {folder / name}")
    return names


def check_files(folder: Path, names: list[str], meta: dict[str, Any]) -> None:
    """Check that the ranks' files are unchanged."""
    known = {str(f.get("name")): f for f in meta.get("files", []) if isinstance(f, dict)}
    for rank, name in enumerate(names):
        path = folder / name
        if known and name not in known:
            raise TraceError(f"{folder / SUMMARY}: files: {name} of {INDEX} is not among them")
        if known:
            check_against(path, known[name])
        check_ends(path, rank)


def check_against(path: Path, known: dict[str, Any]) -> None:
    """Check size and hash of a file."""
    size = path.stat().st_size
    if size != known.get("bytes"):
        raise TraceError(f"{path}: {size} bytes, and {known.get('bytes')} were written: cut off or changed")
    if sha256_of(path) != known.get("sha256"):
        raise TraceError(f"{path}: its SHA-256 is not the one that was written: damaged or changed")


def check_ends(path: Path, rank: int) -> None:
    """Check that a file begins with its rank and, if it is not compressed, that it ends like one."""
    try:
        with opened(path) as raw:
            first = raw.read(64).split(b"\n")[0]
    except zstandard.ZstdError as error:
        raise TraceError(f"{path}: damaged: {error}") from None
    if first != f"{rank} init".encode():
        if not first:
            raise TraceError(f"{path}: cut off: it has no line")
        shown = first[:40].decode("ascii", "replace")
        raise TraceError(f"{path}:1: {shown!r}, and rank {rank} begins with '{rank} init'")
    if path.suffix == COMPRESSED:
        return
    with path.open("rb") as raw:
        raw.seek(max(0, os.path.getsize(path) - 64))
        if not raw.read().endswith(f"\n{rank} finalize\n".encode()):
            raise TraceError(f"{path}: cut off: its last line is not '{rank} finalize'")


def window_cycles(folder: Path, window: str) -> tuple[int, int] | None:
    """The cycles of a window; None if it is in seconds, or the whole run."""
    try:
        text = window_of(window)
    except TraceError as error:
        raise TraceError(f"{folder / SUMMARY}: window: {error}") from None
    if not text or "s" in text:
        return None
    first, end = text.split(":")
    return int(first), int(end)


def digest_of(folder: Path, names: list[str], meta: dict[str, Any]) -> str:
    """SHA-256 of the ranks' files, in order, and of the figures that scale them, without paths and times."""
    known = {f["name"]: f["sha256"] for f in meta.get("files", [])}
    hashes = [known.get(name) or sha256_of(folder / name) for name in names]
    keys = ("ranks", "operations_per_second", "window", "job_cycles", "reference")
    what = {"files": hashes, **{key: meta.get(key) for key in keys}}
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def sha256_of(path: Path) -> str:
    """SHA-256 of a file as it is on disk."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a rank's file for reading, decompressed if it is compressed."""
    with path.open("rb") as file:
        if path.suffix != COMPRESSED:
            yield file
            return
        with zstandard.ZstdDecompressor().stream_reader(file, read_size=CHUNK) as text:
            yield io.BufferedReader(text, CHUNK)
