"""Bytes and shares in words, for the tables of profiles."""


def amount(size: float) -> str:
    """Bytes with a prefix."""
    for unit in ("B", "KB", "MB", "GB"):
        if abs(size) < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def percent(part: float, whole: float) -> str:
    """A share."""
    return f"{100 * part / whole:.1f}" if whole > 0 else "-"
