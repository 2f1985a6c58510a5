"""A card's line and its fields: fixed columns or commas, numbers as decks write them."""

import math
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

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


@dataclass(frozen=True)
class CardShape:
    """The columns of a card in a format."""

    fields: tuple[FieldLayout, ...]
    form: str

    @cached_property
    def widths(self) -> list[int]:
        """Columns of each field."""
        return [width_in(field, self.form) for field in self.fields]

    @cached_property
    def ends_with_text(self) -> bool:
        """Whether the last field takes the rest of the line."""
        return bool(self.fields) and self.fields[-1].kind == "A" and self.fields[-1].width > 10

    @cached_property
    def columns(self) -> int:
        """Columns in which a comma separates fields: those of a last text are left out."""
        return sum(self.widths[:-1] if self.ends_with_text else self.widths)

    @cached_property
    def cuts(self) -> list[slice]:
        """The columns of each field, to cut a line."""
        ends = list(accumulate(self.widths))
        last = [None] if self.ends_with_text else ends[-1:]
        return [slice(a, b) for a, b in zip([0, *ends], [*ends[:-1], *last], strict=False)]


@dataclass(frozen=True)
class CardLine:
    """A line of a card, cut into its fields."""

    text: str
    shape: CardShape

    @property
    def is_free(self) -> bool:
        """Whether commas separate the fields."""
        return "," in self.text[: self.shape.columns]

    def pieces(self) -> list[str]:
        """The text of each field, without blanks; missing ones are empty."""
        shape = self.shape
        if not self.is_free:
            line = self.text.expandtabs(8) if "\t" in self.text else self.text
            return [line[cut].strip() for cut in shape.cuts]
        most = len(shape.fields) - 1 if shape.ends_with_text else -1
        found = [piece.strip() for piece in self.text.split(",", most)]
        return (found + [""] * len(shape.fields))[: len(shape.fields)]

    def with_field(self, index: int, value: Value) -> str:
        """The line with another value in a field. A number with more digits than the columns take, separates
        the fields by commas, which leave room for all of them.
        """
        shape = self.shape
        field = shape.fields[index]
        text = text_of(value, field)
        if self.is_free:
            return self.separated(index, text)
        width = shape.widths[index]
        whole = shape.ends_with_text and index + 1 == len(shape.fields)
        if len(text) > width and not whole and field.kind != "A":
            return self.separated(index, text)
        if len(text) > width and not whole:
            raise DeckEditError(f"'{text}' is longer than the {width} columns of {field.name}")
        at = sum(shape.widths[:index])
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
