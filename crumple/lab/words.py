"""Numbers of things in words."""


def count(number: int, thing: str, things: str = "") -> str:
    """So many of a thing: `1 rank`, `2 ranks`; a plural that is not the thing and an s is given."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
