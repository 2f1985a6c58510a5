"""What plots and tables call walls, contacts, sections and parts, and which rows they show of them."""

from collections.abc import Iterable

import pandas as pd

from crumple.results.forces import Forces

TITLE = 30  #: characters of a title in a legend


def name_of(titles: dict[int, str], key: int, what: str) -> str:
    """What a wall, contact or section is called, short enough for a legend."""
    title = titles.get(key, "").strip()
    short = title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
    return f"{key} {short}" if title else f"{what} {key}"


def sides(table: Forces) -> Iterable[tuple[int, pd.DataFrame]]:
    """The rows of each id, of a contact's first side with a force: the other feels its opposite."""
    for key, rows in table.rows.groupby("id", sort=True):
        names = list(rows["side"].unique())
        first = next((n for n in names if rows.loc[rows["side"] == n, "resultant"].any()), names[0])
        yield int(key), rows[rows["side"] == first]
