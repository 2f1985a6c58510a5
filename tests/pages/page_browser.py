"""Chromium by Playwright, and screenshots beside their references. Skips the test where there is no browser.

The browser is Debian's, with its software for WebGL: no test downloads one. A screenshot is compared with
tests/pages/references/NAME.png at half its size, which leaves the smoothing of letters out: at most
TOLERANCE of its pixels may differ by more than VISIBLE of 255 in a colour. CRUMPLE_WRITE_PAGES=1 writes the
references.
"""

import io
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageChops

REFERENCES = Path(__file__).parent / "references"
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    "--no-sandbox",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",
    "--font-render-hinting=none",
]
VISIBLE = 40  #: of 255, in the colour that differs most
TOLERANCE = 0.02  #: share of pixels
SLACK = 8  #: pixels of the page by which sizes may differ
LIMIT = 60.0  #: s


class BrowserPage:
    """A page, with the errors that its scripts have thrown."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_default_timeout(1000 * LIMIT)

    def value(self, script: str) -> Any:
        """The value of an expression; promises are waited for."""
        return self.page.evaluate(script)

    def until(self, script: str) -> Any:
        """The value of an expression, when it is true; the pages' policy refuses Playwright's own wait."""
        end = time.monotonic() + LIMIT
        while not (found := self.value(script)):
            assert time.monotonic() < end, f"{script} is not true; {self.errors}"
            time.sleep(0.05)
        return found

    def slide(self, selector: str, value: int) -> None:
        """Move a slider by its keys, as a user does."""
        slider = self.page.locator(selector)
        slider.focus()
        slider.press("Home")
        for _ in range(value):
            slider.press("ArrowRight")

    def look_at(self, part: str, name: str) -> None:
        """Compare a part of the page with its reference, where others depend on the machine."""
        self.page.mouse.move(2, 2)
        shot = self.page.locator(part).first.screenshot(animations="disabled")
        compare(Image.open(io.BytesIO(shot)).convert("RGB"), name)

    def look(self, name: str, whole: bool = True, without: list[str] | None = None) -> None:
        """Compare the page, or what is seen of it at first, with its reference; `without` is masked."""
        self.page.mouse.move(2, 2)
        self.value("window.scrollTo(0, 0)")
        masked = [self.page.locator(one) for one in without or []]
        shot = self.page.screenshot(full_page=whole, mask=masked, mask_color="#ddd", animations="disabled")
        compare(Image.open(io.BytesIO(shot)).convert("RGB"), name)


def halved(image: Image.Image) -> Image.Image:
    return image.resize((max(1, image.width // 2), max(1, image.height // 2)), Image.Resampling.BOX)


def different(image: Image.Image, kept: Image.Image) -> float:
    """Share of the pixels that both have in which they differ visibly."""
    box = (0, 0, min(kept.width, image.width), min(kept.height, image.height))
    far = np.asarray(ImageChops.difference(image.crop(box), kept.crop(box))).max(axis=2) > VISIBLE
    return float(far.mean())


def compare(image: Image.Image, name: str) -> None:
    """Assert that a screenshot is as its reference, but for a pixel by which Chromium rounds its place."""
    half = halved(image)
    path = REFERENCES / f"{name}.png"
    if os.environ.get("CRUMPLE_WRITE_PAGES"):
        half.quantize(128).save(path, optimize=True)
        return
    kept = Image.open(path).convert("RGB")
    assert abs(kept.width - half.width) <= SLACK // 2 and abs(kept.height - half.height) <= SLACK // 2, name
    places = [(x, y) for x in (0, -1, 1) for y in (0, -1, 1)]
    share = min(different(halved(ImageChops.offset(image, x, y)), kept) for x, y in places)
    if share > TOLERANCE:
        failed = path.with_suffix(".failed.png")
        half.save(failed)
        pytest.fail(f"{name}: {share:.1%} of the pixels differ, at most {TOLERANCE:.0%} may; see {failed}")


@contextmanager
def chromium(width: int = 1300, height: int = 800) -> Iterator[BrowserPage]:
    """One page in a browser without a window."""
    browser = next((found for name in NAMES if (found := shutil.which(name))), None)
    if not browser:
        pytest.skip("no chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        process = playwright.chromium.launch(executable_path=browser, args=OPTIONS)
        try:
            page = BrowserPage(process.new_page(viewport={"width": width, "height": height}))
            yield page
            assert not page.errors
        finally:
            process.close()
