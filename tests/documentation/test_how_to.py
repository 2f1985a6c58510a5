"""The tasks of docs/how-to.md: for all three kinds of readers, with commands and options that there are."""

import re
import shlex
from pathlib import Path

import pytest
import typer

from crumple.cli import app

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to.md").read_text()
BLOCKS = "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S))
LINES = re.findall(r"^crumple .*", BLOCKS, re.M)


def test_every_reader_has_tasks():
    assert re.findall(r"^## (.+)$", PAGE, re.M) == ["Analyst", "Cluster engineer", "Developer"]
    for tasks in PAGE.split("\n## ")[1:]:
        assert tasks.count("\n### ") >= 5


@pytest.mark.parametrize("line", LINES)
def test_its_options_are_there(line):
    group = typer.main.get_command(app)
    words = shlex.split(line, comments=True)[1:]
    command = group.get_command(typer.Context(group), words[0])
    assert command is not None, words[0]
    if hasattr(command, "list_commands"):  # one of its commands; "run" needs no name
        context = typer.Context(command)
        named = words[1] in command.list_commands(context)
        command = command.get_command(context, words[1] if named else "run")
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    used = {word for word in words if re.fullmatch(r"--?[a-z][a-z-]*", word)}
    assert used <= known, used - known
