"""The database of a study: one SQLite file. Every run is written when it ends, completely or not at all."""

import json
import sqlite3
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from crumple.lab.applications.application import Figures
from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.provenance import read_provenance
from crumple.lab.study.cases import AXES

APPLICATION_ID = 0x43525550  #: "CRUP", in the file's header
VERSION = 2
#: by version: what makes it the next one
NEXT = {1: "ALTER TABLE case_ ADD COLUMN file_system TEXT NOT NULL DEFAULT ''"}


def now() -> str:
    """The time in the form of the database."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass
class RunOutcome:
    """A run that has ended, successfully or not."""

    state: str
    elapsed: float
    cpu: float
    load: float
    status: int | None
    command: str
    started: str
    log: str = ""  #: if it failed, the reason and the end of its output; otherwise what is missing
    reason: str = ""  #: why it failed, or which figures are missing; the log begins with it
    figures: list[Figures] = field(default_factory=list)  #: for each job
    profiles: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)  #: measured or modelled, by figure


class Database:
    """An open database."""

    def __init__(self, path: Path) -> None:
        """Open a database, or create one.

        Raises:
            StudyError: the file is not a database of ours, or damaged. It is left unchanged.
        """
        self.path = path
        new = not path.exists() or path.stat().st_size == 0
        self.connection = sqlite3.connect(path)
        self.connection.execute("PRAGMA foreign_keys = ON")
        try:
            if new:
                # In one step: if the study is killed here, it leaves an empty file, which the next one fills.
                schema = Path(__file__).with_name("schema.sql").read_text()
                marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
                self.connection.executescript(f"BEGIN;\n{schema}\n{marks}\nCOMMIT;")
            self.check()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # it quotes damaged names
            self.connection.close()
            raise StudyError(f"{path} is damaged, or no database of a study: {error}") from None

    def check(self) -> None:
        """Check that this is a complete database of ours, and bring an earlier version up to date."""
        number = self.connection.execute("PRAGMA application_id").fetchone()[0]
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if number != APPLICATION_ID:
            raise sqlite3.DatabaseError("another program's file")
        if version != VERSION and version not in NEXT:
            raise sqlite3.DatabaseError(f"it has version {version}, this is version {VERSION}")
        said = self.connection.execute("PRAGMA quick_check").fetchone()[0]
        if said != "ok":
            raise sqlite3.DatabaseError(said)
        for earlier in range(version, VERSION):
            steps = f"BEGIN; {NEXT[earlier]}; PRAGMA user_version = {earlier + 1}; COMMIT;"
            self.connection.executescript(steps)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def study(self, name: str, path: Path, text: str) -> int:
        """Enter that a study starts or continues; returns its id."""
        with self.connection as c:
            row = c.execute("SELECT id FROM study WHERE name = ?", (name,)).fetchone()
            if row:
                c.execute("UPDATE study SET file = ?, path = ? WHERE id = ?", (text, str(path), row[0]))
                return int(row[0])
            values = (name, text, str(path), now())
            made = c.execute("INSERT INTO study (name, file, path, started) VALUES (?, ?, ?, ?)", values)
            return int(made.lastrowid)

    def case(self, key: str, case: StudyCase) -> int:
        """The id of a case, which is entered if it is new."""
        with self.connection as c:
            row = c.execute("SELECT id FROM case_ WHERE key = ?", (key,)).fetchone()
            if row:
                return int(row[0])
            columns = ", ".join(AXES)
            marks = ", ".join("?" * len(AXES))
            values = (key, *(asdict(case)[name] for name in AXES))
            return int(c.execute(f"INSERT INTO case_ (key, {columns}) VALUES (?, {marks})", values).lastrowid)

    def done(self, key: str) -> set[int]:
        """Repeats of a case that succeeded."""
        rows = self.connection.execute(
            "SELECT repeat FROM run JOIN case_ ON case_.id = run.case_ WHERE key = ? AND state = 'done'",
            (key,),
        )
        return {int(r[0]) for r in rows}

    def elapsed(self, key: str) -> list[float]:
        """Seconds of a case's runs that succeeded."""
        rows = self.connection.execute(
            "SELECT elapsed FROM run JOIN case_ ON case_.id = run.case_ WHERE key = ? AND state = 'done'",
            (key,),
        )
        return [float(r[0]) for r in rows]

    def sources(self, key: str) -> list[dict]:
        """Provenances of a case's runs that succeeded.

        Raises:
            StudyError: one of them is damaged.
        """
        rows = self.connection.execute(
            "SELECT DISTINCT content FROM provenance JOIN run ON run.provenance = provenance.id"
            " JOIN case_ ON case_.id = run.case_ WHERE key = ? AND state = 'done'",
            (key,),
        )
        try:
            return [read_provenance(r[0]) for r in rows]
        except ValueError as error:
            raise StudyError(f"{self.path} is damaged: {error}") from None

    def provenance(self, content: dict) -> int:
        """The id of a provenance, which is entered if it is new."""
        text = json.dumps(content, sort_keys=True)
        with self.connection as c:
            row = c.execute("SELECT id FROM provenance WHERE content = ?", (text,)).fetchone()
            if row:
                return int(row[0])
            return int(c.execute("INSERT INTO provenance (content) VALUES (?)", (text,)).lastrowid)

    def add(self, study: int, case: int, repeat: int, provenance: int, o: RunOutcome) -> int:
        """Enter a run; it replaces a failed run of the same case and repeat."""
        with self.connection as c:
            old = c.execute("SELECT id FROM run WHERE case_ = ? AND repeat = ?", (case, repeat)).fetchall()
            for (run,) in old:
                for table in ("figure", "text", "phase", "profile"):
                    c.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
                c.execute("DELETE FROM run WHERE id = ?", (run,))
            made = c.execute(
                "INSERT INTO run (study, case_, repeat, state, started, elapsed, cpu, load, status, command,"
                " log, provenance) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    study,
                    case,
                    repeat,
                    o.state,
                    o.started,
                    o.elapsed,
                    o.cpu,
                    o.load,
                    o.status,
                    o.command,
                    o.log,
                    provenance,
                ),
            )
            run = int(made.lastrowid)
            for job, figures in enumerate(o.figures):
                self.add_figures(c, run, job, figures, o.labels)
            c.executemany(
                "INSERT INTO profile VALUES (?, ?, ?)", [(run, j, p) for j, p in enumerate(o.profiles)]
            )
            return run

    @staticmethod
    def add_figures(
        c: sqlite3.Connection, run: int, job: int, figures: Figures, labels: dict[str, str]
    ) -> None:
        """Enter the figures of one job of a run."""
        values = [(run, job, name, value, labels.get(name, "")) for name, value in figures.values.items()]
        c.executemany("INSERT INTO figure VALUES (?, ?, ?, ?, ?)", values)
        c.executemany("INSERT INTO text VALUES (?, ?, ?, ?)", [(run, job, *t) for t in figures.texts.items()])
        phases = [
            (run, job, rank, name, seconds)
            for name, each in figures.phases.items()
            for rank, seconds in enumerate(each)
        ]
        c.executemany("INSERT INTO phase VALUES (?, ?, ?, ?, ?)", phases)
