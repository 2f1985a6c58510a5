"""A signal ends a search for modes, which takes long and has no steps."""

import os
import signal
import time
from pathlib import Path

from implicit_decks import in_free_format
from small_decks import Deck
from solver_run import solver_processes, start


def long_search() -> Deck:
    """A free plate with so many modes that their search takes minutes."""
    deck = Deck()
    deck.part(1, "SHELL,16,0.8333,2|1.,1.,1.,1.", "ELASTIC,7.85e-6,210.,0.3")
    deck.plate(1, (50, 50), lambda u, v: (600.0 * u, 600.0 * v, 0.0))
    deck.add(
        "*CONTROL_IMPLICIT_GENERAL\n1,1.\n*CONTROL_IMPLICIT_EIGENVALUE\n3000\n"
        "*CONTROL_TERMINATION\n1.\n*DATABASE_BINARY_D3PLOT\n1."
    )
    return deck


def test_signal_ends_search(tmp_path: Path) -> None:
    deck, out = tmp_path / "deck.k", tmp_path / "out"
    deck.write_text("\n".join(map(in_free_format, long_search().text().splitlines())) + "\n")
    process = start(deck, out)
    try:
        end = time.monotonic() + 60
        while not (out / "d3hsp").exists():  # written after signals are listened to
            assert time.monotonic() < end
            time.sleep(0.05)
        time.sleep(0.5)
        os.kill(solver_processes(out)[0], signal.SIGTERM)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 3, said
    assert "error CR-I308" in said
    assert not (out / "eigout").exists()
