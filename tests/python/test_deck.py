"""Decks in Python: fields by name in every format, keywords added and taken away, text that stays."""

from pathlib import Path

import pytest
from small_decks import torn_plate

import crumple
from crumple.deck import schema_data
from crumple.deck.card_condition import CardContext, condition_of
from crumple.deck.field_text import STANDARD, CardLine, FieldLayout

ROOT = Path(__file__).resolve().parents[2]
DECKS = sorted((ROOT / "tests" / "fuzz" / "corpus" / "deck").iterdir())

FIXED = """*KEYWORD
$ a comment
*PART
bumper
         3         7        24
*SECTION_SHELL_TITLE
front
         7         2       1.0         5
       1.5       1.5       1.5       1.5
rear
         8         2       1.0         5
       2.5       2.5       2.5       2.5
*DEFINE_CURVE
         1
                 0.0                 1.0
                 2.0                 4.0
*END
behind the end
"""
PLAIN = FIXED.replace("_TITLE\nfront", "").replace("rear\n", "")


def test_the_schema_of_every_keyword_is_read():
    known = schema_data.entries()
    assert len(known) > 400
    cards = [card for name in known for card in schema_data.layout_of(name).cards]
    assert len(cards) > 800
    # Every condition has a value for a record that says nothing.
    for card in cards:
        for condition in (card.when, card.count):
            if condition is not None:
                assert condition.value(CardContext(frozenset())) >= 0.0 or "IDAM" in condition.text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("has(MPP) && ampersand", 1.0),
        ("!given(N1)", 1.0),
        ("!given(A)", 0.0),
        ("ceil(NIP/8)", 2.0),
        ("2*A*NIP + 1", 55.0),
        ("'QR/IRID'==1 || A >= 3", 1.0),
        ("max(MISSING, 1)", 1.0),
        ("A/MISSING", 0.0),
        ("A!=3", 0.0),
    ],
)
def test_conditions_of_cards(text, value):
    context = CardContext(frozenset({"MPP"}), {"NIP": 9.0, "A": 3.0}, {"A"}, ampersand=True)
    assert condition_of(text).value(context) == value


def test_a_condition_in_another_language_is_refused():
    with pytest.raises(ValueError, match="column 2"):
        condition_of("A # 3")


def test_text_that_is_not_changed_stays():
    deck = crumple.Deck.from_text(FIXED)
    assert deck.text == FIXED
    assert [block.name for block in deck] == ["KEYWORD", "PART", "SECTION_SHELL_TITLE", "DEFINE_CURVE", "END"]


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.name)
def test_files_stay_and_their_fields_can_be_read(path):
    deck = crumple.Deck(path)
    assert deck.text == path.read_text(encoding="latin-1").replace("\r\n", "\n")
    for block in deck:
        if block.resolved:
            assert all(record.fields() for record in block.records() if record.cards)


def test_fields_by_name():
    deck = crumple.Deck.from_text(FIXED)
    assert deck["PART"]["MID"] == 24
    assert deck["PART"]["HEADING"] == "bumper"
    assert deck["*part"]["SECID"] == 7
    sections = deck.records("SECTION_SHELL")
    assert [section["_TITLE"] for section in sections] == ["front", "rear"]
    assert [section["T1"] for section in sections] == [1.5, 2.5]
    assert deck["DEFINE_CURVE"].only_record().rows("A") == [0.0, 2.0]


def test_a_record_is_found_by_its_values():
    deck = crumple.Deck.from_text(PLAIN)
    second = deck.find("SECTION_SHELL", SECID=8)
    assert second["T1"] == 2.5
    second["T1"] = 2.25
    assert "      2.25       2.5       2.5       2.5" in deck.text
    assert deck.find("SECTION_SHELL", SECID=7)["T1"] == 1.5
    with pytest.raises(crumple.DeckEditError, match="no records of .SECTION_SHELL with SECID = 9"):
        deck.find("SECTION_SHELL", SECID=9)
    with pytest.raises(crumple.DeckEditError, match="2 records of"):
        deck.find("SECTION_SHELL")
    with pytest.raises(crumple.DeckEditError, match="2 records here"):
        deck["SECTION_SHELL"]["T1"]


