"""Fields that the schema of keywords says are used are named by the code that reads them."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "solver" / "deck" / "schema"


def _schema() -> dict[str, dict]:
    entries: dict[str, dict] = {}
    for path in sorted(SCHEMA.glob("*.json")):
        entries |= {name: e for name, e in json.loads(path.read_text()).items() if name[0] not in "@/"}
    return entries


def _cards(name: str, entries: dict[str, dict]) -> list[dict]:
    entry = entries[name]
    cards = entry.get("cards") or (_cards(entry["like"], entries) if "like" in entry else [])
    return cards + entry.get("insert", {}).get("cards", [])


def _names_in_code() -> list[re.Pattern[str]]:
    """Texts of the code that may be names of fields; `{}` stands for what is put in."""
    texts: set[str] = set()
    beginnings: set[str] = set()
    for path in [*(ROOT / "solver").rglob("*.cpp"), *(ROOT / "solver").rglob("*.hpp")]:
        code = path.read_text()
        texts |= set(re.findall(r'"([A-Z][A-Z0-9_/{}-]*)"', code))
        beginnings |= set(re.findall(r'"([A-Z]{2,})" \+ ', code))
    patterns = []
    for text in texts | {f"{beginning}{{}}" for beginning in beginnings}:
        letters = text.partition("{}")[0]
        inside = r"\\d+" if len(letters) == 1 else r"[A-Z0-9]+"
        patterns.append(re.compile(re.sub(r"\\{\\}", inside, re.escape(text)) + "$"))
    return patterns


def _fields_that_count(card: dict) -> list[str]:
    """Fields of a card that is read by name, without those that a remark says something of."""
    if card.get("count") or card.get("repeat") or card.get("skip"):
        return []
    remarks = ("ignored", "refused")
    return [f[0] for f in card["fields"] if f[0] != "-" and not (len(f) > 4 and f[4].get("s") in remarks)]


# Refused where they have another value than 0.
WITHOUT_A_READER = {("CONTROL_SOLUTION", "SOLN")}


def test_every_field_that_is_used_has_a_reader():
    entries, code = _schema(), _names_in_code()
    unread = set()
    for name, entry in entries.items():
        if entry.get("support", "yes") not in ("yes", "partial"):
            continue
        for card in _cards(name, entries):
            for field in _fields_that_count(card):
                if not any(pattern.match(field) for pattern in code):
                    unread.add((name, field))
    assert unread == WITHOUT_A_READER


def test_fields_that_nothing_computes_with_have_a_remark():
    """Read into the model or not: no result depends on them."""
    entries = _schema()
    remarks = {}
    for name in ("CONTROL_SHELL", "CONTROL_ENERGY", "DEFINE_CURVE", "CONTROL_ACCURACY"):
        for card in _cards(name, entries):
            remarks |= {f[0]: f[4].get("s", "") for f in card.get("fields", []) if len(f) > 4}
    for field in ("PROJ", "SLNTEN", "HGEN", "DATTYP", "OSU", "INN"):
        assert remarks.get(field) == "ignored", field
    assert entries["CONTROL_ACCURACY"]["support"] == "partial"
