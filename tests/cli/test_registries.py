"""A name that is given twice is an error that says where both are."""

import re
from typing import ClassVar

import pytest
import typer
from typer.testing import CliRunner

from crumple.lab.applications import applications
from crumple.lab.applications.application import APPLICATIONS, Application, application
from crumple.lab.energy import METERS
from crumple.lab.study.where import SYSTEMS
from crumple.lazy_commands import EARLIER, LINES, Commands
from crumple.models import models
from crumple.models.model import MODELS, model
from crumple.registry import DuplicateNameError, Registry

HERE = "test_registries."


def twice(what: str, name: str, first: str) -> str:
    """The message, as an expression: first is where the one that was there is."""
    there = rf"{re.escape(first)}\S* \(line \d+\)"
    return rf"^two of a name: {what} '{name}' is in {there} and {HERE}.+ \(line \d+\)$"


def test_registry_keeps_the_first():
    known: Registry[int] = Registry("number")
    known.add("one", 1, "the first file")
    with pytest.raises(
        DuplicateNameError, match="^two of a name: number 'one' is in the first file and a second$"
    ):
        known.add("one", 2, "a second")
    assert dict(known) == {"one": 1}


def test_application_of_a_name_that_there_is():
    applications()

    class Other(Application):
        name: ClassVar[str] = "openfoam"

    before = dict(APPLICATIONS)
    with pytest.raises(
        DuplicateNameError,
        match=twice("application", "openfoam", "crumple.lab.applications.openfoam.OpenFoam"),
    ):
        application(Other)
    assert dict(APPLICATIONS) == before


def test_model_of_a_name_that_there_is():
    models()
    before = dict(MODELS)
    with pytest.raises(DuplicateNameError, match=twice("model", "neon", "crumple.models.neon.")):

        @model("neon", "another", 0, 1)
        def write(path, wishes):
            return 0

    assert dict(MODELS) == before


@pytest.mark.parametrize(("registry", "name"), [(SYSTEMS, "slurm"), (METERS, "rapl")])
def test_systems_and_meters(registry, name):
    class Other:
        pass

    with pytest.raises(DuplicateNameError, match=twice(registry.what, name, registry[name].__module__)):
        registry.add(name, Other)


def test_command_of_a_name_that_there_is():
    app = Commands()

    @app.command()
    def dry_run() -> None:
        pass

    def other() -> None:
        pass

    with pytest.raises(DuplicateNameError, match=twice("command", "dry-run", HERE)):
        app.command("dry-run")(other)
    with pytest.raises(DuplicateNameError, match="'advise' is in crumple.lazy_commands.LINES and"):
        app.command("advise")(other)
    assert [one.name for one in app.registered_commands] == [None]


def test_earlier_names_of_commands_go_on_to_work():
    from crumple.cli import app

    group = typer.main.get_command(app)
    assert not set(EARLIER) & {*LINES, *group.commands}
    for earlier, name in EARLIER.items():
        said = [CliRunner().invoke(app, [word, "--help"]) for word in (earlier, name)]
        assert [one.exit_code for one in said] == [0, 0]
        assert said[0].output == said[1].output
        assert f" {earlier} " not in CliRunner().invoke(app, ["--help"]).output
