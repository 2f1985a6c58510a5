"""ext4: a new image file on the disk of the temporary folder, mounted by a loop device."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from crumple.lab.study.file_system.made import FileSystemError, command, mount_point, why_not

#: nothing is left to be written after the mount, so that it disturbs no run; few inodes make this quick
FORMAT = ["mkfs.ext4", "-q", "-F", "-T", "largefile", "-E", "lazy_itable_init=0,lazy_journal_init=0"]
LARGEST = 8 << 30  #: bytes
SMALLEST = 64 << 20


@cache
def tried() -> str:
    """Why it cannot be made and mounted; empty if it can."""
    image = '"$1/image"'
    return why_not(
        f"truncate -s 16M {image};",
        f"{' '.join(FORMAT)} {image};",
        f'mkdir "$1/on"; mount -t ext4 -o loop {image} "$1/on"',
    )


class Ext4:
    """A new ext4. Its image has no name once it is mounted: it and the loop device go with the mount."""

    def obstacle(self) -> str:
        """Root, e2fsprogs, a kernel with ext4 and loop devices."""
        return f"ext4 cannot be made: {why}" if (why := tried()) else ""

    @contextmanager
    def made(self, work: Path) -> Iterator[Path]:
        """Make it, of a size that its disk has room for."""
        with mount_point(work) as (folder, mounted):
            size = min(LARGEST, int(0.8 * shutil.disk_usage(folder).free))
            if size < SMALLEST:
                raise FileSystemError(f"ext4: {folder.parent} has room for {size >> 20} MiB only")
            image = folder / "image"
            command("truncate", "-s", str(size), image)
            command(*FORMAT, image)
            command("mount", "-t", "ext4", "-o", "loop", image, mounted)
            image.unlink()
            yield mounted
