"""Figures of docs/camry.md from a folder of results: python benchmarks/camry_figures.py RUN PREFIX.

Deck units of the Camry are t, mm, s: forces in N, energies in mJ.
"""

import sys
from math import pi, sqrt, tan
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from crumple.report.figures import INK, PALETTE
from crumple.results.forces import read_rwforc
from crumple.results.glstat import read_glstat

ENERGIES = {
    "kinetic energy": "kinetic",
    "internal energy": "internal",
    "stonewall energy 1": "rigid wall",
    "sliding interface energy": "contact",
    "hourglass energy": "hourglass",
    "total energy": "total",
}


def cfc(x: np.ndarray, step: float, channel_class: float) -> np.ndarray:
    """The channel frequency class filter of SAE J211-1, appendix C: two poles, forth and back."""
    angle = tan(2 * pi * channel_class * 2.0775 * step / 2)
    scale = 1 + sqrt(2) * angle + angle**2
    a = angle**2 / scale
    b1, b2 = -2 * (angle**2 - 1) / scale, (-1 + sqrt(2) * angle - angle**2) / scale

    def once(values: np.ndarray) -> np.ndarray:
        y = values.copy()
        for k in range(2, len(values)):
            y[k] = a * (values[k] + 2 * values[k - 1] + values[k - 2]) + b1 * y[k - 1] + b2 * y[k - 2]
        return y

    return once(once(x)[::-1])[::-1]


def frame(axes: Axes, title: str, y_title: str) -> None:
    """The look of all plots."""
    axes.set_title(title, loc="left", fontsize=11, color=INK)
    axes.set(xlabel="time [ms]", ylabel=y_title)
    axes.grid(color="#e6eaef")
    axes.spines[["top", "right"]].set_visible(False)


def draw_wall(run: Path, axes: Axes) -> None:
    """Force on the wall, as written and filtered."""
    rows = read_rwforc(run / "rwforc").rows
    time, force = rows.time.to_numpy(), rows.normal.to_numpy() / 1000
    step = float(np.median(np.diff(time)))
    axes.plot(1000 * time, force, color="#b9c4d0", lw=1.2, label=f"every {1000 * step:.2g} ms")
    axes.plot(1000 * time, cfc(force, step, 180), color=PALETTE[1], lw=2, label="CFC 180")
    axes.legend(frameon=False, fontsize=9)
    frame(axes, "Force on the rigid wall", "kN")


def draw_energies(run: Path, axes: Axes) -> None:
    """Energies of the whole model."""
    history = read_glstat(run / "glstat")
    for k, (column, name) in enumerate(ENERGIES.items()):
        if column in history:
            values = history[column].to_numpy(dtype=float) / 1e6
            colour = INK if name == "total" else PALETTE[k]
            axes.plot(1000 * history["time"], values, label=name, color=colour, lw=1.8)
    axes.legend(frameon=False, fontsize=9, ncols=2)
    frame(axes, "Energies", "kJ")


def main(run: Path, prefix: Path) -> None:
    """Write PREFIX-curves.png."""
    drawing = Figure(figsize=(12, 4.2), dpi=120, layout="constrained")
    left, right = drawing.subplots(1, 2)
    draw_energies(run, left)
    if (run / "rwforc").exists():
        draw_wall(run, right)
    drawing.savefig(f"{prefix}-curves.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
