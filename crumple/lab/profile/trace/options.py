"""Reads the options for the part of a run to trace."""

import re

from crumple.lab.profile.trace.events import TraceError


def window_of(text: str) -> str:
    """A window in the profiler's form: 200:400 in cycles, 2s:5s in seconds; "": the whole run.

    Raises:
        TraceError: it is neither, or empty.
    """
    if not text:
        return ""
    for pattern in (r"(\d+):(\d+)", r"(\d+\.?\d*)s?:(\d+\.?\d*)s"):
        if (found := re.fullmatch(pattern, text)) is not None:
            if float(found[2]) <= float(found[1]):
                raise TraceError(f"--trace-window {text}: it ends before it begins")
            return text if "s" not in text else f"{found[1]}s:{found[2]}s"
    raise TraceError(f"--trace-window {text}: give cycles, such as 200:400, or seconds, such as 2s:5s")


def cycles_of(text: str) -> tuple[int, int]:
    """The cycles of --cycles.

    Raises:
        TraceError: they are not valid.
    """
    try:
        window = window_of(text)
    except TraceError as error:
        raise TraceError(str(error).replace("--trace-window", "--cycles")) from None
    if not window or "s" in window:
        raise TraceError(f"--cycles {text}: give cycles, such as 200:400")
    first, end = window.split(":")
    return int(first), int(end)
