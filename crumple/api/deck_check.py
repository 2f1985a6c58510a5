"""Checks of decks from Python: problems, and the memory that a run needs."""

import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from crumple import solver
from crumple.api.input_deck import DeckSource, placed_deck
from crumple.api.run_failed import DeckRefused, SolverMessage, failed, messages_in
from crumple.mpi import environment

MEMORY = "memory.json"


@dataclass(frozen=True)
class DeckCheck:
    """What `crumple check` says of a deck.

    Attributes:
        messages: errors and warnings
        memory: bytes that a run needs, as `--json` writes it; empty where there are errors
        planned: end time and intervals of output in deck units, as `--json` writes them; empty likewise
        factor: size and operations of the factor of an implicit run, as `--json` writes them; empty otherwise
        output: all that was printed: counts, masses, time step, use of each field
    """

    messages: tuple[SolverMessage, ...]
    memory: dict
    output: str
    planned: dict = field(default_factory=dict)
    factor: dict = field(default_factory=dict)

    @property
    def errors(self) -> list[SolverMessage]:
        """What stops a run."""
        return [message for message in self.messages if message.kind == "error"]

    @property
    def warnings(self) -> list[SolverMessage]:
        """What does not."""
        return [message for message in self.messages if message.kind == "warning"]

    @property
    def ok(self) -> bool:
        """Whether a run would begin."""
        return not self.errors


def check(
    deck: DeckSource,
    ranks: int = 1,
    threads: int = 1,
    precision: Literal["single", "double"] = "double",
    allow_unsupported: bool = False,
) -> DeckCheck:
    """Read a deck with the solver: what is wrong with it, and what a run needs. Nothing is computed.

    Args:
        deck: a file, a Deck, text, or keywords of ansys-dyna-core
        ranks, threads, precision, allow_unsupported: of the planned run

    Raises:
        FileNotFoundError: the deck, the solver or mpirun is missing.
        SystemFailed: the solver itself failed.
    """
    with tempfile.TemporaryDirectory(prefix="crumple-check-") as folder:
        path = placed_deck(deck, Path(folder))
        memory = Path(folder) / MEMORY
        words = ["--check", f"i={path}", "--ranks", str(ranks), "--threads", str(threads)]
        words += ["--precision", precision, "--json", str(memory)]
        words += ["--allow-unsupported"] if allow_unsupported else []
        done = subprocess.run(
            solver.mpirun(1, words),
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        error = failed(done.returncode, done.stdout) if done.returncode else None
        if error is not None and not isinstance(error, DeckRefused):
            raise error
        told = json.loads(memory.read_text()) if memory.is_file() else {}
    return DeckCheck(
        tuple(messages_in(done.stdout)),
        told.get("memory", {}),
        done.stdout,
        told.get("output", {}),
        told.get("factor", {}),
    )
