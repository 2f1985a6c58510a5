"""The clusters of round numbers are those of the simulator's tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "simulate"))
