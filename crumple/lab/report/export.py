"""The results of a study as flat tables for other programs: CSV, Parquet."""

from pathlib import Path

import pandas as pd

from crumple.lab.report.measurements import Measurements, read_measurements
from crumple.lab.study.cases import AXES
from crumple.whole_file import write_whole

FORMATS = (".csv", ".parquet")


def flat(m: Measurements) -> pd.DataFrame:
    """One row per run and job: axes, state, elapsed time, and a column for each figure."""
    kept = ["run", *AXES, "repeat", "state", "started", "elapsed", "cpu", "load", "command"]
    if m.figures.empty:
        return m.runs[kept].assign(job=0)
    wide = m.figures.pivot_table(index=["run", "job"], columns="name", values="value").reset_index()
    wide = wide.drop(columns=[c for c in wide.columns if c in kept and c != "run"])
    table = m.runs[kept].merge(wide, on="run", how="left")
    table["job"] = table["job"].fillna(0).astype(int)
    return table


def export(database: Path, output: Path) -> int:
    """Write the table; returns its number of rows.

    Raises:
        StudyError: the database is missing, damaged or empty.
        ValueError: the output is of another kind.
    """
    if output.suffix not in FORMATS:
        raise ValueError(f"'{output}' is none of {', '.join(FORMATS)}")
    table = flat(read_measurements(database))
    if output.suffix == ".csv":
        write_whole(output, table.to_csv(index=False))
    else:
        write_whole(output, table.to_parquet(index=False))
    return len(table)
