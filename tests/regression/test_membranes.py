"""Membranes (ELFORM 5) in decks: quadrilaterals and triangles on 1 to 3 ranks, and what they do not take."""

import numpy as np
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import run


def inflated(layers: int = 2, offset: float = 0.0) -> str:
    """A sheet of quadrilaterals beside one of triangles, held at their edges, that a pressure inflates."""
    deck = Deck()
    deck.control(0.1, 0.1)
    held = []
    for part, triangles in ((1, False), (2, True)):
        deck.part(part, f"SHELL,5,0.8333,{layers}|0.5,0.5,0.5,0.5,{offset}", f"ELASTIC,{STEEL}")
        grid = deck.plate(
            part, (6, 4), lambda u, v, part=part: (60 * u, 50 * part + 40 * v, 0.0), triangles=triangles
        )
        held += [*grid[0], *grid[-1], *(n for row in grid[1:-1] for n in (row[0], row[-1]))]
    deck.set("NODE", 1, held)
    deck.set("PART", 2, [1, 2])
    deck.add("*SET_SEGMENT_GENERAL\n3\nPART,1,2\n*LOAD_SEGMENT_SET\n3,1,-1.")
    deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1\n*DEFINE_CURVE\n1\n0.,1e-3\n1.,1e-3")
    return deck.text()


def test_they_inflate_alike_on_any_number_of_ranks(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(inflated())
    hashes = {}
    for ranks in (1, 2, 3):
        done = run(deck, tmp_path / f"{ranks}", ranks=ranks)
        assert done.status == 0, done.said
        assert "computed with form 4" not in done.said
        hashes[ranks] = done.hash
        assert done.progress[-1].internal > 0
        stress = D3plot(str(done.directory / "d3plot")).arrays["element_shell_stress"][-1]
        assert np.isfinite(stress).all()
        assert np.ptp(stress, axis=1).max() == 0  # the one layer in all layers of the plot
        assert stress[:, 0, :2].mean() > 0.1
    assert len(set(hashes.values())) == 1, hashes


def test_layers_are_reported_and_offsets_refused(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(inflated(layers=3))
    assert "NIP" in run(deck, tmp_path / "layers").said
    deck.write_text(inflated(offset=1.0))
    done = run(deck, tmp_path / "offset")
    assert done.status != 0
    assert "CR-E104" in done.said
