"""What the report shows of an implicit run, in place of time steps and balance of load."""

from html import escape

from crumple.report import implicit_figures as figures
from crumple.report.facts import Fact, number
from crumple.report.tables import table
from crumple.results.convergence import PARTS, Convergence

GB = 1e9


def facts_of(of: Convergence) -> list[Fact]:
    """Equations and their factor."""
    if not len(of.equations):
        return []
    last = of.equations.iloc[-1]
    found = [
        Fact(
            "Equations",
            f"{int(last['equations']):,}",
            f"factor of {number(last['entries'], 3)} entries, {number(last['flops'], 3)} operations",
        ),
        Fact(
            "Memory of the equations",
            f"{last['memory_bytes'] / GB:.3g} GB" if last["memory_bytes"] else "-",
            f"out of core, {last['disk_bytes'] / GB:.3g} GB on disk" if last["out_of_core"] else "in memory",
        ),
    ]
    taken, tried = of.taken, len(of.steps) - len(of.taken)
    if len(of.steps):
        again = f" · {tried} tried again" if tried else ""
        most = int(of.steps["iterations"].max())
        found.append(
            Fact(
                "Steps",
                f"{len(taken):,}",
                f"{int(of.steps['iterations'].sum()):,} iterations, at most {most} in a step{again}",
            )
        )
    return found


def part_table(of: Convergence) -> str:
    """Seconds of each part, and how often it was done."""
    seconds = figures.seconds_of_parts(of)
    end = of.end or {}
    notes = {
        "factor": factor_note(end),
        "solve": times(end.get("solves"), "solution")
        + (f", {times(end['refinements'], 'refinement')}" if end.get("refinements") else ""),
        "forces": times(end.get("forces"), "evaluation"),
    }
    rows = [
        (
            escape(name),
            f"{seconds[part]:.2f}",
            f"{100 * seconds[part] / seconds.sum():.1f}",
            notes.get(part, ""),
        )
        for part, name in PARTS.items()
        if seconds[part] > 0
    ]
    rows.append(("<b>together</b>", f"<b>{seconds.sum():.2f}</b>", "", disk_note(end)))
    return table(("Part", "Seconds", "% of all", ""), rows, (1, 2))


def times(count: float | None, what: str) -> str:
    """How often something was done."""
    return f"{int(count):,} {what}{'' if count == 1 else 's'}" if count is not None else ""


def factor_note(end: dict) -> str:
    """Speed of the factors, beside that of dense products."""
    if not end.get("factors") or not end.get("flops") or not end["seconds"].get("factor"):
        return times(end.get("factors"), "factor")
    rate = end["flops"] / end["seconds"]["factor"]
    note = f"{times(end['factors'], 'factor')}, {rate / 1e9:.3g} GFLOP/s"
    if end.get("product_rate"):
        note += f", {100 * rate / end['product_rate']:.0f} % of GEMM's rate"
    return note


def disk_note(end: dict) -> str:
    """What went through the factor's file."""
    if not end.get("written_bytes"):
        return ""
    return (
        f"the factor's file: {end['written_bytes'] / GB:.3g} GB written, {end['read_bytes'] / GB:.3g} GB "
        f"read, {end['disk_seconds']:.1f} s beside the rest"
    )
