"""The command that a user wants to be run when a run has ended."""

import os
import subprocess
import sys
from pathlib import Path

LIMIT = 60.0  #: s that it may take
#: the solver's exit statuses in words
WORDS = {0: "ended well", 2: "was refused", 3: "ended by an error", 4: "failed: the system"}


def give_notice(command: str, deck: Path | None, folder: Path, status: int, seconds: float) -> None:
    """Run a shell command that hears of the end of a run by its environment; a failure is a warning.

    Args:
        command: is given CRUMPLE_STATUS, CRUMPLE_ENDED (a sentence), CRUMPLE_DECK, CRUMPLE_FOLDER and
            CRUMPLE_SECONDS
        seconds: that the run took
    """
    what = deck.name if deck else f"the run in {folder}"
    told = {
        "CRUMPLE_STATUS": str(status),
        "CRUMPLE_ENDED": f"{what} {WORDS.get(status, f'ended with status {status}')}, {seconds:.0f} s",
        "CRUMPLE_DECK": str(deck.resolve()) if deck else "",
        "CRUMPLE_FOLDER": str(folder.resolve()),
        "CRUMPLE_SECONDS": f"{seconds:.1f}",
    }
    try:
        ended = subprocess.run(command, shell=True, env=os.environ | told, timeout=LIMIT, check=False)
        failed = f"exit status {ended.returncode}" if ended.returncode else ""
    except subprocess.TimeoutExpired:
        failed = f"it took more than {LIMIT:.0f} s"
    if failed:
        print(f"warning: the command of --notify failed: {failed}", file=sys.stderr)
