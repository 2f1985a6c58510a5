"""Even meshes of one part: a plate of shells, a block of solids."""

import numpy as np


def plate(cells: int, edge: float) -> tuple[np.ndarray, np.ndarray]:
    """A square of cells x cells shells in x and y, a little uneven, so that it may buckle.

    Returns:
        positions (n, 3), and node numbers from 1 of the corners (n, 4); y runs first
    """
    n = cells + 1
    i, j = np.divmod(np.arange(n * n), n)
    uneven = np.random.default_rng(1).uniform(-0.01, 0.01, n * n)
    first = (np.arange(cells)[:, None] * n + np.arange(cells)).ravel() + 1
    return np.column_stack([edge * i, edge * j, uneven]), first[:, None] + [0, n, n + 1, 1]


def block(cells: tuple[int, int, int], edge: float) -> tuple[np.ndarray, np.ndarray]:
    """Cells along x, y and z.

    Returns:
        positions (n, 3), and node numbers from 1 of the corners (n, 8); z runs first, then y
    """
    ny, nz = cells[1] + 1, cells[2] + 1
    i, rest = np.divmod(np.arange((cells[0] + 1) * ny * nz), ny * nz)
    j, k = np.divmod(rest, nz)
    a, b, c = (axis.ravel() for axis in np.meshgrid(*map(np.arange, cells), indexing="ij"))
    first = (a * ny + b) * nz + c + 1
    low = first[:, None] + [0, ny * nz, ny * nz + nz, nz]
    return edge * np.column_stack([i, j, k]), np.hstack([low, low + 1])
