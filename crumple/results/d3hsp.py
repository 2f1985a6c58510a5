"""Reads d3hsp, the printed record of a run: its sections, states written, and how it ended."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from crumple.results.damage import DamagedFile, names_its_file

VERSION = re.compile(r"^\s+(.*\S)\s+date\s+(\S+)\s*$")
STATE = re.compile(r"^\s*(\d+) t (\S+) dt (\S+) (.+)$")
SPEED = re.compile(r"^\s*(\d+) cycles in (\S+) s, (\S+) ns per zone and cycle")
STEPS = re.compile(r"^\s*(\d+) steps, .* steps tried again, in (\S+) s$")
HASH = re.compile(r"^\s*state hash: ([0-9a-f]{16})")
REASON = re.compile(r"^\s*error CR-")
RANKS = re.compile(r"(\d+) ranks? x (\d+) threads?, (\w+) precision(?:, (\S+))?")
THREADS = re.compile(r"implicit: .*, (\d+) threads?, (\w+) precision(?:, (\S+))?")
LAST_WORDS = re.compile(r"^\s*(error CR-|state hash: |\d+ cycles in |\d+ steps, )")
ENDING = re.compile(r"^\s*(N|E) (?:o r m a l|r r o r) +t e r m i n a t i o n")
PART = re.compile(
    r"^\s*(\d{1,18})\s+(solid|beam|shell|discrete|none)\s+(\d{1,18})\s+(\d{1,18})(?:\s+(.*\S))?\s*$"
)
COVERED = re.compile(r"^(\*\S+)\s+(\w+)\s+(\d{1,18})\s+(\d{1,18})\s*$")


class Ending(StrEnum):
    """How a run ended."""

    normal = "normal termination"
    error = "error termination"
    none = "not ended"


@dataclass(frozen=True)
class PartSummary:
    """A part in the part summary."""

    id: int
    kind: str
    law: int
    elements: int
    title: str


@dataclass
class Keyword:
    """A line of the coverage table, and below it the fields that were not used as given."""

    name: str
    support: str
    blocks: int
    records: int
    fields: list[str] = field(default_factory=list)


@dataclass
class RunLog:
    """The contents of d3hsp."""

    title: str = ""
    version: str = ""
    date: str = ""
    sections: dict[str, list[str]] = field(default_factory=dict)
    states: list[tuple[int, float]] = field(default_factory=list)  #: cycle and time of plot states
    ending: Ending = Ending.none
    message: str = ""  #: of an error termination: the reason, then what was said before it
    cycles: int | None = None
    seconds: float | None = None
    nanoseconds: float | None = None  #: per zone and cycle
    hash: str = ""
    ranks: int | None = None
    threads: int | None = None
    precision: str = ""
    isa: str = ""

    @property
    def parts(self) -> list[PartSummary]:
        """The part summary."""
        found = [PART.match(line) for line in self.sections.get("part summary", [])]
        return [PartSummary(int(m[1]), m[2], int(m[3]), int(m[4]), m[5] or "") for m in found if m]

    @property
    def keywords(self) -> list[Keyword]:
        """The coverage table."""
        rows: list[Keyword] = []
        for line in self.sections.get("keyword coverage", []):
            if m := COVERED.match(line):
                rows.append(Keyword(m[1], m[2], int(m[3]), int(m[4])))
            elif rows and line.startswith("    "):
                rows[-1].fields.append(" ".join(line.split()))
        return rows

    @property
    def warnings(self) -> list[str]:
        """The warnings of the deck reader."""
        lines = [line.strip() for line in self.sections.get("warnings", [])]
        return [line for line in lines if line and line != "none"]

    @property
    def left_out(self) -> list[str]:
        """Physics that --allow-unsupported left out, with places in the deck."""
        lines = [line.strip() for line in self.sections.get("left out", [])]
        return [line for line in lines if " CR-" in line]

    def number(self, section: str, label: str) -> float | None:
        """The number after a label in a section ("control", "end time"), or None."""
        for line in self.sections.get(section, []):
            words = line.strip()
            if words.startswith(label) and (value := words.removeprefix(label).split()):
                try:
                    return float(value[0].replace(",", ""))
                except ValueError:
                    return None
        return None


def unspaced(line: str) -> str | None:
    """The heading in a line such as ` p a r t   s u m m a r y`; None if it is not a heading."""
    text = line[1:].rstrip()
    if not line.startswith(" ") or len(text) < 3 or text[0] == " " or text[1::2].strip():
        return None
    return text[0::2]


class LogReader:
    """Reads the lines of a d3hsp as they come; `log` is what they have said so far."""

    def __init__(self) -> None:
        self.log = RunLog()
        self.count_ = 0
        self.section_: list[str] | None = None
        self.size_known_ = False

    def feed(self, line: str) -> None:
        """Read the next line.

        Raises:
            ValueError: a number in it is not valid.
        """
        self.count_ += 1
        if not self.size_known_:
            self.size_known_ = read_size(line, self.log)
        if self.count_ == 1:
            self.log.title = line.strip()
        elif self.count_ == 2:
            read_version(line, self.log)
        else:
            self.section_ = read_line(line, self.log, self.section_)


def read_version(line: str, log: RunLog) -> None:
    """Read the second line: the program and the date."""
    if match := VERSION.match(line):
        log.version, log.date = match[1], match[2]
        # "crumple 0.1.0 d (revision b0729094cf12)": the letter is the precision of the element computations.
        letter = match[1].split(" (revision ")[0].split()[-1]
        log.precision = {"s": "single", "d": "double"}.get(letter, "")


def read_line(line: str, log: RunLog, section: list[str] | None) -> list[str] | None:
    """Read one of the other lines; returns the section in which the next one is."""
    if match := ENDING.match(line):
        log.ending = Ending.normal if match[1] == "N" else Ending.error
    elif heading := unspaced(line):
        return log.sections.setdefault(heading, [])
    elif match := STATE.match(line):
        log.states.append((int(match[1]), float(match[2])))
        return None
    elif LAST_WORDS.match(line):
        read_end(line, log)
        return None
    elif section is not None:
        section.append(line)
    else:
        read_end(line, log)
    return section


def read_size(line: str, log: RunLog) -> bool:
    """Read ranks and threads; whether the line has them."""
    if match := RANKS.search(line):
        log.ranks, log.threads, log.precision = int(match[1]), int(match[2]), match[3]
        log.isa = match[4] or ""
    elif match := THREADS.search(line):
        log.threads, log.precision, log.isa = int(match[1]), match[2], match[3] or ""
    return bool(match)


@names_its_file
def read_d3hsp(path: Path) -> RunLog:
    """Read the file, of a finished, a failed or a running job.

    Raises:
        DamagedFile: a number in it is not valid.
    """
    reader = LogReader()
    for line in path.read_text(errors="replace").splitlines():
        reader.feed(line)
    return reader.log


def read_end(line: str, log: RunLog) -> None:
    """Read a line at the end: speed, hash, or the message of a failure."""
    if match := SPEED.match(line):
        log.cycles, log.seconds, log.nanoseconds = int(match[1]), float(match[2]), float(match[3])
    elif match := STEPS.match(line):
        log.cycles, log.seconds = int(match[1]), float(match[2])
    elif match := HASH.match(line):
        log.hash = match[1]
    elif REASON.match(line):
        log.message = f"{line.strip()}\n{log.message}".strip()
    elif line.strip():
        log.message = f"{log.message} {line.strip()}".strip()


def end_time_in(path: Path) -> float | None:
    """The end time of a run that has begun; None as long as its d3hsp does not say it."""
    try:
        return read_d3hsp(path).number("control", "end time")
    except (OSError, DamagedFile):
        return None
