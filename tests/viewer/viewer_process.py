"""Starts `crumple view`, and asks it as a browser does."""

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Viewer:
    """A viewer that runs."""

    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and content of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()


@contextmanager
def viewer_of(*arguments: str) -> Iterator[Viewer]:
    """`crumple view` with these arguments, until it is not needed any more."""
    process = subprocess.Popen(
        [sys.executable, "-m", "crumple", "view", *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Where the tests themselves run in the background, Ctrl-C is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout
    said = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
    assert found, said + process.stdout.read()
    try:
        yield Viewer(int(found[1]))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0
