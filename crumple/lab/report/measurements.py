"""Results of a study in its database, as tables: runs, cases with medians and spreads, phases, profiles."""

import sqlite3
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.profile.profile import Profile, profile_of
from crumple.lab.profile.rank_file import ProfileError
from crumple.lab.provenance import read_provenance
from crumple.lab.report.case_predictions import Predictions, PublishedSize
from crumple.lab.study.cases import AXES, keys_of_file
from crumple.lab.study.database import Database

RUNS = """
SELECT run.id AS run, case_.key AS key, run.repeat, run.state, run.elapsed, run.cpu, run.load, run.started,
       run.command, run.log, {axes}
FROM run JOIN case_ ON case_.id = run.case_ WHERE run.study = ? ORDER BY run.id
"""


@dataclass
class Measurements:
    """All results of one study."""

    name: str
    file: str  #: the study file's text
    path: Path  #: path of the study file
    runs: pd.DataFrame  #: one row per run: state, elapsed time, the axes
    figures: pd.DataFrame  #: run, job, name, value, label
    texts: pd.DataFrame
    phases: pd.DataFrame
    profiles: dict[int, list[Profile]]  #: by run, one per job
    provenance: list[dict]
    file_systems: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  #: type, options, device, by case key
    predictions: Predictions = field(default_factory=Predictions)  #: predictions, if the report makes any
    published_size: PublishedSize = field(default_factory=PublishedSize)  #: the same for those of a paper
    earlier: int = 0  #: runs of cases that are no longer in the study file; they are in no table

    def done(self) -> pd.DataFrame:
        """Runs that succeeded."""
        return self.runs[self.runs.state == "done"]

    def varied(self) -> list[str]:
        """Axes with several values among the runs."""
        return [axis for axis in AXES if self.runs[axis].nunique() > 1]

    @cached_property
    def table_of_cases(self) -> pd.DataFrame:
        """One row per case, in the order of first runs: median, range and spread of elapsed time."""
        rows = []
        for key, group in self.done().groupby("key", sort=False):
            times = group.elapsed
            median = float(times.median())
            axes = {axis: group[axis].iloc[0] for axis in AXES}
            plain = {axis: int(v) if not isinstance(v, str) else v for axis, v in axes.items()}
            rows.append(
                {
                    "key": key,
                    "case": StudyCase(**plain),
                    "n": len(times),
                    "median": median,
                    "low": float(times.min()),
                    "high": float(times.max()),
                    "spread": float(times.max() - times.min()) / 2,
                    "jobs a day": plain["jobs"] * 86400.0 / median,
                    **plain,
                }
            )
        return pd.DataFrame(rows)

    def cases(self) -> pd.DataFrame:
        """The table of cases, made once; copy it before changing it."""
        return self.table_of_cases

    def median_of(self, name: str) -> pd.Series:
        """Median of a figure over jobs and repeats, by case key."""
        table = self.figures[self.figures.name == name].merge(self.done()[["run", "key"]], on="run")
        return table.groupby("key", sort=False).value.median()


def read_measurements(path: Path) -> Measurements:
    """Read a database.

    Raises:
        StudyError: it is missing, damaged, or has no runs.
    """
    if not path.is_file():
        raise StudyError(f"there is no database {path}: run the study first")
    if not path.stat().st_size:
        raise StudyError(f"{path} is empty: run the study first")  # opening it would make it a database
    database = Database(path)
    try:
        c = database.connection
        row = c.execute("SELECT id, name, file, path FROM study ORDER BY id DESC").fetchone()
        if not row:
            raise StudyError(f"{path} has no study")
        m = read_study_of(c, row)
    except (
        sqlite3.Error,
        pd.errors.DatabaseError,
        ProfileError,
        ValueError,
        OverflowError,
        RecursionError,
    ) as error:
        raise StudyError(f"{path} is damaged: {error}") from None
    finally:
        database.close()
    if m.runs.empty:
        raise StudyError(f"{path} has no runs of '{m.name}'")
    return m


def read_study_of(c: sqlite3.Connection, row: tuple[int, str, str, str]) -> Measurements:
    """One study: its id, its name, its file and the path of that."""
    study, name, text, path = row
    tomllib.loads(text)  # it must be readable for the report
    axes = ", ".join(f"case_.{axis}" for axis in AXES)
    of_study = "WHERE run IN (SELECT id FROM run WHERE study = ?)"

    runs = pd.read_sql_query(RUNS.format(axes=axes), c, params=(study,))
    current = runs.key.isin(keys_of_file(text, Path(path)))
    if not current.any():  # the file has no known case: use all runs
        current[:] = True
    ids = set(runs.run[current])

    def table(of: str) -> pd.DataFrame:
        whole = pd.read_sql_query(f"SELECT * FROM {of} {of_study}", c, params=(study,))
        return whole[whole.run.isin(ids)]

    profiles: dict[int, list[Profile]] = {}
    query = f"SELECT run, content FROM profile {of_study} ORDER BY run, job"
    for run, content in c.execute(query, (study,)):
        if run in ids:
            profiles.setdefault(run, []).append(profile_of(content, f"the profile of run {run}"))
    query = "SELECT run.id, content FROM provenance p JOIN run ON run.provenance = p.id WHERE study = ?"
    of_runs = {run: content for run, content in c.execute(query, (study,)) if run in ids}
    sources = {content: read_provenance(content) for content in of_runs.values()}
    keys = dict(zip(runs.run, runs.key, strict=True))
    return Measurements(
        name=name,
        file=text,
        path=Path(path),
        runs=runs[current].reset_index(drop=True),
        figures=table("figure"),
        texts=table("text"),
        phases=table("phase"),
        profiles=profiles,
        provenance=list(sources.values()),
        file_systems={keys[run]: sources[content].get("file_system", {}) for run, content in of_runs.items()},
        earlier=int((~current).sum()),
    )
