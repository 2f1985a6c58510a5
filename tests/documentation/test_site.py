"""The documentation as a site: every page is in its tree, and none asks the network for anything."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(p.relative_to(ROOT / "docs") for p in (ROOT / "docs").rglob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    where = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(where)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return where


def test_every_page_is_in_the_tree(site):
    front = (site / "index.html").read_text()
    for page in PAGES:
        html = page.with_name("index.html" if page.name == "README.md" else f"{page.stem}.html")
        assert (site / html).is_file(), page
        assert f'href="{html}"' in front, page


def test_no_page_needs_a_network(site):
    for page in site.rglob("*.html"):
        asked = re.findall(r'<(?:script|img|iframe)[^>]* src="(https?:[^"]*)"', page.read_text())
        asked += re.findall(r'<link[^>]* rel="stylesheet"[^>]* href="(https?:[^"]*)"', page.read_text())
        assert not asked, f"{page.name}: {asked}"


def test_search_has_the_text_of_all_pages(site):
    index = json.loads((site / "search" / "search_index.json").read_text())
    found = {part["location"].split("#")[0] for part in index["docs"] if "LSOLVR" in part["text"]}
    assert {"implicit.html", "keywords.html"} <= found
