"""Decks of implicit analysis: control cards; how its iterations converge, as the screen has them."""

import re
from dataclasses import dataclass

import numpy as np

from verification.deck import Deck
from verification.problem import Figure
from verification.results import Results

SMALL = 1e-4  #: of the published load, where the published value is that of linear theory
#: type and coefficient of hourglass control; type 6 with 1 bends bricks of elastic material exactly
SHELL_HOURGLASS = (4, 0.05)
BRICK_HOURGLASS = (6, 1.0)
ROUNDING = 1e-11  #: of the residual over the largest one of a step: below it the ratio says nothing


def static(
    title: str, steps: int = 1, solution: str = "12,1,,1e-8,1e-16,1e-8,,1e-20", automatic: bool = False
) -> Deck:
    """A deck that is solved from time 0 to 1 in equal steps, with a new factor in each iteration.

    Args:
        solution: first card of *CONTROL_IMPLICIT_SOLUTION
        automatic: halve steps that do not converge, and lengthen those that do so easily
    """
    deck = Deck(title, 1.0)
    deck.add("CONTROL_IMPLICIT_GENERAL", [1, 1.0 / steps])
    deck.add("CONTROL_IMPLICIT_SOLUTION", solution, ",,,3,4.")
    if automatic:
        deck.add("CONTROL_IMPLICIT_AUTO", [1])
    deck.add("CONTROL_SHELL", [None] * 5 + [1])  # warping terms
    deck.curve(1, [(0.0, 0.0), (1.0, 1.0), (10.0, 10.0)])
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


def residuals(results: Results) -> list[list[float]]:
    """|r|/|r|max of each iteration, a list a step."""
    steps: list[list[float]] = []
    for line in results.printed.splitlines():
        if re.match(r" step +\d+  time", line):
            steps.append([])
        if found := re.match(r" +iteration .*max (\S+)", line):
            steps[-1].append(float(found.group(1)))
    return steps


def order(rows: list[list[float]]) -> float:
    """The least order of convergence over steps: log(r3 / r2) / log(r2 / r1) of the last three residuals.

    Residuals are those below 1 % of the largest, where Newton's method is near the solution, and above
    rounding. A step with less than three of them says nothing.
    """
    orders = []
    for row in rows:
        near = [r for r in row if ROUNDING < r < 1e-2]
        if len(near) >= 3:
            a, b, c = np.log(near[-3:])
            orders.append((c - b) / (b - a))
    return float(min(orders)) if orders else float("nan")


def frequencies(results: Results) -> np.ndarray:
    """Cycles per time of all modes, from eigout; negative where the eigenvalue is."""
    text = (results.directory / "eigout").read_text()
    table = text[text.index("MODE    EIGENVALUE") :].split("\n\n")[0].splitlines()[1:]
    return np.array([float(row.split()[3]) for row in table])


@dataclass(frozen=True)
class Table:
    """Normalised results of many cases: what is asserted of each.

    `tolerance` is that of cases that reach the known value. `gives` has the others by their name, with the
    result of the formulation, and `why` the reason by formulation.
    """

    tolerance: float
    gives: dict[str, dict[str, float]]
    why: dict[str, str]
    band: float = 2e-3  #: around what is given

    def figure(self, form: str, case: str, quantity: str, computed: float) -> Figure:
        """Of a result over its known value."""
        name = f"{form}, {case}" if case else form
        given = self.gives.get(name, {}).get(quantity)
        if given is None:
            return Figure(name, quantity, 1.0, computed, self.tolerance)
        return Figure(name, quantity, 1.0, computed, self.band, reached=given, why=self.why[form])
