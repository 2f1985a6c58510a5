"""Subcommands whose modules are imported when they are asked for: a run of a deck waits for no other tool."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from crumple.stop import is_of_system, stop

PLACES = {
    "profile": ("crumple.lab.profile.command", "Profile any MPI program."),
    "study": ("crumple.lab.study.command", "Run studies from a file, and report on them."),
    "tune": ("crumple.lab.tune.command", "Measure what elements cost, so that ranks get equal work."),
    "calibrate": ("crumple.lab.calibrate.command", "Measure this machine: network, memory, disk, solver."),
    "catalog": ("crumple.lab.catalogue.command", "List and check processors, networks, switches, clusters."),
    "simulate": ("crumple.lab.simulate.command", "Predict a run on a cluster from a trace."),
    "trace": ("crumple.lab.traces.command", "Trace the solver on any number of ranks."),
    "advise": ("crumple.lab.advise.command", "Say how to run a deck on a cluster, and what would pay."),
}  #: a module with a Typer application `app`, and its line on the help page, which imports none of them


class LazyCommands(TyperGroup):
    """The commands of the application, and behind them those of PLACES."""

    def list_commands(self, ctx: typer.Context) -> list[str]:
        """All names, in the order of the help page."""
        return [*(name for name in super().list_commands(ctx) if name not in PLACES), *PLACES]

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand | TyperGroup | None:
        """One command; its module is imported the first time."""
        if cmd_name in PLACES and not self.commands.get(cmd_name):
            command = typer.main.get_command(import_module(PLACES[cmd_name][0]).app)
            command.name = cmd_name
            self.commands[cmd_name] = command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # noqa: ANN401  its type is private
        """The list of commands on the help page."""
        rows = []
        for name in self.list_commands(ctx):
            known = self.commands.get(name)
            rows.append((name, PLACES[name][1] if name in PLACES else known.get_short_help_str(120)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: typer.Context) -> object:
        """A full disk ends any command with its message, and not with a traceback."""
        try:
            return super().invoke(ctx)
        except (OSError, MemoryError) as error:
            if not is_of_system(error):
                raise
            raise stop(error) from None

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """A mistyped name is compared with all that there are, without importing them."""
        if args and args[0] not in self.list_commands(ctx):
            self.commands = dict.fromkeys(PLACES) | self.commands
        return super().resolve_command(ctx, args)
