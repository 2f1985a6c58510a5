"""Files that exist completely or not at all, even if the program or the machine is stopped."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under another name beside it, and rename it when it is complete.

    An earlier file stays until then, also on failure. Special files (/dev/stdout, pipes) are not renamed.

    Raises:
        OSError: it cannot be written; no part of it is left.
    """
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()  # a link stays a link
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode if path.exists() else 0o666 & ~current_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def current_umask() -> int:
    """The permission mask for new files, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
