"""The folder for the pictures of a page, beside it. Commands import this module for its error."""

from pathlib import Path


class PageError(Exception):
    """The files beside a page cannot be written; the message has the reason."""


def folder_beside(output: Path) -> Path:
    """The folder for the pictures of a page: the page's name without suffix. It is made if it is missing.

    Raises:
        PageError: a file has this name.
    """
    folder = output.with_suffix("")
    if folder.exists() and not folder.is_dir():
        raise PageError(f"{folder} is a file, and pictures go to a folder of that name: choose another -o")
    folder.mkdir(exist_ok=True)
    return folder
