"""Names of walls, contacts, sections and parts in plots and tables, and the rows that these show."""

from collections.abc import Iterable

import pandas as pd

from crumple.results.forces import Forces

TITLE = 30  #: characters of a title in a legend


def name_of(titles: dict[int, str], key: int, what: str) -> str:
    """The name of a wall, contact or section, short enough for a legend."""
    title = titles.get(key, "").strip()
    short = title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
    return f"{key} {short}" if title else f"{what} {key}"


def sides(table: Forces) -> Iterable[tuple[int, pd.DataFrame]]:
    """The rows of each id; of a contact, those of the first side with a force (the other is opposite)."""
    for key, rows in table.rows.groupby("id", sort=True):
        names = list(rows["side"].unique())
        first = next((n for n in names if rows.loc[rows["side"] == n, "resultant"].any()), names[0])
        yield int(key), rows[rows["side"] == first]
