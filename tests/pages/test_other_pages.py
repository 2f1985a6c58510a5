"""The report of a study and the documentation in Chromium: click, search, compare with the files, look."""

import http.server
import os
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
def site(tmp_path_factory) -> Iterator[str]:
    """The address of the documentation, served as docs/install.md says."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
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


@pytest.mark.parametrize("name", ["tutorial", "theory/discrete-beams", "viewer"])
def test_nothing_of_a_page_is_cut_off(site, name):
    with chromium() as page:
        page.page.goto(f"{site}{name}.html")
        page.until("[...document.images].every((one) => one.complete && one.naturalWidth > 100)")
        assert page.value("document.documentElement.scrollWidth <= window.innerWidth")


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
