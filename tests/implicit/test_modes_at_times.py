"""Modes of free vibration at times during implicit and explicit runs: a beam under tension. Rank 0 alone."""

import copy
import math
from pathlib import Path

import numpy as np
import pytest
from implicit_decks import control, solve
from small_decks import Deck

YOUNG, DENSITY = 210.0, 7.85e-6
LENGTH, SIDE, CELLS = 100.0, 2.0, 20
SECOND = SIDE**4 / 12
#: frequencies at times 0 (three modes) and 1 (two)
TIMES = "*DEFINE_CURVE\n9\n0.,3.\n1.,2."


def eigenvalues(folder: Path, name: str) -> np.ndarray:
    """Of the file, in its order."""
    text = (folder / name).read_text()
    table = text[text.index("MODE    EIGENVALUE") :].split("\n\n")[0].splitlines()[1:]
    return np.array([float(row.split()[1]) for row in table])


def pinned_beam(deck: Deck) -> list[int]:
    """Along x, between hinges; its last node may move along it."""
    deck.part(
        1,
        f"BEAM,2,0.8333|{SIDE**2},{SECOND},{SECOND},{2 * SECOND}",
        f"ELASTIC,{DENSITY},{YOUNG},0.",
    )
    nodes = [deck.node((LENGTH * i / CELLS, 0.0, 0.0)) for i in range(CELLS + 1)]
    third = deck.node((0.0, 0.0, 10.0), 7)
    for a, b in zip(nodes, nodes[1:], strict=False):
        deck.element("BEAM", 1, (a, b, third))
    deck.add(f"*BOUNDARY_SPC_NODE\n{nodes[0]},0,1,1,1,1,0,0\n{nodes[-1]},0,0,1,1,0,0,0")
    return nodes


def bending(tension: float) -> float:
    """omega^2 of the first mode: (pi / L)^4 E I / mu + (pi / L)^2 N / mu."""
    k, mu = math.pi / LENGTH, DENSITY * SIDE**2
    return (k**4 * YOUNG * SECOND + k**2 * tension) / mu


def test_tension_raises_frequencies_in_a_static_run(tmp_path):
    """Steps end at the times of the curve, and go on as if nothing were looked for."""
    tension = 1.0
    deck = Deck()
    control(deck, steps=4, end=2.0)
    nodes = pinned_beam(deck)
    deck.add(f"*LOAD_NODE_POINT\n{nodes[-1]},1,1,{2 * tension}")  # the curve is 1 at time 2
    plain = solve(deck, tmp_path / "plain")
    deck.add(f"*CONTROL_IMPLICIT_EIGENVALUE\n-9\n{TIMES}")
    done = solve(deck, tmp_path / "modes")
    start, pulled = (eigenvalues(done.directory, f"eigout_000{k}") for k in (1, 2))
    assert (len(start), len(pulled)) == (3, 2)
    assert start[:2] == pytest.approx(bending(0.0), rel=0.01)
    assert pulled == pytest.approx(bending(tension), rel=0.01)
    assert (done.directory / "d3eigv_0002").exists()
    assert done.hash == plain.hash


def test_explicit_runs_have_them_between_cycles(tmp_path):
    """A pinned beam that is pulled slowly: its frequencies are those of its present tension."""
    tension, end = 1.0, 20.0
    deck = Deck()
    deck.control(end, end)
    nodes = pinned_beam(deck)
    deck.add(
        f"*DEFINE_CURVE\n1\n0.,0.\n{0.9 * end},1.\n{2 * end},1.\n*LOAD_NODE_POINT\n{nodes[-1]},1,1,{tension}"
    )
    deck.add("*CONTROL_IMPLICIT_GENERAL\n6,0.1\n*CONTROL_IMPLICIT_EIGENVALUE\n-9")
    without = copy.deepcopy(deck)
    without.add(f"*DEFINE_CURVE\n9\n{2 * end},3.\n{3 * end},3.")
    plain = solve(without, tmp_path / "plain")
    deck.add(f"*DEFINE_CURVE\n9\n0.,3.\n{end},2.")
    done = solve(deck, tmp_path / "modes")
    start, pulled = (eigenvalues(done.directory, f"eigout_000{k}") for k in (1, 2))
    assert start[:2] == pytest.approx(bending(0.0), rel=0.01)
    assert pulled == pytest.approx(bending(tension), rel=0.02)
    assert done.hash == plain.hash
