"""Converts the events of the ranks into the files that SimGrid replays."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from crumple.lab.profile.trace.channels import Channels, drop_surplus
from crumple.lab.profile.trace.communicators import Tags
from crumple.lab.profile.trace.events import EventFile, TraceError, event_files
from crumple.lab.profile.trace.extent import Cut, RankExtent, common_cut, extent_of
from crumple.lab.profile.trace.one_sided import Inbox, read_inbox
from crumple.lab.profile.trace.rank_events import RankEvents
from crumple.lab.profile.trace.rank_lines import RankLines
from crumple.whole_file import write_whole

FORMAT = "crumple-trace"
VERSION = 1
OPERATIONS_PER_SECOND = 1e9  #: of the recording processor: one operation is a nanosecond
INDEX = "trace.txt"
SUMMARY = "trace.json"


@dataclass
class TraceSummary:
    """Summary of a trace."""

    ranks: int
    command: list[str]
    format: str = FORMAT
    version: int = VERSION
    operations_per_second: float = OPERATIONS_PER_SECOND
    window: str = ""
    cut: str = ""  #: why the trace is not complete; "" if it is
    seconds: list[float] = field(default_factory=list)  #: of processor time, by rank
    lines: int = 0
    messages: int = 0  #: point to point, of all ranks
    bytes: int = 0
    counted: dict[str, int] = field(default_factory=dict)
    dropped: int = 0  #: messages of which only one side lies in the trace
    left_out: dict[str, int] = field(default_factory=dict)


def convert(
    folder: Path, out: Path, command: list[str], window: str = "", marks: bool = False
) -> TraceSummary:
    """Write a trace of all ranks: an index, one file per rank, and a summary.

    One rank after another is read and written; only its open messages are kept in memory.

    Args:
        folder: folder with the events that the profiler recorded
        out: folder to write; made if it is missing
        command: program and arguments, for the summary
        marks: write comments where cycles and phases begin; SimGrid's reader does not read comments

    Raises:
        TraceError: there are no events, or a replay does not support the program.
    """
    files = event_files(folder)
    extents = [extent_of(f) for f in files]
    cut = common_cut(extents)
    inbox = read_inbox(files, cut) if any(e.windows for e in extents) else {}
    out.mkdir(parents=True, exist_ok=True)
    channels, tags = Channels(), Tags()
    summary = TraceSummary(len(files), command, window=window, cut="; ".join(cut.reasons))
    counted, left_out, collectives = Counter(), Counter(), []
    for file, extent in zip(files, extents, strict=True):
        lines = convert_rank(file, extent, out, tags, channels, cut, inbox, left_out, marks)
        counted += lines.counted
        collectives.append(lines.collectives)
        summary.seconds.append(lines.nanoseconds * 1e-9)
        summary.lines += lines.lines
    if len(set(collectives)) > 1:
        least, most = min(collectives), max(collectives)
        raise TraceError(
            f"rank {collectives.index(least)} has {least} collectives of all ranks and rank "
            f"{collectives.index(most)} has {most}: the trace cannot be replayed"
        )
    summary.dropped = drop_one_sided(out, files, channels)
    summary.messages, summary.bytes = counted.pop("messages", 0), counted.pop("bytes", 0)
    summary.counted, summary.left_out = dict(counted), dict(left_out)
    write_index(out, summary)
    return summary


def convert_rank(
    file: EventFile,
    extent: RankExtent,
    out: Path,
    tags: Tags,
    channels: Channels,
    cut: Cut,
    inbox: Inbox,
    left_out: Counter,
    marks: bool = False,
) -> RankLines:
    """Write one rank's file."""
    with file.reading(), rank_path(out, file.rank).open("w") as text:
        lines = RankLines(file.rank, text, tags, channels, marks)
        events = RankEvents(file, lines, cut, inbox, extent.arrivals)
        events.convert()
    left_out += events.left_out
    return lines


def drop_one_sided(out: Path, files: list[EventFile], channels: Channels) -> int:
    """Remove messages with one side outside the trace; returns their number."""
    surplus = channels.surplus()
    ranks = {key[0] if more > 0 else key[1] for key, more in surplus.items()}
    for file in files:
        if file.rank in ranks:
            drop_surplus(rank_path(out, file.rank), file.rank, channels, surplus)
    return sum(abs(more) for more in surplus.values())


def rank_path(out: Path, rank: int) -> Path:
    """The file of a rank."""
    return out / f"rank.{rank}.txt"


def write_index(out: Path, summary: TraceSummary) -> None:
    """Write the list of files that smpirun reads, and the summary."""
    write_whole(out / INDEX, "".join(f"{rank_path(Path(), r)}\n" for r in range(summary.ranks)))
    write_whole(out / SUMMARY, json.dumps(asdict(summary), indent=1) + "\n")


def in_words(summary: TraceSummary, out: Path) -> list[str]:
    """Sentences about a trace."""
    said = [
        f"{out / INDEX}: {summary.lines} lines, {summary.messages} messages of {summary.bytes} bytes, "
        f"{sum(summary.seconds):.3g} s of processor time"
    ]
    if summary.cut:
        said.append(
            f"warning: the trace is cut off: {summary.cut}; it ends at the last collective of all ranks"
        )
    if summary.dropped:
        said.append(f"warning: {summary.dropped} messages with one side outside the trace are left out")
    said += [
        f"warning: left out, not supported by a replay: {n} {what}" for what, n in summary.left_out.items()
    ]
    return said
