"""Measures `crumple view` in Chromium: how long until pictures are there, and how fast a model turns.

usage: python benchmarks/viewer_speed.py RUN          the table of docs/viewer.md; needs playwright, Chromium
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

from playwright.sync_api import Page, sync_playwright

OPTIONS = ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]
TURN = 6.0  #: s
COUNT = """(() => {
  window.pictures = [];
  const scene = viewer.views[0].scene, before = scene.onDraw;
  scene.onDraw = () => { pictures.push([performance.now(), scene.drawn, scene.level]); before(); };
})()"""
CARD = """(() => {
  const gl = viewer.views[0].scene.gl, known = gl.getExtension("WEBGL_debug_renderer_info");
  return known ? gl.getParameter(known.UNMASKED_RENDERER_WEBGL) : "unknown";
})()"""


def until(page: Page, script: str) -> None:
    """Wait until an expression is true."""
    while not page.evaluate(script):
        time.sleep(0.03)


def turn(page: Page) -> tuple[float, int]:
    """Drag the model for some seconds: pictures a second in the second half, and the set that is drawn."""
    box = page.locator("canvas").first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    end = time.monotonic() + TURN
    k = 0
    while time.monotonic() < end:
        k += 1
        page.mouse.move(x + k % 200, y + k % 50 / 5)
        time.sleep(0.01)
    drawn = page.evaluate("pictures")
    page.mouse.up()
    late = [(at, level) for at, what, level in drawn if what == "light" and at > drawn[-1][0] - 500 * TURN]
    if len(late) < 2:
        return 0.0, -1
    return 1000 * (len(late) - 1) / (late[-1][0] - late[0][0]), late[-1][1]


def main(run: str) -> None:
    """Print the figures of a run."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    command = [sys.executable, "-m", "crumple", "view", run]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    ) as server:
        assert server.stdout
        address = re.search(r"http://[\d.:]+/", server.stdout.readline())
        assert address
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser, args=OPTIONS)
            page = chromium.new_page(viewport={"width": 1300, "height": 800})
            start = time.monotonic()
            page.goto(address[0])
            until(page, "document.body.dataset.ready")
            print(f"first picture       {time.monotonic() - start:6.1f} s")
            until(page, "document.body.dataset.loaded")
            until(page, "!!document.querySelector('.frame').dataset.complete")
            print(f"all states loaded   {time.monotonic() - start:6.1f} s")
            time.sleep(3)
            print(f"picture, all faces  {page.evaluate('viewer.views[0].scene.time(false)') / 1000:6.2f} s")
            page.evaluate(COUNT)
            for _ in range(3):
                rate, level = turn(page)
                load = os.getloadavg()[0]
                print(f"turns at            {rate:6.1f} pictures a second, set {level}; load {load:.1f}")
                time.sleep(6)
            print(page.evaluate(CARD))
            chromium.close()
        server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main(sys.argv[1])
