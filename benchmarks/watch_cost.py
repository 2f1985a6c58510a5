"""Measures what `crumple watch` costs the run: alone, with a page of its folder, with one by socket, in turn.

usage: watch_cost.py [--elements N] [--end-time MS] [--plots N] [--ranks N] [--repeats N] [--deck FILE]
                     [--browser]

Prints, for each way, medians and scatter of elapsed and processor time of the run, the ratio to the run
alone, and the processor time of the watch. A page is asked for as a browser on another machine does: each two
seconds what is new, and the newest state. --browser opens it in Chromium on this machine, which then works
for it too. Runs must last a few seconds, as the watch takes about one to start.
"""

import argparse
import http.client
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crumple import solver  # noqa: E402
from crumple.models import Wishes, write_model  # noqa: E402

OFTEN = 2.0  #: s between two questions, as in crumple/watch/page.js
LIMIT = 60.0  #: s
BROWSER = ["--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--remote-debugging-port=0"]


@dataclass
class Way:
    """A way of running, and a value of each of its runs."""

    name: str
    of_solver: tuple[str, ...] = ()
    of_watch: tuple[str, ...] | None = None  #: None: nobody watches
    elapsed: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    watching: list[float] = field(default_factory=list)  #: processor time of the watch
    states: list[int] = field(default_factory=list)  #: that the page has got


def ways() -> list[Way]:
    """The three that are compared."""
    return [
        Way("alone"),
        Way("page, result folder", of_watch=()),
        Way("page, socket", ("--listen", "0"), ("--socket",)),
    ]


class Page:
    """Asks a watch for what a page asks for, until it is closed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.states = 0
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self.go_on, daemon=True)
        self.thread.start()

    def ask(self, path: str) -> bytes | None:
        """An answer; None if there is none now."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            content = answer.read()
            return content if answer.status == 200 else None
        except OSError:
            return None
        finally:
            connection.close()

    def go_on(self) -> None:
        """Ask, as crumple/watch/page.js and model.js do."""
        have: dict[str, int] = {}
        shown = None
        while not self.closed.is_set():
            names = ",".join(f"{name}:{version}" for name, version in have.items())
            if answer := self.ask(f"/run.json?have={names}"):
                found = json.loads(answer)
                have |= {name: chart["version"] for name, chart in found["charts"].items()}
                times = found["plots"]["times"]
                if times and times[-1] != shown and self.ask(f"/state?number={len(times) - 1}"):
                    shown = times[-1]
                    self.states += 1
            self.closed.wait(OFTEN)

    def close(self) -> int:
        """Ask no more; the number of states it has got."""
        self.closed.set()
        self.thread.join()
        return self.states


def wait_for(folder: Path, way: Way) -> None:
    """Wait until a watch can be started."""
    name = "watch.json" if "--socket" in (way.of_watch or ()) else "d3hsp"
    end = time.monotonic() + LIMIT
    while not (folder / name).exists():
        if time.monotonic() > end:
            raise SystemExit(f"the run has written no {name}")
        time.sleep(0.02)


@contextmanager
def opened(port: int, browser: bool, way: Way) -> Iterator[None]:
    """A page, in Chromium or without one."""
    if not browser:
        page = Page(port)
        yield
        way.states.append(page.close())
        return
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        raise SystemExit("no chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        line = [program, *BROWSER, f"--user-data-dir={profile}", f"http://127.0.0.1:{port}/"]
        # A process group of its own, so that its helpers end with it.
        process = subprocess.Popen(line, stderr=subprocess.DEVNULL, start_new_session=True)
        yield
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def watched(folder: Path, way: Way, browser: bool) -> Iterator[None]:
    """A watch with a page open, in the ways that have one."""
    if way.of_watch is None:
        yield
        return
    wait_for(folder, way)
    watch = subprocess.Popen(
        [sys.executable, "-m", "crumple", "watch", str(folder), "--port", "0", *way.of_watch],
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert watch.stdout
    said = watch.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
    if not address:
        raise SystemExit(f"crumple watch: {said}{watch.communicate()[0]}")
    with opened(int(address[1]), browser, way):
        yield
    watch.send_signal(signal.SIGTERM)
    _, _, used = os.wait4(watch.pid, 0)
    way.watching.append(used.ru_utime + used.ru_stime)


def run(way: Way, deck: Path, ranks: int, browser: bool) -> None:
    """One run, and what it took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "said").open("w+") as said:
            command = solver.mpirun(ranks, [f"i={deck}", "-d", name, *way.of_solver])
            start = time.monotonic()
            process = subprocess.Popen(
                command, env=solver.environment(), stdout=said, stderr=subprocess.STDOUT, cwd=name
            )
            with watched(folder, way, browser):
                # Of mpirun and, as it waits for them, of the ranks; not of the watch.
                _, status, used = os.wait4(process.pid, 0)
                elapsed = time.monotonic() - start
            said.seek(0)
            if status:
                raise SystemExit(said.read()[-2000:])
    way.elapsed.append(elapsed)
    way.processor.append(used.ru_utime + used.ru_stime)


def scatter(values: list[float]) -> str:
    """From the least to the most, over the median."""
    return f"{100 * (max(values) - min(values)) / statistics.median(values):.1f} %"


def show(measured: list[Way], title: str) -> None:
    """Print the table."""
    table = Table(title=title)
    columns = [f"{kind} {what}" for kind in ("elapsed", "processor") for what in ("[s]", "scatter", "ratio")]
    for column in ("", *columns, "watch [s]", "states"):
        table.add_column(column, justify="right" if column else "left")
    alone = measured[0]
    for way in measured:
        cells = [way.name]
        for values, base in ((way.elapsed, alone.elapsed), (way.processor, alone.processor)):
            middle = statistics.median(values)
            more = 100 * (middle / statistics.median(base) - 1)
            cells += [f"{middle:.3f}", scatter(values), f"{more:+.2f} %"]
        cells.append(f"{statistics.median(way.watching):.2f}" if way.watching else "-")
        cells.append(f"{statistics.median(way.states):.0f}" if way.states else "-")
        table.add_row(*cells)
    Console(width=140).print(table)


def wishes() -> argparse.Namespace:
    """What the user asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("elements", 20_000), ("plots", 20), ("ranks", 1), ("repeats", 5)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--end-time", type=float, default=10.0, help="of the three-vehicle model, ms")
    parser.add_argument("--deck", type=Path, help="another deck than the three-vehicle model")
    parser.add_argument("--browser", action="store_true", help="open the page in Chromium here")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    wish = wishes()
    measured = ways()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        deck = wish.deck and wish.deck.resolve()
        title = f"{deck}"
        if not deck:
            deck = Path(folder) / "model.k"
            asked = Wishes(wish.elements, end_time=wish.end_time, plots=wish.plots)
            title = f"{write_model('three-vehicle', deck, asked):,} elements, {wish.end_time:g} ms"
        run(ways()[0], deck, wish.ranks, wish.browser)  # the first finds nothing in the page cache
        for repeat in range(wish.repeats):
            for way in measured if repeat % 2 == 0 else reversed(measured):
                run(way, deck, wish.ranks, wish.browser)
    show(measured, f"{title}, {wish.ranks} rank(s), medians of {wish.repeats} runs")
    print(f"load average before: {load:.2f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
