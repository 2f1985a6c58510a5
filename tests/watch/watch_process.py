"""Starts `crumple watch` beside a run, and asks it as a browser does."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 60.0  #: s


@dataclass
class Watch:
    """A watch that runs."""

    process: subprocess.Popen[str]
    port: int
    token: str
    said: list[str]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def ask(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and content of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body.encode() if body else None, named)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def summary(self) -> dict[str, Any]:
        """What the page shows."""
        status, _, content = self.ask("GET", "/run.json")
        assert status == 200, content
        return json.loads(content)

    def switch(self, switch: str, token: str | None = None, **headers: str) -> int:
        """The status of the answer to a switch."""
        body = json.dumps({"switch": switch, "token": self.token if token is None else token})
        return self.ask("POST", "/switch", body, **({"Content_Type": "application/json"} | headers))[0]

    def until(self, condition: Callable[[dict[str, Any]], bool], limit: float = LIMIT) -> dict[str, Any]:
        """The first summary for which the condition holds."""
        end = time.monotonic() + limit
        while not condition(found := self.summary()):
            assert time.monotonic() < end, found
            time.sleep(0.3)
        return found

    def processor_seconds(self) -> float:
        """Seconds of all its threads."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=LIMIT)


def start_watch(folder: Path, *options: str) -> Watch:
    """Start a watch of a folder, and read what it says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "crumple", "watch", str(folder), "--port", "0", *options],
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Where the tests themselves run in the background, Ctrl-C is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    said: list[str] = []
    assert process.stdout
    for line in process.stdout:
        said.append(line.rstrip("\n"))
        if "Ctrl-C" in line:
            break
    text = "\n".join(said)
    port = re.search(r"http://127\.0\.0\.1:(\d+)/", text)
    assert port, text
    token = re.search(r"token .*: (\S+)", text)
    return Watch(process, int(port[1]), token[1] if token else "", said)
