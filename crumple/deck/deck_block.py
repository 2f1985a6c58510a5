"""A keyword of a deck with its lines, and the records that its cards make up."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from crumple.deck.card_condition import CardContext
from crumple.deck.field_text import I10, STANDARD, WIDE, CardLine, Value, number_of, value_of
from crumple.deck.schema_data import (
    SPACER,
    CardLayout,
    DeckEditError,
    FieldLayout,
    KeywordLayout,
    Resolved,
    nearest,
    resolve,
)

HEAD = re.compile(r"\*([^\s,]*)\s*(.*)")
SIGNS = {"%": I10, "+": WIDE, "-": STANDARD}
MOST_ADDED = 12  #: lines that are added so that a card exists


@dataclass(frozen=True)
class PlacedCard:
    """A card of a record, and its line in the block; of a card with several lines one each."""

    layout: CardLayout
    line: int
    row: int


class DeckBlock:
    """A keyword with its lines. Its text stays as it is but for fields that are set.

    A block with one record is a mapping of its fields: `block["ENDTIM"] = 20.0`.
    """

    def __init__(self, text: str, form: str = STANDARD) -> None:
        """Take the text of one keyword, from its line with * on.

        Args:
            text: the lines
            form: of cards where the keyword's line does not say it
        """
        self.lines = text.removesuffix("\n").split("\n")
        match = HEAD.match(self.lines[0])
        if match is None:
            raise DeckEditError(f"'{self.lines[0][:40]}' is no line of a keyword: it begins with *")
        name, options = match[1].upper(), match[2].strip()
        self.form = form
        if name and name[-1] in SIGNS:
            name, self.form = name[:-1], SIGNS[name[-1]]
        elif options[:1] in SIGNS and options[1:2] in ("", " "):
            self.form = SIGNS[options[0]]
        self.name = name  #: in capitals, without *
        self.options = options  #: the rest of its line
        self.known_: tuple[list[str], list[list[PlacedCard]]] | None = None  #: lines, and the cards in them

    @property
    def text(self) -> str:
        """The block as it stands in a deck, with its last end of line."""
        return "\n".join(self.lines) + "\n"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<*{self.name}, {len(self.lines) - 1} lines>"

    @property
    def resolved(self) -> Resolved | None:
        """The keyword in the schema; None if it is not known there, or has no cards."""
        found = resolve(self.name)
        return found if found and found.layout.cards else None

    @property
    def layout(self) -> KeywordLayout:
        """The cards of the keyword.

        Raises:
            DeckEditError: the solver's schema does not have them.
        """
        if (found := self.resolved) is None:
            raise DeckEditError(f"the fields of *{self.name} are not known: edit its `lines`")
        return found.layout

    @property
    def data_lines(self) -> list[int]:
        """Numbers of the lines that are no comments."""
        return [k for k, line in enumerate(self.lines) if k and not line.startswith("$")]

    def records(self) -> list["DeckRecord"]:
        """The records of the block, from its text as it is now.

        Raises:
            DeckEditError: the solver's schema does not have its cards.
        """
        return [DeckRecord(self, k) for k in range(len(self.places()))]

    def places(self) -> list[list[PlacedCard]]:
        """The cards of each record."""
        if self.known_ is None or self.known_[0] != self.lines:
            self.known_ = (list(self.lines), list(CardWalk(self).all_records()))
        return self.known_[1]

    def only_record(self) -> "DeckRecord":
        """The record of a block that has one.

        Raises:
            DeckEditError: it has several, or none.
        """
        found = self.records()
        if len(found) != 1:
            raise DeckEditError(f"*{self.name} has {len(found)} records here: take one of records()")
        return found[0]

    def __getitem__(self, name: str) -> Value:
        return self.only_record()[name]

    def __setitem__(self, name: str, value: Value) -> None:
        self.only_record()[name] = value

    def card_line(self, placed: PlacedCard) -> CardLine:
        """The line of a card."""
        return CardLine(self.lines[placed.line].rstrip("\r"), placed.layout.fields, self.form)


class CardWalk:
    """Goes through the lines of a block, card by card."""

    def __init__(self, block: DeckBlock) -> None:
        self.block = block
        self.layout = block.layout
        self.lines = block.data_lines
        self.suffixes = block.resolved.suffixes
        self.at = 0
        self.end = len(self.lines)
        while self.end and not block.lines[self.lines[self.end - 1]].strip():
            self.end -= 1

    @property
    def is_left(self) -> bool:
        """Whether a line with something on it is left."""
        return self.at < self.end

    def all_records(self) -> Iterator[list[PlacedCard]]:
        """The cards of each record; of a keyword without repetition there is one."""
        if not self.layout.repeat:
            yield self.record()
            return
        while self.is_left and (record := self.record()):
            yield record

    def record(self) -> list[PlacedCard]:
        """The cards of the next record; those that are missing at the end of the block are left out."""
        context, found = CardContext(self.suffixes), []
        for card in self.layout.cards:
            context.lines = len(self.lines) - self.at
            context.ampersand = bool(context.lines) and self.block.lines[self.lines[self.at]].startswith("&")
            if card.when and not card.when.value(context):
                continue
            wanted = max(0, self.end - self.at) if card.rest else 1
            if card.count:
                wanted = max(0, int(card.count.value(context)))
            for row in range(min(wanted, context.lines)):
                placed = PlacedCard(card, self.lines[self.at], row)
                found.append(placed)
                if row == 0:
                    self.take(context, placed)
                self.at += 1
        return found

    def take(self, context: CardContext, placed: PlacedCard) -> None:
        """Keep the numbers of a card for the conditions of those behind it."""
        for field, text in zip(placed.layout.fields, self.block.card_line(placed).pieces(), strict=True):
            if text:
                context.given.add(field.name)
            if field.kind != "A" and (text or field.name not in context.values):
                context.values[field.name] = number_or_default(text, field)


def number_or_default(text: str, field: FieldLayout) -> float:
    """The number of a field for conditions; its default for what is no number, such as a parameter."""
    try:
        return float(number_of(text, field)) if text else float(field.default)
    except DeckEditError:
        return float(field.default)


class DeckRecord(Mapping[str, Value]):
    """One record of a block: its fields by name, as the schema (docs/keywords.md) calls them.

    Blank fields have their defaults; `&name` is a text. Fields of a card with several lines are lists in
    `rows`.
    """

    def __init__(self, block: DeckBlock, index: int) -> None:
        self.block, self.index = block, index

    @property
    def cards(self) -> list[PlacedCard]:
        """The cards of the record."""
        return self.block.places()[self.index]

    def __iter__(self) -> Iterator[str]:
        names = (field.name for placed in self.cards for field in placed.layout.fields)
        return iter(dict.fromkeys(name for name in names if name != SPACER))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return f"<*{self.block.name}: {dict(self)}>"

    def __getitem__(self, name: str) -> Value:
        """The value of a field; of a card with several lines that of the first.

        Raises:
            DeckEditError: the keyword has no such field.
        """
        self.check(name)
        found = self.fields()
        return found[name] if name in found else self.default(name)

    def fields(self) -> dict[str, Value]:
        """All fields of the record's cards; of a card with several lines those of the first.

        Raises:
            DeckEditError: one is no number.
        """
        found: dict[str, Value] = {}
        for placed in self.cards:
            if placed.row:
                continue
            for field, text in zip(placed.layout.fields, self.block.card_line(placed).pieces(), strict=True):
                if field.name != SPACER and (text or field.name not in found):
                    found[field.name] = value_of(text, field)
        return found

    def __setitem__(self, name: str, value: Value) -> None:
        """Set a field; lines are added where its optional card does not exist yet.

        Raises:
            DeckEditError: the keyword has no such field, the record has not its card, or the value does not
                fit.
        """
        self.set_row(name, 0, value)

    def rows(self, name: str) -> list[Value]:
        """The values of a field on all lines of its card, such as A of *DEFINE_CURVE.

        Raises:
            DeckEditError: the keyword has no such field.
        """
        self.check(name)
        found = []
        for placed in self.cards:
            pieces = self.block.card_line(placed).pieces()
            found += [
                value_of(text, field)
                for field, text in zip(placed.layout.fields, pieces, strict=True)
                if field.name == name
            ]
        return found

    def set_row(self, name: str, row: int, value: Value) -> None:
        """Set a field on one line of its card, counted from 0.

        Raises:
            DeckEditError: as for setting a field; or there is no such line.
        """
        self.check(name)
        placed = self.placed(name, row) or self.added(name, row)
        index = next(k for k, field in enumerate(placed.layout.fields) if field.name == name)
        self.block.lines[placed.line] = self.block.card_line(placed).with_field(index, value)

    def check(self, name: str) -> None:
        """Refuse a name that is none of the keyword's fields."""
        names = self.block.layout.field_names
        if name not in names:
            raise DeckEditError(f"*{self.block.name} has no field '{name}'{nearest(name, names)}")

    def default(self, name: str) -> Value:
        """The value of a field whose card does not exist."""
        fields = (field for card in self.block.layout.cards for field in card.fields)
        return next(field.default for field in fields if field.name == name)

    def placed(self, name: str, row: int) -> PlacedCard | None:
        """The card with a field: the last one on which it is given, otherwise the first that has it."""
        found = [
            placed
            for placed in self.cards
            if placed.row == row and any(field.name == name for field in placed.layout.fields)
        ]
        for placed in reversed(found):
            line = self.block.card_line(placed)
            pairs = zip(line.fields, line.pieces(), strict=True)
            if any(field.name == name and text for field, text in pairs):
                return placed
        return found[0] if found else None

    def added(self, name: str, row: int) -> PlacedCard:
        """The card with a field, after blank lines have been added to the end of the block."""
        before = list(self.block.lines)
        if not self.block.layout.repeat:
            for _ in range(MOST_ADDED):
                self.block.lines.append("")
                if found := self.placed(name, row):
                    return found
        self.block.lines = before
        raise DeckEditError(
            f"this record of *{self.block.name} has no card with {name}: other fields decide that"
        )
