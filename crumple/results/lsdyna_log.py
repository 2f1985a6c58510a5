"""Reads the printed output of LS-DYNA, d3hsp or mes*: version, timings, cycles, and how it ended."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from crumple.results.damage import DamagedFile, names_its_file
from crumple.results.printed_number import NUMBER, number_or_none, printed_number

VERSION = re.compile(r"^\s*\|\s*Version\s*:\s*(.*?\S)(?:\s+Date:.*)?\s*\|?\s*$", re.M)
REVISION = re.compile(r"^\s*\|\s*(?:Revision|SVN Version)\s*:\s*(\S+)", re.M)
PRECISION = re.compile(r"^\s*\|\s*Precision\s*:\s*(Single|Double) precision", re.M)
RANKS = re.compile(r"(?:MPP|Parallel) execution with\s+(\d+)(?: MPP)? procs?", re.I)
THREADS = re.compile(r"^\s*Number of CPU's\s+(\d+)", re.M)
CYCLES = re.compile(r"^\s*Problem cycle\s*=\s*(\d+)", re.M)
TIME = re.compile(r"^\s*Problem time\s*=\s*(\S+)", re.M)
ZONE = re.compile(r"^\s*Clock time per zone cycle\W*(\d+) nanosec", re.M)
ELAPSED = re.compile(r"^\s*Elapsed time\s+(\d+)\s*seconds", re.M)
TIMINGS = re.compile(r"^\s*T i m i n g +i n f o r m a t i o n\s*\n.*\n\s*-{20,}\n((?:.*\n)*?)\s*-{20,}", re.M)
TIMING = re.compile(rf"^( +)(\S.*?)[ .]+({NUMBER}) +\S+ +({NUMBER}) +\S+\s*$", re.M)
TOTAL = re.compile(r"^\s*T o t a l s +\S+ +\S+ +(\S+)", re.M)
ERROR = re.compile(r"^\s*\*\*\* [Ee]rror +(.*\S(?:\n(?!\s*\*\*\*)\s+\S.*)?)", re.M)
WARNING = re.compile(r"^\s*\*\*\* [Ww]arning\b", re.M)
NORMAL_END = re.compile(r"^\s*N o r m a l +t e r m i n a t i o n", re.M)
ERROR_END = re.compile(r"^\s*E r r o r +t e r m i n a t i o n", re.M)


@dataclass
class LsDynaLog:
    """The contents of a d3hsp or mes*; None or empty for missing values."""

    version: str = ""  #: "mpp s R9.3.1"
    revision: str = ""
    precision: str = ""  #: single or double
    ranks: int | None = None
    threads: int | None = None
    cycles: int | None = None
    time: float | None = None  #: time that was reached, in the model's unit
    zone_cycle: float | None = None  #: ns, wall-clock time
    elapsed: float | None = None  #: s
    total: float | None = None  #: s wall-clock time of all phases
    phases: dict[str, float] = field(default_factory=dict)  #: s wall-clock time of the first level
    parts: dict[str, float] = field(default_factory=dict)  #: the same of the second: "Shells", "Interf. ID 1"
    errors: list[str] = field(default_factory=list)
    warnings: int = 0
    ending: str = ""  #: normal or error


@names_its_file
def read_lsdyna_log(path: Path) -> LsDynaLog:
    """Read one file; missing values stay empty.

    Raises:
        DamagedFile: a number in it is not valid.
    """
    text = path.read_text(errors="replace")

    def word(expression: re.Pattern[str]) -> str:
        found = expression.findall(text)
        return found[-1] if found else ""

    def number(expression: re.Pattern[str]) -> float | None:
        return number_or_none(found) if (found := word(expression)) else None

    def count(expression: re.Pattern[str]) -> int | None:
        return int(found) if (found := word(expression)) else None

    log = LsDynaLog(
        version=word(VERSION),
        revision=word(REVISION),
        precision=word(PRECISION).lower(),
        ranks=count(RANKS),
        threads=count(THREADS),
        cycles=count(CYCLES),
        time=number(TIME),
        zone_cycle=number(ZONE),
        elapsed=number(ELAPSED),
        total=number(TOTAL),
        errors=[" ".join(error.split()) for error in ERROR.findall(text)],
        warnings=len(WARNING.findall(text)),
    )
    for indent, name, _, clock in TIMING.findall(word(TIMINGS)):
        level = log.phases if len(indent) <= 2 else log.parts
        if (seconds := number_or_none(clock)) is not None:
            level[" ".join(name.split())] = seconds
    if ERROR_END.search(text):
        log.ending = "error"
    elif NORMAL_END.search(text):
        log.ending = "normal"
    return log


@names_its_file
def read_lsdyna_load_profile(path: Path) -> dict[str, list[float]]:
    """Seconds of each phase on each processor, from load_profile.csv of MPP.

    Its first block, "Clock (seconds)", has a line of names and one line per processor. The second block, in
    percent, is not read.

    Raises:
        DamagedFile: the text has no such block.
    """
    names: list[str] = []
    rows: list[list[float]] = []
    inside = False
    for line in path.read_text(errors="replace").splitlines():
        words = [word.strip().strip('"').strip() for word in line.split(",")]
        words = words[:-1] if words[-1] == "" else words
        if not inside:
            inside = words[:1] == ["Clock (seconds)"]
        elif not words or words[0].startswith("Clock"):
            if rows:
                break
        elif not names:
            names = words
        else:
            rows.append([printed_number(word) for word in words])
    if not rows or any(len(row) != len(names) for row in rows):
        raise DamagedFile(f"{path} is no load profile of LS-DYNA")
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}
