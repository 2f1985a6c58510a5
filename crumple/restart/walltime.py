"""The time that a run may take, when earlier attempts have taken a part of it."""


def left_of(walltime: str, passed: float) -> list[str]:
    """The solver's words for a time, of which some seconds have passed. The solver alone reads durations."""
    if not walltime:
        return []
    return ["--walltime", walltime, *(["--walltime-passed", f"{passed:.0f}"] if passed >= 1.0 else [])]
