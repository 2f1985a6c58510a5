"""Hooks of mkdocs: the tree of pages is that of docs/README.md, which becomes the front page.

Notebooks become pages, links to files beside docs/ text.
"""

import json
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from notebook_pages import notebook_page

NOTEBOOK = ".ipynb"
SECTION = re.compile(r"^## (.+)$")
ENTRY = re.compile(r"^\* \[[^\]]+\]\(([^)#]+\.(?:md|ipynb))\)")
INDEXED = re.compile(r"^\* \[[^\]]+\.(?:md|ipynb)\]\(([^)#]+\.(?:md|ipynb))\)", re.M)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the tree of pages."""
    tree: list[dict[str, object]] = [{"Crumple": "README.md"}]
    pages: list[str] = []
    for line in (Path(config.docs_dir) / "README.md").read_text().splitlines():
        if section := SECTION.match(line):
            pages = []
            tree.append({section[1]: pages})
        elif entry := ENTRY.match(line):
            pages.append(page_of(entry[1]))
    config.nav = tree
    return config


def page_of(path: str) -> str:
    """The page of a file: a notebook has one beside it."""
    return f"{path.removesuffix(NOTEBOOK)}.md" if path.endswith(NOTEBOOK) else path


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook."""
    for path in sorted(Path(config.docs_dir).rglob(f"*{NOTEBOOK}")):
        name = path.relative_to(config.docs_dir).as_posix()
        text = notebook_page(path, config.extra["run_notebooks"])
        files.append(File.generated(config, page_of(name), content=text))
    return files


def title_of(page: Path) -> str:
    """The first heading of a page, or of a notebook."""
    if page.suffix == NOTEBOOK:
        return json.loads(page.read_text())["cells"][0]["source"][0].strip().removeprefix("# ")
    return page.read_text().splitlines()[0].removeprefix("# ")


def front_page(markdown: str, docs: Path) -> str:
    """The index as a front page: what Crumple is, and pages by their titles instead of their files."""
    readme = (docs.parent / "README.md").read_text()
    what = readme.split("\n\n")[1]
    picture = "![The front of a 2012 Camry after 20 ms](images/camry.png)"
    body = INDEXED.sub(
        lambda entry: f"* [{title_of(docs / entry[1])}]({entry[1]})", markdown.partition("\n")[2]
    )
    return f"# Crumple\n\n{what}\n\n{picture}\n{body}"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links to what is not in the site, such as benchmarks/clusters, become the names of these files.

    Links to notebooks lead to their pages, but for those of these pages themselves.
    """
    docs = Path(config.docs_dir).resolve()
    if page.file.src_path == "README.md":
        markdown = front_page(markdown, docs)
    here = (docs / page.file.src_path).parent

    def text_of(link: re.Match[str]) -> str:
        target = link[3].split("#")[0]
        if "://" in target or not target:
            return link[0]
        path = (here / target).resolve()
        if path.is_relative_to(docs) and path.is_file():
            return link[0] if page.file.generated_by else link[0].replace(target, page_of(target))
        name = path.relative_to(docs.parent) if path.is_relative_to(docs.parent) else Path(target).name
        return link[2] if link[2].strip("`") == str(name) else f"{link[2]} (`{name}`)"

    return LINK.sub(text_of, markdown)
