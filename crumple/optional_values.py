"""Options whose value may be left out: --restart, --restart DUMP, --auto-restart=3."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import typer
from typer.core import TyperCommand


@dataclass(frozen=True)
class Optional:
    """The value of an option that stands alone, and the form of a next word that is a value of it."""

    alone: str
    value: str  #: a regular expression


def with_values(words: Iterable[str], options: Mapping[str, Optional]) -> Iterator[str]:
    """The words of a command line, each of these options with its value behind `=`."""
    rest = iter(words)
    word = next(rest, None)
    while word is not None:
        following = next(rest, None)
        if (option := options.get(word)) is None:
            yield word
        elif following is not None and re.fullmatch(option.value, following):
            yield f"{word}={following}"
            following = next(rest, None)
        else:
            yield f"{word}={option.alone}"
        word = following


def command_with(**options: Optional) -> type[TyperCommand]:
    """A class of commands that have these options."""
    named = {f"--{name.replace('_', '-')}": option for name, option in options.items()}

    class WithOptionalValues(TyperCommand):
        def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
            return super().parse_args(ctx, list(with_values(args, named)))

    return WithOptionalValues
