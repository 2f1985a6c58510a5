"""Fields that the schema says are used have a reader, and members of the model have one, too."""

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
        inside = r"\\d*" if len(letters) == 1 else r"[A-Z0-9]*"
        patterns.append(re.compile(re.sub(r"\\{\\}", inside, re.escape(text)) + "$"))
    return patterns


def _fields_that_count(card: dict) -> list[str]:
    """Fields of a card that is read by name, without those that a remark says something of."""
    if card.get("count") or card.get("repeat") or card.get("skip"):
        return []
    remarks = ("ignored", "refused")
    return [f[0] for f in card["fields"] if f[0] != "-" and not (len(f) > 4 and f[4].get("s") in remarks)]


def _fields_that_choose_cards(name: str, entries: dict[str, dict]) -> set[str]:
    """The reader of decks itself looks at these."""
    conditions = [str(card.get(key, "")) for card in _cards(name, entries) for key in ("when", "count")]
    return set(re.findall(r"[A-Z][A-Z0-9_/]*", " ".join(conditions)))


# Refused where they have another value than 0.
WITHOUT_A_READER = {("CONTROL_SOLUTION", "SOLN")}


def test_every_field_that_is_used_has_a_reader():
    entries, code = _schema(), _names_in_code()
    unread = set()
    for name, entry in entries.items():
        if entry.get("support", "yes") not in ("yes", "partial"):
            continue
        choosing = _fields_that_choose_cards(name, entries)
        for card in _cards(name, entries):
            for field in _fields_that_count(card):
                if field not in choosing and not any(pattern.match(field) for pattern in code):
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


def _without_comments(path: Path) -> str:
    return re.sub(r"//[^\n]*", "", path.read_text())


def _members(header: str) -> list[tuple[str, str]]:
    """Structs of a header and their data members."""
    members = []
    for struct in re.finditer(r"^struct (\w+) \{\n(.*?)^\};", header, re.DOTALL | re.MULTILINE):
        body = struct[2]
        while (inner := re.sub(r"\{[^{}]*\}", "", body)) != body:
            body = inner
        for statement in body.split(";"):
            kind_and_names = re.match(r"\s*[\w:]+(?:<.*>)?\s+(.*)", statement, re.DOTALL)
            if "(" in statement.partition("=")[0] or not kind_and_names:
                continue
            names = [name.partition("=")[0].strip() for name in kind_and_names[1].split(",")]
            members += [(struct[1], name) for name in names if re.fullmatch(r"\w+", name)]
    return members


def _model_headers() -> list[Path]:
    """The headers that Model is made of."""
    folder = ROOT / "solver" / "model"
    names = re.findall(r'#include "model/(\w+\.hpp)"', (folder / "model.hpp").read_text())
    return [folder / name for name in names]


def _code(folder: Path) -> str:
    """All code, without what only copies members from rank to rank."""
    files = [f for f in sorted(folder.rglob("*.[ch]pp")) if f.name not in ("archive.cpp", "fields.hpp")]
    return "\n".join(_without_comments(f) for f in files)


def test_every_member_of_the_model_is_read():
    """Members that are set and never read are what a deck asks for in vain."""
    reads = set(re.findall(r"(?:\.|->|::)(\w+)\b(?!\s*=[^=])", _code(ROOT / "solver")))
    members = [member for header in _model_headers() for member in _members(_without_comments(header))]
    assert len(members) > 250
    assert [f"{struct}::{name}" for struct, name in members if name not in reads] == []


def test_every_member_of_control_is_set():
    """What cards ask for is set by the readers of keywords: a default that nothing changes is a constant."""
    named = set(re.findall(r"(?:\.|->|::)(\w+)\b", _code(ROOT / "solver" / "model")))
    named |= set(re.findall(r"\.control\.(\w+) =", _code(ROOT / "solver")))
    members = [
        member
        for header in _model_headers()
        for member in _members(_without_comments(header))
        if member[0] in ("Control", "OutputControl", "Relaxation", "Contact", "RigidWall")
    ]
    # Filled by preparation, not by a card.
    filled_later = {"ties", "springs", "breaking"}
    assert [f"{struct}::{name}" for struct, name in members if name not in named | filled_later] == []
