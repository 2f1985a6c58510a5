"""Whole crashes, from their first cycle to the last: late in a crash most touches, and elements wait for it.

Each in double and single precision, on one rank and on two.
"""

from dataclasses import dataclass

from speed_decks import CAMRY, camry_archive
from speed_runs import Case


@dataclass(frozen=True)
class Crash:
    """A deck and how far it is run."""

    name: str  #: begins with "crash", so that --run '^crash' finds all
    deck: str
    rounds: int  #: at most: long ones vary less
    minutes: float  #: of one round: twice two runs, idle cores of Zen 4
    end: float = 0.0  #: in the deck's units; 0: its own

    def cases(self, rounds: int = 0) -> list[Case]:
        """Its four runs, in at most so many rounds."""
        return [
            Case(
                self.name,
                self.deck,
                precision=precision,
                ranks=ranks,
                first=1,
                last=0,
                end=self.end,
                rounds=rounds or self.rounds,
            )
            for ranks in (1, 2)
            for precision in ("double", "single")
        ]


CRASHES = (
    Crash("crash of three vehicles, 10,000 elements, to 60 ms", "three-vehicle-10k", 3, 1),
    Crash("crash of three vehicles, 100,000 elements, to 60 ms", "three-vehicle-100k", 1, 20),
    Crash("crash of a compact car, 100,000 elements, to 80 ms", "neon-100k", 1, 40),
    Crash("crash of a tube, 50,000 elements, to 1.5 ms", "tube50k", 3, 4, 1.5e-3),
    Crash("crash of the Camry, 975,435 shells, to 5 ms", CAMRY, 1, 40, 5e-3),
)


def crash_cases(whole: bool, quick: bool) -> list[Case]:
    """All crashes whose deck is there; where not `whole` the smallest, where `quick` that in one round."""
    if quick or not whole:
        return CRASHES[0].cases(1 if quick else 0)
    found = [crash for crash in CRASHES if crash.deck != CAMRY or camry_archive().exists()]
    return [case for crash in found for case in crash.cases()]


def duration() -> str:
    """How long all take, in words."""
    each = ", ".join(f"{crash.minutes * crash.rounds:.0f}" for crash in CRASHES)
    minutes = sum(crash.minutes * crash.rounds for crash in CRASHES)
    return f"{minutes / 60:.1f} hours of two idle cores of Zen 4 for each instruction set ({each} minutes)"
