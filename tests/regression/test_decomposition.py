"""The pfile steers who has what, and never the result."""

import re

import pytest
from small_decks import falling_bodies
from solver_run import run

PFILES = {
    "directions": "decomp { rx 30 sy 5 sz 0.1 }",
    "contact": "decomp { silist 1 sx 2 }",
    "regions": """decomp { region { parts 1 lumped }
                           region { sphere 0 0 0 20 c2r 0 0 0 0 0 1 1 0 0 nproc 2 } }""",
    "metis": "decomp { method metis }",
}


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("deck") / "bodies.k"
    path.write_text(falling_bodies())
    return path


@pytest.fixture(scope="module")
def one_rank(deck, tmp_path_factory):
    return run(deck, tmp_path_factory.mktemp("one"), "ncycle=60")


def shares(text: str) -> list[float]:
    return [float(s) for s in re.findall(r"^ +\d+ +\d+ +(\d+\.\d+) %", text, re.MULTILINE)]


@pytest.mark.parametrize("name", PFILES)
def test_same_bits(name, deck, one_rank, tmp_path):
    pfile = tmp_path / "pfile"
    pfile.write_text(PFILES[name])
    done = run(deck, tmp_path, f"p={pfile}", "ncycle=60", ranks=3)
    assert done.status == 0, done.said
    assert done.hash == one_rank.hash
    assert sum(shares(done.stdout)) == pytest.approx(100.0, abs=0.1)


CARDS = """*CONTROL_MPP_DECOMPOSITION_TRANSFORMATION
RX,30.
SY,5.
*CONTROL_MPP_DECOMPOSITION_ARRANGE_PARTS
1,10
*CONTROL_MPP_DECOMPOSITION_CONTACT_DISTRIBUTE
1
*END"""


def test_cards_of_the_deck(deck, one_rank, tmp_path):
    """They steer as a pfile of the same words does."""
    with_cards = tmp_path / "cards.k"
    with_cards.write_text(deck.read_text().replace("*END", CARDS))
    done = run(with_cards, tmp_path / "run", "ncycle=60", ranks=3)
    assert done.status == 0, done.said
    assert done.hash == one_rank.hash
    pfile = tmp_path / "pfile"
    pfile.write_text("decomp { rx 30 sy 5 silist 1 region { parts 1 lumped } }")
    same = run(deck, tmp_path / "pfiled", f"p={pfile}", "--decompose", "3")
    assert shares(done.stdout) == shares(same.stdout)
    plain = run(deck, tmp_path / "plain", "--decompose", "3")
    assert shares(done.stdout) != shares(plain.stdout)


def test_directions_change_the_cuts(deck, tmp_path):
    """Neighbours and shared nodes differ, the balance stays."""
    tables = {}
    for name, words in {"x": "sx 1e3", "y": "sy 1e3"}.items():
        pfile = tmp_path / name
        pfile.write_text(f"decomp {{ {words} }}")
        done = run(deck, tmp_path / f"out{name}", f"p={pfile}", "--decompose", "4")
        assert done.status == 0, done.said
        tables[name] = done.stdout
        assert max(shares(done.stdout)) < 30.0
        assert (tmp_path / f"out{name}" / "d3plot").exists()
    assert tables["x"].split("largest")[0] != tables["y"].split("largest")[0]


def test_show_stops(deck, tmp_path):
    pfile = tmp_path / "pfile"
    pfile.write_text("decomp { numproc 5 show }")
    done = run(deck, tmp_path, f"p={pfile}", ranks=2)
    assert done.status == 0, done.said
    assert len(shares(done.stdout)) == 5
    assert "cycle" not in done.stdout.replace("neighbours", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("decomp { sx }", "CR-P020"),
        ("decomp { silist 77 }", "CR-P012"),
        ("decomp {\n parts 7777 }", "CR-P012"),
        ("decomp { numproc 3 }", "CR-P013"),
        (None, "CR-P021"),
    ],
)
def test_mistakes(text, said, deck, tmp_path):
    pfile = tmp_path / "pfile"
    if text:
        pfile.write_text(text)
    done = run(deck, tmp_path, f"p={pfile}", ranks=2)
    assert done.status == 2, done.said
    assert f"error {said}" in done.stderr
    assert done.stderr.count("error") == 1
