"""Stresses at a point of a regular mesh, by parabolas through the means of elements that plot files have."""

import numpy as np

from verification.pieces import Piece
from verification.results import Results


def parabola(count: int, at: float) -> tuple[list[int], np.ndarray]:
    """The three centres (i + 1/2) of `count` that are nearest to `at`, and their weights there."""
    first = int(np.clip(np.floor(at) - 1, 0, count - 3))
    chosen = [first, first + 1, first + 2]
    x = [i + 0.5 for i in chosen]
    weights = [np.prod([(at - x[m]) / (x[k] - x[m]) for m in range(3) if m != k]) for k in range(3)]
    return chosen, np.array(weights)


def stress_at(r: Results, piece: Piece, at: tuple[float, ...], surface: float = 0.0) -> np.ndarray:
    """xx yy zz xy yz zx at the parameters `at` (u, v, and w of solids).

    Args:
        surface: of shells, from -1 at the lower one to 1 at the upper one; they have two points by Gauss
    """
    counts = (*piece.cells, piece.layers)[: len(at)]
    places = [u * n for u, n in zip(at, counts, strict=True)]
    if len(at) == 3:
        places[2] += 0.5 * piece.layers
    rules = [parabola(n, p) for n, p in zip(counts, places, strict=True)]
    total = np.zeros(6)
    for index in np.ndindex(*(3,) * len(at)):
        weight = float(np.prod([rule[1][k] for rule, k in zip(rules, index, strict=True)]))
        i, j, *k = (rule[0][m] for rule, m in zip(rules, index, strict=True))
        number = min(piece.flat.elements) + i + counts[0] * (j + (counts[1] * k[0] if k else 0))
        layers = r.stress(piece.form.kind, number)
        if piece.form.kind == "shell":
            middle, lower, upper = layers
            total += weight * (middle + surface * np.sqrt(3.0) * (upper - lower) / 2)
        else:
            total += weight * layers.reshape(-1, 6)[0]
    return total
