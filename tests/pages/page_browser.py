"""Chromium by Playwright, and screenshots beside their references. Skips the test where there is no browser.

The browser is Debian's, with its software for WebGL: no test downloads one. A screenshot is compared with
tests/pages/references/NAME.png at half its size, which leaves the smoothing of letters out. Curves cover less
than 1 % of a page, so only pixels are counted that are no light background in one of the two. They differ if
the other has no colour that is the same but for VISIBLE of 255 within REACH pixels. At most TOLERANCE of them
may differ, and MOST in each square of SQUARE pixels: a curve is a small part of a long page.

Where these limits are from: without subpixel positions of letters, up to 0.3 % and 6 pixels of a square
differ; in a page that is one pixel wider, 0.5 % and 11 pixels. A curve that is missing makes 2.6 % and 25.

CRUMPLE_WRITE_PAGES=1 writes the references.
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
PAPER = 205  #: of 255: a pixel is background if all its colours are brighter
REACH = 2  #: pixels of the half-sized pictures
TOLERANCE = 0.01  #: share of the pixels that are not background
SQUARE, MOST = 32, 15  #: pixels of the side of a square, and how many in it may differ
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

    def shot(self, part: str) -> Image.Image:
        """A picture of a part, without the bar of links that stays at the top of the window."""
        self.page.mouse.move(2, 2)
        self.value("document.querySelector('nav')?.style.setProperty('position', 'static')")
        shot = self.page.locator(part).first.screenshot(animations="disabled")
        return Image.open(io.BytesIO(shot)).convert("RGB")

    def look_at(self, part: str, name: str) -> None:
        """Compare a part of the page with its reference, where others depend on the machine."""
        compare(self.shot(part), name)

    def look(self, name: str, whole: bool = True, without: list[str] | None = None) -> None:
        """Compare the page, or what is seen of it at first, with its reference; `without` is masked."""
        self.page.mouse.move(2, 2)
        self.value("window.scrollTo(0, 0)")
        masked = [self.page.locator(one) for one in without or []]
        shot = self.page.screenshot(full_page=whole, mask=masked, mask_color="#ddd", animations="disabled")
        compare(Image.open(io.BytesIO(shot)).convert("RGB"), name)


def halved(image: Image.Image) -> Image.Image:
    return image.resize((max(1, image.width // 2), max(1, image.height // 2)), Image.Resampling.BOX)


def shrunk(image: Image.Image) -> Image.Image:
    """A picture to keep. Its 256 colours are off by less than VISIBLE / 2; those of other methods by more."""
    return halved(image).quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def is_near(colours: np.ndarray, others: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Whether, of each of these pixels, the other picture has nearly the colour within REACH."""
    around = np.pad(others, ((REACH, REACH), (REACH, REACH), (0, 0)), mode="edge")
    wanted = colours[rows, columns]
    found = np.zeros(len(rows), bool)
    for y in range(2 * REACH + 1):
        for x in range(2 * REACH + 1):
            found |= np.abs(wanted - around[rows + y, columns + x]).max(axis=1) <= VISIBLE
    return found


def differing(image: Image.Image, kept: Image.Image) -> tuple[float, int]:
    """Share of the pixels, without background, in which two pictures differ, and their number in a square."""
    box = (0, 0, min(kept.width, image.width), min(kept.height, image.height))
    one, other = (np.asarray(picture.crop(box)).astype(np.int16) for picture in (image, kept))
    rows, columns = np.nonzero(np.minimum(one, other).min(axis=2) < PAPER)
    if not len(rows):
        return 0.0, 0
    far = ~(is_near(one, other, rows, columns) & is_near(other, one, rows, columns))
    squares = np.zeros((box[3] // SQUARE + 1, box[2] // SQUARE + 1), int)
    np.add.at(squares, (rows[far] // SQUARE, columns[far] // SQUARE), 1)
    return float(far.mean()), int(squares.max())


def misfit(image: Image.Image, kept: Image.Image) -> str:
    """How a screenshot differs from its reference; empty where only by a pixel by which Chromium rounds."""
    found = []
    for x, y in [(x, y) for x in (0, -1, 1) for y in (0, -1, 1)]:
        share, most = differing(halved(ImageChops.offset(image, x, y)), kept)
        if share <= TOLERANCE and most <= MOST:
            return ""
        found.append((share, most))
    share, most = min(found)
    return (
        f"of the pixels that are not background {share:.1%} differ, at most {TOLERANCE:.0%} may; "
        f"in a square of {SQUARE} pixels {most}, at most {MOST} may"
    )


def compare(image: Image.Image, name: str) -> None:
    """Assert that a screenshot is as its reference."""
    path = REFERENCES / f"{name}.png"
    if os.environ.get("CRUMPLE_WRITE_PAGES"):
        shrunk(image).save(path, optimize=True)
        return
    kept = Image.open(path).convert("RGB")
    width, height = (abs(a - b // 2) for a, b in zip(kept.size, image.size, strict=True))
    assert max(width, height) <= SLACK // 2, name
    if wrong := misfit(image, kept):
        failed = path.with_suffix(".failed.png")
        halved(image).save(failed)
        pytest.fail(f"{name}: {wrong}; see {failed}")


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
