"""What a run prints of its implicit steps, as words of one line: where it is, and how the step goes."""

import re

STEP = re.compile(r"^ step +(\d+)  time (\S+)  dt (\S+)$")
ITERATION = re.compile(r"^   iteration +(\d+) [ *].* \|r\|/\|r\|max (\S+)")
REFUSED = re.compile(r"^ step +\d+  not converged: ")
CONVERGED = re.compile(r"^ step +(\d+)  converged: (\d+) iterations, .*?(?:, ([0-9:]+) left)?$")
ABOUT_LINES = " iterations with * have a new factor"  #: which are not seen here


class StepWords:
    """The present step of an implicit run."""

    def __init__(self) -> None:
        self.number_, self.begin_, self.end_, self.length_ = "", 0.0, 0.0, 0.0
        self.refused_, self.left_ = 0, ""

    def read(self, line: str) -> tuple[float, str] | None:
        """The time that is reached, and words on the step; None if the line tells no step."""
        if match := STEP.match(line):
            self.number_, self.end_, self.length_ = match[1], float(match[2]), float(match[3])
            self.begin_ = self.end_ - self.length_
            return self.begin_, self.words("")
        if match := ITERATION.match(line):
            return self.begin_, self.words(f"iteration {match[1]}, residual {float(match[2]):.1e}")
        if REFUSED.match(line):
            self.refused_ += 1
            return self.begin_, self.words("not converged")
        if match := CONVERGED.match(line):
            self.begin_, self.left_ = self.end_, match[3] or "0:00"
            return self.end_, self.words(f"converged in {match[2]} iterations")
        return None

    def words(self, how: str) -> str:
        """The step, its iterations, tries that failed, and the time left."""
        pieces = [f"step {self.number_} of {self.length_:.3g}"]
        pieces += [how] if how else []
        pieces += [f"{self.refused_} tried again"] if self.refused_ else []
        pieces += [f"{self.left_} left"] if self.left_ else []
        return "  ".join(pieces)
