"""Belts of shells for decks of tests: a grid along a line through points. kg, mm, ms, kN."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from small_decks import Deck, Point

MASS, WIDTH, THICKNESS = 6e-5, 40.0, 1.2  # of a length


@dataclass
class Strip:
    """Edges across the belt from one end to the other, and the elements between two edges."""

    edges: list[list[int]] = field(default_factory=list)
    elements: list[list[int]] = field(default_factory=list)


def lines_across(deck: Deck, points: Sequence[Point], gaps: Sequence[float]) -> list[list[int]]:
    """Nodes at each point and across it, along y; gaps are shares of the width."""
    across = [0.0]
    for gap in gaps:
        across.append(across[-1] + gap * WIDTH)
    return [[deck.node((x, y + b, z)) for b in across] for x, y, z in points]


def strip(deck: Deck, part: int, edges: Sequence[Sequence[int]], turned: int = 0, inside: int = 0) -> Strip:
    """Elements between edges. `turned`: by how many corners their first node is moved; `inside`: SBRID."""
    belt = Strip([list(edge) for edge in edges])
    for low, high in pairwise(edges):
        row = []
        for k in range(len(low) - 1):
            corners = [low[k], high[k], high[k + 1], low[k + 1]]
            corners = corners[turned:] + corners[:turned]
            deck.elements += 1
            row.append(deck.elements)
            first, second, third, fourth = corners
            deck.add(
                f"*ELEMENT_SEATBELT\n{deck.elements},{part},{first},{second},{inside},0.,{third},{fourth}"
            )
        belt.elements.append(row)
    return belt


def webbing(
    deck: Deck, part: int, edge: Sequence[int], curve: int = 1, shortest: float = 4.0, elform: int = 5
) -> None:
    """Part, section, material, and the set of nodes of one edge, whose number is that of the part."""
    deck.set("NODE", part, edge)
    deck.add(
        f"*PART\nbelt\n{part},{part},{part}\n*SECTION_SHELL\n{part},{elform}\n"
        f"{THICKNESS},{THICKNESS},{THICKNESS},{THICKNESS},0.,0.,0,{part}\n"
        f"*MAT_SEATBELT\n{part},{MASS},{curve},0,{shortest}"
    )


def shells(deck: Deck, number: int, elements: Sequence[int]) -> None:
    """A set of shells."""
    deck.add(f"*SET_SHELL_LIST\n{number}\n{','.join(map(str, elements))}")
