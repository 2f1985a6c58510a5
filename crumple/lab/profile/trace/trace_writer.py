"""Writes the folder of a trace: compressed files of the ranks, the index, and trace.json."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import zstandard

from crumple.lab.profile.trace.convert import INDEX, SUMMARY
from crumple.lab.profile.trace.trace_folder import COMPRESSED, sha256_of
from crumple.whole_file import write_whole

LEVEL = 6  #: level of zstd; above it files of traces hardly shrink


@contextmanager
def rank_writer(folder: Path, rank: int) -> Iterator[TextIO]:
    """Open the compressed file of a rank for writing."""
    with (folder / rank_name(rank)).open("wb") as file:
        compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        with compressor.stream_writer(file, closefd=False) as raw:
            text = io.TextIOWrapper(io.BufferedWriter(raw, 1 << 20), encoding="ascii", newline="\n")
            yield text
            text.flush()
            text.detach().detach()


def rank_name(rank: int) -> str:
    """File name of a rank."""
    return f"rank.{rank}.txt{COMPRESSED}"


def write_summary(folder: Path, names: list[str], meta: dict[str, Any]) -> None:
    """Write the index and trace.json, with size and hash of every rank's file.

    trace.json is written last: a folder without it is not a trace.
    """
    files = [
        {"name": n, "bytes": (folder / n).stat().st_size, "sha256": sha256_of(folder / n)} for n in names
    ]
    write_whole(folder / INDEX, "".join(f"{name}\n" for name in names))
    write_whole(folder / SUMMARY, json.dumps(meta | {"files": files}, indent=1) + "\n")
