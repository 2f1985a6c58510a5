"""The steps of an implicit run, from its convergence.jsonl as it grows."""

import json
from array import array

from crumple.results.convergence import PARTS


class StepFile:
    """convergence.jsonl: iterations of the steps, and the seconds of the parts of the run."""

    def __init__(self) -> None:
        self.times, self.iterations, self.lengths = array("d"), array("d"), array("d")
        self.refused = 0  #: tries that did not converge
        self.elapsed: float | None = None
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.trouble = ""  #: of the last try that did not converge

    def feed(self, line: str) -> None:
        """Read the next record.

        Raises:
            ValueError, LookupError: it is none.
        """
        record = json.loads(line)
        if record["record"] != "step":
            return
        for part, seconds in record["seconds"].items():  # with those of its iterations
            self.seconds[part] += float(seconds)
        self.elapsed = float(record["elapsed"])
        if not record["converged"]:
            self.refused += 1
            self.trouble = str(record["trouble"])
            return
        self.times.append(float(record["time"]))
        self.iterations.append(float(record["iterations"]))
        self.lengths.append(float(record["dt"]))

    def close(self) -> None:
        """Records are complete in themselves."""
