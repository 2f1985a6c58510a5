"""Options of *ELEMENT keywords: the same bits as the same structure written without them."""

import pytest
from small_decks import Deck
from solver_run import run

from crumple.results.glstat import read_glstat

ELASTIC = "ELASTIC,7.85e-6,210.,0.3"


def cantilevers(with_options: bool) -> str:
    """Beams of every form that bend under a load across; sizes and third nodes given one way or the other."""
    deck = Deck()
    deck.control(0.05, 0.05)
    size = (
        ("9.,9.,9.,9.", "1.,1.,1.,1.,1.", "1.") if with_options else ("2.,2.,3.,3.", "6.,2.,4.5,6.5,5.", "6.")
    )
    for part, form, sizes in ((1, "1,1.0,2,0", size[0]), (2, "2,1.0", size[1]), (3, "3", size[2])):
        deck.part(part, f"BEAM,{form}|{sizes}", ELASTIC)
    own = ("2.,0.,3.,0.,0.", "6.,2.,4.5,6.5,5.", "6.,0.,0.,0.,0.")
    for part in (1, 2, 3):
        row = [deck.node((10.0 * i, 20.0 * part, 0.0), held=7 * (i == 0)) for i in range(5)]
        third = deck.node((0.0, 20.0 * part, 8.0))
        for k, (a, b) in enumerate(zip(row, row[1:], strict=False)):
            deck.elements += 1
            start = f"{deck.elements},{part},{a},{b}"
            if with_options:
                deck.add(f"*ELEMENT_BEAM_THICKNESS_ORIENTATION\n{start}\n{own[part - 1]}\n{-10.0 * k},0.,8.")
            else:
                deck.add(f"*ELEMENT_BEAM\n{start},{third}")
        deck.add(f"*LOAD_NODE_POINT\n{row[-1]},1,1,0.5\n{row[-1]},{2 if part < 3 else 1},1,0.01")
    deck.add("*DEFINE_CURVE\n1\n0.,1.\n10.,1.")
    return deck.text()


def test_beams_with_their_own_sections_and_orientations(tmp_path):
    hashes = {}
    for with_options in (True, False):
        deck = tmp_path / f"{with_options}.k"
        deck.write_text(cantilevers(with_options))
        for ranks in (1, 2):
            done = run(deck, tmp_path / f"{with_options}{ranks}", ranks=ranks)
            assert done.status == 0, done.said
            hashes[with_options, ranks] = done.hash
    assert len(set(hashes.values())) == 1, hashes


def plates(with_options: bool) -> str:
    """Shells on their lower surface, by NLOC or by offsets, that a load bends and stretches."""
    deck = Deck()
    deck.control(0.1, 0.1, 0.01)
    for part, form in ((1, 2), (2, 16), (3, 4)):
        deck.part(part, f"SHELL,{form},0.8333,3|2.,2.,2.,2.,{0 if with_options else -1}", ELASTIC)
        first = len(deck.lines)
        grid = deck.plate(
            part,
            (4, 2),
            lambda u, v, part=part: (40 * u, 50 * part + 20 * v, 0.0),
            triangles=form == 4,
        )
        if with_options:
            lines = deck.lines[first:]
            for i, line in enumerate(lines):
                if line == "*ELEMENT_SHELL":
                    lines[i] = "*ELEMENT_SHELL_OFFSET"
                    lines[i + 1] += "\n1."
            deck.lines[first:] = lines
        deck.set("NODE", 10 + part, [row[0] for row in grid])
        deck.set("NODE", 20 + part, [row[-1] for row in grid])
        deck.add(f"*BOUNDARY_SPC_SET\n{10 + part},0,1,1,1,1,1,1\n*LOAD_NODE_SET\n{20 + part},1,1,0.5")
    deck.add("*DEFINE_CURVE\n1\n0.,0.\n0.05,1.\n10.,1.")
    return deck.text()


def test_offsets_are_what_nloc_is(tmp_path):
    last = {}
    for with_options in (True, False):
        deck = tmp_path / f"{with_options}.k"
        deck.write_text(plates(with_options))
        done = run(deck, tmp_path / str(with_options))
        assert done.status == 0, done.said
        last[with_options] = read_glstat(tmp_path / str(with_options) / "glstat").iloc[-1]
    assert last[True]["internal energy"] > 0
    for quantity in ("internal energy", "kinetic energy", "time step"):
        assert last[True][quantity] == pytest.approx(last[False][quantity], rel=1e-5)
