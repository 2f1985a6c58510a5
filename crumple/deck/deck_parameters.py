"""The named values of *PARAMETER in a deck, read and set by name."""

import re
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass

from crumple.deck.deck_block import DeckBlock
from crumple.deck.field_text import STANDARD, WIDE, FieldLayout, Value, number_of, text_of
from crumple.deck.schema_data import DeckEditError, nearest

#: keywords with pairs of names and values
PLAIN = re.compile(r"PARAMETER(_LOCAL|_MUTABLE|_NOECHO)*")
KINDS = {"I": FieldLayout("integer", "I", 0, 10), "R": FieldLayout("real", "F", 0.0, 10)}
PAIRS = 4  #: on a line


@dataclass(frozen=True)
class Definition:
    """One parameter: its block and line, which of the line's pairs it is, its kind and name as written."""

    block: DeckBlock
    line: int
    pair: int
    written: str
    kind: str
    value: str


class DeckParameters(MutableMapping[str, Value]):
    """The parameters of *PARAMETER in this file, without those of expressions. Names are in capitals.

    A value that is set stays an integer, a real or a text; a new one is defined behind *KEYWORD.
    """

    def __init__(self, blocks: list[DeckBlock]) -> None:
        """Take the blocks of a deck, to which new parameters are added."""
        self.blocks_ = blocks

    def definitions(self) -> dict[str, Definition]:
        """All of them by name; the first counts where a name is defined again, as for the solver."""
        found: dict[str, Definition] = {}
        for block in self.blocks_:
            if PLAIN.fullmatch(block.name):
                for line in block.data_lines:
                    for name, one in definitions_on(block, line):
                        found.setdefault(name, one)
        return found

    def definition(self, name: str) -> Definition:
        """One of them.

        Raises:
            DeckEditError: there is none of this name.
        """
        known = self.definitions()
        if name.upper() not in known:
            raise DeckEditError(f"the deck has no parameter '{name}'{nearest(name.upper(), list(known))}")
        return known[name.upper()]

    def __getitem__(self, name: str) -> Value:
        one = self.definition(name)
        return number_of(one.value, KINDS[one.kind]) if one.kind in KINDS else one.value

    def __contains__(self, name: object) -> bool:
        return str(name).upper() in self.definitions()

    def __iter__(self) -> Iterator[str]:
        return iter(self.definitions())

    def __len__(self) -> int:
        return len(self.definitions())

    def __setitem__(self, name: str, value: Value) -> None:
        if name not in self:
            self.define(name, value)
            return
        one = self.definition(name)
        text = text_of(value, KINDS[one.kind]) if one.kind in KINDS else str(value)
        cells = cells_of(one.block, one.line)
        cells[2 * one.pair + 1] = text
        width = 20 if one.block.form == WIDE else 10
        fits = all(len(cell) <= width for cell in cells) and "," not in one.block.lines[one.line]
        joined = "".join(f"{c:<{width}}" if k % 2 == 0 else f"{c:>{width}}" for k, c in enumerate(cells))
        one.block.lines[one.line] = joined.rstrip() if fits else ",".join(cells)

    def __delitem__(self, name: str) -> None:
        one = self.definition(name)
        cells = cells_of(one.block, one.line)
        del cells[2 * one.pair : 2 * one.pair + 2]
        if cells:
            one.block.lines[one.line] = ",".join(cells)
        else:
            del one.block.lines[one.line]

    def define(self, name: str, value: Value) -> None:
        """A new parameter, in a block of its own."""
        kind = "C" if isinstance(value, str) else "I" if isinstance(value, int) else "R"
        text = value if isinstance(value, str) else text_of(value, KINDS[kind])
        first = 1 if self.blocks_ and self.blocks_[0].name == "KEYWORD" else 0
        self.blocks_.insert(first, DeckBlock(f"*PARAMETER\n{kind}{name.upper()},{text}", STANDARD))


def cells_of(block: DeckBlock, line: int) -> list[str]:
    """Names and values on a line, one after the other."""
    text = block.lines[line].rstrip()
    if "," in text:
        cells = [cell.strip() for cell in text.split(",")]
    else:
        width = 20 if block.form == WIDE else 10
        text = text.expandtabs(8)
        cells = [text[k : k + width].strip() for k in range(0, min(len(text), 2 * PAIRS * width), width)]
    return cells + [""] * (len(cells) % 2)


def definitions_on(block: DeckBlock, line: int) -> Iterator[tuple[str, Definition]]:
    """The parameters on a line: "R  TERM" or "rterm" is a real TERM."""
    cells = cells_of(block, line)
    for pair, (name, value) in enumerate(zip(cells[::2], cells[1::2], strict=True)):
        kind, rest = name[:1].upper(), name[1:].strip().upper()
        if kind and kind in "RIC" and rest:
            yield rest, Definition(block, line, pair, name, kind, value)
