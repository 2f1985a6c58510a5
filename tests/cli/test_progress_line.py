"""`crumple run` on a terminal: progress in one line; elsewhere the lines of the table."""

import io
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from command_line import crumple
from small_decks import block

from crumple.progress_line import ProgressLine

ROOT = Path(__file__).resolve().parents[2]
PRINTED = """
 a title

    cycle         time          dt      kinetic     internal        total   ratio   ns/zone       ETA
                    ms          ms            J            J            J
        0  0.00000e+00  5.3317e-03  5.94893e+05  0.00000e+00  5.94893e+05  1.0000    2589.1         -
     1529  2.00000e+01  4.6182e-03  5.70401e+05  2.14110e+04  5.94893e+05  0.9987     135.9      0:40
 2 elements deleted
     1829  5.00000e+01  4.6182e-03  5.70401e+05  2.14110e+04  5.94893e+05  0.9986     135.9      0:00

 1830 cycles
"""


def written(width: int, end: float | None) -> str:
    output = io.StringIO()
    line = ProgressLine(lambda: end, output, width)
    for one in PRINTED.splitlines():
        line.line(one)
    return output.getvalue()


def seen(text: str) -> list[str]:
    """The lines as a terminal shows them at the end."""
    return [line.rsplit("\r\x1b[K", 1)[-1] for line in text.replace("\r\n", "\n").split("\n")]


def on_terminal(words: list[str], folder: Path) -> tuple[str, int]:
    """What a command writes to a terminal, and its status."""
    ours, terminal = pty.openpty()
    command = [sys.executable, "-m", "crumple", *words]
    with subprocess.Popen(command, cwd=folder, stdout=terminal, stderr=terminal) as process:
        os.close(terminal)
        shown = b""
        with suppress(OSError):  # how Linux says that nobody has the terminal any more
            while piece := os.read(ours, 4096):
                shown += piece
        os.close(ours)
        return shown.decode(), process.wait()


def test_rows_are_one_line_at_the_bottom():
    found = seen(written(200, 50.0))
    last = "100 %  time 50 of 50 ms  cycle 1829  energy ratio 0.9986  135.9 ns/zone  0:00 left"
    assert found == ["", " a title", "", " 2 elements deleted", last, "", " 1830 cycles", ""]
    assert " 40 %  time 20 of 50 ms  cycle 1529  energy ratio 0.9987  135.9 ns/zone  0:40 left" in written(
        200, 50.0
    )


def test_it_fits_a_narrow_terminal_and_waits_for_the_end_time():
    text = written(40, None)
    assert "\x1b[Ktime 20 ms  cycle 1529" in text
    assert max(len(piece) for line in text.split("\n") for piece in line.split("\r\x1b[K")) <= 39


def test_a_run_on_a_terminal_and_into_a_pipe(tmp_path, monkeypatch):
    (tmp_path / "a.k").write_text(block(1e-3, 5.0))
    piped = crumple("run", "a.k", "-n", "1", "-d", "piped", directory=tmp_path)
    assert "kinetic" in piped.stdout and "\r" not in piped.stdout
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    text, status = on_terminal(["run", "a.k", "-n", "1", "-d", "shown"], tmp_path)
    assert status == 0, text
    assert "kinetic" not in text
    assert any(line.startswith("100 %  time ") for line in seen(text))
    (same,) = [line for line in piped.stdout.splitlines() if line.startswith("state hash: ")]
    assert same in text
