"""Base of all TOML files of the lab: tables with known keys, and hints at similar names."""

import difflib

from pydantic import BaseModel, ConfigDict


class TomlTable(BaseModel):
    """A table of a file: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def nearest(name: str, names: list[str]) -> str:
    """A hint at the valid name that is most similar to a wrong one."""
    like = difflib.get_close_matches(name, names, 1, 0.5)
    return f"; did you mean '{like[0]}'?" if like else f"; there are: {', '.join(sorted(names))}"
