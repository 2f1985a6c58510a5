"""Which ranks a deck gets where the user names none: implicit decks are found without reading all of them."""

import pytest

from crumple.implicit_deck import is_implicit, ranks_for

GENERAL = "*KEYWORD\n*CONTROL_IMPLICIT_GENERAL\n$ a comment\n{}\n*END\n"


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("         1       0.1", True),
        ("1,0.1", True),
        ("         0       0.1", False),
        ("", False),
        (",0.1", False),
    ],
)
def test_the_flag_decides(tmp_path, card, expected):
    deck = tmp_path / "deck.k"
    deck.write_text(GENERAL.format(card))
    assert is_implicit(deck) is expected
    deck.write_text(GENERAL.lower().format(card).replace("\n", "\r\n"))
    assert is_implicit(deck) is expected


def test_by_a_parameter(tmp_path):
    deck = tmp_path / "deck.k"
    for value in (0, 1):
        deck.write_text(f"*PARAMETER\nI   flag  {value:10d}\n" + GENERAL.format("&flag"))
        assert is_implicit(deck) is bool(value)


def test_in_an_include_that_a_path_finds(tmp_path):
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "control.k").write_text(GENERAL.format("1"))
    deck = tmp_path / "deck.k"
    deck.write_text("*KEYWORD\n*INCLUDE\ncontrol.k\n")
    assert not is_implicit(deck)
    deck.write_text("*KEYWORD\n*INCLUDE_PATH\ncards\n*INCLUDE\ncontrol.k\ndeck.k\n")
    assert is_implicit(deck)


def test_explicit_and_missing_decks_are_not(tmp_path):
    deck = tmp_path / "deck.k"
    assert not is_implicit(deck)
    deck.write_text("no keyword at all")
    assert not is_implicit(deck)


def test_ranks_that_are_asked_for_stay(tmp_path):
    deck = tmp_path / "deck.k"
    deck.write_text(GENERAL.format("1"))
    chosen = ranks_for(deck, None, None, 2)
    assert chosen.ranks == 1
    assert chosen.threads >= 1
    assert chosen.said.startswith(f"implicit analysis: 1 rank with {chosen.threads} thread")
    assert (ranks_for(deck, None, 3, 2).ranks, ranks_for(deck, None, 3, 2).threads) == (1, 3)
    assert ranks_for(deck, 2, None, 4).ranks == 2
    assert not ranks_for(deck, 2, None, 4).said
    deck.write_text("*KEYWORD\n*END\n")
    explicit = ranks_for(deck, None, None, 4)
    assert (explicit.ranks, explicit.threads, explicit.said) == (4, 1, "")
