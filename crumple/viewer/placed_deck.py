"""The blocks of a run's deck and of its includes, each with where *INCLUDE_TRANSFORM puts it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from crumple.deck.deck_block import DeckBlock
from crumple.deck.field_text import Value
from crumple.deck.keyword_deck import Deck
from crumple.deck.schema_data import DeckEditError
from crumple.deck.transformation import FilePlacement, plain_number, read_include, read_transformation

MOST_FILES = 200  #: included files that are read


@dataclass
class PlacedDeck:
    """A deck as it is read, with its parameters and transformations so far."""

    parameters: dict[str, Value] = field(default_factory=dict)  #: of *PARAMETER, by names in capitals
    maps: dict[int, FilePlacement] = field(default_factory=dict)  #: of *DEFINE_TRANSFORMATION
    read: int = 0  #: files

    def number(self, found: Value) -> float:
        """A number, or that of a parameter; zero where there is none."""
        if isinstance(found, str):
            sign = -1.0 if found.strip().startswith("-") else 1.0
            known = self.parameters.get(found.strip(" -&").upper(), 0.0)
            return sign * float(known) if isinstance(known, int | float) else 0.0
        return float(found) if isinstance(found, int | float) else 0.0

    def number_in(self, text: str) -> float:
        """The number of a text, which may be a parameter.

        Raises:
            DeckEditError: it is none.
        """
        return self.number(text) if text.startswith(("&", "-&")) else plain_number(text)

    def blocks(
        self,
        path: Path,
        left_out: list[str],
        placement: FilePlacement | None = None,
        above: tuple[Path, ...] = (),
    ) -> Iterator[tuple[DeckBlock, FilePlacement]]:
        """The blocks of a file and of those that it includes, in their order.

        Args:
            left_out: gets a sentence on each include whose place is not known
            placement: of the file
            above: files that include it

        Raises:
            OSError: it cannot be read.
        """
        where, whole = placement or FilePlacement(), path.resolve()
        if whole in above or not path.is_file() or self.read >= MOST_FILES:
            return
        self.read += 1
        deck = Deck(path)
        for name in deck.parameters:
            self.parameters.setdefault(name, deck.parameters[name])
        for block in deck:
            try:
                inner = self.included(block, where)
            except DeckEditError as error:
                left_out.append(f"{path.name}: {error}")
                continue
            for name, place in inner:
                yield from self.blocks(self.found(name, path, above), left_out, place, (*above, whole))
            yield block, where

    def included(self, block: DeckBlock, where: FilePlacement) -> list[tuple[str, FilePlacement]]:
        """The files that a block includes, and their places; a transformation is kept.

        Raises:
            DeckEditError: a place is not known.
        """
        if block.name == "INCLUDE":
            return [(block.lines[k].strip(), where) for k in block.data_lines]
        if block.name == "INCLUDE_TRANSFORM":
            return [read_include(block, self.maps, where, self.number_in)]
        if block.name in ("DEFINE_TRANSFORMATION", "DEFINE_TRANSFORMATION_TITLE"):
            number, place = read_transformation(block, self.number_in)
            self.maps[where.number(number, "define")] = place
        return []

    @staticmethod
    def found(name: str, path: Path, above: tuple[Path, ...]) -> Path:
        """An included file beside the one that includes it, or beside the deck itself."""
        beside = path.parent / name
        return beside if beside.is_file() or not above else above[0].parent / name


def deck_beside(d3plot: Path) -> Path | None:
    """The deck that run.json names, looked for where the run was started and beside the results."""
    try:
        named = Path(json.loads(d3plot.with_name("run.json").read_text())["deck"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    folder = d3plot.parent
    places = (named, folder / named, folder.parent / named, folder / named.name, folder.parent / named.name)
    return next((place for place in places if place.is_file()), None)
