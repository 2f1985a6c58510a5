"""Prints libFuzzer's dictionary: the keywords of the schema and what decks are made of."""

import json
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[2] / "solver" / "deck" / "schema"
PIECES = [
    "\\x0a",
    ",",
    "&",
    "$",
    "=====\\x0a",
    "1.5-3",
    "e999",
    "*KEYWORD LONG=S\\x0a",
    "*INCLUDE\\x0ainclude.k\\x0a",
]

names: set[str] = set()
for path in sorted(SCHEMA.glob("*.json")):
    if path.name != "references.json":
        names |= set(json.loads(path.read_text()))
for text in [*(f"*{name}\\x0a" for name in sorted(names)), *PIECES]:
    print(f'"{text}"')
