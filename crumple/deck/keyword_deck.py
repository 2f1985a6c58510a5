"""A keyword deck that can be read, changed and written: what `crumple.Deck` is."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from crumple.deck.deck_block import DeckBlock, DeckRecord
from crumple.deck.deck_parameters import DeckParameters
from crumple.deck.field_text import COLUMNS_OF_ALL, I10, STANDARD, WIDE, Value
from crumple.deck.schema_data import DeckEditError, canonical_names, nearest, resolve
from crumple.whole_file import write_whole

if TYPE_CHECKING:
    import pandas as pd

#: latin-1 keeps every byte of titles and paths as it is
ENCODING = "latin-1"
OPTION = re.compile(r"\b(LONG|I10)\s*=\s*(\w)")
LOOKED_AT = 2000  #: lines that show the width of columns
LONGEST_LINE = 80  #: characters of a path in *INCLUDE_PATH before it goes on


@runtime_checkable
class WritesKeywords(Protocol):
    """What has keywords as text: decks and keywords of ansys-dyna-core, and our own."""

    def write(self) -> str:
        """The text."""
        ...


Keywords = str | DeckBlock | WritesKeywords | Iterable["Keywords"]


def text_of_keywords(item: object) -> str:
    """The text of keywords as they come: text, blocks, objects of ansys-dyna-core, lists of these.

    Raises:
        TypeError: it is none of these.
    """
    if isinstance(item, str):
        return item
    if isinstance(item, DeckBlock | Deck):
        return item.text
    if isinstance(item, WritesKeywords):
        written = item.write()
        if isinstance(written, str):
            return written
    elif isinstance(item, Iterable):
        return "\n".join(text_of_keywords(one).rstrip("\n") for one in item)
    raise TypeError(f"{type(item).__name__} is no keyword: text, or an object whose write() returns text")


class Deck:
    """A keyword deck: its blocks in order, and what stands before the first.

    Everything stays as it is written but for what is changed: comments, formats and digits too. Included
    files are not read; they are found when the deck is written elsewhere.
    """

    def __init__(self, source: "str | os.PathLike[str] | None" = None) -> None:
        """Read a deck, or begin an empty one.

        Args:
            source: a file

        Raises:
            OSError: it cannot be read.
        """
        self.path: Path | None = None if source is None else Path(source)  #: from which it was read
        self.head = ""  #: text before the first keyword
        self.tail = ""  #: text behind *END, which no program reads
        self.blocks: list[DeckBlock] = []
        self.form_ = STANDARD
        if self.path is None:
            self.take_text("*KEYWORD\n*END\n")
        else:
            self.take_text(self.path.read_bytes().decode(ENCODING))

    @classmethod
    def from_text(cls, source: "Keywords | Deck") -> "Deck":
        """A deck of text, of keywords or a deck of ansys-dyna-core, or of a list of them.

        *KEYWORD and *END are added where they are missing.

        Raises:
            TypeError: it is no text, and has none.
        """
        deck = cls()
        text = text_of_keywords(source)
        has_head = re.search(r"^\*KEYWORD\b", text, re.M | re.I)
        deck.take_text(text if has_head else "*KEYWORD\n" + text)
        if "END" not in (block.name for block in deck.blocks):
            deck.blocks.append(DeckBlock("*END"))
        return deck

    def take_text(self, text: str) -> None:
        """Replace all by the keywords of a text."""
        text = text.replace("\r\n", "\n")
        starts = [match.start() for match in re.finditer(r"^\*", text, re.M)]
        self.head = text[: starts[0]] if starts else text
        self.form_ = form_of(text)
        self.tail, self.blocks = "", []
        for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
            block = DeckBlock(text[start:end], self.form_)
            self.blocks.append(block)
            if block.name == "END":
                self.tail = text[end:]
                break

    @property
    def text(self) -> str:
        """The whole deck."""
        return self.head + "".join(block.text for block in self.blocks) + self.tail

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Deck {self.path or 'of text'}, {len(self.blocks)} keywords>"

    def __iter__(self) -> Iterator[DeckBlock]:
        return iter(self.blocks)

    def __len__(self) -> int:
        return len(self.blocks)

    def copy(self) -> "Deck":
        """The same deck once more, to be changed apart."""
        other = Deck()
        other.take_text(self.text)
        other.path = self.path
        return other

    # ---- finding ----------------------------------------------------------------------------------

    def all(self, name: str) -> list[DeckBlock]:
        """All blocks of a keyword: MAT_024 also names MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE."""
        return [block for block in self.blocks if is_called(block, name)]

    def __contains__(self, name: str) -> bool:
        return bool(self.all(name))

    def __getitem__(self, name: str) -> DeckBlock:
        """The block of a keyword that stands once in the deck.

        Raises:
            DeckEditError: it is not there, or several times.
        """
        found = self.all(name)
        if len(found) == 1:
            return found[0]
        if found:
            raise DeckEditError(f"the deck has {len(found)} blocks of *{name}: use all() or find()")
        names = list(dict.fromkeys(block.name for block in self.blocks))
        raise DeckEditError(f"the deck has no *{name}{nearest(name.upper(), names)}")

    def records(self, name: str, **values: Value) -> list[DeckRecord]:
        """All records of a keyword whose fields have these values.

        Raises:
            DeckEditError: the keyword has no such field.
        """
        records = [record for block in self.all(name) for record in block.records()]
        if not values:
            return records
        return [r for r in records if all(r[field] == value for field, value in values.items())]

    def find(self, name: str, **values: Value) -> DeckRecord:
        """The one record of a keyword whose fields have these values: find("SECTION_SHELL", SECID=3).

        Raises:
            DeckEditError: there is none, or there are several.
        """
        found = self.records(name, **values)
        if len(found) == 1:
            return found[0]
        with_ = " and ".join(f"{field} = {value}" for field, value in values.items())
        if not found and not self.all(name):
            self[name]  # says that there is none
        raise DeckEditError(
            f"the deck has {len(found) or 'no'} records of *{name} with {with_ or 'any values'}"
        )

    def table(self, name: str) -> "pd.DataFrame":
        """All records of a keyword, a row each, fields as columns: table("NODE")["X"].

        Raises:
            DeckEditError: the schema does not have its fields.
        """
        import pandas as pd

        return pd.DataFrame([record.fields() for record in self.records(name)])

    def set_column(self, name: str, field: str, values: Iterable[Value]) -> None:
        """Set a field in all records of a keyword, in their order: moved nodes, for example.

        Raises:
            DeckEditError: there are more or fewer records than values; or as for setting one.
        """
        records, values = self.records(name), list(values)
        if len(records) != len(values):
            raise DeckEditError(f"{len(values)} values of {field} for {len(records)} records of *{name}")
        for record, value in zip(records, values, strict=True):
            if record[field] != value:
                record[field] = value

    @property
    def parameters(self) -> DeckParameters:
        """The values of *PARAMETER by name, which may be set: `deck.parameters["thick"] = 1.5`."""
        return DeckParameters(self.blocks)

    # ---- changing ---------------------------------------------------------------------------------

    def append(self, item: "Keywords | Deck") -> list[DeckBlock]:
        """Add keywords before *END; returns their blocks.

        Args:
            item: text, keywords or a deck of ansys-dyna-core, or a list of them. *KEYWORD and *END in it are
                left out.

        Raises:
            TypeError: it is no text, and has none.
            DeckEditError: there is text before the first keyword.
        """
        end = next((k for k, block in enumerate(self.blocks) if block.name == "END"), len(self.blocks))
        return self.insert(end, item)

    def insert(self, place: int, item: "Keywords | Deck") -> list[DeckBlock]:
        """Add keywords before the block with a number; arguments and errors are those of `append`."""
        text = text_of_keywords(item)
        other = Deck()
        other.take_text(text)
        if [line for line in other.head.splitlines() if line.strip() and not line.startswith("$")]:
            raise DeckEditError(f"'{other.head.strip()[:40]}' is no keyword: it begins with *")
        new = [block for block in other.blocks if block.name not in ("KEYWORD", "END")]
        for block in new if other.form_ == STANDARD else []:
            self.follow_format(block)
        self.blocks[place:place] = new
        return new

    def follow_format(self, block: DeckBlock) -> None:
        """Mark a block of standard width where the deck's own is another."""
        if self.form_ != STANDARD and block.form == STANDARD and not block.options.startswith("-"):
            block.lines[0] = f"*{block.name} - {block.options}".rstrip()

    def remove(self, what: "str | DeckBlock") -> int:
        """Take a block away, or all of a keyword; returns how many.

        Raises:
            DeckEditError: there is none.
        """
        gone = self.all(what) if isinstance(what, str) else [b for b in self.blocks if b is what]
        if not gone:
            raise DeckEditError(f"the deck has no *{what if isinstance(what, str) else what.name}")
        self.blocks = [block for block in self.blocks if not any(block is other for other in gone)]
        return len(gone)

    def replace(self, what: "str | DeckBlock", item: "Keywords | Deck") -> list[DeckBlock]:
        """Put keywords in the place of a block, or of the only one of a keyword.

        Raises:
            DeckEditError: there is none, or there are several.
        """
        block = self[what] if isinstance(what, str) else what
        place = next((k for k, other in enumerate(self.blocks) if other is block), None)
        if place is None:
            raise DeckEditError(f"the deck has not this *{block.name}")
        self.blocks.pop(place)
        return self.insert(place, item)

    # ---- writing ----------------------------------------------------------------------------------

    def write(self, path: "str | os.PathLike[str] | None" = None) -> str:
        """The text; also written to a file if one is named.

        Where the deck includes others and goes to another folder, *INCLUDE_PATH names the folder from which
        it was read.

        Raises:
            OSError: it cannot be written.
        """
        if path is None:
            return self.text
        text = self.text_at(Path(path))
        write_whole(Path(path), text.encode(ENCODING))
        return text

    def text_at(self, path: Path) -> str:
        """The text for a file of another folder."""
        includes = any(block.name.startswith("INCLUDE") for block in self.blocks)
        if self.path is None or not includes or self.path.resolve().parent == path.resolve().parent:
            return self.text
        folder = str(self.path.resolve().parent)
        pieces = [folder[k : k + LONGEST_LINE - 2] for k in range(0, len(folder), LONGEST_LINE - 2)]
        line = " +\n".join(pieces)
        other = self.copy()
        first = 1 if self.blocks[0].name == "KEYWORD" else 0
        other.blocks.insert(first, DeckBlock(f"*INCLUDE_PATH\n{line}"))
        return other.text


