"""The parts of a rank's cycle: compute, collectives, and exchanges of messages with a common wait."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.steps import RankStep, is_collective


@dataclass
class Computing:
    """Operations in a phase."""

    phase: str
    operations: float


@dataclass
class Collective:
    """A collective of all ranks."""

    phase: str
    action: str


@dataclass
class Exchange:
    """Messages of one tag, to and from some ranks; bytes by rank."""

    phase: str
    tag: int
    received: dict[int, int] = field(default_factory=dict)
    sent: dict[int, int] = field(default_factory=dict)
    meanwhile: list[Computing] = field(default_factory=list)  #: between first message and wait

    @property
    def key(self) -> tuple[str, int]:
        """Key by which the same exchange is found on other ranks."""
        return self.phase, self.tag


@dataclass
class Rounds:
    """Exchanges of one tag right after each other, as many as a rank has messages for."""

    phase: str
    tag: int
    exchanges: list[Exchange] = field(default_factory=list)
    meanwhile: list[Computing] = field(default_factory=list)  #: from the first message to the last wait

    @property
    def key(self) -> tuple[str, int]:
        """Key by which the same rounds are found on other ranks."""
        return self.phase, self.tag


Part = Computing | Collective | Exchange | Rounds


def parts_of(steps: Iterable[RankStep], where: str) -> list[Part]:
    """The parts of one rank's cycle.

    Raises:
        TraceError: messages are not posted together with a common wait, as the solver does.
    """
    parts: list[Part] = []
    open_one: Exchange | None = None
    for step in steps:
        name, *rest = step.action.split() if step.action else ("compute",)
        if name == "compute":
            computing = Computing(step.phase, step.compute)
            (open_one.meanwhile if open_one else parts).append(computing)
        elif name in ("irecv", "isend"):
            try:
                peer, tag, size = (int(word) for word in rest[:3])
            except ValueError:
                raise TraceError(
                    f"{where}: cycle {step.cycle}: '{step.action[:60]}' has no rank, tag and bytes"
                ) from None
            if open_one is None:
                open_one = Exchange(step.phase, tag)
                parts.append(open_one)
            side = open_one.sent if name == "isend" else open_one.received
            if open_one.tag != tag or peer in side:
                raise TraceError(
                    f"{where}: cycle {step.cycle}: messages of tags {open_one.tag} and {tag} are under way "
                    "at once: contact of edges and beams is not supported in synthetic traces"
                )
            side[peer] = size
        elif name == "waitall":
            open_one = None
        elif is_collective(step.action):
            parts.append(Collective(step.phase, step.action))
        else:
            raise TraceError(f"{where}: cycle {step.cycle}: a synthetic trace does not support '{name}'")
    return parts


def rounds_joined(parts: list[Part], tag: int) -> list[Part]:
    """The same parts, in which exchanges of a tag, with nothing but compute between them, are one part."""
    joined: list[Part] = []
    after: list[Computing] = []  # compute since the last of these exchanges
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, Exchange) and part.tag == tag:
            if not (isinstance(last, Rounds) and last.tag == tag):
                last = Rounds(part.phase, tag)
                joined.append(last)
            last.exchanges.append(part)
            last.meanwhile += [*after, *part.meanwhile]
            after = []
        elif isinstance(part, Computing) and isinstance(last, Rounds) and last.tag == tag:
            after.append(part)
        else:
            joined += [*after, part]
            after = []
    return joined + after


def split_at_collectives(
    parts: list[Part],
) -> tuple[list[list[Computing | Exchange | Rounds]], list[Collective]]:
    """The parts before, between and after the collectives of a cycle, and the collectives."""
    stretches: list[list[Computing | Exchange | Rounds]] = [[]]
    collectives = []
    for part in parts:
        if isinstance(part, Collective):
            collectives.append(part)
            stretches.append([])
        else:
            stretches[-1].append(part)
    return stretches, collectives
