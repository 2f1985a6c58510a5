"""The folder of a page's pictures, beside it. Light: commands import it for its error."""

from pathlib import Path


class PageError(Exception):
    """What lies beside a page cannot be written there: why."""


def folder_beside(output: Path) -> Path:
    """The folder of a page's pictures, named as the page without its suffix; made where it is missing.

    Raises:
        PageError: a file has that name.
    """
    folder = output.with_suffix("")
    if folder.exists() and not folder.is_dir():
        raise PageError(f"{folder} is a file, and pictures go to a folder of that name: choose another -o")
    folder.mkdir(exist_ok=True)
    return folder
