"""Drives Chromium as a user does: clicks, drags, values of the page. Skips the test where there is none.

It speaks the DevTools protocol over two pipes, so it needs no package.
"""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
LIMIT = 30.0  #: s for an answer, or for what is waited for
SOFTWARE = ("--enable-unsafe-swiftshader", "--disable-gpu-compositing")  #: there may be no graphics card


class BrowserSession:
    """One page in a browser without a window."""

    def __init__(self, process: subprocess.Popen, to: int, of: int) -> None:
        self.process, self.to_, self.of_ = process, to, of
        self.number_, self.rest_, self.session_ = 0, b"", ""
        self.said: list[str] = []  #: errors of scripts
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session_ = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for name in ("Page.enable", "Runtime.enable"):
            self.call(name)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the browser answers to a call of the protocol."""
        self.number_ += 1
        message = {"id": self.number_, "method": method, "params": parameters}
        if self.session_:
            message["sessionId"] = self.session_
        os.write(self.to_, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number_:
                assert "error" not in answer, answer
                return answer["result"]
            if answer.get("method") == "Runtime.exceptionThrown":
                self.said.append(json.dumps(answer["params"]["exceptionDetails"])[:1000])

    def next(self) -> dict[str, Any]:
        """The next message."""
        while b"\0" not in self.rest_:
            found = os.read(self.of_, 1 << 20)
            assert found, "the browser has ended"
            self.rest_ += found
        first, _, self.rest_ = self.rest_.partition(b"\0")
        return json.loads(first)

    def open(self, address: str) -> None:
        """Go to an address."""
        self.call("Page.navigate", url=address)

    def value(self, script: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, script: str, limit: float = LIMIT) -> Any:
        """The value of an expression, when it is true."""
        end = time.monotonic() + limit
        while not (
            found := self.value(f"Promise.resolve({script}).then((v) => (v instanceof Object ? true : v))")
        ):
            assert time.monotonic() < end, f"{script} is not true; {self.said}"
            time.sleep(0.05)
        return found

    def mouse(self, kind: str, x: float, y: float, modifiers: int = 0) -> None:
        """An event of the mouse with its first button."""
        pressed = 0 if kind == "mouseReleased" else 1
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button="left",
            buttons=pressed,
            clickCount=1,
            modifiers=modifiers,
        )

    def click(self, x: float, y: float, shift: bool = False) -> None:
        """Press and release at a place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, 8 if shift else 0)

    def click_on(self, selector: str) -> None:
        """Click in the middle of an element."""
        box = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView("
            "{block: 'nearest'}); const b = e.getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        self.click(*box)

    def choose(self, selector: str, value: str, event: str = "change") -> None:
        """Set a field of a form as a user does."""
        self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = "
            f"{json.dumps(value)}; e.dispatchEvent(new Event('{event}', {{bubbles: true}})); }})()"
        )

    def picture(self, path: Path) -> None:
        """Write a PNG of the window."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browser_session(profile: Path, width: int = 1300, height: int = 800) -> Iterator[BrowserSession]:
    """A browser with one empty page."""
    browser = next((found for name in NAMES if (found := shutil.which(name))), None)
    if not browser:
        pytest.skip("no chromium")
    ours, theirs = os.pipe(), os.pipe()

    def as_three_and_four() -> None:
        kept = os.dup(ours[0]), os.dup(theirs[1])
        os.dup2(kept[0], 3)
        os.dup2(kept[1], 4)

    process = subprocess.Popen(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--remote-debugging-pipe",
            f"--window-size={width},{height}",
            f"--user-data-dir={profile}",
            *SOFTWARE,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=as_three_and_four,
        close_fds=False,
    )
    os.close(ours[0])
    os.close(theirs[1])
    try:
        yield BrowserSession(process, ours[1], theirs[0])
    finally:
        process.terminate()
        process.wait(timeout=30)
        os.close(ours[1])
        os.close(theirs[0])
