"""Tries the check of a deck on every deck below a folder, and writes docs/decks.md.

    python benchmarks/public_decks.py FOLDER [--page docs/decks.md] [--limit 60]

FOLDER has one folder for each repository, named owner+name. A deck is a file with parts, elements and
*CONTROL_TERMINATION, itself or through its includes, that no other file includes; other files with elements
are pieces of decks, and only counted. --limit: seconds for each deck.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {".k", ".key", ".dyn", ".kfile"}
ELEMENT = re.compile(
    r"^\*ELEMENT_(SHELL|SOLID|BEAM|DISCRETE|TSHELL|SPH|SEATBELT)", re.IGNORECASE | re.MULTILINE
)
WHOLE = [re.compile(rf"^\*{name}", re.IGNORECASE | re.MULTILINE) for name in ("PART", "CONTROL_TERMINATION")]
ERROR = re.compile(r"(?:^|: )error (CR-\w+): (.*)$")
COUNT = re.compile(r"^  (?:shells|solids|beams|springs and dampers|springs) +([\d,]+)", re.MULTILINE)
KEYWORD = re.compile(r"\*[A-Z][A-Z0-9_\-+]+")
#: A row of the table of keywords that the check ends with.
COVERED = re.compile(r"^\*(\S+) +(yes|partial|ignored|refused|unknown) +\d+ +\d+$", re.MULTILINE)
#: A row of the table of parts, and what the check says of formulations that are not supported.
PART = re.compile(r"^ +\d+ .* (beam|shell|solid) +(-?\d+) +[\d,]+ +\d+ ", re.MULTILINE)
NO_FORM = re.compile(r"formulation ELFORM = (-?\d+) of (\w+) elements is not supported")
#: What is not supported: keywords, fields, and physics. Other errors are faults of the deck.
NOT_SUPPORTED = {"CR-D102", "CR-D203", "CR-D320"}
FAULTS = {
    "CR-D002": "an include file is missing",
    "CR-D006": "an include file is binary",
    "CR-D011": "parameters are not defined",
    "CR-D110": "fields cannot be read",
    "CR-D301": "numbers are given twice",
    "CR-D302": "parts, sections or materials are missing",
    "CR-D303": "nodes are missing",
    "CR-D304": "curves or vectors are missing",
    "CR-D305": "sets are missing",
    "CR-D310": "values are not valid",
    "CR-E301": "beams have no length",
    "CR-M110": "they need a library of the user's own laws",
}


@dataclass
class Deck:
    """What the check said of one deck; `stops` and `faults` count messages by cause."""

    repository: str
    path: str
    elements: int = 0
    stops: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    keywords: dict[str, str] = field(default_factory=dict)  #: how each keyword of it is supported
    forms: set[tuple[str, str]] = field(default_factory=set)  #: kinds and numbers of formulations
    no_forms: set[tuple[str, str]] = field(default_factory=set)  #: those that are not supported

    @property
    def accepted(self) -> bool:
        """Whether there is no error."""
        return not self.stops and not self.faults


def text_of(path: Path) -> str:
    """A file's text, whatever its bytes."""
    return path.read_text(errors="replace")


def includes_of(path: Path) -> set[Path]:
    """Files that the include keywords of a file name, those that exist."""
    found, follows = set(), False
    for line in text_of(path).splitlines():
        if line.startswith("*"):
            follows = line.upper().startswith("*INCLUDE")
        elif follows and line.strip() and not line.startswith("$"):
            named = path.parent / line.strip()
            follows = False
            if named.is_file():
                found.add(named.resolve())
    return found


