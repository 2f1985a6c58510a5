"""The colours of plastic strain, the same in pictures and pages."""

import numpy as np

from crumple.plain_matplotlib import colormaps, colors


def colours() -> colors.LinearSegmentedColormap:
    """Light grey where nothing yields, then yellow to dark red."""
    warm = colormaps["YlOrRd"](np.linspace(0.12, 1.0, 24))
    return colors.LinearSegmentedColormap.from_list("yielding", [(0.84, 0.87, 0.90, 1.0), *warm])
