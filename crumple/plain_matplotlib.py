"""Matplotlib with the user's settings, but without a file matplotlibrc in the current folder.

All imports of matplotlib are here, because the first one reads that file.
"""

from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

with chdir(Path(__file__).parent):
    import matplotlib

from matplotlib import colormaps, colors

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["colormaps", "colors", "matplotlib", "new_figure"]

DPI = 130


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure; sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=DPI, layout="constrained")
