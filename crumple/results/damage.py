"""The error of the result readers for a damaged file, with the file's name."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")


class DamagedFile(ValueError):
    """A file whose contents are not what its name says."""


def names_its_file(read: Callable[[Path], Result]) -> Callable[[Path], Result]:
    """A decorator of readers: every error in the contents becomes a DamagedFile with the path."""

    @wraps(read)
    def reading(path: Path) -> Result:
        try:
            return read(path)
        except DamagedFile:
            raise
        except (ValueError, ArithmeticError, LookupError) as error:
            raise DamagedFile(f"{path} is damaged: {str(error)[:200]}") from None

    return reading
