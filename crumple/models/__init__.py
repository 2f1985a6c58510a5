"""Generators of benchmark models: a size in, a keyword deck out. Every file here registers its own."""

import difflib
import importlib
import pkgutil
from pathlib import Path

from crumple.models.model import MODELS, Model, Wishes

__all__ = ["Model", "Wishes", "find_model", "models", "write_model"]


def models() -> dict[str, Model]:
    """All models by name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(MODELS.items()))


def find_model(name: str) -> Model:
    """The model of a name.

    Raises:
        ValueError: there is none; with the nearest that there is.
    """
    known = models()
    if name in known:
        return known[name]
    like = difflib.get_close_matches(name, known, 1, 0.5)
    hint = f"did you mean '{like[0]}'?" if like else f"there are: {', '.join(known)}"
    raise ValueError(f"there is no model '{name}'; {hint}")


def write_model(name: str, path: Path, wishes: Wishes) -> int:
    """Write the deck of a model; returns its number of elements.

    Raises:
        ValueError: an unknown name, too few elements, or an angle that the model does not have.
        OSError: the file cannot be written.
    """
    found = find_model(name)
    if wishes.elements < found.least:
        raise ValueError(f"{wishes.elements} elements are too few for {name}; ask for {found.least} or more")
    if wishes.angle is not None and not found.angled:
        raise ValueError(f"{name} has no angle to choose")
    return found.write(path, wishes)
