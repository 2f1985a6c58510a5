"""tmpfs: files in memory, at most half of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from crumple.lab.study.file_system.made import command, mount_point, why_not


@cache
def tried() -> str:
    """Why it cannot be mounted; empty if it can."""
    return why_not('mount -t tmpfs tmpfs "$1"')


class Tmpfs:
    """A new tmpfs."""

    def obstacle(self) -> str:
        """Only root may mount."""
        return f"tmpfs cannot be mounted: {why}" if (why := tried()) else ""

    @contextmanager
    def made(self, work: Path) -> Iterator[Path]:
        """Mount it."""
        with mount_point(work) as (_, mounted):
            command("mount", "-t", "tmpfs", "tmpfs", mounted)
            yield mounted
