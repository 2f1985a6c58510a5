"""Figures to assess a run: how it ended, its speed, its energy balance."""

from dataclasses import dataclass
from enum import StrEnum
from html import escape

import numpy as np
import pandas as pd

from crumple.other_load import OTHER_LOAD
from crumple.report.run_results import RunResults
from crumple.results.d3hsp import Ending
from crumple.results.run_record import RunRecord

SECONDS_A_DAY = 86_400.0
WORTH_A_LOOK = 0.01  #: share of the largest internal energy; parts below it are not checked


class Verdict(StrEnum):
    """The result of one check."""

    good = "good"
    look = "look"
    bad = "bad"


@dataclass(frozen=True)
class Check:
    """A figure and its customary limit."""

    name: str
    found: str
    limit: str
    verdict: Verdict


@dataclass(frozen=True)
class Fact:
    """A name, with a value and an explanation as HTML."""

    name: str
    value: str
    note: str = ""


def number(value: float | None, digits: int = 4) -> str:
    """A readable number: grouped thousands, four digits, exponents only if needed."""
    if value is None or not np.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 10.0**digits:
        return f"{value:.{digits}g}"
    if 10.0**digits <= abs(value) < 1e7:
        return f"{value:,.0f}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}×10<sup>{int(exponent)}</sup>"


def elapsed(seconds: float) -> str:
    """Seconds as a clock shows them."""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.2g} s"
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {whole % 60:02d} s"


def column(history: pd.DataFrame | None, name: str) -> np.ndarray | None:
    """A column of the history without gaps, or None."""
    if history is None or name not in history:
        return None
    return history[name].fillna(0.0).to_numpy(dtype=float)


def reached(results: RunResults) -> float | None:
    """The last time in any history or plot state."""
    times = column(results.history, "time")
    last = [float(times[-1])] if times is not None else []
    last += [results.log.states[-1][1]] if results.log.states else []
    return max(last, default=None)


def seconds(results: RunResults) -> float | None:
    """Elapsed seconds of the cycles; from the speed if d3hsp does not give them or rounds them to zero."""
    log = results.log
    if log.seconds:
        return log.seconds
    speeds = column(results.history, "time per zone cycle.(nanosec)")
    cycles = column(results.history, "cycle")
    speed = log.nanoseconds or (speeds[-1] if speeds is not None else None)
    count = log.cycles or (cycles[-1] if cycles is not None else None)
    elements = sum(part.elements for part in log.parts)
    return float(1e-9 * speed * elements * count) if speed and count and elements else None


def ending(results: RunResults) -> tuple[str, Verdict]:
    """How the run ended, in words, and whether it reached the end of the deck."""
    text, verdict = termination(results)
    if not results.log.left_out:
        return text, verdict
    worse = Verdict.look if verdict is Verdict.good else verdict
    return f"{text}, without physics that the deck asks for (--allow-unsupported)", worse


def termination(results: RunResults) -> tuple[str, Verdict]:
    """How the run ended, in words."""
    log = results.log
    if log.ending is Ending.error:
        return "error termination", Verdict.bad
    if log.ending is Ending.none:
        return "no termination: running, or killed", Verdict.bad
    end, last = log.number("control", "end time"), reached(results)
    # The last cycle ends past the end time; a stop by cycle count, switch or signal is short of it.
    if end and last is not None and last < end * (1 - 1e-6):
        return f"normal termination, stopped at {100 * last / end:.0f} % of the end time", Verdict.look
    return "normal termination", Verdict.good


def deck_name(results: RunResults) -> str:
    """The deck's path as far as it is known."""
    return results.record.deck if results.record else ""


def run_facts(results: RunResults) -> list[Fact]:
    """Deck, machine and speed of the run."""
    log, record = results.log, results.record
    took = seconds(results)
    whole = log.seconds is not None
    ranks = log.ranks or (record.ranks if record else None)
    if ranks is None and results.load is not None:
        ranks = len(results.load)
    threads = log.threads or (record.threads if record else None)
    cycles = log.cycles or (results.history["cycle"].iloc[-1] if "cycle" in columns(results) else None)
    elements = sum(part.elements for part in log.parts)
    times = f"{ranks} × {threads or 1}" if ranks else "not recorded"
    host = f"{escape(record.host)}, {record.cores} cores" if record and record.host else ""
    return [
        Fact("Ranks × threads", times, " · ".join(filter(None, [escape(log.isa), host]))),
        Fact("Precision", log.precision or "-", "of element work"),
        Fact("Elements", f"{elements:,}" if elements else "-", f"{len(log.parts):,} parts"),
        Fact("Mass", number(log.number("model", "total mass")), results.units["mass"]),
        Fact("Simulated time", number(reached(results)), end_note(results)),
        Fact("Cycles", f"{int(cycles):,}" if cycles else "-", step_note(results)),
        Fact(
            "Elapsed",
            ("" if whole else "≈ ") + elapsed(took) if took else "-",
            " · ".join(filter(None, [speed_note(results), other_load_note(record)])),
        ),
    ]


