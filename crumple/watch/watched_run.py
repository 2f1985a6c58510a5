"""A run that is watched: reads what is new in its folder, and tells it as plain data."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from crumple.report.names import TITLE
from crumple.results.convergence import NAME as CONVERGENCE
from crumple.results.convergence import PARTS
from crumple.results.damage import DamagedFile
from crumple.results.load_profile import read_load_profile
from crumple.results.run_files import RunFiles
from crumple.results.run_record import read_record
from crumple.results.run_units import units_of
from crumple.units import Units
from crumple.watch import charts
from crumple.watch.binout_histories import BinoutHistories
from crumple.watch.implicit_steps import StepFile
from crumple.watch.model_surface import LIMIT
from crumple.watch.pace import Pace
from crumple.watch.run_source import FolderSource, RunSource
from crumple.watch.run_state import RunState, last_change
from crumple.watch.run_text import KEPT, RunText
from crumple.watch.share_of_time import ShareOfTime
from crumple.watch.text_histories import Curves, EnergyFile, ForceFile, NodeFile, TextHistory

BETWEEN = 1.0  #: s between two looks at the folder, however many browsers ask
LOOK, CATCH_UP = 0.03, 1.0  #: s that a look may read, of a run that goes on and of one that is over
FORCES = (
    ("rwforc", "wall", "Rigid walls"),
    ("rcforc", "contact", "Contacts"),
    ("secforc", "section", "Sections"),
)
HELD = 12  #: elements in the table of what held the step
WATCHED = ("d3hsp", "d3plot", "glstat", "load_profile", "run.json", CONVERGENCE)


class WatchedRun:
    """Everything that the page shows of a run. Safe to use from several threads."""

    def __init__(
        self, source: RunFiles | RunSource, units: Units | None = None, triangles: int = LIMIT
    ) -> None:
        """Begin.

        Args:
            source: a folder of results, or another place to read the run from
            units: instead of those of the run
            triangles: of the model at most, if it is read from a folder
        """
        self.source = FolderSource(source, triangles) if isinstance(source, RunFiles) else source
        self.files = files = self.source.files
        self.given_units_ = units
        self.lock_ = threading.Lock()
        self.text_ = RunText(files.path("d3hsp"))
        self.state_ = RunState.unknown()
        self.energies_ = TextHistory(files.path("glstat"), EnergyFile)
        self.forces_ = {
            kind: TextHistory(files.path(kind), lambda kind=kind: ForceFile(kind)) for kind, *_ in FORCES
        }
        self.nodes_ = TextHistory(files.path("nodout"), NodeFile)
        self.steps_ = TextHistory(files.path(CONVERGENCE), StepFile)
        self.binout_ = BinoutHistories(files)
        self.surfaces = self.source.surfaces
        self.pace_ = Pace()
        self.shares_: dict[str, ShareOfTime] = {}
        self.looked_ = -BETWEEN
        self.charts_: dict[str, charts.Chart] = {}
        self.drawn_: dict[str, tuple] = {}  #: of what each group of charts was made
        self.version_ = 0
        self.load_: dict[str, Any] | None = None
        self.load_of_: tuple[int, int] = (0, 0)  #: file from which it was read

    @property
    def units(self) -> Units:
        """The units of the run, or those that were given."""
        return self.given_units_ or units_of(self.text_.log)

    @property
    def over(self) -> bool:
        """Whether nothing more is to come."""
        return self.state_.over

    def summary(self, have: dict[str, int]) -> dict[str, Any]:
        """What the page shows.

        Args:
            have: versions of the charts that the page has; those are left out
        """
        with self.lock_:
            self.look()
            changed = {name: c for name, c in self.charts_.items() if c["version"] != have.get(name)}
            return {
                "run": self.about(),
                "state": {"going": self.state_.going.value, "words": self.state_.words},
                "progress": self.progress(),
                "step": self.step(),
                "warnings": self.warnings(),
                "deleted": self.deleted(),
                "load": self.load(),
                "charts": changed,
                "names": list(self.charts_),
                "plots": self.surfaces.summary(),
                "switch": self.source.switch_waits(),
                "behind": self.behind(),
            }

    def look(self) -> None:
        """Read what is new in the folder, once a second at most."""
        now = time.monotonic()
        if now - self.looked_ < BETWEEN:
            return
        self.looked_ = now
        until = now + (CATCH_UP if self.over else LOOK)
        self.source.before()

        def may_go_on() -> bool:
            return time.monotonic() < until

        self.text_.look(may_go_on)
        for history in self.histories():
            history.look(may_go_on)
        if not self.energies_.found.count or not any(self.force_curves().values()):
            self.binout_.look(self.over)
        self.surfaces.look()
        reached = self.reached()
        if reached is not None:
            self.pace_.see(reached)
        self.state_ = self.source.state(self.text_.log, self.is_at_end(reached), self.changed())
        self.draw()

    def histories(self) -> list[TextHistory]:
        """All text files that are read."""
        return [self.energies_, *self.forces_.values(), self.nodes_, self.steps_]

    def changed(self) -> float:
        """When a file of the run was last written."""
        names = [*WATCHED, "binout0000", *self.forces_, "nodout"]
        family = self.surfaces.newest_file()
        return last_change([self.files.path(name) for name in names] + ([family] if family else []))

    def energies(self) -> EnergyFile | None:
        """From text, otherwise from binout."""
        found = self.energies_.found
        return found if found.count else self.binout_.energies

    def force_curves(self) -> dict[str, Curves | None]:
        """Forces of each kind, from text, otherwise from binout."""
        return {
            kind: history.found.curves if history.found.curves.times else self.binout_.forces.get(kind)
            for kind, history in self.forces_.items()
        }

    def node_curves(self) -> Curves | None:
        """Accelerations, from text, otherwise from binout."""
        found = self.nodes_.found.curves
        return found if found.times else self.binout_.nodes

    def draw(self) -> None:
        """Make the charts anew whose data have grown."""
        units = self.units
        if energies := self.energies():
            self.redraw(
                "energies", (energies.count, units.name), lambda: charts.energy_charts(energies, units)
            )
        for (kind, what, title), curves in zip(FORCES, self.force_curves().values(), strict=True):
            if curves and curves.times:
                sizes = (sum(map(len, curves.times.values())), units.name)
                self.redraw(kind, sizes, self.force_chart(kind, curves, what, title))
        steps = self.steps_.found
        if steps.times:
            self.redraw("steps", (len(steps.times), units.name), lambda: charts.step_charts(steps, units))
        nodes = self.node_curves()
        if nodes and nodes.times:
            sizes = (sum(map(len, nodes.times.values())), units.name)
            self.redraw("nodout", sizes, lambda: {"nodout": charts.acceleration_chart(nodes, units)})

    def force_chart(self, kind: str, curves: Curves, what: str, title: str) -> Callable[[], dict]:
        """What makes a chart of forces."""
        return lambda: {kind: charts.force_chart(curves, what, title, self.units)}

    def redraw(self, group: str, of: tuple, make: Callable[[], dict[str, charts.Chart]]) -> None:
        """Make a group of charts if its data have changed, and it is time."""
        share = self.shares_.setdefault(group, ShareOfTime())
        if self.drawn_.get(group) == of or not share.is_due(self.over):
            return
        self.version_ += 1
        for name, chart in share.do(make).items():
            self.charts_[name] = chart | {"version": self.version_}
        self.drawn_[group] = of

    def reached(self) -> float | None:
        """The last time of a row or of a plot state."""
        energies = self.energies()
        times = [float(energies.last["time"])] if energies and "time" in energies.last else []
        times += [self.steps_.found.times[-1]] if self.steps_.found.times else []
        times += [self.text_.log.states[-1][1]] if self.text_.log.states else []
        times += [self.source.reached] if self.source.reached is not None else []
        return max(times, default=None)

    def is_at_end(self, reached: float | None) -> bool | None:
        """Whether the run has come to its end time; None: not known."""
        end = self.text_.log.number("control", "end time")
        return None if not end or reached is None else reached >= end * (1 - 1e-6)

    def about(self) -> dict[str, Any]:
        """Title, deck, machine."""
        log, record = self.text_.log, read_record(self.files)
        deck = next((line.split(None, 1)[1] for line in log.sections.get("run", []) if " deck " in line), "")
        elements = sum(part.elements for part in log.parts)
        ranks = log.ranks or (record.ranks if record else None)
        return {
            "title": log.title or Path(self.source.place).name,
            "folder": self.source.place,
            "deck": deck or (record.deck if record else ""),
            "program": log.version,
            "size": " · ".join(
                filter(
                    None,
                    [
                        f"{elements:,} elements" if elements else "",
                        f"{len(log.parts):,} parts" if log.parts else "",
                        f"{ranks} × {log.threads or 1} ranks × threads" if ranks else "",
                        f"{log.precision} precision" if log.precision else "",
                        log.isa,
                    ],
                )
            ),
            "units": self.units.name,
            "time_unit": self.units["time"],
            "parts": {part.id: part.title for part in log.parts},
            "hash": log.hash,
            "message": log.message if self.state_.going.value == "failed" else "",
        }

    def progress(self) -> dict[str, Any]:
        """How far the run is, and how long it takes."""
        log, energies = self.text_.log, self.energies()
        last = energies.last if energies else {}
        reached, end = self.reached(), log.number("control", "end time")
        ns = number_of(last, "time per zone cycle.(nanosec)") or log.nanoseconds
        elements = sum(part.elements for part in log.parts)
        a_cycle = 1e-9 * ns * elements if ns else None
        left = None
        if reached is not None and end and not self.over:
            left = self.pace_.left(max(0.0, end - reached), number_of(last, "time step"), a_cycle)
        cycle = log.cycles or (log.states[-1][0] if log.states else None)
        cycle = max(cycle or 0, int(number_of(last, "cycle") or 0)) or None
        elapsed = log.seconds or self.steps_.found.elapsed
        elapsed = elapsed or (a_cycle * cycle if a_cycle and cycle else None)
        return {
            "time": reached,
            "end": end,
            "cycle": cycle,
            "ns": ns,
            "elapsed": elapsed,
            "left": left,
            "steps": len(self.steps_.found.times),
            "refused": self.steps_.found.refused,
            "iterations": sum(self.steps_.found.iterations),
            "changed": round(max(0.0, time.time() - self.changed())),
            "ratio": number_of(last, "total energy / initial energy"),
            "added_mass": number_of(last, "percentage increase"),
        }

    def step(self) -> dict[str, Any]:
        """The time step, what holds it now, and what held it how often."""
        energies = self.energies()
        last = energies.last if energies else {}
        when, smallest = self.text_.smallest_steps()
        titles = {part.id: part.title for part in self.text_.log.parts}
        held = sorted(energies.held.items(), key=lambda item: -item[1][0])[:HELD] if energies else []
        rows = max(1, energies.count) if energies else 1
        return {
            "now": number_of(last, "time step"),
            "by": str(last.get("controlled by", "")),
            "element": number_of(last, "controlling element"),
            "part": number_of(last, "controlling part"),
            "held": [
                [f"{kind} {element}", part_name(part, titles), count / rows, smallest_step]
                for (kind, element, part), (count, smallest_step) in held
            ],
            "listed": when,
            "smallest": [
                [float(step), f"{kind} {element}", part_name(int(part), titles)]
                for step, kind, element, part in smallest
            ],
        }

    def warnings(self) -> dict[str, Any]:
        """Warnings of the deck and of the run, and files that cannot be read."""
        found = self.text_.warnings()
        sources = (self.text_, *self.histories(), self.binout_)
        found += [source.damage for source in sources if source.damage]
        return {"count": len(found), "rows": [text[:500] for text in found[-KEPT:]]}

    def deleted(self) -> dict[str, Any]:
        """Deleted elements."""
        deletions = self.text_.deletions
        titles = {part.id: part.title for part in self.text_.log.parts}
        parts = sorted(deletions.of_part.items(), key=lambda item: -item[1])[:HELD]
        return {
            "count": deletions.count,
            "parts": [[part_name(part, titles), count] for part, count in parts],
            "rows": [
                [row["time"], f"{row['kind']} {row['id']}", part_name(int(row["part"]), titles), row["why"]]
                for row in reversed(deletions.last)
            ],
        }

    def load(self) -> dict[str, Any] | None:
        """Seconds of each phase on each rank; None as long as the run has not written them."""
        if any(self.steps_.found.seconds.values()):
            seconds = {PARTS[part]: s for part, s in self.steps_.found.seconds.items() if s > 0}
            return {
                "phases": list(seconds),
                "ranks": [0],
                "seconds": [[round(s, 3)] for s in seconds.values()],
            }
        path = self.files.path("load_profile")
        try:
            found = path.stat()
            if (found.st_ino, found.st_mtime_ns) != self.load_of_:
                self.load_of_, self.load_ = (found.st_ino, found.st_mtime_ns), load_of(path)
        except FileNotFoundError:
            return None
        except (DamagedFile, OSError):
            self.load_ = None  # of another program; the report says what is wrong with it
        return self.load_

    def behind(self) -> int:
        """Bytes of text that have not been read yet."""
        histories = self.histories()
        return self.text_.behind + sum(history.behind for history in histories)


def load_of(path: Path) -> dict[str, Any]:
    """The table of seconds.

    Raises:
        DamagedFile: it is no such table.
        OSError: it cannot be read.
    """
    table = read_load_profile(path)
    return {
        "phases": list(map(str, table.columns)),
        "ranks": table.index.tolist(),
        "seconds": [charts.short(np.asarray(table[name], dtype=float)) for name in table.columns],
    }


def number_of(row: dict[str, Any], name: str) -> float | None:
    """A finite number of a row, or None."""
    value = row.get(name)
    return float(value) if isinstance(value, float | int) and np.isfinite(value) else None


def part_name(part: int, titles: dict[int, str]) -> str:
    """A part by its number and its title."""
    title = titles.get(part, "").strip()
    short = title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
    return f"{part} {short}" if title else f"part {part}"
