"""Registries of objects by unique names, such as programs by their names in a study file."""

import inspect
from collections.abc import Iterator, Mapping
from typing import TypeVar

Thing = TypeVar("Thing")


class DuplicateNameError(ValueError):
    """A name is registered twice; the message has the name and both places."""


class Registry(Mapping[str, Thing]):
    """Objects by name, in the order of registration.

    Args:
        what: the kind of objects, for messages, such as "application"
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.things: dict[str, Thing] = {}
        self.places: dict[str, object] = {}

    def add(self, name: str, thing: Thing, place: object = None) -> None:
        """Register an object.

        Args:
            place: function, class or text that gives its place; default: the object itself

        Raises:
            DuplicateNameError: there is one of this name already.
        """
        place = thing if place is None else place
        if name in self.things:
            both = f"{place_of(self.places[name])} and {place_of(place)}"
            raise DuplicateNameError(f"two of a name: {self.what} '{name}' is in {both}")
        self.things[name], self.places[name] = thing, place

    def __getitem__(self, name: str) -> Thing:
        return self.things[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.things)

    def __len__(self) -> int:
        return len(self.things)


def place_of(thing: object) -> str:
    """The place of a function or class: its module, name and line; a text is returned unchanged."""
    if isinstance(thing, str):
        return thing
    name = f"{thing.__module__}.{thing.__qualname__}"
    try:
        return f"{name} (line {inspect.getsourcelines(thing)[1]})"
    except (OSError, TypeError):  # it has no file
        return name
