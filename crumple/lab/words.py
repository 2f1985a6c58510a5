"""Numbers of things in words."""


def count(number: int, thing: str, things: str = "") -> str:
    """A number and a noun: `1 rank`, `2 ranks`; `things` is the plural if it is not the noun with an s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
