"""Reads the listing that OpenRadioss' engine writes, NAME_0001.out: cycles, times, how it ended."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from crumple.results.damage import names_its_file
from crumple.results.printed_number import number_or_none, printed_number

CYCLE = re.compile(r"^\s*NC=\s*(\d+)\s+T=\s*(\S+)\s+DT=\s*(\S+)\s+ERR=\s*(\S+)%(?:\s+DM/M=\s*(\S+))?", re.M)
CYCLES = re.compile(r"TOTAL NUMBER OF CYCLES\s*:\s*(\d+)")
ELAPSED = re.compile(r"^\s*ELAPSED TIME\s+=\s*([\d.]+) s", re.M)  # the progress' has no space before =
DOMAINS = re.compile(r"NUMBER OF (?:SPMD DOMAINS|HMPP PROCESSES)[\s.:]*(\d+)")
MEMORY = re.compile(r"MAXIMUM MEMORY PER PROCESSOR[\s.]*:\s*(\d+) MB")
SUMMARY = re.compile(r"\*\* SUMMARY \*\*\s*\n\s*\n?\s*#?PROC +(.+)\n((?:\s*\d+(?: +\S+)+\n?)+)")
PRECISION = re.compile(r"(Double|Single) Precision Version", re.I)
KILLED = re.compile(r"\*\* (RUN KILLED:.*\S)")
ERROR = re.compile(r"^\s*(?:\*\* ERROR\s*:?|ERROR ID\s*:)\s*(.*\S)", re.M)
NORMAL_END = "NORMAL TERMINATION"
ERROR_END = "ERROR TERMINATION"


@dataclass
class Listing:
    """The contents of a listing; None or empty for missing values."""

    cycles: int | None = None
    time: float | None = None  #: time that was reached, in the model's unit
    step: float | None = None  #: the last time step
    energy_error: float | None = None  #: %, of the last line of a cycle
    mass_error: float | None = None  #: added mass over mass
    elapsed: float | None = None  #: s
    domains: int | None = None
    memory: float | None = None  #: MB, of the largest process
    precision: str = ""
    phases: dict[str, list[float]] = field(default_factory=dict)  #: s of each process, without the total
    totals: list[float] = field(default_factory=list)  #: s of each process
    failure: str = ""  #: why the run does not count


@names_its_file
def read_listing(path: Path) -> Listing:
    """Read one file; missing values stay empty.

    Raises:
        DamagedFile: a number in it is not valid, or its table is not complete.
    """
    text = path.read_text(errors="replace")

    def last(expression: re.Pattern[str]) -> str:
        found = expression.findall(text)
        return found[-1] if found else ""

    listing = Listing(precision=last(PRECISION).lower(), failure=failure_in(text))
    for name, expression, kind in (
        ("cycles", CYCLES, int),
        ("elapsed", ELAPSED, float),
        ("domains", DOMAINS, int),
        ("memory", MEMORY, float),
    ):
        if found := last(expression):
            setattr(listing, name, kind(found))
    if cycle := last(CYCLE):
        listing.time, listing.step, listing.energy_error = map(number_or_none, cycle[1:4])
        listing.mass_error = number_or_none(cycle[4]) if cycle[4] else None
    if summary := SUMMARY.search(text):
        rows = [
            [printed_number(word) for word in line.split()[1:]] for line in summary[2].strip().splitlines()
        ]
        table = dict(zip(summary[1].split(), map(list, zip(*rows, strict=True)), strict=True))
        listing.totals = table.pop("RESOL", [])
        listing.phases = table
    return listing


def failure_in(text: str) -> str:
    """Why a run does not count, from its listing; empty if it succeeded."""
    why = KILLED.findall(text) or ERROR.findall(text)
    if ERROR_END in text or KILLED.search(text):
        return "error termination" + (f": {' '.join(why[0].split())}" if why else "")
    if NORMAL_END not in text:
        return "the program did not reach its end"
    return ""
