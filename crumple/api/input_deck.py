"""The deck of a run as Python has it: a file, or text that is written into the folder of the results."""

import os
from pathlib import Path

from crumple.deck.keyword_deck import Deck, Keywords
from crumple.earlier_output import keep_earlier

#: a path, a Deck, text that begins with *, keywords of ansys-dyna-core
DeckSource = os.PathLike[str] | Deck | Keywords
NAME = "deck.k"


def as_deck(source: DeckSource) -> Deck:
    """A deck of what there is.

    Raises:
        FileNotFoundError: a file does not exist.
        TypeError: it is no deck.
    """
    if isinstance(source, Deck):
        return source
    if is_path(source):
        return Deck(existing(source))
    return Deck.from_text(source)


def placed_deck(source: DeckSource, folder: Path) -> Path:
    """The file of a deck: its own, or deck.k in a folder; another one that is there gets another name.

    Raises:
        FileNotFoundError: a file does not exist.
        TypeError: it is no deck.
        OSError: it cannot be written.
    """
    if is_path(source):
        return existing(source).resolve()
    deck, path = as_deck(source), (folder / NAME).resolve()
    if path.exists() and path.read_bytes() != deck.text_at(path).encode("latin-1"):
        keep_earlier(path)
    deck.write(path)
    return path


def is_path(source: object) -> bool:
    """Whether it names a file: text that is no keyword, in one line."""
    return isinstance(source, os.PathLike) or (
        isinstance(source, str) and "\n" not in source and not source.startswith(("*", "$"))
    )


def existing(path: object) -> Path:
    """The path of a file that is there.

    Raises:
        FileNotFoundError: it is not.
    """
    found = Path(path)
    if not found.is_file():
        raise FileNotFoundError(f"there is no deck {found}")
    return found
