"""Reads what has been added to a text file that another program writes."""

import os
from pathlib import Path

PIECE = 1 << 20  #: bytes read at a time


class GrowingText:
    """A text file that grows, and that a restart of the run cuts back or replaces.

    Only complete lines are given; what is behind the last one waits for its end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.inode_ = -1
        self.offset_ = 0
        self.rest_ = b""
        self.size = 0  #: bytes of the file at the last look

    @property
    def behind(self) -> int:
        """Bytes that have not been read yet."""
        return max(0, self.size - self.offset_)

    def begins_anew(self) -> bool:
        """Look at the file: whether it has been replaced or cut back, so that all must be read again."""
        try:
            now = os.stat(self.path)
        except OSError:
            inode, self.size = -1, 0
        else:
            inode, self.size = now.st_ino, now.st_size
        if inode == self.inode_ and self.size >= self.offset_:
            return False
        known = self.inode_ >= 0
        self.inode_, self.offset_, self.rest_ = inode, 0, b""
        return known

    def next_lines(self) -> list[str]:
        """The next complete lines, at most a piece of the file; none at its end."""
        if self.behind == 0:
            return []
        try:
            with self.path.open("rb") as file:
                file.seek(self.offset_)
                found = file.read(min(PIECE, self.behind))
        except OSError:
            return []
        self.offset_ += len(found)
        whole, newline, rest = found.rpartition(b"\n")
        if not newline:
            self.rest_ += found
            return []
        text = (self.rest_ + whole).decode(errors="replace")
        self.rest_ = rest
        return text.split("\n")
