"""Every id that the source can report is explained in docs, once, and no other is."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ID = re.compile(r"CR-[A-Z]\d{3}")
DOCUMENTS = ("docs/errors.md", "docs/errors-deck.md")


def test_ids():
    told = set()
    for path in [*(ROOT / "solver").rglob("*.[ch]pp"), *(ROOT / "crumple").rglob("*.py")]:
        told |= set(ID.findall(path.read_text()))
    rows = [line for name in DOCUMENTS for line in (ROOT / name).read_text().splitlines()]
    explained = [m.group(1) for line in rows if (m := re.match(r"\| (CR-[A-Z]\d{3}) \|", line))]
    assert sorted(told - set(explained)) == []
    assert sorted(set(explained) - told) == []
    assert len(explained) == len(set(explained))
