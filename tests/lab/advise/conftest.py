"""The clusters of round numbers are those of the simulator's tests, the browser that of the pages'."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "simulate"))
sys.path.append(str(Path(__file__).parents[2] / "pages"))
