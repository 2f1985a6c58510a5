"""The tables of the report, as HTML."""

from collections.abc import Iterable, Sequence
from html import escape

import pandas as pd

from crumple.report.facts import Check, Fact, last_of_parts, number
from crumple.report.names import name_of, sides
from crumple.report.run_results import RunResults
from crumple.results.d3hsp import Keyword
from crumple.results.forces import Forces

LOOK_AT = 10.0  #: limit of hourglass over internal energy in percent


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = (), css: str = ""
) -> str:
    """A table; cells must be HTML already. `numbers` are the right-aligned columns."""
    right = set(numbers)

    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(
            f"<{tag}{' class=n' if k in right else ''}>{cell}</{tag}>" for k, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f'<table class="{css}"><thead><tr>{cells(head, "th")}</tr></thead><tbody>{body}</tbody></table>'


def fact_tiles(facts: list[Fact]) -> str:
    """Facts as tiles; values and notes are HTML already."""
    return "".join(
        f'<div class="tile"><span>{escape(f.name)}</span><b>{f.value}</b><small>{f.note}</small></div>'
        for f in facts
    )


def check_table(checks: list[Check]) -> str:
    """The checks, each with a mark."""
    words = {"good": "in order", "look": "look at it", "bad": "failed"}
    rows = [
        (
            escape(c.name),
            escape(c.found),
            escape(c.limit),
            f'<i class="mark {c.verdict}">{words[c.verdict]}</i>',
        )
        for c in checks
    ]
    return table(("Check", "Found", "Customary", ""), rows, css="checks")


def force_table(forces: Forces, what: str) -> str:
    """Peak, its time, and impulse of every interface."""
    rows = []
    for key, side in sides(forces):
        peak = side["resultant"].idxmax()
        impulse = float(pd.Series(side["resultant"]).rolling(2).mean().mul(side["time"].diff()).sum())
        rows.append(
            (
                escape(
                    f"{key} {title}" if (title := forces.titles.get(key, "").strip()) else f"{what} {key}"
                ),
                number(side.loc[peak, "resultant"]),
                number(side.loc[peak, "time"]),
                number(impulse),
            )
        )
    return table((what.capitalize(), "Peak force", "at time", "∫|F| dt"), rows, (1, 2, 3), "scroll")


def part_table(results: RunResults) -> str:
    """Energies of every part at the end."""
    rows = []
    whole = max(last_of_parts(results)["internal"].sum(), 1e-300)
    for part, row in last_of_parts(results).iterrows():
        share = row["hourglass %"]
        shown = "-" if pd.isna(share) else f"{share:.1f}"
        matters = row["internal"] > 0.01 * whole and share >= LOOK_AT
        rows.append(
            (
                str(part),
                escape(str(row["title"])),
                number(row["internal"]),
                f"{100 * row['internal'] / whole:.1f}",
                number(row["kinetic"]),
                number(row["hourglass"]),
                f'<span class="warn">{shown}</span>' if matters else shown,
            )
        )
    head = ("Part", "Title", "Internal", "% of all", "Kinetic", "Hourglass", "Hourglass %")
    return table(head, rows, (0, 2, 3, 4, 5, 6))


def control_table(history: pd.DataFrame, titles: dict[int, str]) -> str:
    """Which elements set the time step, how often, and how low."""
    if "controlling element" not in history:
        return '<p class="none">The history does not say what set the time step.</p>'
    known = history.dropna(subset=["controlling element"])
    groups = known.groupby(["controlling part", "controlling element", "controlled by"])["time step"]
    ranked = groups.agg(["count", "min"]).sort_values("count", ascending=False)
    rows = [
        (
            escape(f"{kind} {element:.0f}"),
            escape(name_of(titles, int(part), "part")),
            share_of(row["count"] / len(history)),
            number(row["min"], 3),
        )
        for (part, element, kind), row in ranked.head(12).iterrows()
    ]
    return table(("Element", "Part", "Of samples", "Smallest step"), rows, (2, 3))


def share_of(fraction: float) -> str:
    """A fraction in percent."""
    return "&lt; 1 %" if 0 < fraction < 0.01 else f"{100 * fraction:.0f} %"


def load_table(load: pd.DataFrame) -> str:
    """Mean, largest and imbalance of each phase, and of all compute without waiting."""
    rows = []
    whole = max(load.to_numpy().sum(), 1e-300)
    computing = [phase for phase in ("elements", "contact") if phase in load]
    if len(computing) == 2:
        load = load.assign(**{"elements + contact": load[computing].sum(axis=1)})
    for phase in load.columns:
        mean, most = float(load[phase].mean()), float(load[phase].max())
        over = f"{100 * (most / mean - 1):.0f} %" if mean > 0 else "-"
        rows.append(
            (escape(phase), f"{mean:.2f}", f"{most:.2f}", over, f"{100 * load[phase].sum() / whole:.0f} %")
        )
    return table(("Phase", "Mean, s", "Largest, s", "Over mean", "Of all"), rows, (1, 2, 3, 4))


def coverage(keywords: list[Keyword]) -> str:
    """The use of every keyword; those that were not used as given are highlighted."""
    rows = []
    for k in keywords:
        ignored = k.support not in ("yes", "partial")
        left = "<br>".join(escape(text) for text in k.fields)
        note = left or ("not used: see warnings" if ignored else "")
        used = '<i class="mark look">not all</i>' if left or ignored else '<i class="mark good">all used</i>'
        rows.append((f"<code>{escape(k.name)}</code>", used, f"{k.blocks:,}", f"{k.records:,}", note))
    return table(("Keyword", "Fields given", "Blocks", "Records", "Not used as given"), rows, (2, 3))
