"""The report of a study and the documentation in Chromium: click, search, compare with the files, look."""

import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from command_line import crumple
from page_browser import chromium

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "lab" / "study"))


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory) -> Path:
    """The documentation; tests/documentation has its notebooks executed."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "CRUMPLE_RUN_NOTEBOOKS": "false"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def site(site_folder) -> Iterator[str]:
    """The address of the documentation on a server."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site_folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def test_the_documentation(site):
    with chromium() as page:
        asked: list[str] = []
        page.page.on("request", lambda request: asked.append(request.url))
        page.page.goto(f"{site}index.html")
        page.look("site-front", whole=False, without=[".md-sidebar", ".md-sidebar__inner"])
        page.page.click(".md-nav a[href='tutorial.html']")
        page.page.wait_for_url("**/tutorial.html")
        heading = (ROOT / "docs" / "tutorial.md").read_text().splitlines()[0].removeprefix("# ")
        assert page.page.inner_text("h1").strip("¶ ") == heading
        page.until("[...document.images].every((one) => one.complete && one.naturalWidth > 100)")
        page.page.evaluate("window.scrollTo(0, 0)")
        page.page.fill(".md-search__input", "occupant load criterion")
        result = page.page.locator(".md-search-result__link[href*='curves.html']").first
        result.evaluate("(link) => link.click()")  # a click would wait for all that the page loads later
        page.page.wait_for_url("**/curves.html**", wait_until="commit")
        page.page.wait_for_selector("article h1")
        assert "occupant load criterion" in page.page.inner_text("article")
        assert all(one.startswith((site, "data:", "blob:")) for one in asked), "nothing from a network"


def test_search_from_disk(site_folder):
    """Browsers refuse workers and requests there, so the search has a way of its own."""
    with chromium() as page:
        asked: list[str] = []
        page.page.on("request", lambda request: asked.append(request.url))
        page.page.goto((site_folder / "theory" / "discrete-beams.html").as_uri())
        page.page.fill(".md-search__input", "occupant load criterion")
        page.page.press(".md-search__input", "End")  # the page looks at the text when a key is let go
        result = page.page.locator(".md-search-result__link[href*='curves.html']").first
        result.evaluate("(link) => link.click()")
        page.page.wait_for_url("file://**/curves.html**", wait_until="commit")
        page.page.wait_for_selector("article h1")
        assert "occupant load criterion" in page.page.inner_text("article")
        assert all(one.startswith(("file:", "data:", "blob:")) for one in asked), "nothing from a network"


def longest_pages() -> list[str]:
    """The longest page of each section of the index: all pages would take 40 s of processor time."""
    sections = (ROOT / "docs" / "README.md").read_text().split("\n## ")[1:]
    entries = [re.findall(r"^\* \[[^\]]+\]\(([^)]+)\)", section, re.M) for section in sections]
    longest = [
        max(names, key=lambda name: (ROOT / "docs" / name).stat().st_size) for names in entries if names
    ]
    return [name.rpartition(".")[0] for name in ["notebooks/buffer.ipynb", "viewer.md", *longest]]


def test_nothing_of_a_page_is_cut_off(site_folder):
    cut, missing = [], []
    with chromium() as page:
        for name in longest_pages():
            page.page.goto((site_folder / f"{name}.html").as_uri())
            page.until("[...document.images].every((one) => one.complete)")
            if not page.value("[...document.images].every((one) => one.naturalWidth > 0)"):
                missing.append(name)
            if page.value("document.documentElement.scrollWidth > window.innerWidth"):
                cut.append(name)
    assert (cut, missing) == ([], [])


def test_the_report_of_a_study(tmp_path):
    from test_study_report import StudyCase, fill

    times = {
        StudyCase(ranks=1): [10.0, 10.2, 9.8],
        StudyCase(ranks=2): [5.4, 5.5, 5.6],
        StudyCase(ranks=4): [2.9, 3.0, 3.1],
    }
    fill(tmp_path / "s.db", times)
    done = crumple("study", "report", "s.db", directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (report,) = tmp_path.glob("*.html")
    with chromium() as page:
        page.page.goto(report.as_uri())
        found = page.until(
            "(() => { const p = document.querySelector('.js-plotly-plot'); return p && [...p.data[0].y]; })()"
        )
        assert found == pytest.approx([10.0, 5.5, 3.0])
        page.page.locator(".js-plotly-plot").first.hover(position={"x": 300, "y": 150})
        page.look("study-report", without=["header p", "footer"])
