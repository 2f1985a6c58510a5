"""Compares the result files of two runs, but for what tells when and how fast they ran."""

from pathlib import Path

from solver_run import Run

HISTORIES = (
    *("glstat", "matsum", "rcforc", "rwforc", "secforc", "spcforc", "bndout", "ncforc", "nodout", "elout"),
    *("jntforc", "rbdout", "abstat", "swforc", "sleout", "deforc"),
)


def different_files(one: Path, two: Path) -> list[str]:
    """Names of d3plot states and text histories that differ, or are in one folder only."""
    names = {path.name for folder in (one, two) for path in folder.glob("d3plot[0-9]*")}
    names |= {name for folder in (one, two) for name in HISTORIES if (folder / name).exists()}
    return sorted(name for name in names if not same(one / name, two / name))


def same(one: Path, two: Path) -> bool:
    """Whether both files are there, and the same."""
    if not (one.exists() and two.exists()):
        return False
    if one.name in HISTORIES:
        return lines(one) == lines(two)
    return one.read_bytes() == two.read_bytes()


def lines(path: Path) -> list[str]:
    """Lines of a history."""
    return Run(0, "", "", path.parent).history(path.name)
