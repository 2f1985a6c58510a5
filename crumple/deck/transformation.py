"""*DEFINE_TRANSFORMATION and *INCLUDE_TRANSFORM: where the points of an included file go, and its numbers.

Rows are applied from the first to the last, as the solver does (solver/deck/transforms.cpp): POINT, TRANSL,
SCALE, ROTATE, MIRROR and POS6P. Units of an included file are not converted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from crumple.deck.deck_block import DeckBlock
from crumple.deck.field_text import CardLine, CardShape, number_of
from crumple.deck.schema_data import DeckEditError, FieldLayout

ARGUMENTS = {"TRANSL": 3, "SCALE": 3, "POINT": 4, "POS6P": 6, "ROTATE": 7, "MIRROR": 7}
OFFSETS = ("node", "element", "part", "material", "set", "curve", "define")  #: in the order of card 2
OTHER = "other"  #: kinds of numbers that have none of their own: IDROFF, of card 3
NUMBER = FieldLayout("A", "F", 0.0, 10)
ROW = (FieldLayout("OPTION", "A", "", 10), *[NUMBER] * 7)
Number = Callable[[str], float]  #: of a text, which may be a parameter


def plain_number(text: str) -> float:
    """The number of a text; zero of none.

    Raises:
        DeckEditError: it is no number.
    """
    return float(number_of(text, NUMBER)) if text else 0.0


@dataclass(frozen=True)
class FilePlacement:
    """What becomes of points and numbers of a file; without anything all stays.

    Attributes:
        matrix, shift: of points: matrix x + shift
        offsets: added to numbers of a kind: node, part, set, curve, other, ...
    """

    matrix: np.ndarray = field(default_factory=lambda: np.eye(3))
    shift: np.ndarray = field(default_factory=lambda: np.zeros(3))
    offsets: Mapping[str, int] = field(default_factory=dict)

    def point(self, x: np.ndarray) -> np.ndarray:
        """Where a point goes."""
        return self.matrix @ x + self.shift

    def number(self, number: int, kind: str) -> int:
        """A number of a kind; zero stays, and a sign."""
        by = self.offsets.get(kind, 0)
        return number + by if number > 0 else number - by if number < 0 else 0

    def around(self, inner: "FilePlacement") -> "FilePlacement":
        """The placement of a file that is included by a placed file."""
        names = {*self.offsets, *inner.offsets}
        sums = {name: self.offsets.get(name, 0) + inner.offsets.get(name, 0) for name in names}
        return FilePlacement(self.matrix @ inner.matrix, self.point(inner.shift), sums)

    def after(self, matrix: np.ndarray, centre: np.ndarray | None = None) -> "FilePlacement":
        """This one, and then a matrix about a point."""
        about = np.zeros(3) if centre is None else centre
        return FilePlacement(matrix @ self.matrix, matrix @ (self.shift - about) + about, self.offsets)


def cells(block: DeckBlock, line: int, fields: Sequence[FieldLayout]) -> list[str]:
    """The texts on a line of equal columns."""
    return CardLine(block.lines[line], CardShape(tuple(fields), block.form)).pieces()


def numbers(block: DeckBlock, line: int, count: int, number: Number) -> list[float]:
    """Numbers on a line."""
    return [number(text) for text in cells(block, line, [NUMBER] * count)]


def read_transformation(block: DeckBlock, number: Number = plain_number) -> tuple[int, FilePlacement]:
    """Number and map of a block of *DEFINE_TRANSFORMATION.

    Raises:
        DeckEditError: it has an option that is not known, or a field that is no number.
    """
    lines = block.data_lines[1:] if block.name.endswith("_TITLE") else block.data_lines
    if not lines:
        raise DeckEditError(f"*{block.name} has no card")
    own = int(numbers(block, lines[0], 1, number)[0])
    rows = []
    for line in lines[1:]:
        option, *values = cells(block, line, ROW)
        if not option:
            continue
        if (count := ARGUMENTS.get(option.upper())) is None:
            raise DeckEditError(f"*{block.name} {own}: {option} is not supported")
        rows.append((option.upper(), [number(text) for text in values[:count]]))
    return own, map_of(rows)


def map_of(rows: Sequence[tuple[str, Sequence[float]]]) -> FilePlacement:
    """The map of rows: options and their arguments.

    Raises:
        DeckEditError: a row has no meaning.
    """
    whole, points = FilePlacement(), dict[int, np.ndarray]()
    for option, given in rows:
        a = np.array([*given, *[0.0] * (7 - len(given))])
        if option == "POINT":
            points[round(a[0])] = a[1:4]
            continue
        step = step_of(option, a, points)
        points = {number: step.point(x) for number, x in points.items()}
        whole = step.around(whole)
    return whole


def step_of(option: str, a: np.ndarray, points: Mapping[int, np.ndarray]) -> FilePlacement:
    """The map of one row."""
    if option == "TRANSL":
        return FilePlacement(shift=a[:3])
    if option == "SCALE":
        return FilePlacement(np.diag(np.where(a[:3] == 0.0, 1.0, a[:3])))
    if option == "MIRROR":
        return mirrored(a[:3], a[3:6] - a[:3])
    if option == "POS6P":
        first, second = (frame([known(points, k) for k in a[at : at + 3]]) for at in (0, 3))
        matrix = second.T @ first
        return FilePlacement(matrix, known(points, a[3]) - matrix @ known(points, a[0]))
    if a[3:].any():
        return turned(a[:3], a[3:6], a[6])
    ids = [value for value in a[:2] if value >= 1.0 and value == int(value)]
    if len(ids) < 2 or ids[0] == ids[1]:
        return FilePlacement()
    begin = known(points, ids[0])
    return turned(known(points, ids[1]) - begin, begin, a[2])


def known(points: Mapping[int, np.ndarray], number: float) -> np.ndarray:
    """A point of POINT.

    Raises:
        DeckEditError: no row before has it.
    """
    if round(number) not in points:
        raise DeckEditError(f"*DEFINE_TRANSFORMATION: there is no POINT {number:g}")
    return points[round(number)]


def turned(axis: np.ndarray, centre: np.ndarray, degrees: float) -> FilePlacement:
    """A rotation about the line through a point (Rodrigues' formula)."""
    if not (size := float(np.linalg.norm(axis))) > 0.0:
        raise DeckEditError("*DEFINE_TRANSFORMATION: ROTATE about an axis without a length")
    u, angle = axis / size, np.radians(degrees)
    across = np.cross(u, np.eye(3)).T  # across @ x is the cross product of u and x
    matrix = np.cos(angle) * np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * np.outer(u, u)
    return FilePlacement().after(matrix, centre)


def mirrored(point: np.ndarray, normal: np.ndarray) -> FilePlacement:
    """The reflection at a plane."""
    if not (square := float(normal @ normal)) > 0.0:
        raise DeckEditError("*DEFINE_TRANSFORMATION: MIRROR at a plane whose normal has no length")
    return FilePlacement().after(np.eye(3) - 2.0 / square * np.outer(normal, normal), point)


def frame(points: Sequence[np.ndarray]) -> np.ndarray:
    """Unit axes as rows: from the first point to the second, in the plane of the three, and across it."""
    along = points[1] - points[0]
    across = np.cross(along, points[2] - points[0])
    if not np.linalg.norm(across) > 0.0:
        raise DeckEditError("*DEFINE_TRANSFORMATION: POS6P with three points on a line")
    x, z = along / np.linalg.norm(along), across / np.linalg.norm(across)
    return np.array([x, np.cross(z, x), z])


def read_include(
    block: DeckBlock, maps: Mapping[int, FilePlacement], outer: FilePlacement, number: Number = plain_number
) -> tuple[str, FilePlacement]:
    """File name and placement of a block of *INCLUDE_TRANSFORM in a file that is itself placed.

    Raises:
        DeckEditError: its transformation is not known, it converts units, or a field is no number.
    """
    lines, name = list(block.data_lines), ""
    while lines:
        text = block.lines[lines.pop(0)].strip()
        name += text.removesuffix(" +").strip()
        if not text.endswith(" +"):
            break
    cards = [numbers(block, line, count, number) for line, count in zip(lines, (7, 1, 3, 1), strict=False)]
    cards += [[0.0] * 7] * (4 - len(cards))
    if any(factor not in (0.0, 1.0) for factor in cards[2]):
        raise DeckEditError(f"*{block.name} {name}: units are not converted")
    offsets = dict(zip((*OFFSETS, OTHER), map(int, [*cards[0], cards[1][0]]), strict=True))
    which = outer.number(int(cards[3][0]), "define")
    if which and which not in maps:
        raise DeckEditError(f"*{block.name} {name}: there is no *DEFINE_TRANSFORMATION {which} before it")
    moved = maps[which] if which else FilePlacement()
    return name, outer.around(FilePlacement(moved.matrix, moved.shift, offsets))
