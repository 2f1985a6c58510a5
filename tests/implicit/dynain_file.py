"""Reads dynain files: the blocks of keywords in long format."""

from pathlib import Path

import numpy as np


def blocks(path: Path) -> dict[str, list[list[str]]]:
    """Fields of 20 columns of each line, by keyword."""
    found: dict[str, list[list[str]]] = {}
    rows: list[list[str]] = []
    for line in path.read_text().splitlines():
        if line.startswith("*"):
            rows = found.setdefault(line.removesuffix(" +"), [])
        elif not line.startswith("$"):
            rows.append([line[k : k + 20] for k in range(0, len(line), 20)])
    return found


def nodes(path: Path) -> dict[int, np.ndarray]:
    """Positions by number."""
    return {int(row[0]): np.array(row[1:4], float) for row in blocks(path)["*NODE"]}


def shell_stresses(path: Path) -> dict[int, np.ndarray]:
    """(points, 8 + history) T, stress xx yy zz xy yz zx, plastic strain, history, by number."""
    found, rows = {}, iter(blocks(path)["*INITIAL_STRESS_SHELL"])
    for head in rows:
        number, planes, layers, history, _, large = map(int, head)
        assert large == 1
        lines = 2 + -(-history // 5)
        points = [[float(f) for _ in range(lines) for f in next(rows)] for _ in range(planes * layers)]
        found[number] = np.array(points)
    return found


def other_stresses(path: Path, kind: str) -> dict[int, np.ndarray]:
    """(points, 7 + history) of solids or beams, by number."""
    found, rows = {}, iter(blocks(path)[f"*INITIAL_STRESS_{kind}"])
    for head in rows:
        words = list(map(int, head))
        points, history = (words[1], words[2]) if kind == "SOLID" else (words[2], words[5])
        lines = -(-(7 + history) // 5)
        values = [[float(f) for _ in range(lines) for f in next(rows)] for _ in range(points)]
        found[words[0]] = np.array(values)
    return found
