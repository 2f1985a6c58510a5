"""Links between nodes against closed forms, and the same bits on any number of ranks."""

import pytest
from small_decks import Deck
from solver_run import Run, run

END = 0.3
LENGTH, WIDTH, LOAD = 10.0, 4.0, 1e-3


def strip_on_block(more: str, stiff: float = 100.0) -> tuple[Deck, list[list[int]]]:
    """A strip of shells whose edge is in the middle of a block's face, on three fibres; rows of its nodes."""
    deck = Deck()
    deck.control(END, END, END / 20)
    deck.part(1, "SOLID,2", f"ELASTIC,{7.85e-6 * stiff},{210.0 * stiff},0.")
    deck.part(2, "SHELL,16,0.8333,3|1.,1.,1.,1.", "ELASTIC,7.85e-6,210.,0.")
    block = deck.block(1, (3, 2, 4), (-4.0, 0.0, -2.0), (4.0, WIDTH, 4.0))
    rows = deck.plate(2, (10, 2), lambda u, v: (LENGTH * u, WIDTH * v, 0.0))
    for j, row in enumerate(rows):
        fibre = [block[12 * k + 4 * j + 3] for k in range(5)]
        deck.set("NODE", 10 + j, fibre)
        deck.add(f"*CONSTRAINED_SHELL_TO_SOLID\n{row[0]},{10 + j}")
    deck.set("NODE", 1, [n for k, n in enumerate(block) if k % 4 == 0])
    deck.add(more)
    return deck, rows


def finished(deck: Deck, tmp_path) -> Run:
    """The run on one rank; two and three have the same state."""
    path = tmp_path / "deck.k"
    path.write_text(deck.text())
    one = run(path, tmp_path / "one")
    assert one.status == 0, one.said
    for ranks, method in ((2, "rcb"), (3, "metis")):
        other = run(path, tmp_path / f"ranks{ranks}", "--decomposition", method, ranks=ranks)
        assert other.hash == one.hash
    return one


def last_of_nodout(done: Run, node: int) -> list[float]:
    """Displacements of a node in the last state of nodout."""
    rows = [line.split() for line in done.history("nodout")]
    mine = [words for words in rows if len(words) == 13 and words[0] == str(node)]
    return [float(w) for w in mine[-1][1:4]]


def test_cantilever_on_fibres(tmp_path):
    """The fibres carry the moment: P L^3 / (3 E I) and the shear P L / (k G A), as if it were clamped."""
    deck, rows = strip_on_block("*BOUNDARY_SPC_SET\n1,0,1,1,1")
    deck.add("*DEFINE_CURVE\n1\n0.,1.\n100.,1.\n*DAMPING_GLOBAL\n0,105.")
    for row, share in zip(rows, (0.25, 0.5, 0.25), strict=True):
        deck.add(f"*LOAD_NODE_POINT\n{row[-1]},3,1,{LOAD * share}")
    middle = rows[1][-1]
    deck.add(f"*DATABASE_NODOUT\n{END / 20}\n*DATABASE_HISTORY_NODE\n{middle},")
    done = finished(deck, tmp_path)
    inertia = WIDTH / 12.0
    wanted = LOAD * LENGTH**3 / (3 * 210.0 * inertia) + LOAD * LENGTH / (0.8333 * 105.0 * WIDTH)
    assert last_of_nodout(done, middle)[2] == pytest.approx(wanted, rel=0.02)


def test_spinning_strip_on_fibres(tmp_path):
    """A free body that turns by a radian and flies has no strain, and keeps its energy."""
    spin = "*SET_PART_LIST\n5\n1,2\n*INITIAL_VELOCITY_GENERATION\n5,1,3.3,3.,0.,1.\n0.,2.,0.,0.6,0.8,0.\n"
    deck, _ = strip_on_block(spin, stiff=1.0)
    done = finished(deck, tmp_path)
    last = done.progress[-1]
    assert last.internal < 2e-3 * last.kinetic
    assert last.kinetic == pytest.approx(done.progress[0].kinetic, rel=2e-3)
    assert last.ratio == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("damping", [0.0, 5.0])
def test_set_of_nodes_with_a_held_one(damping, tmp_path):
    """Nodes of a set share what holds or moves one of them: a plane that is pushed, whose work counts."""
    deck = Deck()
    deck.control(END, END, END / 20)
    deck.part(1, "SOLID,1", "ELASTIC,7.85e-6,210.,0.")
    block = deck.block(1, (4, 2, 2), (0.0, 0.0, 0.0), (8.0, 4.0, 4.0))
    left = [n for k, n in enumerate(block) if k % 5 == 0]
    right = [n for k, n in enumerate(block) if k % 5 == 4]
    deck.set("NODE", 1, left)
    deck.set("NODE", 2, right)
    deck.add("*CONSTRAINED_NODE_SET\n1,1\n2,1")
    deck.add(f"*BOUNDARY_SPC_NODE\n{left[0]},0,1")
    deck.add(
        f"*DEFINE_CURVE\n1\n0.,0.\n0.2,0.008\n1.,0.008\n*BOUNDARY_PRESCRIBED_MOTION_NODE\n{right[4]},1,2,1"
    )
    deck.add(f"*DAMPING_GLOBAL\n0,{damping}")
    done = finished(deck, tmp_path)
    last = done.progress[-1]
    assert last.internal == pytest.approx(0.5 * 210.0 * 1e-6 * 128.0, rel=0.01)
    assert last.ratio == pytest.approx(1.0, abs=2e-3)
