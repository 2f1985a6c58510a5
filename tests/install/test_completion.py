"""The installed files that complete commands in bash, zsh and fish, each tried in its shell."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "install" / "completion"
LIMIT = 60.0  #: s for an answer
OFFERED = [
    ("crumple su", ["submit"]),
    ("crumple run --prec", ["--precision"]),
    ("crumple run --precision s", ["single"]),
    ("crumple advise --kw", ["--kwh"]),
]


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """An empty home with crumple on the PATH."""
    program = tmp_path / "bin" / "crumple"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{ROOT}/crumple/__main__.py" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(shell), reason=f"{shell} is not installed")


def said(*line: str) -> list[str]:
    done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(("words", "offered"), OFFERED)
def test_bash(home, words, offered):
    function = """$(complete -p crumple | sed 's/.* -F \\([^ ]*\\) .*/\\1/')"""
    script = (
        f'source "{FILES}/crumple.bash"; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); '
        f'{function} crumple; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    assert [one.strip() for one in said("bash", "--norc", "-c", script)] == offered


@needs("fish")
@pytest.mark.parametrize(("words", "offered"), OFFERED)
def test_fish(home, words, offered):
    script = f'set fish_complete_path "{FILES}"; complete -C "{words}"'
    assert [one.split("\t")[0] for one in said("fish", "-c", script)] == offered


@needs("fish")
def test_fish_offers_decks(home, monkeypatch):
    (home / "crash.k").touch()
    monkeypatch.chdir(home)
    assert said("fish", "-c", f'set fish_complete_path "{FILES}"; complete -C "crumple run cra"') == [
        "crash.k"
    ]


class Terminal:
    """A shell in a terminal, where keys are pressed."""

    def __init__(self, *line: str) -> None:
        self.number, self.file = pty.fork()
        if self.number == 0:
            os.execvp(line[0], line)
        self.shown = b""

    def press(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def until(self, text: str) -> None:
        """Wait until a text is shown, after what was waited for before."""
        end = time.monotonic() + LIMIT
        while text.encode() not in self.shown:
            left = end - time.monotonic()
            assert left > 0.0 and select.select([self.file], [], [], left)[0], f"{text}: {self.shown!r}"
            self.shown += os.read(self.file, 4096)
        self.shown = self.shown.partition(text.encode())[2]

    def close(self) -> None:
        os.close(self.file)
        os.waitpid(self.number, 0)


@needs("zsh")
def test_zsh(home, monkeypatch):
    """Its functions for completion work only where somebody types."""
    monkeypatch.setenv("TERM", "dumb")
    functions = home / "functions"
    functions.mkdir()
    shutil.copy(FILES / "crumple.zsh", functions / "_crumple")
    (home / "crash.k").touch()
    monkeypatch.chdir(home)
    terminal = Terminal("zsh", "-f", "-i")
    try:
        terminal.press(f"PS1='ready> '; fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D\n")
        terminal.press("print in''it $_comps[crumple]\n")
        terminal.until("init _crumple")
        for words, (offered,) in OFFERED:
            # what is typed is printed by the shell once the line is complete
            terminal.press(f"{words}\t\x01print so'': \x05\n")
            terminal.until(f"so: {' '.join([*words.split()[:-1], offered])}")
        terminal.press("crumple run cra\t\x01print so'': \x05\n")
        terminal.until("so: crumple run crash.k")
    finally:
        terminal.close()
