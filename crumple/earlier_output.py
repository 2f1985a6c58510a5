"""Files that took long to make are not overwritten: they get another name first."""

from pathlib import Path


def keep_earlier(path: Path) -> Path | None:
    """Rename a file or folder that is in the way to NAME.previous-1, NAME.previous-2, ...

    Returns:
        its new name; None if nothing was there.

    Raises:
        OSError: it cannot be renamed.
    """
    if not path.exists() or path.is_char_device() or path.is_fifo():
        return None
    if path.is_dir() and not any(path.iterdir()):
        return None
    stem, suffix = (path.name, "") if path.is_dir() else (path.stem, path.suffix)
    number = 1
    while (kept := path.with_name(f"{stem}.previous-{number}{suffix}")).exists():
        number += 1
    path.rename(kept)
    return kept


def told(path: Path, kept: Path) -> str:
    """The message about it."""
    return f"what was in {path} before is now in {kept}"
