"""A figure of several measurements: its median and how far they spread."""

import statistics
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Figure:
    """Nanoseconds, or what the name says."""

    median: float
    least: float
    most: float
    count: int

    @classmethod
    def of(cls, values: list[float]) -> "Figure":
        """Of all values."""
        return cls(statistics.median(values), min(values), max(values), len(values))

    @classmethod
    def from_json(cls, said: dict) -> "Figure":
        """As `as_json` wrote it."""
        return cls(said["median"], said["least"], said["most"], said["count"])

    def as_json(self) -> dict:
        """With four digits."""
        return {
            name: float(f"{value:.4g}") if name != "count" else value for name, value in asdict(self).items()
        }

    def spread(self) -> str:
        """From the least to the most, in short."""
        return f"{short(self.least)}-{short(self.most)}"


def short(value: float) -> str:
    """Three digits at most behind the point's place: 0.532, 12.3, 168."""
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"
