"""The pages of docs/: each is in the index, and every link leads somewhere, to a section where named."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
NOTEBOOKS = sorted(DOCS.rglob("*.ipynb"))
LINKED = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


def prose(page: Path) -> str:
    """The text without blocks and pieces of code, in which brackets are no links."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def links(page: Path) -> list[str]:
    """Targets of links and images, those on the network left out."""
    targets = re.findall(r"\]\(([^)\s]*(?: [^)\s\"]+)*)\)", prose(page))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """Names of the sections as a page's reader makes them: lower case, no punctuation, hyphens for blanks."""
    found: dict[str, int] = {}
    names = set()
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if name in found else name)
        found[name] = found.get(name, 0) + 1
    return names


def broken(page: Path) -> list[str]:
    """Links of a page that lead nowhere."""
    wrong = []
    for target in links(page):
        path, _, section = unquote(target).partition("#")
        to = page.parent / path if path else page
        if not to.exists() or section and section not in anchors(to):
            wrong.append(target)
    return wrong


def test_every_page_is_in_the_index_once():
    index = DOCS / "README.md"
    named = [target for target in links(index) if target.endswith((".md", ".ipynb"))]
    pages = [str(page.relative_to(DOCS)) for page in [*PAGES, *NOTEBOOKS] if page != index]
    assert sorted(named) == sorted(pages)


def test_a_line_of_the_index_says_what_the_page_is_about():
    lines = [line for line in (DOCS / "README.md").read_text().splitlines() if line.startswith("* ")]
    assert len(lines) == len(PAGES) + len(NOTEBOOKS) - 1
    for line in lines:
        assert re.fullmatch(r"\* \[(\S+)\]\(\1\): \S.{9,}", line), line


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert broken(page) == []


def test_broken_links_are_found(tmp_path):
    (tmp_path / "other.md").write_text("# Other page\n\n## What it's `for`\n\n```\n# no heading\n```\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n[a](other.md#what-its-for) [b](#page) `[no](link.md)` [w](https://example.org/x.md)\n"
        "[c](missing.md) [d](other.md#no-heading) ![e](picture.png) [f](#of another)\n"
    )
    assert broken(page) == ["missing.md", "other.md#no-heading", "picture.png", "#of another"]
