"""Decks of implicit analysis: control cards; how its iterations converge, as the screen has them."""

import re
from dataclasses import dataclass, field

import numpy as np

from verification.deck import Deck
from verification.problem import Figure
from verification.reached import REACHED
from verification.results import Results

LONGEST = 9  #: number of the curve of the longest steps
SMALL = 1e-4  #: of the published load, where the published value is that of linear theory
#: type and coefficient of hourglass control; type 6 with 1 bends bricks of elastic material exactly
SHELL_HOURGLASS = (4, 0.05)
BRICK_HOURGLASS = (6, 1.0)


def static(
    title: str,
    steps: int = 1,
    solution: str = "12,1,,1e-8,1e-16,1e-8,,1e-20",
    automatic: bool = False,
    size: float = 1.0,
    arc: str = "",
    ends: bool = False,
) -> Deck:
    """A deck that is solved from time 0 to 1 in equal steps, with a new factor in each iteration.

    Args:
        solution: first card of *CONTROL_IMPLICIT_SOLUTION
        automatic: halve steps that do not converge, and lengthen those that do so easily
        ends: of automatic steps, each equal step is the longest there, and its end is reached exactly
        size: of curve 1 at time 1; it begins at 0
        arc: third card of *CONTROL_IMPLICIT_SOLUTION, for steps along the path of equilibrium
    """
    deck = Deck(title, 1.0)
    deck.add("CONTROL_IMPLICIT_GENERAL", [1, 1.0 / steps])
    deck.add("CONTROL_IMPLICIT_SOLUTION", solution, ",,,3,4.", *([arc] if arc else []))
    if automatic:
        deck.add("CONTROL_IMPLICIT_AUTO", [1, *([20, 5, None, -LONGEST] if ends else [])])
        if ends:
            deck.curve(LONGEST, [(k / steps, 1.0 / steps) for k in range(steps + 1)])
    deck.add("CONTROL_SHELL", [None] * 5 + [1])  # warping terms
    deck.curve(1, [(0.0, 0.0), (1.0, size), (10.0, 10 * size)])
    deck.output(1.0 / steps, "nodout", "glstat", plot=1.0)
    return deck


def modal(title: str, modes: int) -> Deck:
    """A deck whose lowest modes are found."""
    deck = Deck(title, 1.0)
    deck.add("CONTROL_IMPLICIT_GENERAL", [1, 1.0])
    deck.add("CONTROL_IMPLICIT_EIGENVALUE", [modes])
    deck.add("CONTROL_SHELL", [None] * 5 + [1])
    deck.output(1.0)
    return deck


def sections(deck: Deck, forms: list["Form"], thickness: float = 1.0) -> None:
    """A section and hourglass control for each form, by its place in the list from 1."""
    for number, form in enumerate(forms, 1):
        kind, coefficient = SHELL_HOURGLASS if form.kind == "shell" else BRICK_HOURGLASS
        if form.elform in (16, -16):
            kind = 8  # warping terms
        deck.add("HOURGLASS", [number, kind, coefficient, 0, 1.5, 0.06, coefficient, coefficient])
        if form.kind == "shell":
            deck.shell_section(number, form.elform, thickness)
        else:
            deck.solid_section(number, form.elform)


@dataclass(frozen=True)
class Form:
    """An element formulation."""

    kind: str
    elform: int

    @property
    def name(self) -> str:
        """As in the tables."""
        return f"{self.kind} {self.elform}"


SHELLS = [Form("shell", form) for form in (16, -16, 2, 10)]
SOLIDS = [Form("solid", form) for form in (-2, -1, 2, 1)]
ENHANCED = Form("solid", 18)  #: linear


def increments(results: Results) -> list[list[float]]:
    """|du| / |u| of each iteration, a list for each step that has converged."""
    steps: list[list[float]] = []
    row: list[float] = []
    for line in results.printed.splitlines():
        if re.match(r" step +\d+  time", line):
            row = []
        if found := re.match(r" +iteration .*\|u\| (\S+) ", line):
            row.append(float(found.group(1)))
        if re.match(r" step +\d+  converged", line):
            steps.append(row)
    return steps


def path_loads(results: Results) -> np.ndarray:
    """The time of the load curves after each step along the path of equilibrium."""
    return np.array(
        [float(t) for t in re.findall(r"^ step +\d+  loads of time (\S+)", results.printed, re.M)]
    )


def exponent(steps: list[list[float]]) -> float:
    """The least p of |du| = |du before|^p near the solution: 2 where Newton's method is quadratic.

    Near are iterations that begin below 0.05 of the displacement, and above 1e-7 of it: what the symmetric
    stiffness leaves out makes the last part linear.
    """
    pairs = [(a, b) for row in steps for a, b in zip(row, row[1:], strict=False) if 1e-7 < a < 0.05]
    return float(min(np.log(b) / np.log(a) for a, b in pairs)) if pairs else float("nan")


def frequencies(results: Results) -> np.ndarray:
    """Cycles per time of all modes, from eigout; negative where the eigenvalue is."""
    return np.array([float(row.split()[3]) for row in results.modes.splitlines()[1:]])


@dataclass(frozen=True)
class Table:
    """Normalised results of many cases of a problem: what is asserted of each.

    `tolerance` is that of cases that reach the known value. `reached.py` has the others by their name, with
    the result of the formulation; `why` has the reason by formulation.
    """

    problem: str
    tolerance: float
    why: dict[str, str] = field(default_factory=dict)
    band: float = 2e-3  #: around what is reached

    def figure(self, form: str, case: str, quantity: str, computed: float, known: float = 1.0) -> Figure:
        """Of a result beside its known value."""
        reached = REACHED.get(self.problem, {}).get(f"{form}, {case}, {quantity}")
        name = f"{form}, {case}"
        if reached is None:
            return Figure(name, quantity, known, computed, self.tolerance)
        return Figure(name, quantity, known, computed, self.band, reached=reached, why=self.why[form])
