"""The findings of a study as sentences, each comparison with its noise."""

import os
from pathlib import Path

import pandas as pd

from crumple.lab.applications.case import StudyCase
from crumple.lab.profile.show_profile import classes
from crumple.lab.report.file_systems import share_of_time
from crumple.lab.report.measurements import Measurements
from crumple.lab.report.study_charts import profiles_by_case

ONCE = "run once, so the noise is not known"
SAME = "repeated runs are equal to the last digit"
SMALL = ("0-256 B", "256 B-4 KB")  #: classes of small messages


def times_the_spread(a: pd.Series, b: pd.Series) -> str:
    """The difference of two medians compared with their noise, in words.

    The spread of a case is half of the range of its runs; the larger spread of the two cases counts.
    """
    if a.n < 2 or b.n < 2:
        return ONCE
    difference, spread = abs(b["median"] - a["median"]), max(a.spread, b.spread)
    if spread == 0.0:
        return SAME
    if difference <= spread:
        return f"within the noise (spread {100 * spread / a['median']:.1f} %)"
    return f"the difference is {difference / spread:.1f} times the spread"


def about(case: StudyCase, axes: list[str]) -> str:
    """A case in words."""
    return case.label(tuple(axes)).replace(", ", " and ")


def compare_ranks(m: Measurements) -> list[str]:
    """Speed-up from the fewest to the most ranks."""
    cases, found = m.cases(), []
    rest = [axis for axis in m.varied() if axis != "ranks"]
    for _, group in cases.groupby(rest, sort=False) if rest else [((), cases)]:
        ordered = group.sort_values("ranks")
        if len(ordered) < 2:
            continue
        few, many = ordered.iloc[0], ordered.iloc[-1]
        speed = few["median"] / many["median"]
        ideal = many.ranks / few.ranks
        where = f" ({about(few.case, rest)})" if rest else ""
        slower = "" if speed >= 1.0 else " More ranks make it slower."
        found.append(
            f"{many.ranks} ranks are {speed:.2f} times as fast as {few.ranks}{where}: parallel efficiency "
            f"{100 * speed / ideal:.0f} %; {times_the_spread(few, many)}.{slower}"
        )
    return found


def compare_jobs(m: Measurements) -> list[str]:
    """Jobs per day with jobs side by side, against one job at a time."""
    if "jobs" not in m.varied():
        return []
    cases = m.cases()
    one, several = cases[cases.jobs == 1], cases[cases.jobs > 1]
    if several.empty:  # none of them succeeded
        return []
    beside = several.loc[several["jobs a day"].idxmax()]
    rest = [axis for axis in m.varied() if axis not in ("jobs", "ranks", "binding")]
    for axis in rest:  # the other axes must be equal
        one = one[one[axis] == beside[axis]]
    if one.empty:
        return []
    alone = one.loc[one["jobs a day"].idxmax()]
    where = f" ({about(beside.case, rest)})" if rest else ""

    def words(row: pd.Series) -> str:
        jobs = f"{row.jobs} job{'s' * int(row.jobs > 1)} of {row.ranks} rank{'s' * int(row.ranks > 1)}"
        return f"{jobs}: {row['jobs a day']:.0f} jobs a day"

    gain = beside["jobs a day"] - alone["jobs a day"]
    spread = max(r.spread / r["median"] * r["jobs a day"] for r in (alone, beside))
    once = min(alone.n, beside.n) < 2
    if gain > 0:
        if gain <= spread:
            noise = "within the noise"
        else:
            noise = SAME if spread == 0 else f"the difference is {gain / spread:.1f} times the spread"
        return [f"{words(alone)}; {words(beside)}{where}; {ONCE if once else noise}."]
    share = max(r.spread / r["median"] for r in (alone, beside))
    if not once and -gain <= share * alone["jobs a day"]:
        return ["Jobs side by side: no difference beyond the noise."]
    nothing = "Jobs side by side bring nothing here: one job at a time does the most jobs a day"
    return [f"{nothing}; {ONCE}." if once else f"{nothing}."]