def decks_of(folder: Path) -> tuple[list[Path], int]:
    """The decks below a folder, and the number of pieces: see the description of the program."""
    files = sorted(p.resolve() for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    inner = {q for path in files for q in includes_of(path)}

    def has(path: Path, what: re.Pattern[str], seen: set[Path]) -> bool:
        if path in seen:
            return False
        seen.add(path)
        return bool(what.search(text_of(path))) or any(has(q, what, seen) for q in includes_of(path))

    meshes = [p for p in files if p not in inner and has(p, ELEMENT, set())]
    whole = [p for p in meshes if all(has(p, what, set()) for what in WHOLE)]
    return whole, len(meshes) - len(whole)


def check(path: Path, folder: Path, limit: float) -> Deck:
    """Run the check on one deck."""
    inside = path.relative_to(folder.resolve())
    deck = Deck(inside.parts[0].replace("+", "/"), "/".join(inside.parts[1:]))
    command = [str(ROOT / "bin" / "crumple-solver"), "--check", f"i={path}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        deck.faults[f"the check takes longer than {limit:g} s"] += 1
        return deck
    text = done.stdout + done.stderr
    deck.keywords = dict(COVERED.findall(text))
    deck.no_forms = {(kind, number) for number, kind in NO_FORM.findall(text)}
    deck.forms = set(PART.findall(text)) | deck.no_forms
    deck.elements = sum(int(n.replace(",", "")) for n in COUNT.findall(text))
    for line in text.splitlines():
        if not (found := ERROR.search(line)):
            continue
        number, message = found.groups()
        named = KEYWORD.search(message)
        if number in NOT_SUPPORTED:
            deck.stops[named.group(0) if named else message] += 1
        else:
            deck.faults[FAULTS.get(number, number)] += 1
    return deck


def families(keywords: Iterable[str]) -> list[str]:
    """Keywords as a table shows them: families of other physics as one."""
    others = ("*ICFD_", "*EM_", "*MESH_", "*ALE_")
    return sorted({next((f"{o}..." for o in others if k.startswith(o)), k) for k in keywords})


def what_is_read(decks: list[Deck]) -> list[str]:
    """How many of the keywords, laws and formulations that the decks use are read, as lines."""
    used = {name: support for deck in decks for name, support in deck.keywords.items()}
    read = {name for name, support in used.items() if support in ("yes", "partial")}
    ignored = sum(support == "ignored" for support in used.values())
    laws = {name for name in used if name.startswith("MAT_") and not name.startswith("MAT_ADD_")}
    forms = set[tuple[str, str]]().union(*(deck.forms for deck in decks))
    no_forms = set[tuple[str, str]]().union(*(deck.no_forms for deck in decks))
    return [
        f"They use {len(used)} [keywords](keywords.md) of LS-DYNA: {len(read)} of them are read, and",
        f"{ignored} ignored with a warning. Of their {len(laws)} material laws {len(laws & read)} are read,",
        f"of their {len(forms)} formulations of shells, solids and beams {len(forms - no_forms)}.",
    ]


def page(decks: list[Deck], pieces: int) -> str:
    """The text of docs/decks.md."""
    accepted = [d for d in decks if d.accepted]
    faulty = [d for d in decks if not d.accepted and not d.stops]
    stops = Counter(k for d in decks for k in families(d.stops))
    lines = [
        "# Public decks",
        "",
        "Written by `python benchmarks/public_decks.py FOLDER`; do not edit. `crumple check` on the decks of",
        "public repositories, as they are there. Elements are those that were read.",
        "[Implicit analysis](implicit-reference.md#decks-of-others) says how runs of four implicit ones end.",
        "",
        f"Of {len(decks)} decks {len(accepted)} are accepted; {len(faulty)} have only faults of their own,",
        f"such as nodes that do not exist; {sum(bool(d.stops) for d in decks)} need what is not supported.",
        f"{pieces} other files are pieces of decks: meshes without parts or without an end time.",
        "",
        *what_is_read(decks),
        "",
        "| what stops decks | decks |",
        "|---|---|",
        *(f"| {keyword} | {n} |" for keyword, n in sorted(stops.items(), key=lambda s: (-s[1], s[0]))),
        "",
        "| repository | deck | elements | result |",
        "|---|---|---:|---|",
    ]
    alike: dict[tuple[str, str], list[Deck]] = {}
    for deck in decks:
        said = "accepted" if deck.accepted else ", ".join(families(deck.stops))
        if deck.faults:
            said += ("; " if said else "") + "faults: " + ", ".join(sorted(deck.faults))
        alike.setdefault((deck.repository, said), []).append(deck)
    for (repository, said), group in alike.items():
        sizes = sorted({deck.elements for deck in group})
        size = f"{sizes[0]:,}" + (f" to {sizes[-1]:,}" if len(sizes) > 1 else "")
        more = f" and {len(group) - 1} more" if len(group) > 1 else ""
        lines.append(f"| {repository} | {group[0].path}{more} | {size} | {said} |")
    return "\n".join([*lines, ""])


def main() -> int:
    """Check all decks and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "decks.md")
    parser.add_argument("--limit", type=float, default=60)
    options = parser.parse_args()
    paths, pieces = decks_of(options.folder)
    decks = [check(path, options.folder, options.limit) for path in paths]
    options.page.write_text(page(decks, pieces))
    print(f"{options.page}: {len(decks)} decks, {sum(d.accepted for d in decks)} accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
