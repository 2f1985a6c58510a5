"""Check of the names of figures that a study wants to draw."""

import difflib

from crumple.lab.applications.application import OF_EVERY_RUN
from crumple.lab.applications.case import StudyError


def check_names(charts: list[str], figures: list[str]) -> None:
    """Check that all names are figures of the program or the lab.

    Raises:
        StudyError: one is not; with all names.
    """
    there = list(dict.fromkeys([*figures, *OF_EVERY_RUN]))
    for name in charts:
        if name in there:
            continue
        like = difflib.get_close_matches(name, there, 1, 0.5)
        hint = f"; did you mean '{like[0]}'?" if like else ""
        raise StudyError(f"charts: there is no figure '{name}'{hint}; there are: {', '.join(there)}")
