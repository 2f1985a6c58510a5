"""The time that a run may take, when parts of it have passed."""

import re

UNITS = {"d": 86_400, "h": 3600, "m": 60, "s": 1}
AMOUNT = r"([0-9]+(?:\.[0-9]*)?)"


def seconds_of(text: str) -> float | None:
    """Seconds of 8h, 1h30m, 5400, 7:30:00, 1-12:00:00; None for what is no time, which the solver says."""
    if re.fullmatch(AMOUNT, text):
        return float(text)
    if re.fullmatch(f"({AMOUNT}[dhms])+", text):
        return sum(float(amount) * UNITS[unit] for amount, unit in re.findall(f"{AMOUNT}([dhms])", text))
    slurm = re.fullmatch(r"(?:([0-9]+)-)?([0-9]+)(?::([0-9]+))?(?::([0-9]+))?", text)
    if not slurm:
        return None
    days, *parts = (int(word) if word else None for word in slurm.groups())
    given = [part for part in parts if part is not None]
    if days is None and len(given) == 2:
        given = [0, *given]  # minutes and seconds
    hours, minutes, seconds = [*given, 0, 0][:3]
    return ((24 * (days or 0) + hours) * 60 + minutes) * 60 + seconds


def left_of(walltime: str, passed: float) -> list[str]:
    """The solver's words for what is left of a time, of which some seconds have passed."""
    if not walltime:
        return []
    whole = seconds_of(walltime)
    if whole is None or passed < 1.0:
        return ["--walltime", walltime]
    return ["--walltime", f"{max(1.0, whole - passed):.0f}"]
