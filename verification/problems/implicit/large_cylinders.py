"""Cylinders that forces pull or pinch far out of shape: Sze, Liu and Lo's problems."""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import Form
from verification.pieces import Piece
from verification.problems.implicit.large_rotations import S16, LargeShell, problem

PULLED_RADIUS, PULLED_HALF_LENGTH, PULL = 4.953, 5.175, 40e3


def pulled(form: Form) -> Piece:
    """An eighth: u from the free end to the middle, v from the side to the force at the top."""

    def place(u: float, v: float, w: float) -> Point:
        a, r = np.pi / 2 * v, PULLED_RADIUS + 0.094 * w
        return (float(r * np.cos(a)), PULLED_HALF_LENGTH * u, float(r * np.sin(a)))

    return Piece(1, form, (24, 36), place)


def pulled_held(u: float, v: float) -> list[bool]:
    """Symmetry: middle in y, side in z, top in x."""
    middle, side, top = u == 1, v == 0, v == 1
    return [top, middle, side, side or middle, side or top, middle or top]


def pulled_load(deck: Deck, piece: Piece) -> None:
    """A quarter of the force is on an eighth."""
    piece.push(deck, piece.nodes(1.0, 1.0), 3, PULL / 4)


OPEN_CYLINDER = LargeShell(
    "open cylinder",
    pulled,
    (10.5e6, 0.3125),
    0.094,
    pulled_held,
    pulled_load,
    {
        "A, pulled point": ((1.0, 1.0), 3, {0.1: 1.707, 0.25: 2.18, 0.5: 2.473, 0.75: 2.692, 1.0: 2.768}),
        "B, side of the middle": (
            (1.0, 0.0),
            1,
            {0.1: -2.217, 0.25: -3.087, 0.5: -3.653, 0.75: -4.423, 1.0: -4.551},
        ),
        "C, side of the end": (
            (0.0, 0.0),
            1,
            {0.1: -2.293, 0.25: -3.31, 0.5: -3.718, 0.75: -3.353, 1.0: -3.269},
        ),
    },
    40,
    {S16: 0.02},
)

PINCHED_RADIUS, PINCHED_LENGTH, PINCH = 1.016, 3.048, 2000.0


def pinched(form: Form) -> Piece:
    """Half of it: u from the clamped to the free end, v from the long edge to the force at the top."""

    def place(u: float, v: float, w: float) -> Point:
        a, r = np.pi / 2 * v, PINCHED_RADIUS + 0.03 * w
        return (float(r * np.cos(a)), PINCHED_LENGTH * u, float(r * np.sin(a)))

    return Piece(1, form, (40, 40), place)


def pinched_held(u: float, v: float) -> list[bool]:
    """Clamped end; long edges do not move down, nor turn about the axis; symmetry at the top."""
    clamped, edge, top = u == 0, v == 0, v == 1
    return [clamped or top, clamped, clamped or edge, clamped, clamped or edge or top, clamped or top]


def pinched_load(deck: Deck, piece: Piece) -> None:
    """Half of the force is on half of the shell."""
    piece.push(deck, piece.nodes(1.0, 1.0), 3, -PINCH / 2)


SEMI_CYLINDER = LargeShell(
    "semi-cylinder",
    pinched,
    (2.0685e7, 0.3),
    0.03,
    pinched_held,
    pinched_load,
    {
        "pinched point": (
            (1.0, 1.0),
            3,
            {0.1: -0.161, 0.25: -0.48537, 0.5: -1.32653, 0.75: -1.56584, 1.0: -1.71505},
        )
    },
    20,
    {S16: 0.02},
)

PROBLEMS = [
    problem(
        "open cylinder",
        "Cylinder with open ends pulled apart at its middle by forces of 40000, 24 x 36 shells on an eighth",
        OPEN_CYLINDER,
    ),
    problem(
        "semi-cylinder",
        "Half of a cylinder, clamped at one end and pinched by 2000 at the other, 40 x 40 shells on a half",
        SEMI_CYLINDER,
    ),
]
