"""Nodes of nodout along the axes of a frame (*DATABASE_HISTORY_NODE_LOCAL), and others beside them."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import STEEL, Deck
from solver_run import Run, run

END = 0.1
VELOCITY, SPIN = np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 4.0])
#: rows are x, y and z of the frame
AXES = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def plate(keyword: str) -> Deck:
    """A rigid plate that flies and turns."""
    deck = Deck()
    deck.control(END, END)
    deck.part(1, "SHELL,2,0.8333,2|1.,1.,1.,1.", f"RIGID,{STEEL}|0|")
    deck.plate(1, (2, 1), lambda u, v: (10.0 * u, 10.0 * v, 0.0))
    deck.set("NODE", 5, [3])
    deck.add(f"*INITIAL_VELOCITY_RIGID_BODY\n1,{','.join(map(str, (*VELOCITY, *SPIN)))}")
    deck.add("*DEFINE_COORDINATE_SYSTEM\n6,0.,0.,0.,0.,1.,0.\n-1.,0.,0.")
    deck.add(f"*DATABASE_NODOUT\n{END / 10},3\n*DATABASE_HISTORY_NODE\n1,2\n{keyword}")
    return deck


def finished(deck: Deck, folder: Path, ranks: int = 1) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.k").write_text(deck.text())
    done = run(folder / "deck.k", folder / f"out{ranks}", ranks=ranks)
    assert done.status == 0, done.said
    return done


def column(done: Run, name: str) -> np.ndarray:
    return np.asarray(Binout(str(done.directory / "binout0000")).read("nodout", name))


@pytest.mark.parametrize(
    "keyword", ["*DATABASE_HISTORY_NODE_LOCAL\n3,6", "*DATABASE_HISTORY_NODE_SET_LOCAL\n5,6"]
)
@pytest.mark.parametrize("ranks", [1, 2])
def test_vectors_are_along_the_frame(keyword: str, ranks: int, tmp_path: Path) -> None:
    local = finished(plate(keyword), tmp_path / "local", ranks)
    plain = finished(plate("*DATABASE_HISTORY_NODE\n3"), tmp_path / "plain")
    ids = list(Binout(str(local.directory / "binout0000")).read("nodout", "ids"))
    assert ids == [1, 2, 3]
    for what in ("{}_displacement", "{}_velocity", "{}_acceleration"):
        of = [np.stack([column(done, what.format(c)) for c in "xyz"], axis=-1) for done in (local, plain)]
        assert np.abs(of[1][-1, 2]).max() > 0.01
        np.testing.assert_allclose(of[0][:, 2], of[1][:, 2] @ AXES.T, atol=1e-5 * np.abs(of[1]).max())
        np.testing.assert_allclose(of[0][:, :2], of[1][:, :2], atol=1e-12)
    np.testing.assert_allclose(column(local, "x_coordinate"), column(plain, "x_coordinate"))


def test_axes_that_move_are_refused(tmp_path: Path) -> None:
    (tmp_path / "deck.k").write_text(plate("*DATABASE_HISTORY_NODE_LOCAL\n3,6,1").text())
    refused = run(tmp_path / "deck.k", tmp_path / "out")
    assert refused.status == 2
    assert "REF = 1" in refused.said
