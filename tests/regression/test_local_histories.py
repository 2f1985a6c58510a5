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


def vectors(done: Run, what: str) -> np.ndarray:
    """[row, node, x y z]"""
    return np.stack([column(done, what.format(c)) for c in "xyz"], axis=-1)


@pytest.mark.parametrize(("direction", "first"), [("X", 0), ("Y", 1)])
@pytest.mark.parametrize("ranks", [1, 2])
def test_axes_that_turn_with_their_nodes(direction: str, first: int, ranks: int, tmp_path: Path) -> None:
    frame = f"*DATABASE_HISTORY_NODE\n6\n*DEFINE_COORDINATE_NODES\n7,1,2,6,1,{direction}\n"
    local = finished(plate(frame + "*DATABASE_HISTORY_NODE_LOCAL\n3,7,1"), tmp_path / "local", ranks)
    plain = finished(plate(frame + "*DATABASE_HISTORY_NODE\n3"), tmp_path / "plain")
    x = vectors(plain, "{}_coordinate")
    assert list(Binout(str(plain.directory / "binout0000")).read("nodout", "ids")) == [1, 2, 3, 6]
    along, normal = x[:, 1] - x[:, 0], np.cross(x[:, 1] - x[:, 0], x[:, 3] - x[:, 0])
    along /= np.linalg.norm(along, axis=1)[:, None]
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    axes = np.roll(np.stack([along, np.cross(normal, along), normal], axis=1), first, axis=1)
    assert np.abs(axes[-1] - axes[0]).max() > 0.05, "they turn"
    for what in ("{}_displacement", "{}_velocity", "{}_acceleration"):
        expected = np.einsum("tij,tj->ti", axes, vectors(plain, what)[:, 2])
        np.testing.assert_allclose(
            vectors(local, what)[:, 2], expected, atol=1e-4 * max(1e-9, np.abs(expected).max())
        )
    np.testing.assert_allclose(vectors(local, "{}_coordinate"), x, rtol=1e-6, atol=1e-9)


def test_names(tmp_path: Path) -> None:
    """_ID has a line with the name after that of each node."""
    keyword = "*DATABASE_HISTORY_NODE_LOCAL_ID\n3,6\nhead, left\n4,6\nB-pillar"
    named = finished(plate(keyword), tmp_path / "named")
    plain = finished(plate("*DATABASE_HISTORY_NODE_LOCAL\n3,6\n4,6"), tmp_path / "plain")
    text = (named.directory / "nodout").read_text()
    assert "head, left" in text
    assert "B-pillar" in text
    assert list(Binout(str(named.directory / "binout0000")).read("nodout", "ids")) == [1, 2, 3, 4]
    np.testing.assert_array_equal(vectors(named, "{}_velocity"), vectors(plain, "{}_velocity"))


@pytest.mark.parametrize(
    ("line", "said"), [("3,6,2", "REF = 2"), ("3,6,1", "REF = 1 needs a frame of *DEFINE_COORDINATE_NODES")]
)
def test_frames_that_do_not_fit_are_refused(line: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "deck.k").write_text(plate(f"*DATABASE_HISTORY_NODE_LOCAL\n{line}").text())
    refused = run(tmp_path / "deck.k", tmp_path / "out")
    assert refused.status == 2
    assert said in refused.said
