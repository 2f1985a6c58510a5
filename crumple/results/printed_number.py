"""Reads printed numbers in the forms of C, Fortran and of tables with grouped thousands."""

import re

FORTRAN = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))(?:[EDQ]([-+]?\d+)|([-+]\d+))?", re.I | re.A)
THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})(?:E[-+]?\d+)?", re.I | re.A)
#: C's and Fortran's; "nan(0x7fc00000)"; "1.#IND", "-1.#INF" of Microsoft's C
NOT_FINITE = re.compile(r"([-+]?)(?:(nan)(?:\([\w ]*\))?|(inf(?:inity)?)|1\.#(Q?NAN|S?NAN|IND|INF)\d*)", re.I)
STARS = re.compile(r"[-+]?\*+")

#: pattern of a number, finite or not, or of stars, for use in a longer expression; it has no group
NUMBER = (
    r"(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdDqQ][-+]?\d+|[-+]\d+)?"
    r"|[-+]?[nN][aA][nN](?:\(\w*\))?|[-+]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|\*+)"
)


class NoNumber(ValueError):
    """A text that is not a number; the message has the reason."""


def printed_number(text: str) -> float:
    """The number that a program printed; it may be infinite or not a number (nan).

    Fortran's exponents may have D, Q or no letter ("1.5+103").

    Raises:
        NoNumber: it is not a number, its field was too narrow ("*****"), or it is ambiguous ("12,345").
    """
    word = text.strip()
    if found := FORTRAN.fullmatch(word):
        exponent = found[2] or found[3]
        return float(f"{found[1]}e{exponent}" if exponent else found[1])
    if THOUSANDS.fullmatch(word):
        return float(word.replace(",", ""))
    if found := NOT_FINITE.fullmatch(word):
        infinite = found[3] or (found[4] or "").upper() == "INF"
        return float(found[1] + ("inf" if infinite else "nan"))
    if STARS.fullmatch(word):
        raise NoNumber(f"'{word}' is no number: its field was too narrow")
    if re.fullmatch(r"[-+]?\d+,\d+", word):
        raise NoNumber(f"'{word}' has a comma, which may stand for a point or for thousands")
    raise NoNumber(f"'{word}' is no number" if word else "nothing stands where a number should")


def number_or_none(text: str) -> float | None:
    """The number that a program printed; None for stars, which mean that its field was too narrow.

    Raises:
        NoNumber: it is neither.
    """
    return None if STARS.fullmatch(text.strip()) else printed_number(text)
