"""The watch of a run that goes on, in Chromium: slide, pick, refuse a wrong token, write states, stop."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import solver_run
from page_browser import BrowserPage, chromium
from test_watch import HOSTILE, deck, kill
from watch_process import Watch, start_watch

NEWEST = "Number(document.querySelector('#which').max)"
SAID = "document.querySelector('#said').textContent"


@pytest.fixture
def at_work(tmp_path) -> Iterator[tuple[Watch, Path, subprocess.Popen[str]]]:
    """A run and its watch. Its one state is the first: others come by the switch only."""
    path = deck(tmp_path, rarer=40)
    path.write_text(re.sub(r"(D3PLOT\n)[\d.e-]+", r"\g<1>5000.", path.read_text()))
    out = tmp_path / "out"
    run = solver_run.start(path, out)
    watch = start_watch(out)
    try:
        watch.until(lambda found: found["plots"]["times"] and found["charts"])
        yield watch, out, run
    finally:
        watch.end()
        if run.poll() is None:
            kill(run, out)


def give(page: BrowserPage, switch: str) -> None:
    """Press the button of a switch, and wait for what the page says."""
    page.value("document.querySelector('#said').textContent = ''")
    page.page.click(f"#switch [value={switch}]")
    page.until(f"{SAID} !== ''")


def pick(page: BrowserPage, right: float) -> str:
    """The name of the part at this share of the picture's height to the right of its middle."""
    box = page.page.locator("#scene").bounding_box()
    page.value("document.querySelector('#picked').hidden = true")
    page.page.mouse.click(box["x"] + box["width"] / 2 + right * box["height"], box["y"] + box["height"] / 2)
    page.until("!document.querySelector('#picked').hidden")
    return page.page.inner_text("#part")


def drawn_at(page: BrowserPage, state: int) -> float:
    """Slide to a state, and return the time that the page shows when it has drawn it."""
    page.slide("#which", state)
    page.until(f"document.querySelector('#scene').dataset.drawn === '{state}'")
    when = page.page.inner_text("#when")
    assert when.startswith(f"{state + 1} of ")
    return float(when.rpartition("t = ")[2].split()[0])


def test_the_watch_of_a_run_that_goes_on(at_work):
    watch, out, run = at_work
    with chromium() as page:
        posted: list[str] = []
        page.page.on("request", lambda one: posted.append(one.url) if one.method == "POST" else None)
        page.page.goto(watch.address)
        page.until("document.querySelector('#state').textContent === 'running'")
        page.until("document.querySelector('#scene').dataset.drawn === '0'")

        page.page.fill("#token", "wrong")
        give(page, "plot")
        assert page.value(SAID) == "wrong token"
        assert page.value(NEWEST) == 0

        page.page.fill("#token", watch.token)
        for count in (1, 2):
            give(page, "plot")
            page.until(f"{NEWEST} === {count}")
            page.until(
                f"document.querySelector('#scene').dataset.drawn === '{count}'"
            )  # the newest is followed
        times = [drawn_at(page, state) for state in (2, 1, 0)]
        assert times[0] > times[1] > times[2] == 0.0
        assert not page.page.is_checked("#follow")

        page.page.click("[data-view=z]")  # the rigid block is in the middle of the first plate
        assert "part 3" in pick(page, 0.0)
        assert HOSTILE in pick(page, 0.3)

        stop_it(page, out, run)
        assert len(posted) == 4, "a wrong token, two plot states, one stop of two"


def stop_it(page: BrowserPage, out: Path, run: subprocess.Popen[str]) -> None:
    """Press Stop, first to think better of it; the run ends in order."""
    page.page.once("dialog", lambda dialog: dialog.dismiss())
    page.value("document.querySelector('#said').textContent = ''")
    page.page.click("#switch [value=stop]")
    assert page.value(SAID) == ""
    assert not (out / "d3kil").exists()
    assert run.poll() is None

    asked: list[str] = []
    page.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    give(page, "stop")
    assert page.value(SAID) == "given"
    assert asked[0].startswith("Stop the run?")
    stdout, stderr = run.communicate(timeout=60)
    assert run.returncode == 0, stdout + stderr
    page.until("document.querySelector('#state').textContent === 'stopped'")
    assert page.value("[...document.querySelectorAll('#switch button')].every((one) => one.disabled)")
    page.until(f"{NEWEST} === 3")  # the last state
    assert list(out.glob("d3dump*")), "it can go on"
    assert not (out / "d3kil").exists()
