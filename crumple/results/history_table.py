"""A history as arrays: times, entities (nodes, parts, walls, ...), and quantities of each."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class HistoryTable:
    """One history, or one kind of entity in it.

    Attributes:
        times: (n,), in units of the deck
        keys: the entities by number, of contacts with the side ("3:master"); [""] for the whole model
        titles: from the deck, by number
        columns: by name, (n, entities), or (n, entities, points) for integration points; NaN where missing
    """

    times: np.ndarray
    keys: list[str]
    titles: dict[int, str] = field(default_factory=dict)
    columns: dict[str, np.ndarray] = field(default_factory=dict)

    def title(self, key: str) -> str:
        """The title of an entity; empty without."""
        number = key.partition(":")[0]
        return self.titles.get(int(number), "").strip() if number.isdigit() else ""
