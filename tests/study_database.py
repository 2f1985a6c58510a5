"""Reads the database of a study."""

import sqlite3
from pathlib import Path


def rows(database: Path, query: str) -> list[tuple]:
    """The rows of a query.

    Raises:
        sqlite3.OperationalError: the study has not made the tables yet.
    """
    connection = sqlite3.connect(database)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()
