"""Names that stand for things, such as programs by their names in a study file; each is given once."""

import inspect
from collections.abc import Iterator, Mapping
from typing import TypeVar

Thing = TypeVar("Thing")


class DuplicateNameError(ValueError):
    """A name is registered twice: the name, and where both things are."""


class Registry(Mapping[str, Thing]):
    """Things by name, in the order in which they came.

    Args:
        what: of which kind they are, for messages: application
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.things: dict[str, Thing] = {}
        self.places: dict[str, object] = {}

    def add(self, name: str, thing: Thing, place: object = None) -> None:
        """Register a thing.

        Args:
            place: function, class or text that says where it is; the thing itself without it

        Raises:
            DuplicateNameError: there is one of that name.
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
    """Where a function or class is written: its module, name and line; a text says it itself."""
    if isinstance(thing, str):
        return thing
    name = f"{thing.__module__}.{thing.__qualname__}"
    try:
        return f"{name} (line {inspect.getsourcelines(thing)[1]})"
    except (OSError, TypeError):  # there is no file
        return name
