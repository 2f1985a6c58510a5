"""Nodes of a fine mesh move as the sheets of a coarse one; decks are read back as they were written."""

from pathlib import Path

import numpy as np
import pytest

from crumple.lab.published.moved_nodes import moved_as
from crumple.lab.traces.displacements import Displacements
from crumple.models import Wishes, write_model
from crumple.models.deck_mesh import DeckMesh, read_mesh

TURN = np.array([[0.0, -0.1, 0.0], [0.1, 0.02, 0.0], [0.0, 0.0, 0.0]])  #: gradient of a displacement


def sheets(cells: int) -> DeckMesh:
    """Two square sheets, parts 7 and 8, 1 mm apart; node ids count by tens."""
    side = np.linspace(0.0, 100.0, cells + 1)
    grid = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    x = np.concatenate([np.column_stack([grid, np.full(len(grid), z)]) for z in (0.0, 1.0)])
    first = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    one = np.stack([first, first + cells + 1, first + cells + 2, first + 1], axis=1)
    corners = np.concatenate([one, one + len(grid)])
    return DeckMesh(10 * np.arange(1, len(x) + 1), x, np.repeat([7, 8], len(one)), corners)


def test_each_sheet_moves_as_the_same_one_of_the_other_mesh():
    coarse, fine = sheets(3), sheets(10)
    upper = coarse.x[:, 2] > 0.5
    moved = coarse.x @ TURN.T + np.where(upper[:, None], [0.0, 0.0, 25.0], [0.0, 0.0, -5.0])
    (found,) = moved_as(fine, coarse, [Displacements(coarse.node, moved)])
    assert np.array_equal(found.node, fine.node)
    wanted = fine.x @ TURN.T + np.where(fine.x[:, 2:] > 0.5, [0.0, 0.0, 25.0], [0.0, 0.0, -5.0])
    assert found.moved == pytest.approx(wanted, abs=1e-3)


def test_parts_that_the_other_mesh_has_not_stay():
    coarse, fine = sheets(3), sheets(4)
    fine.part[fine.part == 8] = 9
    (found,) = moved_as(fine, coarse, [Displacements(coarse.node, np.ones_like(coarse.x))])
    assert np.array_equal(found.node, fine.node[fine.x[:, 2] < 0.5])


def test_a_deck_is_read_as_it_was_written(tmp_path: Path):
    deck = tmp_path / "neon.k"
    write_model("neon", deck, Wishes(2000))
    mesh = read_mesh(deck)
    text = deck.read_text().splitlines()
    first = text.index("*NODE") + 1
    assert mesh.node[0] == int(text[first][:8])
    assert mesh.x[0] == pytest.approx([float(text[first][8 + 16 * k : 24 + 16 * k]) for k in range(3)])
    shell = text[text.index("*ELEMENT_SHELL") + 1]
    assert mesh.part[0] == int(shell[8:16])
    assert list(mesh.node[mesh.corners[0]]) == [int(shell[16 + 8 * k : 24 + 8 * k]) for k in range(4)]
    assert np.array_equal(mesh.node, np.unique(mesh.node))


def test_a_mesh_moves_as_itself(tmp_path: Path):
    deck = tmp_path / "neon.k"
    write_model("neon", deck, Wishes(2000))
    mesh = read_mesh(deck)
    moved = np.random.default_rng(1).uniform(-100.0, 100.0, mesh.x.shape)
    (found,) = moved_as(mesh, mesh, [Displacements(mesh.node, moved)])
    there = moved[np.searchsorted(mesh.node, found.node)]
    assert (np.abs(found.moved - there).max(axis=1) < 0.1).mean() > 0.98
