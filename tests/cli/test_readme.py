"""README: its commands and links exist, and what it calls not supported is refused."""

import re
from pathlib import Path

import typer

from crumple.cli import app

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
#: what README says, and keywords that stand for it
NOT_SUPPORTED = {
    "ALE": ("*CONSTRAINED_LAGRANGE_IN_SOLID",),
    "particles of bags": ("*AIRBAG_PARTICLE",),
}


def test_what_is_not_supported_is_refused():
    """Whoever adds one of these takes it off the list."""
    status = dict(re.findall(r"^\| (\*\S+) \| (\w+) \|", (ROOT / "docs" / "keywords.md").read_text(), re.M))
    said = " ".join(README.split("**Not supported**:")[1].split("A deck that asks")[0].split())
    for words, keywords in NOT_SUPPORTED.items():
        assert words in said
        assert {status[keyword] for keyword in keywords} == {"refused"}, words


def test_commands_are_there():
    group = typer.main.get_command(app)
    known = set(group.list_commands(typer.Context(group)))
    used = set(re.findall(r"^bin/crumple (\w+)", README, re.M))
    assert used <= known
    assert known - used == {"demo"}  # which make demo starts


def test_links_are_there():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