def is_called(block: DeckBlock, name: str) -> bool:
    """Whether a block is of a keyword: with all suffixes that the name has, and any others."""
    wanted = name.upper().removeprefix("*")
    if block.name == wanted:
        return True
    asked, there = resolve(wanted), resolve(block.name)
    if asked is None or there is None:
        return False
    return asked.layout.name == there.layout.name and asked.suffixes <= there.suffixes


def known_keyword(name: str) -> bool:
    """Whether the schema has a keyword of this name."""
    return resolve(name.upper()) is not None or name.upper() in canonical_names()


def form_of(text: str) -> str:
    """The format of a deck's cards where their keywords do not say it, from its *KEYWORD."""
    head = re.search(r"^\*KEYWORD\b(.*)$", text, re.M | re.I)
    options = dict(OPTION.findall(head[1].upper())) if head else {}
    if options.get("I10") == "Y":
        return I10
    if options.get("LONG") == "Y":
        return WIDE
    return WIDE if options.get("LONG") in ("S", "K") and looks_wide(text) else STANDARD


def looks_wide(text: str) -> bool:
    """Whether columns are 20 wide rather than standard: as the solver decides of LONG=S (deck/lexer.hpp)."""
    votes, marked = [], False
    for line in text.split("\n", LOOKED_AT)[:LOOKED_AT]:
        if line.startswith("*"):
            marked = re.match(r"\*\S*[-+%]|\*\S+\s+[-+%](\s|$)", line) is not None
        elif line.strip() and not marked and not line.startswith("$") and "," not in line[:COLUMNS_OF_ALL]:
            words = list(re.finditer(r"\S+", line[:COLUMNS_OF_ALL]))
            ends = all(word.end() % 20 == 0 for word in words)
            begins = all(word.start() % 20 == 0 for word in words) and len(line.rstrip()) > 20
            votes.append(ends or begins or bool(line[COLUMNS_OF_ALL : COLUMNS_OF_ALL + 20].strip()))
    return 2 * sum(votes) >= len(votes)
