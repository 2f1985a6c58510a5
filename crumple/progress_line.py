"""Progress of a run, explicit or implicit, as one line of a terminal; all else stays as it is printed."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from crumple.api.run_progress import ROW
from crumple.step_words import ABOUT_LINES, StepWords

CLEAR = "\r\x1b[K"  #: of the line in which the cursor is
HEAD = ["cycle", "time", "dt", "kinetic"]
OF_UNITS = 5  #: names below the head of the table
REST = 2.0  #: s for what a launcher that has ended may leave behind: its ranks may hold the pipe


def shows_one_line() -> bool:
    """Whether standard output is a terminal that can draw a line again."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class ProgressLine:
    """Writes what a run prints: rows of its table, or its steps, in one line, which is drawn anew."""

    def __init__(
        self, end_time: Callable[[], float | None], output: TextIO | None = None, width: int | None = None
    ) -> None:
        """Begin without a line.

        Args:
            end_time: of the run, asked until it is known
            output: default: standard output
            width: of the terminal; default: as it is now
        """
        self.end_time_, self.output_, self.width_ = end_time, output or sys.stdout, width
        self.end_: float | None = None
        self.unit_, self.shown_, self.heading_ = "", "", False
        self.steps_ = StepWords()

    @contextmanager
    def of(self, launched: subprocess.Popen[bytes]) -> Iterator[None]:
        """Write what a process prints into its pipe, until it has ended and the block, too."""
        reader = threading.Thread(target=self.take, args=(launched,), daemon=True)
        reader.start()
        yield
        reader.join(REST)
        self.finish()

    def take(self, launched: subprocess.Popen[bytes]) -> None:
        """Write lines until there are no more."""
        for line in launched.stdout or ():
            self.line(line.decode(errors="replace").rstrip("\n"))

    def line(self, line: str) -> None:
        """Write a line of the run."""
        words = line.split()
        below, self.heading_ = self.heading_, words[:4] == HEAD
        if self.heading_ or line == ABOUT_LINES:
            return
        if below and len(words) == OF_UNITS and line[:9].isspace():
            self.unit_ = f" {words[0]}"
        elif row := ROW.match(line):
            self.draw(self.told(row.groups()))
        elif step := self.steps_.read(line):
            self.draw("  ".join([self.reached(step[0]), step[1]]))
        elif not line:
            self.finish()
            self.write("\n")
        else:
            self.write(f"{CLEAR if self.shown_ else ''}{line}\n{self.shown_}")

    def told(self, row: tuple[str, ...]) -> str:
        """A row of the table in words."""
        cycle, time, *_, ratio, speed, left = row
        pieces = [self.reached(float(time)), f"cycle {cycle}", f"energy ratio {ratio}"]
        pieces += [f"{speed} ns/zone"] + ([f"{left} left"] if left != "-" else [])
        return "  ".join(pieces)

    def reached(self, time: float) -> str:
        """The part of the run that is done, and the time."""
        self.end_ = self.end_ or self.end_time_()
        share = f"{100.0 * min(1.0, time / self.end_):3.0f} %  " if self.end_ else ""
        end = f" of {self.end_:.4g}" if self.end_ else ""
        return f"{share}time {time:.4g}{end}{self.unit_}"

    def draw(self, text: str) -> None:
        """Draw the line anew, cut to the width of the terminal."""
        width = self.width_ or shutil.get_terminal_size().columns
        self.shown_ = text[: width - 1]
        self.write(f"{CLEAR}{self.shown_}")

    def finish(self) -> None:
        """Leave the line where it is."""
        if self.shown_:
            self.write("\n")
        self.shown_ = ""

    def write(self, text: str) -> None:
        """Write at once."""
        self.output_.write(text)
        self.output_.flush()
