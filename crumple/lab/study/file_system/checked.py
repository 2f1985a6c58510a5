"""Checks a new file system: a file that is written there must come back."""

import os
from pathlib import Path

from crumple.lab.study.file_system.made import FileSystemError

SIZE = 8 << 20  #: bytes; more than one shard of GlusterFS


def check(mounted: Path) -> None:
    """Write a file, flush it, read it again, remove it.

    Raises:
        FileSystemError: this fails, or nothing is mounted there.
    """
    if not mounted.is_mount():
        raise FileSystemError(f"nothing is mounted on {mounted}")
    file, content = mounted / "check", os.urandom(SIZE)
    try:
        with file.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        same = file.read_bytes() == content
        file.unlink()
    except OSError as error:
        raise FileSystemError(f"a file cannot be written there: {error.strerror}") from None
    if not same:
        raise FileSystemError("a file that was written there does not come back the same")
