"""Differences of what went into two runs: deck, version, options."""

import difflib
from itertools import islice
from pathlib import Path

from crumple.compare.run_difference import Group, RunDifference
from crumple.results.d3hsp import RunLog
from crumple.results.run_record import RunRecord

OPTIONS = ("ranks", "threads", "precision", "decomposition", "mpi")
LINES = 5  #: of a deck that are shown
WORDS = 60  #: characters of a line
LARGEST = 20_000_000  #: bytes of decks whose lines are compared


def unequal(group: Group, what: str, first: object, second: object) -> list[RunDifference]:
    """A difference if two values are not the same."""
    return [] if first == second else [RunDifference(group, what, str(first), str(second))]


def version_differences(first: RunLog, second: RunLog) -> list[RunDifference]:
    """Versions of the program, and instruction sets."""
    found = unequal(Group.version, "program", first.version or "-", second.version or "-")
    return found + unequal(Group.version, "instructions", first.isa or "-", second.isa or "-")


def option_differences(
    first: tuple[RunLog, RunRecord | None], second: tuple[RunLog, RunRecord | None]
) -> list[RunDifference]:
    """Ranks, threads, precision, ... as far as they are recorded."""
    found = []
    for name in OPTIONS:
        values = []
        for log, record in (first, second):
            value = getattr(log, name, None) or (getattr(record, name) if record else None)
            values.append(value)
        if None not in values:
            found += unequal(Group.options, name, *values)
    ends = [log.number("control", "end time") for log, _ in (first, second)]
    found += unequal(Group.options, "end time", *ends)
    return found + unequal(
        Group.options, "left out physics", *(len(log.left_out) for log, _ in (first, second))
    )


def deck_differences(
    first: tuple[RunLog, Path | None], second: tuple[RunLog, Path | None]
) -> list[RunDifference]:
    """Titles, parts and keywords as d3hsp lists them, and lines of the decks if both are still there."""
    logs = first[0], second[0]
    found = unequal(Group.deck, "title", *(log.title for log in logs))
    found += keyword_differences(*logs)
    found += part_differences(*logs)
    return found + line_differences(first[1], second[1])


def keyword_differences(first: RunLog, second: RunLog) -> list[RunDifference]:
    """Keywords with other numbers of records."""
    counts = [{k.name: k.records for k in log.keywords} for log in (first, second)]
    names = sorted(set(counts[0]) | set(counts[1]))
    return [
        difference
        for name in names
        for difference in unequal(Group.deck, name, *(said(c.get(name)) for c in counts))
    ]


def said(records: int | None) -> str:
    """A number of records, in words."""
    return "none" if records is None else f"{records:,} record{'s' if records != 1 else ''}"


def part_differences(first: RunLog, second: RunLog) -> list[RunDifference]:
    """Parts with another kind, law, title or number of elements."""
    parts = [
        {p.id: f"{p.kind}, law {p.law}, {p.elements:,} elements" for p in log.parts}
        for log in (first, second)
    ]
    both = sorted(set(parts[0]) | set(parts[1]))
    return [
        difference
        for key in both
        for difference in unequal(Group.deck, f"part {key}", *(p.get(key, "none") for p in parts))
    ]


def line_differences(first: Path | None, second: Path | None) -> list[RunDifference]:
    """Lines of the decks, without their includes; none if a deck is gone, or both are one file."""
    if first is None or second is None or not first.is_file() or not second.is_file():
        return []
    if first.samefile(second) or first.read_bytes() == second.read_bytes():
        return []
    if max(first.stat().st_size, second.stat().st_size) > LARGEST:
        return [
            RunDifference(
                Group.deck, "lines", str(first), str(second), note="not compared: the decks are large"
            )
        ]
    texts = [path.read_text(errors="replace").splitlines() for path in (first, second)]
    pairs = list(islice(changed_lines(*texts), LINES + 1))
    found = [RunDifference(Group.deck, f"line {k}", cut(a), cut(b)) for k, a, b in pairs[:LINES]]
    if len(pairs) > LINES:
        found.append(RunDifference(Group.deck, "lines", "and more", "and more"))
    return found


def changed_lines(first: list[str], second: list[str]):  # noqa: ANN201 - an iterator of (line, text, text)
    """Lines that differ: number in the first deck, and both texts."""
    if len(first) == len(second):
        yield from ((k, a, b) for k, (a, b) in enumerate(zip(first, second, strict=True), 1) if a != b)
        return
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=True)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            for k in range(max(b - a, d - c)):
                yield (
                    a + min(k, max(b - a - 1, 0)) + 1,
                    first[a + k] if a + k < b else "",
                    second[c + k] if c + k < d else "",
                )


def cut(text: str) -> str:
    """A line short enough for a table."""
    return text if len(text) <= WORDS else text[: WORDS - 1] + "…"
