"""The lines of one rank for the replay: processor time, messages, collectives."""

import re
from collections import Counter
from typing import TextIO

from crumple.lab.profile.trace.channels import Channels
from crumple.lab.profile.trace.collectives import INDEPENDENT, ExchangeStep, Share, messages, replayed
from crumple.lab.profile.trace.communicators import Communicator, Tags
from crumple.lab.profile.trace.events import TraceError

NOT_IN_NAMES = re.compile(r"[^\w.+-]")  #: names of phases may be any text
LARGEST = (1 << 31) - 1  #: largest count of a message; larger sizes are written as floats

Key = tuple[int, int, int]  #: source, destination, tag; they identify an open message in a replay


class RankLines:
    """Writes lines, and keeps track of open messages."""

    def __init__(
        self, rank: int, out: TextIO, tags: Tags, channels: Channels, with_marks: bool = False
    ) -> None:
        self.rank = rank
        self.with_marks = with_marks
        self.pending = 0  #: processor time that is not written yet
        self.cycle = -1
        self.out = out
        self.tags = tags
        self.channels = channels
        self.open: dict[int, list[Key]] = {}  #: open messages by request
        self.never_waited = 0  #: messages that the program does not wait for
        self.deferred: dict[int, tuple[Communicator, Share]] = {}  #: non-blocking collectives, by request
        self.own_requests = 0
        self.lines = 0
        self.nanoseconds = 0
        self.collectives = 0
        self.counted: Counter = Counter()
        self.line("init")

    def line(self, text: str) -> None:
        """Write a line, after the compute before it."""
        self.flush()
        self.out.write(f"{self.rank} {text}\n")
        self.lines += 1

    def flush(self) -> None:
        """Write the pending compute."""
        if self.pending:
            self.out.write(f"{self.rank} compute {self.pending}\n")
            self.lines += 1
            self.pending = 0

    def compute(self, nanoseconds: int) -> None:
        """Processor time; one operation is a nanosecond."""
        if nanoseconds > 0:
            self.nanoseconds += nanoseconds
            self.pending += nanoseconds

    def phase(self, name: str, cycle: int) -> None:
        """Begin a phase; with marks it gets a comment, and compute gets a line in each phase."""
        if not self.with_marks:
            return
        self.flush()
        if cycle != self.cycle:
            self.out.write(f"# cycle {cycle}\n")
            self.cycle = cycle
        self.out.write(f"# phase {NOT_IN_NAMES.sub('_', name) or '-'}\n")

    # ---- messages -------------------------------------------------------------------------------

    def message(self, action: str, peer: int, tag: int, size: int) -> Key:
        """Write a line of a message and count it."""
        count, kind = (size, 6) if size <= LARGEST else (-(-size // 8), 0)
        self.line(f"{action} {peer} {tag} {count} {kind}")
        if action.endswith("send"):
            key = (self.rank, peer, tag)
            self.channels.sent[key] += 1
            self.counted["messages"] += 1
            self.counted["bytes"] += size
        else:
            key = (peer, self.rank, tag)
            self.channels.received[key] += 1
        return key

    def post(self, request: int, action: str, peer: int, tag: int, size: int) -> None:
        """A non-blocking message: isend or irecv."""
        self.open.setdefault(request, []).append(self.message(action, peer, tag, size))

    def forget(self, request: int) -> None:
        """Forget a request for which the program does not wait."""
        self.never_waited += len(self.open.pop(request, ()))

    def wait(self, requests: list[int]) -> None:
        """Wait for these requests only."""
        for request in requests:
            if request in self.deferred:
                self.catch_up(request)
        keys = [key for request in requests for key in self.open.pop(request, ())]
        if not keys:
            return
        if not self.open and not self.never_waited:
            self.line(f"waitall {len(keys)}")
            return
        for source, destination, tag in keys:
            self.line(f"wait {source} {destination} {tag}")

    def own_request(self) -> int:
        """A request number that the program does not use."""
        self.own_requests -= 1
        return self.own_requests

    # ---- collectives ----------------------------------------------------------------------------

    def collective(self, comm: Communicator, share: Share, request: int) -> None:
        """A collective; with a request it is non-blocking.

        If a replay does not support it as non-blocking, it is done at the program's wait.
        """
        comm.started += 1
        if comm.inter:
            raise TraceError(f"rank {self.rank}: a replay supports no {share.operation} between groups")
        if share.n == 1:
            return
        if request and share.operation in INDEPENDENT:
            self.post_all(request, comm, messages(share), comm.started)
        elif request:
            self.deferred[request] = (comm, share)
            self.counted["collectives deferred"] += 1
        else:
            self.catch_up_with(comm)
            self.perform(comm, share)

    def catch_up_with(self, comm: Communicator) -> None:
        """Do all deferred collectives that began earlier on a communicator."""
        begun = [r for r, (c, _) in self.deferred.items() if c is comm]
        if begun:
            self.catch_up(begun[-1])

    def catch_up(self, last: int) -> None:
        """Do the deferred collectives up to a request."""
        for request in list(self.deferred):
            comm, share = self.deferred.pop(request)
            self.perform(comm, share)
            if request == last:
                return

    def perform(self, comm: Communicator, share: Share) -> None:
        """Do a collective now."""
        if comm.everyone:
            self.collectives += 1
            self.line(replayed(in_world(comm, share)))
            return
        self.counted["collectives as messages"] += 1
        tag = self.tags.of(comm.key, f"collective {share.operation}")
        for step in messages(share):
            self.step(comm, step, tag)

    def step(self, comm: Communicator, step: ExchangeStep, tag: int) -> None:
        """One step of a collective."""
        to = None if step.to is None else comm.world(step.to)
        source = None if step.source is None else comm.world(step.source)
        if to is None and source is not None:
            self.message("recv", source, tag, step.receives)
        elif to is not None and source is None:
            self.message("send", to, tag, step.sends)
        elif to is not None and source is not None:
            request = self.own_request()
            self.post(request, "isend", to, tag, step.sends)
            self.message("recv", source, tag, step.receives)
            self.wait([request])

    def post_all(self, request: int, comm: Communicator, steps: list[ExchangeStep], ordinal: int) -> None:
        """Post all steps at once; they are open until the wait for the request."""
        tag = self.tags.of(comm.key, f"non-blocking {ordinal % 1024}")
        for step in steps:
            if step.source is not None:
                self.post(request, "irecv", comm.world(step.source), tag, step.receives)
        for step in steps:
            if step.to is not None:
                self.post(request, "isend", comm.world(step.to), tag, step.sends)

    def finish(self) -> None:
        """The end of the rank's trace."""
        if self.deferred:
            self.catch_up(list(self.deferred)[-1])
        if self.open or self.never_waited:
            self.line(f"waitall {sum(map(len, self.open.values())) + self.never_waited}")
        self.line("finalize")


def in_world(comm: Communicator, share: Share) -> Share:
    """The share in a collective of all ranks, in the order of MPI_COMM_WORLD."""
    if not comm.key:
        return share
    place = {world: k for k, world in enumerate(comm.members)}
    order = [place[world] for world in range(share.n)]
    return share._replace(
        root=comm.world(share.root) if share.root >= 0 else -1,
        sent=tuple(share.sent[k] for k in order) if share.sent else (),
        received=tuple(share.received[k] for k in order) if share.received else (),
    )