def compare_others(m: Measurements) -> list[str]:
    """Best against worst value of each other axis, where the difference is largest; the rest is equal."""
    cases, found = m.cases(), []
    for axis in m.varied():
        if axis in ("ranks", "jobs"):
            continue
        rest = [name for name in m.varied() if name != axis]
        widest = None
        for _, group in cases.groupby(rest, sort=False) if rest else [((), cases)]:
            if len(group) < 2:
                continue
            fast, slow = group.loc[group["median"].idxmin()], group.loc[group["median"].idxmax()]
            ratio = slow["median"] / fast["median"]
            if widest is None or ratio > widest[0]:
                widest = (ratio, fast, slow)
        if widest:
            ratio, fast, slow = widest
            where = f" with {about(fast.case, rest)}" if rest else ""
            need = "need" if getattr(fast.case, axis) in range(2, 10**6) else "needs"
            found.append(
                f"{axis.replace('_', ' ').capitalize()}{where}: {fast.case.label((axis,))} {need} "
                f"{fast['median']:.3g} s, {slow.case.label((axis,))} {slow['median']:.3g} s "
                f"({ratio:.2f} times); {times_the_spread(fast, slow)}."
            )
    return found


def messages(m: Measurements) -> list[str]:
    """The function with most of the time in MPI, and message sizes, for the case with the most ranks."""
    profiles = [p for p in profiles_by_case(m) if p[1].size > 1]
    if not profiles:
        return []
    name, profile = max(profiles, key=lambda pair: pair[1].size)
    totals = profile.totals()
    all_time = sum(t.time for t in totals)
    bins = [b for kind in ("point_to_point", "collective") for b in classes(profile.histogram(kind))]
    count = sum(n for _, n, _ in bins)
    if not all_time or not count:
        return []
    longest = max(totals, key=lambda t: t.time)
    small = sum(n for words, n, _ in bins if words in SMALL)
    return [
        f"MPI ({name}): {longest.name} has {100 * longest.time / all_time:.0f} % of the time in MPI; "
        f"{100 * small / count:.0f} % of the messages are of 4 KB or less."
    ]


def same_bits(m: Measurements) -> list[str]:
    """Whether the runs of each precision and version ended in the same state."""
    if m.texts.empty:
        return []
    hashes = m.texts[m.texts.name == "state hash"].merge(m.done(), on="run")
    if hashes.empty:
        return []
    if (hashes.groupby(["precision", "version"]).value.nunique() > 1).any():
        return ["Warning: runs of the same precision and version ended in different states."]
    # Another precision or version may end in another state: this is reported, too.
    apart = [axis for axis in ("precision", "version") if (hashes.groupby(axis).value.first().nunique() > 1)]
    of = f" as the others of their {' and '.join(apart)}" if apart else ""
    runs = hashes.run.nunique()
    return [f"All {runs} runs ended in the same state{of}, bit for bit, with any ranks and placement."]


def changed_programs(m: Measurements) -> list[str]:
    """Programs and input files that changed during the study."""
    contents: dict[str, set[str]] = {}
    for source in m.provenance:
        program = source["executable"]
        for path, content in {program["path"]: program["sha256"], **source["inputs"]}.items():
            contents.setdefault(path, set()).add(content)
    return [Path(path).name for path, several in contents.items() if len(several) > 1]


def reservations(m: Measurements) -> list[str]:
    """Reasons to doubt figures: failures, a busy machine, a changed program or study file."""
    found = [
        f"{name} changed between runs: not all runs have the same content." for name in changed_programs(m)
    ]
    if m.earlier:
        found.append(f"{m.earlier} runs of an earlier version of the study file are left out.")
    bad = m.runs[m.runs.state != "done"]
    if len(bad):
        found.append(f"{len(bad)} of {len(m.runs)} runs failed; they are listed below.")
    done = m.done()
    lacking = [line for log in done.log for line in log.splitlines()]
    for line in dict.fromkeys(lacking):
        found.append(f"{lacking.count(line)} of {len(done)} runs: {line}.")
    cores = next((s["machine"]["cores"] for s in m.provenance), os.cpu_count() or 1)
    busy = int((m.done().load > 0.5 * cores).sum())
    if busy:
        found.append(
            f"{busy} of {len(m.done())} runs began while the machine was busy (others used more than "
            f"half of its {cores} cores): their times are not reliable."
        )
    return found


def findings(m: Measurements) -> list[str]:
    """All findings, the most important first."""
    if m.cases().empty:
        return ["No run succeeded.", *reservations(m)]
    return [
        *compare_jobs(m),
        *compare_ranks(m),
        *compare_others(m),
        *share_of_time(m),
        *messages(m),
        *same_bits(m),
        *reservations(m),
    ]
