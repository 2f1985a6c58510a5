"""A card's line and its fields: fixed columns or commas, numbers as decks write them."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from crumple.deck.schema_data import DeckEditError, FieldLayout

Value = int | float | str  #: of a field; a text for A fields, and for &parameters in any field

STANDARD, I10, WIDE = "standard", "I10", "long"  #: formats of a keyword's cards
COLUMNS_OF_ALL = 80  #: no standard card has more
#: exponents without E: 1.5-3
SHORT_EXPONENT = re.compile(r"^([-+]?(?:\d+\.?\d*|\.\d+))([-+]\d+)$")


def width_in(field: FieldLayout, form: str) -> int:
    """Columns of a field in a format."""
    if form == WIDE and field.width < 20:
        return 20
    return 10 if form == I10 and field.width == 8 else field.width


def ends_with_text(fields: Sequence[FieldLayout]) -> bool:
    """Whether the last field takes the rest of the line."""
    return bool(fields) and fields[-1].kind == "A" and fields[-1].width > 10


@dataclass(frozen=True)
class CardLine:
    """A line of a card, cut into its fields."""

    text: str
    fields: tuple[FieldLayout, ...]
    form: str

    @property
    def widths(self) -> list[int]:
        """Columns of each field."""
        return [width_in(field, self.form) for field in self.fields]

    @property
    def is_free(self) -> bool:
        """Whether commas separate the fields: one is within the columns, those of a last text left out."""
        widths = self.widths
        columns = sum(widths[:-1] if ends_with_text(self.fields) else widths)
        return "," in self.text[:columns]

    def pieces(self) -> list[str]:
        """The text of each field, without blanks; missing ones are empty."""
        if self.is_free:
            most = len(self.fields) - 1 if ends_with_text(self.fields) else -1
            found = [piece.strip() for piece in self.text.split(",", most)]
        else:
            line, found, at = self.text.expandtabs(8), [], 0
            for k, width in enumerate(self.widths):
                whole = ends_with_text(self.fields) and k + 1 == len(self.fields)
                found.append(line[at:].strip() if whole else line[at : at + width].strip())
                at += width
        return (found + [""] * len(self.fields))[: len(self.fields)]

    def with_field(self, index: int, value: Value) -> str:
        """The line with another value in a field. A number with more digits than the columns take, separates
        the fields by commas, which leave room for all of them.
        """
        field = self.fields[index]
        text = text_of(value, field)
        if self.is_free:
            return self.separated(index, text)
        width = self.widths[index]
        whole = ends_with_text(self.fields) and index + 1 == len(self.fields)
        if len(text) > width and not whole and field.kind != "A":
            return self.separated(index, text)
        if len(text) > width and not whole:
            raise DeckEditError(f"'{text}' is longer than the {width} columns of {field.name}")
        at = sum(self.widths[:index])
        line = self.text.expandtabs(8).ljust(at)
        placed = text.ljust(width) if field.kind == "A" else text.rjust(width)
        return (line[:at] + placed + ("" if whole else line[at + width :])).rstrip()

    def separated(self, index: int, text: str) -> str:
        """The line with commas between its fields, and a text in one of them."""
        pieces = self.pieces()
        pieces[index] = text
        while len(pieces) > max(index + 1, 2) and not pieces[-1]:
            pieces.pop()
        return ",".join(pieces)


def text_of(value: Value, field: FieldLayout) -> str:
    """A value as a deck writes it, with all its digits.

    Raises:
        DeckEditError: the field takes no such value.
    """
    if isinstance(value, str):
        if field.kind != "A" and not value.startswith(("&", "-&", "<")):
            number_of(value, field)  # a number as text is taken as it is
        return value
    if field.kind == "A":
        return str(value)
    number = float(value)
    if not math.isfinite(number):
        raise DeckEditError(f"{value} is no value for {field.name}")
    if field.kind == "I":
        if number != int(number):
            raise DeckEditError(f"{field.name} takes whole numbers, not {value}")
        return str(int(value))
    text = repr(number)
    return text.removesuffix(".0") + "." if text.endswith(".0") else text


def number_of(text: str, field: FieldLayout) -> int | float:
    """The number in a field: 3, 3.0, 1.5e-3, 1.5D-3, 1.5-3.

    Raises:
        DeckEditError: it is none.
    """
    plain = SHORT_EXPONENT.sub(r"\1e\2", text.strip().lower().replace("d", "e"))
    try:
        number = float(plain)
    except ValueError:
        raise DeckEditError(f"'{text}' in {field.name} is no number") from None
    if field.kind == "F":
        return number
    if number != int(number):
        raise DeckEditError(f"'{text}' in {field.name} is no integer")
    return int(number)


def value_of(text: str, field: FieldLayout) -> Value:
    """The value of a field: its default where it is blank, a text for `&name` and `<expression>`."""
    if not text:
        return field.default
    if field.kind == "A" or "&" in text or text.startswith("<"):
        return text
    return number_of(text, field)
