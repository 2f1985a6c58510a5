"""Errors of runs and of checks, with what the solver said."""

import re
import signal
from dataclasses import dataclass
from pathlib import Path

MESSAGE = re.compile(
    r"^\s*(?:(?P<place>\S.*?): )?(?P<kind>error|warning) (?P<id>CR-[A-Z]\d+): (?P<text>.*)$", re.M
)
SIGNALLED = 128
SHOWN = 5  #: messages in the text of an error
LAST_LINES = 8  #: of the output, where there are no messages


@dataclass(frozen=True)
class SolverMessage:
    """A message of the solver, such as `deck.k:23: error CR-D101: unknown keyword *MATX`."""

    kind: str  #: "error" or "warning"
    id: str  #: docs/errors.md explains it
    text: str
    place: str = ""  #: file and line; empty where it is of none

    def __str__(self) -> str:
        return f"{self.place}: {self.id}: {self.text}" if self.place else f"{self.id}: {self.text}"


def messages_in(output: str) -> list[SolverMessage]:
    """The messages in what the solver printed, each once, those with a place first.

    Ranks print problems of the deck and of the run to two streams, which mpirun passes on in any order.
    """
    found = MESSAGE.finditer(output)
    messages = (SolverMessage(m["kind"], m["id"], m["text"].strip(), m["place"] or "") for m in found)
    return sorted(dict.fromkeys(messages), key=lambda message: not message.place)


class RunFailed(Exception):
    """A run that did not reach its end.

    Attributes:
        status: the solver's exit status, or 128 and a signal's number
        messages: of kind "error" and "warning"
        output: all that was printed
        folder: of the results, which hold what there is until then; None of a check
    """

    def __init__(self, status: int, output: str, folder: Path | None = None) -> None:
        self.status, self.output, self.folder = status, output, folder
        self.messages = messages_in(output)
        super().__init__(self.summary())

    def __reduce__(self) -> tuple:
        return type(self), (self.status, self.output, self.folder)

    @property
    def errors(self) -> list[SolverMessage]:
        """The messages of kind "error"."""
        return [message for message in self.messages if message.kind == "error"]

    def summary(self) -> str:
        """A line on the status, and the first messages."""
        errors = self.errors
        lines = [f"    {message}" for message in errors[:SHOWN]]
        if len(errors) > SHOWN:
            lines.append(f"    and {len(errors) - SHOWN} more in `errors`")
        if not lines:
            lines = [f"    {line}" for line in self.output.rstrip().splitlines()[-LAST_LINES:]]
        return "\n".join([self.what(), *lines])

    def what(self) -> str:
        """What the status means."""
        return f"the run ended with status {self.status}"


class DeckRefused(RunFailed):
    """The deck or an option is wrong: exit status 2. Nothing was computed."""

    def what(self) -> str:
        """What the status means."""
        return "the deck or an option is wrong; nothing was computed"


class ComputationFailed(RunFailed):
    """The computation failed: exit status 3. The folder has the states until then."""

    def what(self) -> str:
        """What the status means."""
        return "the computation failed"


class SystemFailed(RunFailed):
    """A rank, a disk, memory or mpirun failed: exit status 4, or a signal."""

    def what(self) -> str:
        """What the status means."""
        number = self.status - SIGNALLED
        if number in set(signal.Signals):
            return f"the run was ended by {signal.Signals(number).name}"
        return f"the system failed (status {self.status})"


BY_STATUS: dict[int, type[RunFailed]] = {2: DeckRefused, 3: ComputationFailed}


def failed(status: int, output: str, folder: Path | None = None) -> RunFailed:
    """The error of an exit status other than 0."""
    return BY_STATUS.get(status, SystemFailed)(status, output, folder)
