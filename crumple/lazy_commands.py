"""Commands whose modules are imported on first use, so that `crumple run` does not wait for the lab."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from crumple.registry import Registry
from crumple.stop import is_of_system, stop

#: commands of the lab (crumple/lab/commands) and their lines on the help page, which imports none of them
LINES: Registry[str] = Registry("command")
for _name, _line in (
    ("profile", "Profile any MPI program."),
    ("study", "Run many cases from one file, and write a report."),
    ("tune", "Measure the cost of elements, so that ranks get equal work."),
    ("calibrate", "Measure this machine: network, memory, disk, solver."),
    ("catalogue", "List and check processors, networks, switches, clusters."),
    ("simulate", "Predict a run on a cluster from a trace."),
    ("trace", "Trace the solver on any number of ranks."),
    ("advise", "Find how to run a deck on a cluster, and which upgrade pays."),
    ("submit", "Run a deck as a job of Slurm, in as many parts as it needs."),
):
    LINES.add(_name, _line, f"{__name__}.LINES")
#: earlier names, which still work and are not shown
EARLIER = {"catalog": "catalogue"}


class Commands(typer.Typer):
    """A Typer application in which no two commands have the same name."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  Typer's own
        super().__init__(cls=LazyCommands, **settings)
        self.names: Registry[object] = Registry("command")
        for name in LINES:
            self.names.add(name, name, LINES.places[name])

    def command(self, name: str | None = None, **settings: Any) -> Callable:  # noqa: ANN401  Typer's own
        """Register a command (a decorator of its function).

        Raises:
            DuplicateNameError: there is a command of this name already.
        """
        register = super().command(name, **settings)

        def unique(function: Callable) -> Callable:
            self.names.add(name or function.__name__.replace("_", "-"), function)
            return register(function)

        return unique


class LazyCommands(TyperGroup):
    """The commands of the application, followed by those of the lab."""

    def list_commands(self, ctx: typer.Context) -> list[str]:
        """All names, in the order of the help page."""
        return [*(name for name in super().list_commands(ctx) if name not in LINES), *LINES]

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand | TyperGroup | None:
        """Return one command; its module is imported the first time."""
        if cmd_name in LINES and not self.commands.get(cmd_name):
            module = import_module(f"crumple.lab.commands.{cmd_name}_command")
            command = typer.main.get_command(module.app)
            command.name = cmd_name
            self.commands[cmd_name] = command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # noqa: ANN401  its type is private
        """The list of commands on the help page."""
        rows = []
        for name in self.list_commands(ctx):
            known = self.commands.get(name)
            rows.append((name, LINES[name] if name in LINES else known.get_short_help_str(120)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: typer.Context) -> object:
        """Run the command. A full disk or missing memory ends it with a message, not with a traceback."""
        try:
            return super().invoke(ctx)
        except (OSError, MemoryError) as error:
            if not is_of_system(error):
                raise
            raise stop(error) from None

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find a command. Earlier names are replaced; a mistyped name is compared with all names."""
        if args and args[0] in EARLIER:
            args = [EARLIER[args[0]], *args[1:]]
        if args and args[0] not in self.list_commands(ctx):
            self.commands = dict.fromkeys(LINES) | self.commands
        return super().resolve_command(ctx, args)
