"""All data of a run for the report, read once."""

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from crumple.results.convergence import NAME, Convergence, read_convergence
from crumple.results.d3hsp import RunLog, read_d3hsp
from crumple.results.damage import DamagedFile
from crumple.results.forces import Forces
from crumple.results.histories import Histories
from crumple.results.load_profile import read_load_profile
from crumple.results.matsum import PartEnergies
from crumple.results.run_files import RunError, RunFiles, find_run
from crumple.results.run_record import RunRecord, read_record
from crumple.results.run_units import units_of
from crumple.units import Units


@dataclass(frozen=True)
class RunResults:
    """A run's files as tables; None for files that the run did not write."""

    files: RunFiles
    log: RunLog
    record: RunRecord | None
    history: pd.DataFrame | None
    parts: PartEnergies | None
    walls: Forces | None
    contacts: Forces | None
    sections: Forces | None
    load: pd.DataFrame | None
    unreadable: list[str]  #: sentences on files that could not be read
    units: Units = field(default_factory=Units)  #: units of the deck, if known
    convergence: Convergence | None = None  #: of an implicit run


def read_results(where: Path) -> RunResults:
    """Read a result folder. A file that is cut off or empty is listed; it is not fatal.

    Raises:
        RunError: the folder contains no run, or its d3hsp is damaged.
    """
    files = find_run(where)
    try:
        log = read_d3hsp(files.path("d3hsp"))
    except (DamagedFile, OSError) as error:
        raise RunError(str(error)) from None
    unreadable: list[str] = []

    histories = Histories(files)

    def read(reader):  # noqa: ANN001, ANN202 - as the reader
        try:
            table = reader()
        except DamagedFile as error:
            if str(error) not in unreadable:
                unreadable.append(str(error))
            return None
        return None if isinstance(table, Forces) and table.empty else table

    def read_load() -> pd.DataFrame | None:
        path = files.find("load_profile")
        return read_load_profile(path) if path else None

    def read_steps() -> Convergence | None:
        path = files.find(NAME)
        return read_convergence(path) if path else None

    return RunResults(
        files=files,
        log=log,
        record=read_record(files),
        history=read(histories.glstat),
        parts=read(histories.matsum),
        walls=read(histories.rwforc),
        contacts=read(histories.rcforc),
        sections=read(histories.secforc),
        load=read(read_load),
        unreadable=unreadable,
        units=units_of(log),
        convergence=read(read_steps),
    )
