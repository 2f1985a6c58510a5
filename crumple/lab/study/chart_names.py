"""The figures that a study wants drawn: they must be figures."""

import difflib

from crumple.lab.applications.application import OF_EVERY_RUN
from crumple.lab.applications.case import StudyError


def check_names(charts: list[str], figures: list[str]) -> None:
    """That all names of figures to draw are among those of the program or the lab.

    Raises:
        StudyError: one is not; with all that there are.
    """
    there = list(dict.fromkeys([*figures, *OF_EVERY_RUN]))
    for name in charts:
        if name in there:
            continue
        like = difflib.get_close_matches(name, there, 1, 0.5)
        hint = f"; did you mean '{like[0]}'?" if like else ""
        raise StudyError(f"charts: there is no figure '{name}'{hint}; there are: {', '.join(there)}")
