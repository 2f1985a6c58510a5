"""From the figures of one measurement to tables: targets, phases, limits, sums, kernels, old figures."""

from speed_figure import Figure, short
from speed_limits import Limit, benchmark_of
from speed_page import Table
from speed_record import Runs
from speed_runs import MODELS, PHASES
from speed_targets import NOT_ELEMENTS, TARGETS

#: terms of exact sums an element where energies are written, whole and by part (explicit/energies.cpp)
TERMS, CYCLES_BETWEEN = 15, 100
WITHOUT_CONTACT = {model[0] for model in MODELS}


def ratio(now: float, before: float | None) -> str:
    """Now over before; a dash where there is none before."""
    return f"{now / before:.2f}" if before else "-"


def run_table(runs: Runs, before: Runs) -> Table:
    """Processor time of whole runs on one core."""
    rows = []
    for key, of in runs.items():
        name, precision, placed = key.rsplit("/", 2)
        if placed != "1x1":
            continue
        now, target = of["processor"], TARGETS.get(name)
        was = before.get(key, {}).get("processor")
        wanted = target[precision == "single"] if target else None
        rows.append(
            (
                f"{name}, {precision}",
                short(now.median),
                now.spread(),
                str(wanted or "-"),
                ratio(now.median, wanted),
                ratio(now.median, was and was.median),
            )
        )
    return Table(
        "Whole runs on one core: ns of processor time an element and cycle",
        ("model", "median", "least-most", "target", "/ target", "/ old"),
        rows,
        "50,000 elements (mini tube: 2,000) of MAT_024 with a curve, all yielding (but the vehicles). "
        "Targets are for a core of an AMD EPYC Zen 4; old is what was committed last.",
    )


def speedup_table(runs: Runs) -> Table:
    """Elapsed time of several ranks or threads against one."""
    rows = []
    for key, of in runs.items():
        name, precision, placed = key.rsplit("/", 2)
        alone = runs.get(f"{name}/{precision}/1x1")
        if placed == "1x1" or not alone:
            continue
        ranks, threads = placed.split("x")
        one, now = alone["elapsed"], of["elapsed"]
        least = one.least / now.least
        rows.append(
            (
                f"{name}, {precision}",
                f"{ranks} x {threads}",
                short(one.median),
                short(now.median),
                f"{one.median / now.median:.2f}",
                f"{least:.2f}",
            )
        )
    return Table(
        "Two cores against one: elapsed ns an element and cycle",
        ("model", "ranks x threads", "one", "now", "speed-up", "of the least"),
        rows,
        "Elapsed time counts what else the machine does: the speed-up of the least times is the better guess "
        "on one that is busy.",
    )


def phase_table(runs: Runs) -> Table:
    """Shares of the elapsed time."""
    rows = []
    for key, of in runs.items():
        name, precision, placed = key.rsplit("/", 2)
        if name in WITHOUT_CONTACT:
            continue
        spent = sum(of[phase].median for phase in PHASES)
        others = 100 * (1 - of["elements"].median / spent)
        shares = [f"{max(100 * of[phase].median / spent, 0):.0f} %" for phase in PHASES]
        where = "" if placed == "1x1" else f", {placed}"
        rows.append((f"{name}, {precision}{where}", *shares, f"{others:.0f} %"))
    return Table(
        "Where the elapsed time goes",
        ("model, ranks x threads", "elem.", "cont.", "loads", "exch.", "constr.", "outp.", "not elem."),
        rows,
        f"Target for whole crashes: less than {NOT_ELEMENTS} % that is not elements.",
    )


def limit_table(kernels: dict[str, Figure], limits: dict[str, Limit]) -> Table:
    """Kernels as multiples of what memory and arithmetic allow."""
    rows = []
    for key, limit in limits.items():
        name, precision = key.rsplit("/", 1)
        now = kernels.get(benchmark_of(name, precision))
        if not now:
            continue
        parts = (limit.memory_ns, limit.flops_ns, limit.divisions_ns)
        rows.append(
            (
                f"{name} {precision}",
                f"{limit.bytes:,.0f}",
                f"{limit.flops:,.0f}",
                f"{limit.divisions:.0f}",
                *map(short, parts),
                short(now.median),
                f"{now.median / limit.ns:.1f} {limit.by}",
            )
        )
    return Table(
        "Kernels against the machine's limits: ns an element, or another item",
        ("kernel", "B", "flops", "div", "B ns", "flop ns", "div ns", "now", "times"),
        rows,
        "Elements: MAT_024 with a curve, 50,000, all yielding. B: bytes; div: divisions and roots, which are "
        "among flops; then the time that each takes at the machine's measured rate; now: measured, and how "
        "many times the longest of the three that is.",
    )


def machine_table(kernels: dict[str, Figure]) -> Table:
    """The machine's rates on one core."""
    rows = []
    for name, figure in kernels.items():
        if name.startswith("machine/") and not name.startswith("machine/product"):
            what = "GB/s" if "triad" in name else "10^9 a second"
            rate = Figure(1 / figure.median, 1 / figure.most, 1 / figure.least, figure.count)
            rows.append((name.removeprefix("machine/"), what, short(rate.median), rate.spread()))
    return Table(
        "The machine, one core",
        ("rate", "unit", "median", "least-most"),
        rows,
        "The triad's array that is written is read first; multiply-adds count as two operations.",
    )


def sums_table(kernels: dict[str, Figure], runs: Runs) -> Table:
    """What sums that do not depend on their order cost."""
    rows = []
    for kind, run in (("shell", "Belytschko-Tsay shell"), ("solid", "one-point solid, hourglass 6")):
        for precision in ("double", "single"):
            exact = kernels.get(f"assembly/{kind}/exact/{precision}")
            plain = kernels.get(f"assembly/{kind}/plain/{precision}")
            whole = runs.get(f"{run}/{precision}/1x1")
            if not exact or not plain:
                continue
            more = exact.median - plain.median
            share = f"{100 * more / (whole['processor'].median - more):.1f} %" if whole else "-"
            rows.append((f"forces of a {kind}, {precision}", short(exact.median), short(plain.median), share))
    exact, plain = kernels.get("sum/exact"), kernels.get("sum/plain")
    if exact and plain:
        rows.append(("a term of an energy", short(exact.median), short(plain.median), "-"))
        whole = runs.get("Belytschko-Tsay shell/double/1x1")
        scale = TERMS / CYCLES_BETWEEN
        share = (
            f"{100 * scale * (exact.median - plain.median) / whole['processor'].median:.1f} %"
            if whole
            else "-"
        )
        name = f"energies every {CYCLES_BETWEEN} cycles, an element"
        rows.append((name, short(scale * exact.median), short(scale * plain.median), share))
    return Table(
        "Exact sums against plain ones: ns",
        ("sum", "exact", "plain", "of a run"),
        rows,
        "Of a run: how much longer the whole run of Belytschko-Tsay shells or one-point solids takes for it.",
    )


def kernel_table(kernels: dict[str, Figure], before: dict[str, Figure]) -> Table:
    """All kernels."""
    rows = []
    for name, now in kernels.items():
        if not name.startswith(("machine/", "factor/", "implicit/")):
            was = before.get(name)
            rows.append((name, short(now.median), now.spread(), ratio(now.median, was and was.median)))
    return Table(
        "Kernels: ns of processor time an element, point, node, value or pair",
        ("kernel", "median", "least-most", "/ old"),
        rows,
        "element/FORMULATION/LAW/ELEMENTS/PRECISION; a law's is of a point in cache; nodes/update is a whole "
        "cycle of a plate without stresses.",
    )
