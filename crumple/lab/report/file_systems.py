"""Files of the runs: on which file system each case wrote, how much, and how long it took."""

from collections.abc import Callable
from statistics import median

from crumple.lab.page.chart import Chart, Series
from crumple.lab.profile.io_totals import Calls, by_file, by_phase, together
from crumple.lab.profile.profile import Profile
from crumple.lab.profile.rank_file import NO_PHASE
from crumple.lab.report.measurements import Measurements

KINDS = 8  #: number of kinds of files that are shown


def kind_of(path: str) -> str:
    """The kind of a file: its name up to the first point, without digits at its end: d3plot of d3plot01."""
    name = path.rsplit("/", 1)[-1]
    return name.partition(".")[0].rstrip("0123456789") or name


def by_kind(profile: Profile) -> dict[str, Calls]:
    """What a program did with files, by their kind."""
    found: dict[str, list[Calls]] = {}
    for file in by_file(profile):
        if file.through():
            found.setdefault(kind_of(file.path), []).append(file.program())
    return {kind: together(parts) for kind, parts in found.items()}


def runs_of_cases(m: Measurements) -> list[tuple[str, str, list[Profile]]]:
    """Key, name and profiles of the cases whose runs have profiles of files: the first job of each run."""
    found = []
    for _, row in m.cases().iterrows():
        runs = m.done()[m.done().key == row.key].run
        profiles = [m.profiles[run][0] for run in runs if m.profiles.get(run)]
        if profiles and any(by_phase(p) for p in profiles):
            found.append((row.key, row.case.label(tuple(m.varied())), profiles))
    return found


def seconds_by_phase(profiles: list[Profile]) -> dict[str, float]:
    """Seconds in calls on files by phase, mean over ranks, median over runs."""
    return medians([{named(phase): c.seconds / p.size for phase, c in by_phase(p).items()} for p in profiles])


def named(phase: str) -> str:
    """A phase in words."""
    return "outside phases" if phase == NO_PHASE else phase


def seconds_by_kind(profiles: list[Profile]) -> dict[str, float]:
    """The same by kind of file."""
    return medians([{kind: c.seconds / p.size for kind, c in by_kind(p).items()} for p in profiles])


def medians(each: list[dict[str, float]]) -> dict[str, float]:
    """The median over runs of each name."""
    names = dict.fromkeys(name for run in each for name in run)
    return {name: median(run.get(name, 0.0) for run in each) for name in names}


def median_of(profiles: list[Profile], value: Callable[[Calls], float]) -> float:
    """Median over runs of a value of all calls on files."""
    return median(value(together(list(by_phase(p).values()))) for p in profiles)


def file_system_rows(m: Measurements) -> list[list[str]]:
    """A row for each case: where it wrote; empty if no axis is about this."""
    if not {"file_system", "directory"} & set(m.varied()):
        return []
    rows = []
    for _, row in m.cases().iterrows():
        under = m.file_systems.get(row.key, {})
        about = [under.get(name, "") for name in ("type", "device", "options")]
        rows.append([row.case.label(tuple(m.varied())), *about])
    return rows


def io_rows(m: Measurements) -> list[list[str]]:
    """A row for each case: calls, bytes and seconds, medians over runs."""
    elapsed, rows = {row.key: row["median"] for _, row in m.cases().iterrows()}, []
    for key, name, profiles in runs_of_cases(m):
        phases = seconds_by_phase(profiles)
        seconds = sum(phases.values())
        longest = sorted(phases, key=lambda phase: -phases[phase])[:3]
        rows.append(
            [
                name,
                f"{median_of(profiles, lambda c: c.written) * 1e-6:.1f}",
                f"{median_of(profiles, lambda c: c.read) * 1e-6:.1f}",
                f"{median_of(profiles, lambda c: c.counts.get('writes', 0)):.0f}",
                f"{median_of(profiles, lambda c: c.counts.get('syncs', 0)):.0f}",
                f"{seconds:.3f}",
                f"{100 * seconds / elapsed[key]:.1f}",
                "; ".join(f"{phase} {phases[phase]:.3f}" for phase in longest),
            ]
        )
    return rows


def share_of_time(m: Measurements) -> list[str]:
    """The least and the largest share of the elapsed time in calls on files, as a sentence."""
    elapsed = {row.key: row["median"] for _, row in m.cases().iterrows()}
    shares = {
        name: 100 * sum(seconds_by_phase(profiles).values()) / elapsed[key]
        for key, name, profiles in runs_of_cases(m)
    }
    if len(shares) < 2:
        return []
    least, most = min(shares, key=shares.get), max(shares, key=shares.get)
    ends = f"{shares[least]:.1f} % ({least}) to {shares[most]:.1f} % ({most})"
    return [f"Calls on files take {ends} of the elapsed time."]


SYSTEMS = ["case", "type", "device", "options"]
CALLS = [
    "case",
    "written [MB]",
    "read [MB]",
    "writes",
    "flushes",
    "in these calls [s]",
    "of elapsed [%]",
    "by phase [s]",
]
NOTE = "All ranks; seconds: mean over ranks. Medians over runs."


def file_charts(m: Measurements) -> list[Chart]:
    """Seconds in calls on files, by phase and by kind of file."""
    cases = runs_of_cases(m)
    if not cases:
        return []
    names = [name for _, name, _ in cases]
    phases = [seconds_by_phase(profiles) for _, _, profiles in cases]
    by_name = [
        Series(phase, names, [of.get(phase, 0.0) for of in phases])
        for phase in dict.fromkeys(p for of in phases for p in of)
    ]
    kinds = [seconds_by_kind(profiles) for _, _, profiles in cases]
    largest = sorted({k for of in kinds for k in of}, key=lambda k: -max(of.get(k, 0.0) for of in kinds))
    shown = largest[:KINDS]
    series = [
        Series(name, shown, [of.get(k, 0.0) for k in shown]) for name, of in zip(names, kinds, strict=True)
    ]
    note = "Reading, writing, opening, flushing and the like; mean over ranks, medians over runs."
    return [
        Chart("io-phases", "Time in calls on files, by phase", "", "seconds", by_name, "stacked", note=note),
        Chart(
            "io-files", "Time in calls on files, by kind of file", "", "seconds", series, "bars", note=note
        ),
    ]