def rating(results: RunResults) -> str:
    """How many such jobs a machine does in a day, in words; nothing of a run that did not reach its end."""
    log, took = results.log, seconds(results)
    if not took or log.seconds is None or log.ending is not Ending.normal:
        return ""
    return f"Rating: {number(SECONDS_A_DAY / took, 3)} such jobs a day (86,400 s / elapsed)."


def columns(results: RunResults) -> list[str]:
    """Names of the history's columns."""
    return [] if results.history is None else list(results.history.columns)


def end_note(results: RunResults) -> str:
    """A note on the end time."""
    end = results.log.number("control", "end time")
    label = results.units["time"]
    return f"of {number(end)}{'' if results.units else ','} {label}" if end else label


def step_note(results: RunResults) -> str:
    """The smallest and the last time step."""
    steps = column(results.history, "time step")
    return f"smallest step {number(float(steps.min()), 3)}" if steps is not None else ""


def other_load_note(record: RunRecord | None) -> str:
    """Other load on the machine when the run started, which its times contain."""
    if not record or record.other_load < OTHER_LOAD:
        return ""
    return f"other processes used {record.other_load:.1f} of {record.cores} cores at the start"


def speed_note(results: RunResults) -> str:
    """Speed of the solver."""
    speed = results.log.nanoseconds
    if speed is None and (speeds := column(results.history, "time per zone cycle.(nanosec)")) is not None:
        speed = float(speeds[-1])
    return f"{speed:,.0f} ns per zone and cycle" if speed else ""


def hourglass_percent(history: pd.DataFrame) -> np.ndarray:
    """Hourglass energy in percent of internal energy; NaN if there is almost no internal energy."""
    internal = column(history, "internal energy")
    hourglass = column(history, "hourglass energy")
    if internal is None or hourglass is None:
        return np.full(len(history), np.nan)
    known = internal > WORTH_A_LOOK * internal.max(initial=0.0)
    return np.where(known, 100.0 * hourglass / np.where(known, internal, 1.0), np.nan)


def within(name: str, found: str, limit: str, good: bool) -> Check:
    """A check with a limit."""
    return Check(name, found, limit, Verdict.good if good else Verdict.look)


def checks(results: RunResults) -> list[Check]:
    """The usual checks of a crash run. Their limits are customary, not strict."""
    text, verdict = ending(results)
    found = [Check("Termination", text, "normal", verdict)]
    history = results.history
    if history is None:
        return found
    ratio = column(history, "total energy / initial energy")
    if ratio is not None:
        low, high = float(ratio.min()), float(ratio.max())
        says = f"{ratio[-1]:.4f} at the end, {low:.4f} to {high:.4f}"
        found.append(within("Energy ratio", says, "0.95 to 1.05", 0.95 <= low and high <= 1.05))
    share = hourglass_percent(history)
    if np.isfinite(share).any():
        last, most = share[np.isfinite(share)][-1], float(np.nanmax(share))
        says = f"{last:.1f} % at the end, {most:.1f} % at most"
        found.append(within("Hourglass / internal energy", says, "below 10 %", most < 10.0))
    sliding, total = column(history, "sliding interface energy"), column(history, "total energy")
    if sliding is not None and total is not None and sliding.any():
        worst = 100.0 * float(sliding.min()) / max(float(np.abs(total).max()), 1e-300)
        says = f"lowest {worst:.2f} % of total" if worst < 0 else "never negative"
        found.append(within("Contact energy", says, "above -1 % of total", worst > -1.0))
    found += added_mass_check(history)
    return found + part_check(results)


def added_mass_check(history: pd.DataFrame) -> list[Check]:
    """The check of added mass, if there is mass scaling."""
    added = column(history, "percentage increase")
    if added is None:
        return []
    most = float(added.max())
    return [within("Added mass", f"{most:.2f} %", "below 5 %", most < 5.0)]


def part_check(results: RunResults) -> list[Check]:
    """The check of hourglass energy by part."""
    if results.parts is None:
        return []
    last = last_of_parts(results)
    if not last["internal"].max() > 0:
        return []
    matter = last[last["internal"] > WORTH_A_LOOK * last["internal"].max()]
    bad = matter[matter["hourglass %"] >= 10.0]
    says = f"{len(bad)} of {len(matter)}"
    if len(bad):
        worst = bad["hourglass %"].idxmax()
        says += f", worst part {worst} with {bad.loc[worst, 'hourglass %']:.0f} %"
    return [within("Parts with hourglass above 10 %", says, "none", bad.empty)]


def last_of_parts(results: RunResults) -> pd.DataFrame:
    """Energies of each part at the last time, by part id, the largest internal energy first."""
    assert results.parts is not None
    rows = results.parts.rows
    last = rows.drop_duplicates("part", keep="last").set_index("part")
    titles = {part.id: part.title for part in results.log.parts} | results.parts.titles
    table = pd.DataFrame(
        {
            "title": [titles.get(part, "") for part in last.index],
            "internal": last.get("inten", 0.0),
            "kinetic": last.get("kinen", 0.0),
            "hourglass": last.get("hgeng", 0.0),
            "eroded": last.get("eroded_ie", 0.0),
        },
        index=last.index,
    )
    known = table["internal"] > 0
    share = 100.0 * table["hourglass"] / table["internal"].where(known)
    table["hourglass %"] = share
    return table.sort_values("internal", ascending=False)
