"""The documentation as a site: every page is in its tree, links lead somewhere, nothing is from a network."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(p.relative_to(ROOT / "docs") for p in (ROOT / "docs").rglob("*.md"))
NOTEBOOKS = sorted(p.relative_to(ROOT / "docs") for p in (ROOT / "docs").rglob("*.ipynb"))
sys.path.append(str(ROOT / "docs" / "site"))


def build(where: Path, run_notebooks: bool) -> Path:
    """The site in a folder."""
    notebooks = {"CRUMPLE_RUN_NOTEBOOKS": str(run_notebooks).lower()}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(where)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"} | notebooks,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return where


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site, whose notebooks have not been executed, which takes longer than all else."""
    return build(tmp_path_factory.mktemp("site"), run_notebooks=False)


def test_every_page_is_in_the_tree(site):
    front = (site / "index.html").read_text()
    for page in [*PAGES, *NOTEBOOKS]:
        html = page.with_name("index.html" if page.name == "README.md" else f"{page.stem}.html")
        assert (site / html).is_file(), page
        assert f'href="{html}"' in front, page


def test_links_lead_somewhere(site):
    for page in site.rglob("*.html"):
        for target in set(re.findall(r'(?:href|src)="([^"#?]+)', page.read_text())):
            if not re.match(r"[a-z]+:", target) and page.name != "404.html":
                assert (page.parent / unquote(target)).exists(), f"{page.relative_to(site)}: {target}"


@pytest.mark.slow
def test_a_notebook_is_a_page_with_its_outputs(tmp_path):
    site = build(tmp_path, run_notebooks=True)
    assert 'href="notebooks/buffer.html"' in (site / "python.html").read_text()
    page = (site / "notebooks" / "buffer.html").read_text()
    article = page[page.index("<article") : page.index("</article>")]
    assert 'href="buffer.ipynb"' in article and 'href="../python.html"' in article
    assert re.search(r"damping ratio 0\.2\d\d, peak 0\.8\d\d", article)
    assert article.count("<table>") == 3 and "<th>x_acceleration</th>" in article
    assert "Not executed" not in article and str(Path(sys.prefix)) not in article
    assert json.loads((site / "notebooks" / "buffer.ipynb").read_text())["cells"]


def test_a_notebook_that_is_not_executed_says_so(site):
    assert "notebooks are switched off" in (site / "notebooks" / "buffer.html").read_text()


def test_a_notebook_without_a_solver_says_how_to_run_it(monkeypatch, tmp_path):
    from notebook_pages import notebook_page

    monkeypatch.setenv("CRUMPLE_SOLVER", str(tmp_path / "none"))
    text = notebook_page(ROOT / "docs" / "notebooks" / "buffer.ipynb", run=True)
    assert "**Not executed when this page was made, so the outputs are missing** (no solver)." in text
    assert "`jupyter lab buffer.ipynb`" in text and "```text" not in text


def test_kinds_of_outputs():
    from nbformat import v4
    from notebook_pages import code_and_outputs

    outputs = [
        v4.new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m ```\n"),
        v4.new_output("stream", name="stderr", text="a warning"),
        v4.new_output("display_data", data={"image/png": "iVBO\n", "text/plain": "<Figure>"}),
        v4.new_output("execute_result", data={"text/plain": "42"}),
    ]
    assert list(code_and_outputs(v4.new_code_cell("run()", outputs=outputs))) == [
        "```python\nrun()\n```",
        "````text\nred ```\n````",
        '<img alt="output" src="data:image/png;base64,iVBO">',
        "```text\n42\n```",
    ]


def test_no_page_needs_a_network(site):
    for page in site.rglob("*.html"):
        asked = re.findall(r'<(?:script|img|iframe)[^>]* src="(https?:[^"]*)"', page.read_text())
        asked += re.findall(r'<link[^>]* rel="stylesheet"[^>]* href="(https?:[^"]*)"', page.read_text())
        assert not asked, f"{page.name}: {asked}"


def test_search_has_the_text_of_all_pages(site):
    index = json.loads((site / "search" / "search_index.json").read_text())
    found = {part["location"].split("#")[0] for part in index["docs"] if "LSOLVR" in part["text"]}
    assert {"implicit.html", "keywords.html"} <= found