def test_digits_that_do_not_fit_the_columns_are_kept():
    deck = crumple.Deck.from_text(PLAIN)
    record = deck.find("SECTION_SHELL", SECID=7)
    record["T1"] = 1.2345678901234567
    assert record["T1"] == 1.2345678901234567
    assert record["T2"] == 1.5
    assert "\n1.2345678901234567,1.5,1.5,1.5\n" in deck.text


@pytest.mark.parametrize(
    ("written", "value"), [("1.5-3", 1.5e-3), ("1.5D+2", 150.0), ("-.5", -0.5), ("3", 3.0), ("", 0.8)]
)
def test_numbers_as_decks_write_them(written, value):
    field = FieldLayout("X", "F", 0.8, 10)
    block = crumple.Deck.from_text(f"*CONTROL_TIMESTEP\n       0.0{written:>10}\n")["CONTROL_TIMESTEP"]
    if written:
        assert block["TSSFAC"] == pytest.approx(value)
    else:
        assert block["TSSFAC"] == 0.9
    assert CardLine(written, (field,), STANDARD).pieces() == [written]


@pytest.mark.parametrize(
    ("head", "line", "end"),
    [
        ("*MAT_ELASTIC", "1,7.85e-6,210.,0.3", 210.0),
        ("*MAT_001 +", "".join(f"{value:>20}" for value in (1, 7.85e-06, 210.0, 0.3)), 210.0),
        ("*mat_elastic", "         1  7.85e-06\t\t       0.3", 0.0),
        ("*MAT_ELASTIC_TITLE", "steel\n         1  7.85e-6      210.       0.3", 210.0),
    ],
)
def test_formats(head, line, end):
    deck = crumple.Deck.from_text(f"{head}\n{line}\n")
    record = deck.find("MAT_001", MID=1)
    assert record["E"] == end
    assert record["RO"] == 7.85e-6
    record["PR"] = 0.25
    assert record["PR"] == 0.25
    assert record["E"] == end


def test_long_decks():
    line = "".join(f"{value:>20}" for value in (1, 7.85e-6, 210.0, 0.3))
    deck = crumple.Deck.from_text(f"*KEYWORD LONG=Y\n*MAT_ELASTIC\n{line}\n*END\n")
    assert deck["MAT_ELASTIC"]["E"] == 210.0
    deck.append("*CONTROL_TERMINATION\n      20.0")
    assert "*CONTROL_TERMINATION -\n" in deck.text
    assert deck["CONTROL_TERMINATION"]["ENDTIM"] == 20.0


def test_a_card_that_is_missing_is_added():
    deck = crumple.Deck.from_text("*MAT_RIGID\n         1   7.85e-6     210.0       0.3\n")
    block = deck["MAT_RIGID"]
    block["CON1"] = 7
    assert len(block.lines) == 3
    assert (block["CMO"], block["CON1"]) == (0.0, 7.0)
    with pytest.raises(crumple.DeckEditError, match="has no card with T1"):
        crumple.Deck.from_text("*SECTION_SHELL\n         1         2\n").find("SECTION_SHELL")["T1"] = 1.0


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("PRR", 1.0, "no field 'PRR'; nearest: PR"),
        ("MID", 1.5, "whole numbers"),
        ("E", float("nan"), "no value for E"),
        ("E", "steel", "no number"),
    ],
)
def test_values_that_are_refused(name, value, why):
    deck = crumple.Deck.from_text("*MAT_ELASTIC\n         1   7.85e-6     210.0       0.3\n")
    before = deck.text
    with pytest.raises(crumple.DeckEditError, match=why):
        deck["MAT_ELASTIC"][name] = value
    assert deck.text == before


def test_messages_name_what_is_like_it():
    deck = crumple.Deck.from_text("*CONTROL_TERMINATION\n1.0\n*ODD_KEYWORD\n1\n")
    with pytest.raises(crumple.DeckEditError, match="no .CONTROL_TERMINATON; nearest: CONTROL_TERMINATION"):
        deck["CONTROL_TERMINATON"]
    with pytest.raises(crumple.DeckEditError, match="fields of .ODD_KEYWORD are not known: edit its `lines`"):
        deck["ODD_KEYWORD"]["A"]


