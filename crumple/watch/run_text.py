"""What a growing d3hsp says: warnings, deletions, what limits the step."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from crumple.results.d3hsp import LogReader, RunLog
from crumple.watch.growing_text import GrowingText

DELETED = re.compile(
    r"^ (?P<kind>[\w ]+?) element (?P<id>\d+) of part (?P<part>\d+) was deleted "
    r"at time (?P<time>\S+): (?P<why>.*)$"
)
SMALLEST = re.compile(r"^\s*(\S+)\s+([a-z][a-z ]*?)\s+(\d+)\s+(\d+)\s*$")
SMALLEST_TITLE = "smallest steps at time "
KEPT = 200  #: of the last deletions, and of the warnings
#: sections that tell of something to look at during a run
NOTES = ("fall of the time step", "exchange", "contact", "energy", "broken welds")


@dataclass
class Deletions:
    """Elements that were deleted: how many, how many of each part, the last ones."""

    count: int = 0
    of_part: dict[int, int] = field(default_factory=dict)
    last: list[dict[str, str]] = field(default_factory=list)


class RunText:
    """The d3hsp of a run, read as it grows."""

    def __init__(self, path: Path) -> None:
        self.file_ = GrowingText(path)
        self.begin()

    def begin(self) -> None:
        """Forget everything: the file is new."""
        self.reader_ = LogReader()
        self.deletions = Deletions()
        self.taken_ = 0
        self.damage = ""

    @property
    def log(self) -> RunLog:
        """What has been said so far."""
        return self.reader_.log

    @property
    def behind(self) -> int:
        """Bytes that have not been read yet."""
        return self.file_.behind

    def look(self, may_go_on: Callable[[], bool]) -> None:
        """Read what is new."""
        if self.file_.begins_anew():
            self.begin()
        while lines := self.file_.next_lines():
            for line in lines:
                try:
                    self.reader_.feed(line)
                except (ValueError, LookupError) as error:
                    self.damage = f"d3hsp: a line cannot be read: {str(error)[:120]}"
            self.take_deletions()
            if not may_go_on():
                return

    def take_deletions(self) -> None:
        """Count the new lines of that section, and forget them: there may be very many."""
        lines = self.log.sections.get("deleted elements", [])
        for line in lines:
            if match := DELETED.match(line):
                part = int(match["part"])
                self.deletions.count += 1
                self.deletions.of_part[part] = self.deletions.of_part.get(part, 0) + 1
                self.deletions.last.append(match.groupdict())
        lines.clear()
        del self.deletions.last[:-KEPT]

    def smallest_steps(self) -> tuple[str, list[list[str]]]:
        """When the elements with the smallest steps were listed last, and they: step, kind, element, part."""
        titles = [title for title in self.log.sections if title.startswith(SMALLEST_TITLE)]
        if not titles:
            return "", []
        rows = [match.groups() for line in self.log.sections[titles[-1]] if (match := SMALLEST.match(line))]
        return titles[-1].removeprefix("smallest steps at "), [list(row) for row in rows]

    def warnings(self) -> list[str]:
        """Warnings of the deck, what was left out, and what the run has said since."""
        log = self.log
        found = [*log.warnings, *(f"left out: {text}" for text in log.left_out)]
        for title in NOTES:
            lines = [line.strip() for line in log.sections.get(title, []) if line.strip()]
            found += [f"{title}: {line}" if title == "broken welds" else line for line in lines]
        return found
