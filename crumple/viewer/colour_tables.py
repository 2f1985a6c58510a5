"""The colours of fields and parts as tables for the page."""

import numpy as np

from crumple.plain_matplotlib import colormaps
from crumple.view.colours import colours

STEPS = 64  #: colours of a table; the page has the shades between them


def rows(values: np.ndarray) -> list[list[int]]:
    """Colours as bytes."""
    return np.round(255 * np.asarray(values)[:, :3]).astype(int).tolist()


def colour_tables() -> dict[str, list[list[int]]]:
    """Tables by name: of strains, of other fields, of fields with a sign, and of parts."""
    at = np.linspace(0.0, 1.0, STEPS)
    parts = [*colormaps["Set2"].colors, *colormaps["Set3"].colors[3:], *colormaps["Pastel1"].colors[:3]]
    return {
        "yielding": rows(colours()(at)),
        "rainbow": rows(colormaps["turbo"](at)),
        "signed": rows(colormaps["RdBu_r"](at)),
        "viridis": rows(colormaps["viridis"](at)),
        "parts": rows(np.array(parts)),
    }
