"""What a benchmark model is: a name, a size, a function that writes its deck; and the list of them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from crumple.registry import Registry


@dataclass(frozen=True)
class Wishes:
    """What the user asks of a model. None: the model's own value."""

    elements: int
    speed: float | None = None  #: of what hits, mm/ms (m/s)
    end_time: float | None = None  #: ms
    plots: int | None = None  #: plot states of the whole run
    angle: float | None = None  #: of the path of what hits, degrees; only of models that have one


Writer = Callable[[Path, Wishes], int]


@dataclass(frozen=True)
class Model:
    """One benchmark model."""

    name: str
    title: str
    published: int  #: elements of the published model that it stands for; 0 where none is told
    least: int  #: elements below which its features cannot be held
    angled: bool  #: whether the path of what hits has an angle to choose
    write: Writer  #: writes the deck and returns the number of elements; ValueError for what it cannot do


MODELS: Registry[Model] = Registry("model")


def model(
    name: str, title: str, published: int, least: int, angled: bool = False
) -> Callable[[Writer], Writer]:
    """Register the function that writes a model; a decorator of it.

    Raises:
        DuplicateNameError: there is a model of that name.
    """

    def register(write: Writer) -> Writer:
        MODELS.add(name, Model(name, title, published, least, angled, write), write)
        return write

    return register
