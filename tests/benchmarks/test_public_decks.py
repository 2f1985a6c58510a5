"""Which files of a folder count as decks, and the page that says what stops them."""

from collections import Counter

from public_decks import Deck, decks_of, page


def test_decks_are_whole_and_not_included(tmp_path):
    folder = tmp_path / "owner+name"
    folder.mkdir()
    texts = {
        "main.k": "*KEYWORD\n*CONTROL_TERMINATION\n1.\n*INCLUDE\nmesh.k\n*END\n",
        "mesh.k": "*PART\nplate\n1,1,1\n*ELEMENT_SHELL\n1,1,1,2,3,4\n",
        "alone.key": "*element_solid\n1,1,1,2,3,4,5,6,7,8\n",
        "cards.k": "*CONTROL_TERMINATION\n1.\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    decks, pieces = decks_of(tmp_path)
    assert [path.name for path in decks] == ["main.k"]
    assert pieces == 1


def test_page_counts_what_stops_decks_and_joins_alike_ones():
    decks = [
        Deck("a/b", "good.k", 1200),
        Deck("a/b", "one.k", 10, Counter({"*ICFD_PART": 3, "*ICFD_MAT": 1, "*MAT_MUSCLE": 1})),
        Deck("a/b", "two.k", 30, Counter({"*ICFD_MAT": 1, "*MAT_MUSCLE": 2})),
        Deck("c/d", "lost.k", 0, faults=Counter({"nodes are missing": 9})),
    ]
    text = page(decks, pieces=5)
    assert "Of 4 decks 1 are accepted; 1 have only faults of their own," in text
    assert "2 need what is not supported." in text
    assert "| *ICFD_... | 2 |\n| *MAT_MUSCLE | 2 |" in text
    assert "| a/b | good.k | 1,200 | accepted |" in text
    assert "| a/b | one.k and 1 more | 10 to 30 | *ICFD_..., *MAT_MUSCLE |" in text
    assert "| c/d | lost.k | 0 | faults: nodes are missing |" in text
