"""Conditions of cards, such as `has(MPP) && ICOMP==1` and `ceil(NIP/8)`, evaluated for a record."""

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*)|(?P<query>(?:has|given)\(\s*'?(?P<subject>[^)']+)'?\s*\))"
    r"|'(?P<quoted>[^']+)'|(?P<word>[A-Za-z_]\w*)|(?P<sign>&&|\|\||[=!<>]=|[-+*/<>!(),]))"
)
FUNCTIONS = {"ceil": math.ceil, "floor": math.floor, "abs": abs, "min": min, "max": max}
SIGNS = {"&&": " and ", "||": " or ", "!": " not "}


@dataclass
class CardContext:
    """What conditions are about: the fields of a record so far, and the lines that are left."""

    suffixes: frozenset[str]
    values: dict[str, float] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    lines: int = 0
    ampersand: bool = False  #: whether the next line begins with &

    def has(self, suffix: str) -> bool:
        """Whether the keyword has a suffix."""
        return suffix in self.suffixes

    def is_given(self, name: str) -> bool:
        """Whether a field is not blank."""
        return name in self.given

    def number(self, name: str) -> float:
        """The value of a field; 0 if its card does not exist."""
        return self.values.get(name, 0.0)


@dataclass(frozen=True)
class Condition:
    """An expression of the schema, ready to be evaluated."""

    text: str
    code: CodeType

    def value(self, context: CardContext) -> float:
        """Its number for a record: of a condition 0 or 1; 0 where it has none."""
        names: Mapping[str, object] = FUNCTIONS | {
            "has": context.has,
            "given": context.is_given,
            "number": context.number,
            "lines": context.lines,
            "ampersand": context.ampersand,
        }
        try:
            return float(eval(self.code, {"__builtins__": {}}, names))
        except ZeroDivisionError:
            return 0.0


def condition_of(text: str) -> Condition:
    """Read an expression of the schema.

    Raises:
        ValueError: it has signs that are not of the schema's language.
    """
    pieces, at = [], 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"'{text}' is no condition of a card: column {at + 1}")
        pieces.append(python_of(match))
        at = match.end()
    source = "".join(pieces).strip()
    return Condition(text, compile(ast.parse(source, mode="eval"), f"<{text}>", "eval"))


def python_of(match: re.Match[str]) -> str:
    """A piece of an expression as Python writes it."""
    if match["query"]:
        return f"{match['query'][: match['query'].index('(')]}({match['subject'].strip()!r})"
    if match["quoted"]:
        return f"number({match['quoted']!r})"
    if word := match["word"]:
        plain = word in FUNCTIONS or word in ("lines", "ampersand")
        return word if plain else f"number({word!r})"
    return SIGNS.get(match["sign"] or "", match["number"] or match["sign"])
