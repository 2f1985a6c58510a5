"""Contact keywords that are other contacts under another name."""

import pytest
from small_decks import falling_bodies
from solver_run import run

NAMES = {
    "one way": ("AUTOMATIC_NODES_TO_SURFACE", "AUTOMATIC_ONE_WAY_SURFACE_TO_SURFACE"),
}


@pytest.mark.parametrize("name", NAMES)
def test_same_as(name, tmp_path):
    plain, other = NAMES[name]
    hashes = []
    for k, keyword in enumerate((plain, other)):
        deck = tmp_path / f"deck{k}.k"
        text = falling_bodies()
        single = "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n"
        assert single in text
        sides = "9,0,2,0" if "SINGLE" in keyword else "9,9,2,2"
        deck.write_text(text.replace(single, f"*CONTACT_{keyword}\n{sides}\n"))
        done = run(deck, tmp_path / str(k), "ncycle=300")
        assert done.status == 0, done.said
        hashes.append(done.hash)
    assert hashes[0] == hashes[1]
