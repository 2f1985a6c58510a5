"""STRFLG puts strains into plot files: those of known motions, the same on any number of ranks."""

import math
from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import ArrayType, D3plot
from small_decks import STEEL, Deck
from solver_run import run

PULL, PUSH, TIME = 10.0, -5.0, 0.1  # mm/ms, mm/ms, ms: lengths of 10 mm become 11 and 9.5


def pulled_and_pushed(strflg: int) -> str:
    """A plate pulled along x beside a block pushed along z and a rigid plate that flies."""
    deck = Deck()
    deck.control(TIME, TIME / 2)
    deck.add(f"*DATABASE_EXTENT_BINARY\n0,0,3,{strflg}")
    deck.part(1, "SHELL,2,0.8333,3|1.,1.,1.,1.", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(3, "SHELL,2,0.8333,2|1.,1.,1.,1.", "RIGID,7.85e-6,210.,0.3|0.|")
    grid = deck.plate(1, (5, 5), lambda u, v: (10 * u, 10 * v, 0.0))
    block = deck.block(2, (3, 3, 3), (20.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    deck.plate(3, (2, 2), lambda u, v: (40 + 10 * u, 10 * v, 0.0))
    deck.set("NODE", 1, [row[0] for row in grid])
    deck.set("NODE", 2, grid[0])
    deck.set("NODE", 3, [row[-1] for row in grid])
    deck.set("NODE", 4, block[:16])
    deck.set("NODE", 5, block[-16:])
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,0,0,1,1,1\n2,0,0,1,0,1,1,1\n4,0,0,0,1")
    deck.add(
        f"*DEFINE_CURVE\n1\n0.,1.\n1000.,1.\n*BOUNDARY_PRESCRIBED_MOTION_SET\n3,1,0,1,{PULL}\n5,3,0,1,{PUSH}"
    )
    deck.set("PART", 9, (3,))
    deck.add("*INITIAL_VELOCITY_GENERATION\n9,1,0.,50.,20.,100.\n0.,0.,0.")
    return deck.text()


def plotted(folder: Path, strflg: int, ranks: int = 1, threads: int = 1, words: str = "double") -> D3plot:
    """The plot file of a run."""
    folder.mkdir()
    deck = folder / "deck.k"
    deck.write_text(pulled_and_pushed(strflg))
    done = run(deck, folder, "--precision", words, ranks=ranks, threads=threads)
    assert done.status == 0, done.said
    return D3plot(str(folder / "d3plot"))


@pytest.mark.parametrize("words", ["single", "double"])
def test_strains_are_the_motions(tmp_path: Path, words: str) -> None:
    plot = plotted(tmp_path / "run", 1, words=words)
    shells = plot.arrays[ArrayType.element_shell_strain][-1]
    parts = plot.arrays[ArrayType.element_shell_part_indexes]
    plate, rigid = shells[parts == parts[0]], shells[parts == parts[-1]]
    assert (len(plate), len(rigid)) == (25, 4)
    along = math.log(1.1)
    # Waves of PULL / (speed of sound) = 0.2 % run about on top.
    uniaxial = [along, -0.3 * along, -0.3 * along, 0.0, 0.0, 0.0]
    for surface in (0, 1):
        np.testing.assert_allclose(plate[:, surface].mean(axis=0), uniaxial, atol=0.004)
    assert not rigid.any()
    solids = plot.arrays[ArrayType.element_solid_strain][-1].reshape(-1, 6)
    down = math.log(0.95)
    np.testing.assert_allclose(solids.mean(axis=0), [-0.3 * down, -0.3 * down, down, 0, 0, 0], atol=0.004)
    assert not plot.arrays[ArrayType.element_shell_strain][0].any()
    assert not plot.arrays[ArrayType.element_solid_strain][0].any()


def test_same_strains_on_ranks_and_threads(tmp_path: Path) -> None:
    one = plotted(tmp_path / "one", 11)
    many = plotted(tmp_path / "many", 11, ranks=3, threads=2)
    for name in (ArrayType.element_shell_strain, ArrayType.element_solid_strain):
        assert one.arrays[name].any()
        np.testing.assert_array_equal(one.arrays[name], many.arrays[name])


@pytest.mark.parametrize("strflg", [0, 10])
def test_none_unless_asked(tmp_path: Path, strflg: int) -> None:
    plot = plotted(tmp_path / "run", strflg)
    assert ArrayType.element_shell_strain not in plot.arrays
    assert ArrayType.element_solid_strain not in plot.arrays
