"""Matplotlib as the user has set it up: it would also read the file matplotlibrc of the current folder.

All imports of it are here, for whichever is the first reads that file.
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
    """An empty figure; inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=DPI, layout="constrained")
