"""The cases of a deck (*CASE), each of which `crumple run` starts as a run of its own."""

import re
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(
    rb"^\*CASE(?P<wide>\+?)[ \t\r]*\n(?P<cards>(?:(?!\*).*\n?)*)", re.IGNORECASE | re.MULTILINE
)
WIDE = re.compile(rb"^\*KEYWORD\b[^\n]*LONG *= *Y", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class DeckCase:
    """A case: its number, and the JOBID with which the names of its results begin."""

    number: int
    job_id: str

    @property
    def prefix(self) -> str:
        """Of the names of its results."""
        return f"{self.job_id}."


def cases_of(deck: Path) -> list[DeckCase]:
    """The cases of a deck; none where it has none. What is wrong with a card the solver says."""
    try:
        text = deck.read_bytes()
    except OSError:
        return []
    if b"*CASE" not in text.upper():
        return []
    cases = []
    for block in BLOCK.finditer(text):
        width = 20 if block["wide"] or WIDE.search(text) else 10
        cards = [line for line in block["cards"].splitlines() if line[:1] != b"$"]
        if cards and (case := case_of(cards[0].decode("latin-1"), width)):
            cases.append(case)
    return cases


def case_of(card: str, width: int) -> DeckCase | None:
    """The case of a first card; None if its number is not one."""
    number, _, job_id = card.partition(",") if "," in card[:width] else (card[:width], "", card[width:])
    try:
        case = int(number)
    except ValueError:
        return None
    return DeckCase(case, job_id.strip() or f"CASE{case}")


def chosen_cases(cases: list[DeckCase], numbers: str) -> list[DeckCase]:
    """Those that `--case 101,103` names, in the order of the deck; all without numbers.

    Raises:
        ValueError: one is no number, or there is no such case.
    """
    if not numbers:
        return cases
    wanted = {int(number) for number in numbers.split(",")}
    if missing := wanted - {case.number for case in cases}:
        raise ValueError(f"--case {numbers}: the deck has no *CASE {min(missing)}")
    return [case for case in cases if case.number in wanted]
