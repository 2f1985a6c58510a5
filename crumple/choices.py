"""Values that options of several commands take."""

from enum import StrEnum


class Precision(StrEnum):
    """Of element work."""

    single = "single"
    double = "double"


class DecompositionMethod(StrEnum):
    """How elements are shared out over ranks."""

    rcb = "rcb"
    metis = "metis"
