"""Writes static decks for the implicit tests; reads what their runs left."""

import re
from pathlib import Path

import numpy as np
from small_decks import Deck
from solver_run import Run, run


def control(
    deck: Deck,
    steps: int = 1,
    end: float = 1.0,
    solution: str = "12,1,,1e-9,1e-18,1e-9,,1e-20",
    automatic: str = "",
    solver: str = "",
    arc: str = "",
) -> None:
    """An implicit run in equal steps, with tight tolerances and a new factor in each iteration."""
    end = float(end)
    step = end / steps
    deck.control(end, step)
    card = f"\n{arc}" if arc else ""
    deck.add(f"*CONTROL_IMPLICIT_GENERAL\n1,{step!r}\n*CONTROL_IMPLICIT_SOLUTION\n{solution}\n,,,3,4.{card}")
    if automatic:
        deck.add(f"*CONTROL_IMPLICIT_AUTO\n{automatic}")
    if solver:
        deck.add(f"*CONTROL_IMPLICIT_SOLVER\n{solver}")
    deck.add(
        f"*DATABASE_SPCFORC\n{step}\n*DATABASE_NODOUT\n{step}\n*DATABASE_ELOUT\n{step}\n*DATABASE_BNDOUT\n{step}"
    )
    deck.add(f"*DEFINE_CURVE\n1\n0.,0.\n{end},1.\n{10 * end},10.\n*DEFINE_CURVE\n2\n0.,0.\n{10 * end},0.")


def in_free_format(line: str) -> str:
    """A single number with more digits than a field of ten columns takes."""
    return f"{line}," if len(line) > 10 and re.fullmatch(r"[-+.\de]+", line) else line


def solve(deck: Deck, folder: Path, *arguments: str, status: int = 0, threads: int = 1) -> Run:
    """Run a deck; it must end with `status`."""
    path = folder / "deck.k"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(in_free_format, deck.text().splitlines())) + "\n")
    done = run(path, folder / "out", "--double-files", *arguments, threads=threads)
    assert done.status == status, f"{done.said[-4000:]}\nstatus {done.status}"
    return done


def residuals(done: Run) -> list[list[float]]:
    """|r|/|r|max of each iteration, a list a step."""
    steps: list[list[float]] = []
    for line in done.stdout.splitlines():
        if re.match(r" step +\d+  time", line):
            steps.append([])
        if found := re.match(r" +iteration .*max (\S+)", line):
            steps[-1].append(float(found.group(1)))
    return steps


def plot(done: Run) -> dict[str, np.ndarray]:
    """Arrays of the plot states as lasso-python reads them."""
    from lasso.dyna import D3plot

    return D3plot(str(done.directory / "d3plot")).arrays


def displacements(done: Run, state: int = -1) -> np.ndarray:
    """(nodes, 3) in the order of the nodes' numbers."""
    arrays = plot(done)
    order = np.argsort(arrays["node_ids"])
    return (arrays["node_displacement"][state] - arrays["node_coordinates"])[order]


def histories(done: Run):
    """The binout family as lasso-python reads it."""
    from lasso.dyna import Binout

    return Binout(str(done.directory / "binout0000"))


def prescribe(deck: Deck, node: int, u, dofs=(1, 2, 3)) -> None:
    """Displacements (or rotations, dofs 5 to 7) of a node, which grow with curve 1."""
    for dof, value in zip(dofs, u, strict=True):
        curve, scale = (1, float(value)) if value else (2, 1.0)  # a scale of 0 would be 1
        deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},{dof},2,{curve},{scale!r}")
