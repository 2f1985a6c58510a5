"""`crumple run` on a terminal: progress in one line; elsewhere the lines of the table."""

import io
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from command_line import crumple
from small_decks import block

from crumple.progress_line import ProgressLine

STEPS = """
 a title
 first step 1.0000e-01, constant steps
 iterations with * have a new factor

 1234 equations
 step      1  time 1.00000e-01  dt 1.0000e-01
   iteration    1 *  |du|/|u| 1.000e+00  E/E0 1.000e+00  |r|/|r|max 3.206e-02
 step      1  not converged: no equilibrium in 1 iterations with 1 factors: too far
 step      1  time 5.00000e-02  dt 5.0000e-02
   iteration    1 *  |du|/|u| 4.992e-01  E/E0 1.000e+00  |r|/|r|max 3.206e-02  |du| 1.000e+00  |r| 2.000e+00
   iteration    2    |du|/|u| 1.713e-03  E/E0 1.190e-05  |r|/|r|max 2.411e-06  14 of conjugate gradients
 step      1  converged: 2 iterations, 1 factors, internal energy 1.07101e-02, work 1.07103e-02, 0:07 left
 shell 7 of part 2 failed and is deleted
 step      2  time 1.00000e-01  dt 5.0000e-02
   iteration    1 *  |du|/|u| 4.992e-01  E/E0 1.000e+00  |r|/|r|max 3.206e-02
 step      2  converged: 1 iterations, 1 factors, internal energy 1.07101e-02, work 1.07103e-02

 2 steps, 4 iterations, 3 factors of 1234 equations, 1 steps tried again, in 0.1 s
"""
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


def written(width: int, end: float | None, printed: str = PRINTED) -> str:
    output = io.StringIO()
    line = ProgressLine(lambda: end, output, width)
    for one in printed.splitlines():
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


def test_steps_are_one_line_too():
    text = written(200, 0.1, STEPS)
    found = seen(text)
    last = "100 %  time 0.1 of 0.1  step 2 of 0.05  converged in 1 iterations  1 tried again  0:00 left"
    assert " shell 7 of part 2 failed and is deleted" in found
    assert last in found
    assert "  0 %  time 0 of 0.1  step 1 of 0.05  iteration 2, residual 2.4e-06  1 tried again" in text
    assert (
        " 50 %  time 0.05 of 0.1  step 2 of 0.05  iteration 1, residual 3.2e-02  1 tried again  0:07 left"
        in text
    )
    assert found[-2].startswith(" 2 steps, 4 iterations")
    assert "|du|" not in text and "iterations with *" not in text


def test_an_implicit_run_on_a_terminal(tmp_path, monkeypatch):
    (tmp_path / "a.k").write_text(block(1.0, 0.25, more="*CONTROL_IMPLICIT_GENERAL\n1,0.25"))
    piped = crumple("run", "a.k", "-n", "1", "-d", "piped", directory=tmp_path)
    assert piped.stdout.count("  converged: ") == 4 and "\r" not in piped.stdout
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    text, status = on_terminal(["run", "a.k", "-n", "1", "-d", "shown"], tmp_path)
    assert status == 0, text
    assert "|du|" not in text
    assert any(
        re.match(r"100 %  time 1 of 1  step 4 of 0.25  converged in \d+ iter", line) for line in seen(text)
    )


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
