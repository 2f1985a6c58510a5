"""Nodes that an interface file of another run drives (*INTERFACE_COMPONENT_NODE, *INTERFACE_LINKING_NODE)."""

from pathlib import Path

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import Run, run

END, LENGTH, CELLS = 0.05, 40.0, 8
LAW = f"ELASTIC,{STEEL}"


def beam(deck: Deck, first: int, numbers_from: int = 1) -> list[list[int]]:
    """Bricks from the cell `first` to the end of a bar along x; its cross sections' nodes by x."""
    deck.nodes = numbers_from - 1
    deck.part(1, "SOLID,1", LAW)
    step = LENGTH / CELLS
    nodes = deck.block(1, (CELLS - first, 1, 1), (first * step, 0.0, 0.0), (LENGTH - first * step, 5.0, 5.0))
    n = CELLS - first + 1
    return [[nodes[k * n + i] for k in range(4)] for i in range(n)]


def whole() -> Deck:
    """A bar whose end x = 0 is pulled to and fro; its cross section at the cell 4 is an interface."""
    deck = Deck()
    deck.control(END, END / 5)
    sections = beam(deck, 0)
    deck.add("*DEFINE_CURVE\n1\n0.,0.\n0.02,0.1\n0.03,0.1\n9.,0.1")
    deck.set("NODE", 5, sections[0])
    deck.set("NODE", 6, sections[4])
    deck.add("*BOUNDARY_PRESCRIBED_MOTION_SET\n5,1,2,1,1.")
    deck.add("*INTERFACE_COMPONENT_NODE_ID\n70,the middle\n6\n*CONTROL_OUTPUT\n0,0,0,0,1.e-6")
    return deck


def half(numbers_from: int = 500, death: str = "") -> Deck:
    """The part of it beyond the interface, with other numbers."""
    deck = Deck()
    deck.control(END, END / 5)
    sections = beam(deck, 4, numbers_from)
    deck.set("NODE", 6, sections[0])
    deck.add(f"*INTERFACE_LINKING_FILE\nwhole.infmak\n*INTERFACE_LINKING_NODE_SET\n6,70,0,0,0,0,{death}")
    return deck


def finished(deck: Deck, folder: Path, name: str, ranks: int = 1) -> Run:
    (folder / f"{name}.k").write_text(deck.text())
    done = run(folder / f"{name}.k", folder / f"{name}{ranks}", "--double-files", ranks=ranks)
    assert done.status == 0, done.said
    return done


def end_of(done: Run) -> np.ndarray:
    """Places over time of the nodes with x = LENGTH at the start."""
    x = D3plot(str(done.directory / "d3plot")).arrays["node_displacement"]
    return x[:, np.isclose(x[0, :, 0], LENGTH), 0]


def test_half_moves_as_in_the_whole(tmp_path: Path) -> None:
    done = finished(whole(), tmp_path, "whole")
    (tmp_path / "whole.infmak").write_text((done.directory / "infmak").read_text())
    driven = finished(half(), tmp_path, "half")
    wanted, found = end_of(done), end_of(driven)
    moved = np.abs(wanted - wanted[0]).max()
    assert moved > 0.05
    np.testing.assert_allclose(found, wanted, atol=0.05 * moved)
    two = finished(whole(), tmp_path, "whole", ranks=2)
    lines = [(d.directory / "infmak").read_text().splitlines()[2:] for d in (done, two)]
    assert lines[0] == lines[1]


def test_discrete_links_are_the_same(tmp_path: Path) -> None:
    done = finished(whole(), tmp_path, "whole")
    (tmp_path / "whole.infmak").write_text((done.directory / "infmak").read_text())
    plain = finished(half(), tmp_path, "half")
    (tmp_path / "other.k").write_text(
        half().text().replace("LINKING_NODE_SET\n6,70,0,0,0,0,", "LINKING_DISCRETE_NODE_SET\n6,70")
    )
    other = run(tmp_path / "other.k", tmp_path / "other", "--double-files")
    assert other.status == 0, other.said
    assert other.hash == plain.hash


def test_finer_half_follows_segments(tmp_path: Path) -> None:
    """Its cross section has four elements where the interface has one segment."""
    deck = whole()
    text = deck.text().replace(
        "*INTERFACE_COMPONENT_NODE_ID\n70,the middle\n6", "*INTERFACE_COMPONENT_SEGMENT_ID\n70,\n9"
    )
    nodes = beam(Deck(), 0)[4]
    segment = ",".join(str(nodes[k]) for k in (0, 1, 3, 2))
    (tmp_path / "whole.k").write_text(text.replace("*END", f"*SET_SEGMENT\n9\n{segment}\n*END"))
    done = run(tmp_path / "whole.k", tmp_path / "whole", "--double-files")
    assert done.status == 0, done.said
    (tmp_path / "whole.infmak").write_text((done.directory / "infmak").read_text())
    fine = Deck()
    fine.control(END, END / 5)
    fine.part(1, "SOLID,1", LAW)
    ids = np.array(fine.block(1, (CELLS, 2, 2), (LENGTH / 2, 0.0, 0.0), (LENGTH / 2, 5.0, 5.0)))
    face = ids.reshape(3, 3, CELLS + 1)[:, :, 0]
    fine.add("*SET_SEGMENT\n9")
    for k in range(2):
        for j in range(2):
            corners = (face[k, j], face[k, j + 1], face[k + 1, j + 1], face[k + 1, j])
            fine.lines.append(",".join(map(str, corners)))
    fine.add("*INTERFACE_LINKING_FILE\nwhole.infmak\n*INTERFACE_LINKING_SEGMENT\n9,70")
    driven = finished(fine, tmp_path, "fine")
    wanted, found = end_of(done).mean(axis=1), end_of(driven).mean(axis=1)
    moved = np.abs(wanted - wanted[0]).max()
    assert moved > 0.05
    np.testing.assert_allclose(found, wanted, atol=0.1 * moved)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("6,70,", "6,71,"), "has no interface 71"),
        (("whole.infmak", "none.infmak"), "there is no file none.infmak"),
        (("6,70,0,0,0,0,", "6,70,0,0,0,3,"), "SPLINE = 3"),
        (("6,70,0,0,0,0,", "6,70,4,0,0,0,"), "FX = 4"),
    ],
)
def test_what_is_refused_of_interfaces(change: tuple[str, str], says: str, tmp_path: Path) -> None:
    (tmp_path / "whole.infmak").write_text("\n interface 70 nodes 1 time 0\n1 20 0 0\n")
    (tmp_path / "half.k").write_text(half().text().replace(*change))
    refused = run(tmp_path / "half.k", tmp_path / "out")
    assert refused.status == 2, refused.said
    assert says in refused.said


def test_nodes_elsewhere_and_torn_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "half.k").write_text(half().text())
    (tmp_path / "whole.infmak").write_text(
        "\n interface 70 nodes 2 time 0\n1 20 0 0\n2 20 1 0\n interface 70 nodes 2 time 1\n1 20 0 0\n"
    )
    assert "is not complete" in run(tmp_path / "half.k", tmp_path / "out").said
    (tmp_path / "whole.infmak").write_text("\n interface 70 nodes 2 time 0\n1 20 0 0\n2 20 1 0\n")
    assert "is not at interface 70 at its start" in run(tmp_path / "half.k", tmp_path / "out").said
    text = whole().text().replace("*CONTROL_OUTPUT\n0,0,0,0,1.e-6", "")
    (tmp_path / "whole.k").write_text(text)
    assert "OPIFS" in run(tmp_path / "whole.k", tmp_path / "out2").said
