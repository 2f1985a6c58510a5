"""The choice of parts to show: lists of numbers and ranges, `3,7-9`."""

from collections.abc import Iterable
from dataclasses import dataclass

Ranges = tuple[tuple[int, int], ...]


def read_ranges(text: str) -> Ranges:
    """The ranges in `3,7-9`.

    Raises:
        ValueError: it is not such a list.
    """
    ranges = []
    for piece in text.split(","):
        first, _, last = piece.strip().partition("-")
        try:
            ranges.append((int(first), int(last or first)))
        except ValueError:
            raise ValueError(f"'{text}' is no list of parts such as 3,7-9") from None
        if ranges[-1][0] > ranges[-1][1]:
            raise ValueError(f"'{piece.strip()}' in '{text}' is no range: it ends before it starts")
    return tuple(ranges)


def inside(part: int, ranges: Ranges) -> bool:
    """Whether a part is in one of the ranges."""
    return any(first <= part <= last for first, last in ranges)


@dataclass(frozen=True)
class PartChoice:
    """Parts to show (empty: all), and parts to hide of these."""

    show: Ranges = ()
    hide: Ranges = ()

    def shown(self, parts: Iterable[int]) -> set[int]:
        """The parts of the model that are shown.

        Raises:
            ValueError: a given part or range is not in the model, or no part is left.
        """
        parts = set(parts)
        for first, last in self.show:
            if not any(first <= part <= last for part in parts):
                name = f"part {first}" if first == last else f"parts {first}-{last}"
                raise ValueError(f"there is no {name}; the model has {listed(parts)}")
        left = {p for p in parts if (not self.show or inside(p, self.show)) and not inside(p, self.hide)}
        if parts and not left:
            raise ValueError("no part is left to show")
        return left


def listed(parts: set[int]) -> str:
    """Parts as text, at most one line."""
    names = [str(part) for part in sorted(parts)]
    return ", ".join(names if len(names) <= 20 else [*names[:19], "...", names[-1]])
