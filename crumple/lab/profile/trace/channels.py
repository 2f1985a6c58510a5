"""Messages by channel: a replay ends only if every received message is sent, and every sent one received."""

from collections import Counter
from pathlib import Path

Key = tuple[int, int, int]  #: source, destination, tag


class Channels:
    """The numbers of messages sent and received on each channel."""

    def __init__(self) -> None:
        self.sent: Counter = Counter()
        self.received: Counter = Counter()

    def surplus(self) -> dict[Key, int]:
        """Channels with more sends (positive) or receives (negative)."""
        keys = self.sent.keys() | self.received.keys()
        return {k: n for k in keys if (n := self.sent[k] - self.received[k])}


class Dropping:
    """Removes surplus messages from the lines of one rank.

    It removes the first receives, whose messages were sent before the trace began, and the last sends, which
    were received after it had ended.
    """

    def __init__(self, rank: int, channels: Channels, surplus: dict[Key, int]) -> None:
        self.rank = rank
        self.channels = channels
        self.surplus = surplus
        self.seen: Counter = Counter()
        self.waited: Counter = Counter()
        self.open: Counter = Counter()

    def dropped(self, key: Key, nth: int) -> bool:
        """Whether the nth message of a channel is removed."""
        more = self.surplus.get(key, 0)
        if more > 0 and key[0] == self.rank:
            return nth > self.channels.sent[key] - more
        return more < 0 and key[1] == self.rank and nth <= -more

    def keeps(self, line: str) -> bool:
        """Whether a line is kept."""
        if line.startswith("#"):
            return True
        _, action, *rest = line.split()
        if action in ("send", "isend", "recv", "irecv"):
            peer, tag = int(rest[0]), int(rest[1])
            key = (self.rank, peer, tag) if action.endswith("send") else (peer, self.rank, tag)
            self.seen[key] += 1
            return not self.dropped(key, self.seen[key])
        if action == "wait":
            key = (int(rest[0]), int(rest[1]), int(rest[2]))
            self.waited[key] += 1
            return not self.dropped(key, self.waited[key])
        return True


def drop_surplus(path: Path, rank: int, channels: Channels, surplus: dict[Key, int]) -> None:
    """Rewrite a rank's lines without the surplus messages."""
    dropping = Dropping(rank, channels, surplus)
    whole = path.with_suffix(".whole")
    path.rename(whole)
    with whole.open() as lines, path.open("w") as out:
        out.writelines(line for line in lines if dropping.keeps(line))
    whole.unlink()
