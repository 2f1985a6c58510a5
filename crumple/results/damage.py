"""What the readers of result files raise of a damaged file: an error with its name, whatever is wrong."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")


class DamagedFile(ValueError):
    """A file that is not what its name says, or no longer."""


def names_its_file(read: Callable[[Path], Result]) -> Callable[[Path], Result]:
    """A decorator of readers: whatever cannot be understood of a file is a DamagedFile with its path."""

    @wraps(read)
    def reading(path: Path) -> Result:
        try:
            return read(path)
        except DamagedFile:
            raise
        except (ValueError, ArithmeticError, LookupError) as error:
            raise DamagedFile(f"{path} is damaged: {str(error)[:200]}") from None

    return reading
