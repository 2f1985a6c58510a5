"""The colours of plastic strain, the same in pictures and pages."""

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LinearSegmentedColormap


def colours() -> LinearSegmentedColormap:
    """Light grey where nothing yields, then yellow to dark red."""
    warm = mpl.colormaps["YlOrRd"](np.linspace(0.12, 1.0, 24))
    return LinearSegmentedColormap.from_list("yielding", [(0.84, 0.87, 0.90, 1.0), *warm])