def test_parameters():
    deck = crumple.Deck.from_text(
        "*PARAMETER\nR    THICK       1.5I    COUNT         3\n*PARAMETER\nrspeed,12.5\n*SECTION_SHELL\n"
        "         1         2\n    &thick\n"
    )
    assert dict(deck.parameters) == {"THICK": 1.5, "COUNT": 3, "SPEED": 12.5}
    deck.parameters["thick"] = 2.5
    deck.parameters["SPEED"] = 1.0 / 3.0
    deck.parameters["new"] = 4
    assert deck.parameters["THICK"] == 2.5
    assert "R    THICK       2.5I    COUNT         3" in deck.text
    assert deck.parameters["speed"] == 1.0 / 3.0
    assert "*PARAMETER\nINEW,4\n" in deck.text
    assert deck["SECTION_SHELL"].only_record()["T1"] == "&thick"
    with pytest.raises(crumple.DeckEditError, match="no parameter 'THIK'; nearest: THICK"):
        deck.parameters["THIK"]
    del deck.parameters["COUNT"]
    assert "COUNT" not in deck.parameters and deck.parameters["THICK"] == 2.5


def test_keywords_are_added_replaced_and_removed():
    deck = crumple.Deck.from_text(FIXED)
    deck.append("*KEYWORD\n*CONTROL_ENERGY\n2\n*END\n")
    assert [block.name for block in deck][-2:] == ["CONTROL_ENERGY", "END"]
    deck.replace("CONTROL_ENERGY", "*CONTROL_ENERGY\n1\n*CONTROL_HOURGLASS\n4")
    assert deck["CONTROL_ENERGY"]["HGEN"] == 1
    assert deck.remove("CONTROL_HOURGLASS") == 1
    assert "CONTROL_HOURGLASS" not in deck
    with pytest.raises(crumple.DeckEditError, match="has no"):
        deck.remove("CONTROL_HOURGLASS")
    with pytest.raises(crumple.DeckEditError, match="is no keyword"):
        deck.append("CONTROL_ENERGY\n1\n")


def test_what_writes_keywords_is_taken():
    class Keyword:
        def write(self) -> str:
            return "*CONTROL_TERMINATION\n$#  endtim\n      12.5\n"

    deck = crumple.Deck.from_text([Keyword(), "*CONTROL_ENERGY\n2"])
    deck.append([Keyword()])
    assert [r["ENDTIM"] for r in deck.records("CONTROL_TERMINATION")] == [12.5, 12.5]
    assert deck.text.startswith("*KEYWORD\n") and deck.text.endswith("*END\n")
    with pytest.raises(TypeError, match="float is no keyword"):
        deck.append(1.5)


def test_tables_of_nodes_are_read_and_moved():
    deck = crumple.Deck.from_text(torn_plate())
    nodes = deck.table("NODE")
    assert list(nodes.columns) == ["NID", "X", "Y", "Z", "TC", "RC"]
    assert len(nodes) == 389 and nodes["X"].min() == -30.0
    deck.set_column("NODE", "Z", nodes["Z"] + 0.1)
    assert deck.table("NODE")["Z"].tolist() == (nodes["Z"] + 0.1).tolist()
    assert deck.table("NODE")["X"].equals(nodes["X"])
    with pytest.raises(crumple.DeckEditError, match="1 values of X for 389 records"):
        deck.set_column("NODE", "X", [1.0])


def test_a_copy_is_changed_apart():
    deck = crumple.Deck.from_text(FIXED)
    other = deck.copy()
    other["PART"]["MID"] = 25
    assert (deck["PART"]["MID"], other["PART"]["MID"]) == (24, 25)


def test_included_files_are_found_from_another_folder(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "main.k").write_text("*KEYWORD\n*INCLUDE\nmesh.k\n*END\n")
    deck = crumple.Deck(tmp_path / "a" / "main.k")
    assert "INCLUDE_PATH" not in deck.write(tmp_path / "a" / "other.k")
    (tmp_path / "b").mkdir()
    text = deck.write(tmp_path / "b" / "main.k")
    block = crumple.Deck.from_text(text).blocks[1]
    assert block.name == "INCLUDE_PATH"
    assert "".join(line.removesuffix(" +") for line in block.lines[1:]) == str(tmp_path / "a")
    assert all(len(line) <= 80 for line in block.lines)
