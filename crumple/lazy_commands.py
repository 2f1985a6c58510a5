"""Subcommands whose modules are imported when they are asked for: a run of a deck waits for no other tool."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from crumple.stop import is_of_system, stop

MODULES = {
    "profile": "crumple.lab.profile.command",
    "study": "crumple.lab.study.command",
    "tune": "crumple.lab.tune.command",
    "calibrate": "crumple.lab.calibrate.command",
    "catalog": "crumple.lab.catalogue.command",
    "simulate": "crumple.lab.simulate.command",
    "trace": "crumple.lab.traces.command",
    "advise": "crumple.lab.advise.command",
}  #: each with a Typer application `app`


class LazyCommands(TyperGroup):
    """The commands of the application, and behind them those of MODULES."""

    def list_commands(self, ctx: typer.Context) -> list[str]:
        """All names, in the order of the help page."""
        return [*(name for name in super().list_commands(ctx) if name not in MODULES), *MODULES]

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand | TyperGroup | None:
        """One command; its module is imported the first time."""
        if cmd_name in MODULES and cmd_name not in self.commands:
            command = typer.main.get_command(import_module(MODULES[cmd_name]).app)
            command.name = cmd_name
            self.commands[cmd_name] = command
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: typer.Context) -> object:
        """A full disk ends any command with its message, and not with a traceback."""
        try:
            return super().invoke(ctx)
        except (OSError, MemoryError) as error:
            if not is_of_system(error):
                raise
            raise stop(error) from None

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """A mistyped name is compared with all that there are."""
        if args and args[0] not in self.list_commands(ctx):
            for name in MODULES:
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)
