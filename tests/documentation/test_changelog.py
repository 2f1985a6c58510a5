"""CHANGELOG.md keeps its form: versions, the newest first, and in each what was added, changed, fixed."""

import re
from datetime import date
from pathlib import Path

import pytest

import crumple

CHANGELOG = (Path(__file__).resolve().parents[2] / "CHANGELOG.md").read_text()
KINDS = ("Added", "Changed", "Fixed")
VERSION = re.compile(r"## \[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})")


def mistakes(text: str) -> list[str]:
    """What is not as keepachangelog.com has it, in words."""
    wrong = []
    sections = re.split(r"^(?=## )", text, flags=re.M)[1:]
    titles = [section.splitlines()[0] for section in sections]
    if titles[:1] != ["## [Unreleased]"]:
        wrong.append("the first section is not [Unreleased]")
    found = [(title, VERSION.fullmatch(title)) for title in titles[1:]]
    wrong += [f"no version with its date: {title}" for title, match in found if not match]
    versions = [(tuple(map(int, m.groups()[:3])), date.fromisoformat(m[4])) for _, m in found if m]
    if versions != sorted(versions, reverse=True) or len({v for v, _ in versions}) < len(versions):
        wrong.append("versions are not from the newest to the oldest, each once")
    for title, section in zip(titles, sections, strict=True):
        first, *kinds = re.split(r"^(?=### )", section, flags=re.M)
        names = [kind.splitlines()[0].removeprefix("### ") for kind in kinds]
        if names != [kind for kind in KINDS if kind in names]:
            wrong.append(f"{title}: not Added, Changed, Fixed, each once: {names}")
        if re.search(r"^\* ", first, re.M):
            wrong.append(f"{title}: a line of no kind")
        for name, kind in zip(names, kinds, strict=True):
            lines = [line for line in kind.splitlines()[1:] if line]
            if not lines or not all(re.match(r"\* \S|  \S", line) for line in lines):
                wrong.append(f"{title}, {name}: not a list of lines that begin with *")
    return wrong


def test_it_has_the_form():
    assert mistakes(CHANGELOG) == []


def test_the_last_version_is_the_programs():
    _, last = re.findall(r"^## \[(.*?)\]", CHANGELOG, re.M)[:2]
    assert last == crumple.__version__


def test_no_line_is_there_twice():
    lines = re.findall(r"^\* .*$", CHANGELOG, re.M)
    assert len(lines) == len(set(lines)) > 200


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("## [Unreleased]\n", "## Next\n"),
        ("## [0.1.0] - 2026-11-26", "## 0.1.0"),
        ("## [0.0.4]", "## [0.2.0]"),
        ("## [0.0.4] - 2026-11-25\n", "## [0.0.4] - 2026-11-25\n\n* a line of no kind\n"),
        ("### Fixed\n", "### Mended\n"),
        ("### Added\n\n* ", "### Added\n\nwords\n\n* "),
    ],
)
def test_mistakes_are_found(was, becomes):
    assert was in CHANGELOG
    assert mistakes(CHANGELOG.replace(was, becomes, 1))
