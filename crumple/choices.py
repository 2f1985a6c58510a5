"""Values of options that several commands have."""

from enum import StrEnum


class Precision(StrEnum):
    """Floating-point precision of the element computations."""

    single = "single"
    double = "double"


class DecompositionMethod(StrEnum):
    """How elements are distributed to ranks."""

    rcb = "rcb"
    metis = "metis"
