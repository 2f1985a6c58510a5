"""d3hsp echoes the run: control values, the model, what became of every keyword, and how it ended."""

import small_decks
from solver_run import run


def test_d3hsp_echoes_the_run(tmp_path):
    deck = tmp_path / "plate.k"
    deck.write_text(small_decks.torn_plate())
    done = run(deck, tmp_path / "out", "ncycle=20")
    assert done.status == 0, done.said
    text = (tmp_path / "out" / "d3hsp").read_text()
    for heading in ("c o n t r o l", "k e y w o r d   c o v e r a g e", "p a r t   s u m m a r y"):
        assert heading in text
    assert "*ELEMENT_SHELL" in text
    assert "state hash: " in text
    assert text.rstrip().endswith("N o r m a l    t e r m i n a t i o n")
