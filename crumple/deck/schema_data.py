"""The solver's schema of keywords (solver/deck/schema/*.json): cards and fields of each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path

from crumple.deck.card_condition import Condition, condition_of

SCHEMA = Path(__file__).resolve().parents[2] / "solver" / "deck" / "schema"
INHERITED = ("cards", "suffixes", "repeat", "bulk", "own_id", "own_title")
SPACER = "-"  #: name of columns without a meaning
TITLE_CARD = {"name": "title", "when": "has(TITLE)", "fields": [["_TITLE", "A", None, 80]]}
ID_CARD = {"name": "id", "when": "has(ID)", "fields": [["_ID", "I"], ["_HEADING", "A", None, 70]]}
SHOWN = 5  #: nearest names in a message


class DeckEditError(LookupError):
    """What was asked of a deck is not in it, or not in the schema; the message has the nearest names."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


@dataclass(frozen=True)
class FieldLayout:
    """A field of a card: its kind is I (integer), F (real) or A (text)."""

    name: str
    kind: str
    default: int | float | str
    width: int


@dataclass(frozen=True)
class CardLayout:
    """A card: when it exists, and how many lines it has."""

    name: str
    fields: tuple[FieldLayout, ...]
    when: Condition | None
    count: Condition | None
    optional: bool
    rest: bool  #: it takes all lines that are left


@dataclass(frozen=True)
class KeywordLayout:
    """The cards of a keyword."""

    name: str
    suffixes: tuple[str, ...]
    repeat: bool  #: whether records follow each other in a block
    cards: tuple[CardLayout, ...]

    @cached_property
    def field_names(self) -> list[str]:
        """Names of all fields, each once."""
        names = (field.name for card in self.cards for field in card.fields)
        return list(dict.fromkeys(name for name in names if name != SPACER))


@dataclass(frozen=True)
class Resolved:
    """A keyword as a deck writes it: its entry, and its suffixes."""

    layout: KeywordLayout
    suffixes: frozenset[str]


@cache
def entries() -> dict[str, dict]:
    """All keywords with cards or reasons, by canonical name.

    Raises:
        FileNotFoundError: the package is not in a checkout, beside the solver's source.
    """
    if not SCHEMA.is_dir():
        raise FileNotFoundError(f"there is no schema of keywords in {SCHEMA}: use crumple from its checkout")
    found: dict[str, dict] = {}
    for path in sorted(SCHEMA.glob("*.json")):
        whole = json.loads(path.read_text())
        found |= {name: entry for name, entry in whole.items() if not name.startswith(("@", "//"))}
    return found


@cache
def canonical_names() -> dict[str, str]:
    """Canonical names by themselves and by their aliases."""
    names = {name: name for name in entries()}
    return names | {alias: name for name, entry in entries().items() for alias in entry.get("aliases", [])}


def merged(name: str) -> dict:
    """An entry with what it inherits."""
    entry = dict(entries()[name])
    if "like" in entry:
        base = merged(entry["like"])
        entry = {key: base[key] for key in INHERITED if key in base} | entry
    if "insert" in entry:
        insert = entry.pop("insert")
        at = next(k for k, card in enumerate(entry["cards"]) if card["name"] == insert["after"]) + 1
        entry["cards"] = [*entry["cards"][:at], *insert["cards"], *entry["cards"][at:]]
    return entry


@cache
def layout_of(name: str) -> KeywordLayout:
    """The layout of a canonical name."""
    entry = merged(name)
    suffixes = tuple(entry.get("suffixes", []))
    cards = list(entry.get("cards", []))
    if cards and "ID" in suffixes and not entry.get("own_id"):
        cards = [ID_CARD, *cards]
    if cards and "TITLE" in suffixes and not entry.get("own_title"):
        cards = [TITLE_CARD, *cards]
    repeat = bool(entry.get("repeat") or entry.get("bulk"))
    return KeywordLayout(name, suffixes, repeat, tuple(map(card_of, cards)))


def card_of(card: dict) -> CardLayout:
    """A card of the JSON."""
    return CardLayout(
        name=card["name"],
        fields=tuple(field_of(*field) for field in card.get("fields", [])),
        when=condition_of(card["when"]) if "when" in card else None,
        count=condition_of(card["count"]) if "count" in card else None,
        optional=bool(card.get("optional")),
        rest=card.get("repeat") == "rest",
    )


def field_of(
    name: str, kind: str, default: float | str | None = None, width: int = 10, _treatment: object = None
) -> FieldLayout:
    """A field of the JSON. A default of null is read as 0, or as an empty text."""
    nothing: int | float | str = {"I": 0, "F": 0.0, "A": ""}[kind]
    if default is None:
        return FieldLayout(name, kind, nothing, width)
    return FieldLayout(name, kind, {"I": int, "F": float, "A": str}[kind](default), width)


def beginnings(name: str) -> Iterator[tuple[str, str]]:
    """A name cut at its borders, the longest beginning first: MAT_ELASTIC TITLE, MAT ELASTIC_TITLE."""
    yield name, ""
    for at in range(len(name) - 1, 0, -1):
        if name[at] == "_":
            yield name[:at], name[at + 1 :]


def suffixes_in(rest: str, known: tuple[str, ...]) -> frozenset[str] | None:
    """The suffixes that a text is made of; None if it is not."""
    if not rest:
        return frozenset()
    for suffix in sorted(known, key=len, reverse=True):
        if rest == suffix or rest.startswith(suffix + "_"):
            left = suffixes_in(rest[len(suffix) + 1 :], known)
            if left is not None:
                return left | {suffix}
    return None


@cache
def resolve(keyword: str) -> Resolved | None:
    """The entry and the suffixes of a keyword's name in capitals; None if the schema has none with cards."""
    for beginning, rest in beginnings(keyword):
        if (name := canonical_names().get(beginning)) is None:
            continue
        layout = layout_of(name)
        if (suffixes := suffixes_in(rest, layout.suffixes)) is not None:
            return Resolved(layout, suffixes)
    return None


def nearest(word: str, names: list[str]) -> str:
    """The end of a message: names that are like a word, or the first ones."""
    close = get_close_matches(word, names, SHOWN, 0.5)
    inside = [name for name in names if word and word in name and name not in close]
    if found := (close + inside)[:SHOWN]:
        return f"; nearest: {', '.join(found)}"
    return f"; there is: {', '.join(names[: 2 * SHOWN])}" if names else ""
