"""The words that name a quantity of a run: `nodout/1234/x_acceleration`, and what they may leave open.

    history/entity/component         nodout/1234/x_acceleration, secforc/7/x_force, matsum/3/internal_energy
    history/component                glstat/kinetic_energy, and of any history with one entity
    history/kind/entity/component    elout/shell/55/von_mises; .../sig_xx/2 for the second integration point

An entity is a number, a title of the deck or a part of one, `*` for all, `1,2,3` for several, `1234-5678`
for a difference: the second less the first. A component without x_, y_, z_ is the magnitude of the vector:
`acceleration`. Components may be cut short: x_acc, int_en, ax, fx.
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from crumple.results.history_table import HistoryTable

SHORT = {
    "a": "acceleration",
    "v": "velocity",
    "d": "displacement",
    "f": "force",
    "m": "moment",
    "c": "coordinate",
}
SHORT_NAME = re.compile(r"(r?)([avdfmc])([xyz]?)")
DIFFERENCE = re.compile(r"(\d+)-(\d+)")
SHOWN = 5  #: nearest names in a message
DISTANCE = "distance"  #: of two nodes


class QuantityError(ValueError):
    """Words that name no quantity of the run; the message has the nearest names."""


@dataclass(frozen=True)
class Quantity:
    """A quantity as it was asked for, in its pieces."""

    words: str
    history: str
    entity: str  #: empty: the only one
    component: str
    point: int | None = None  #: integration point, from 1; None: the largest of all


def nearest(word: str, names: list[str]) -> str:
    """Up to five names that are like a word, or the first ones, for a message."""
    lower = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(word.lower(), lower, n=SHOWN, cutoff=0.5)
    inside = [name for name in lower if word and word.lower() in name and name not in close]
    found = [lower[name] for name in close + inside][:SHOWN]
    if found:
        return f"; nearest: {', '.join(found)}"
    more = ", ..." if len(names) > 2 * SHOWN else ""
    return f"; there is: {', '.join(names[: 2 * SHOWN])}{more}" if names else ""


def read_quantity(words: str, histories: list[str]) -> Quantity:
    """Take words apart.

    Args:
        words: as typed
        histories: names that the run has

    Raises:
        QuantityError: there is no such history, or no component.
    """
    pieces = [piece.strip() for piece in words.split("/")]
    for count in (3, 2, 1):
        name = "/".join(pieces[:count]).lower()
        if name in histories and count < len(pieces):
            rest = pieces[count:]
            break
    else:
        below = [name for name in histories if name.startswith(pieces[0].lower() + "/")]
        if below:
            raise QuantityError(f"'{words}': say which: {', '.join(below)}")
        if pieces[0].lower() in histories:
            raise QuantityError(f"'{words}' names no component, such as {pieces[0]}/.../NAME")
        why = f"'{words}' is no folder, and the run has no history '{pieces[0]}'"
        raise QuantityError(why + nearest(pieces[0], histories))
    point = None
    if len(rest) > 2 and rest[-1].isdigit():
        point, rest = int(rest[-1]), rest[:-1]
    entity, component = "/".join(rest[:-1]), rest[-1]
    if not component:
        raise QuantityError(f"'{words}' names no component")
    return Quantity(words, name, entity, component, point)


def plain(word: str) -> str:
    """A component as the files write it."""
    return re.sub(r"[\s\-]+", "_", word.strip().lower())


def components_of(asked: str, table: HistoryTable) -> list[str]:
    """The columns of a component: one, or x, y and z of a vector.

    Raises:
        QuantityError: there is none, or several.
    """
    names = list(table.columns)
    word = plain(asked)
    if match := SHORT_NAME.fullmatch(word):
        axis = f"{match[3]}_" if match[3] else ""
        word = f"{match[1]}{axis}{SHORT[match[2]]}"
    if word in names:
        return [word]
    if vector := vector_of(word, names):
        return vector
    fitting = [name for name in names if fits(word, name)]
    vectors = {v for v in (re.sub(r"^((?:local_)?r?)[xyz]_", r"\1", n) for n in names) if fits(word, v)}
    if len(fitting) == 1:
        return fitting
    if not fitting and len(vectors) == 1 and (vector := vector_of(vectors.pop(), names)):
        return vector
    if fitting:
        raise QuantityError(f"'{asked}' may be {', '.join(fitting[: 2 * SHOWN])}")
    raise QuantityError(f"there is no component '{asked}'" + nearest(word, names))


def vector_of(word: str, names: list[str]) -> list[str]:
    """The three columns of a vector; none if there is no such vector."""
    match = re.fullmatch(r"(local_)?(r?)(.*)", word)
    for turning in {match[2], ""}:
        rest = word.removeprefix(match[1] or "")[len(turning) :].removeprefix("_")
        found = [f"{match[1] or ''}{turning}{axis}_{rest}" for axis in "xyz"]
        if all(name in names for name in found):
            return found
    return []


def fits(word: str, name: str) -> bool:
    """Whether each piece of a word begins the piece of the name in its place."""
    pieces, whole = word.split("_"), name.split("_")
    return len(pieces) <= len(whole) and all(
        w.startswith(p) for p, w in zip(pieces, whole, strict=False) if p
    )


def entities_of(asked: str, table: HistoryTable, what: str) -> list[str]:
    """The keys of an entity: one, or several.

    Args:
        asked: a number, a title or a piece of it, `*`, or several numbers
        table: the history
        what: its name, for messages

    Raises:
        QuantityError: there is none.
    """
    keys = table.keys
    if asked in keys:
        return [asked]
    if asked == "":
        if len(keys) == 1:
            return keys
        raise QuantityError(
            f"{what} has {len(keys)} entities: {what}/NUMBER/..., {what}/*/...; " + some(table)
        )
    if asked == "*":
        return keys
    if re.fullmatch(r"[\d:a-z]+(,[\d:a-z]+)+", asked):
        return [key for one in asked.split(",") for key in entities_of(one, table, what)]
    if asked.isdigit():
        sides = [key for key in keys if key.partition(":")[0] == asked]
        if sides:
            return sides[:1]
        raise QuantityError(f"{what} has no {asked}; " + some(table, asked))
    wanted = asked.casefold()
    titles = {key: table.title(key) for key in keys if table.title(key)}
    for matches in (lambda t: t == wanted, lambda t: wanted in t):
        found = [key for key, title in titles.items() if matches(title.casefold())]
        numbers = {key.partition(":")[0] for key in found}
        if len(numbers) == 1:
            return found[:1]
        if found:
            listed = ", ".join(f"{key} {titles[key]}" for key in found[: 2 * SHOWN])
            raise QuantityError(f"'{asked}' may be {listed}")
    raise QuantityError(f"{what} has no '{asked}'" + nearest(asked, list(titles.values()) or keys))


def distance_of(near: str, key: str) -> float:
    """How far a key is from a number."""
    number = key.partition(":")[0]
    return abs(int(number) - int(near)) if number.isdigit() else float("inf")


def some(table: HistoryTable, near: str = "") -> str:
    """Some entities of a history, the nearest numbers first, for a message."""
    keys = table.keys
    if near:
        keys = sorted(keys, key=lambda key: distance_of(near, key))
    listed = [f"{key} {table.title(key)}".strip() for key in keys[:SHOWN]]
    more = f" and {len(table.keys) - len(listed)} more" if len(table.keys) > len(listed) else ""
    return f"there is {', '.join(listed)}{more}"
