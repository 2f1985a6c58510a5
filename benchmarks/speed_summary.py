"""Tables with a column for each kind of processor: whole crashes, two cores, runs, kernels and their limits.

A cell is of the newest record of its kind that has all the figures it needs, so ratios are always of figures
measured together.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from speed_crashes import CRASHES
from speed_figure import Figure, short
from speed_implicit import ELEMENTS, key
from speed_limits import BESIDE_ELEMENTS, TRAFFIC, Work, benchmark_of, limits
from speed_page import Table
from speed_record import BASELINE, Kind, Record, beside
from speed_runs import MODELS, PHASES
from speed_targets import ALLOWED_LIMITS, NOT_ELEMENTS, OF_BASELINE, SINGLE, SPEED_UP, TARGETS

Cell = Callable[[Record], str | None]
BOTH = ("double", "single")
NAMES = {
    "shell 2": "shell ELFORM 2",
    "shell 16": "shell ELFORM 16",
    "solid 1 hg6": "solid ELFORM 1, hourglass 6",
    "solid -1": "solid ELFORM -1",
    "solid 2": "solid ELFORM 2",
}
ITEMS = {
    "closest points": "closest points, a pair",
    "contact forces": "contact forces, a node that touches one segment",
    "sort": "sort of a contact, a node",
    "tie forces": "ties: forces, a tied node",
    "tie motion": "ties: motion",
    "body loads": "rigid bodies: loads, a node",
    "body motion": "rigid bodies: motion",
}
TUBE, CARS, MINI, CAMRY = (
    "tube with contact to 0.45 ms",
    "three vehicles",
    "mini tube with contact to 1 ms",
    "Camry frontal",
)


@dataclass
class Columns:
    """Fills rows from records, and keeps which it used."""

    records: list[Record]  #: the newest first
    kinds: list[Kind]
    used: dict[Kind, dict[str, Record]] = field(default_factory=dict)  #: records by name

    def row(self, label: str, cell: Cell) -> tuple[str, ...] | None:
        """A row with a dash where a kind was not measured; None where none was."""
        texts = [self._text(kind, cell) for kind in self.kinds]
        return (label, *(text or "-" for text in texts)) if any(texts) else None

    def _text(self, kind: Kind, cell: Cell) -> str | None:
        for record in self.records:
            if record.kind == kind and (text := cell(record)):
                self.used.setdefault(kind, {})[record.name] = record
                return text
        return None


def table(
    columns: Columns, title: str, first: str, cells: list[tuple[str, Cell]], note: str, baseline: bool = False
) -> Table:
    """The rows that have figures; columns of kinds without any are left out."""
    kinds = [kind for kind in columns.kinds if baseline or kind.isa != BASELINE]
    some = Columns(columns.records, kinds, columns.used)
    filled = [row for label, cell in cells if (row := some.row(label, cell))]
    kept = [k for k in range(len(kinds)) if any(row[k + 1] != "-" for row in filled)]
    shown = [(row[0], *(row[k + 1] for k in kept)) for row in filled]
    return Table(title, (first, *(str(kinds[k]) for k in kept)), shown, note)


# ---- cells ------------------------------------------------------------------------------------------


def figure(record: Record, name: str, precision: str, placed: str, kind: str) -> Figure | None:
    """Of a run."""
    return record.runs.get(f"{name}/{precision}/{placed}", {}).get(kind)


def both(name: str, kind: str) -> Cell:
    """A figure in double and in single precision, on one core."""

    def cell(record: Record) -> str | None:
        found = [figure(record, name, precision, "1x1", kind) for precision in BOTH]
        texts = [short(f.median) if f else "-" for f in found]
        return "; ".join(texts) if found[0] else None

    return cell


def times_as_fast(
    name: str, slow: tuple[str, str], fast: tuple[str, str], kind: str = "elapsed"
) -> Callable[[Record], float | None]:
    """How much less time one run takes than another, each by precision and ranks x threads; medians."""

    def ratio(record: Record) -> float | None:
        one, other = (figure(record, name, *which, kind) for which in (slow, fast))
        return one.median / other.median if one and other else None

    return ratio


def ratios(*found: Callable[[Record], float | None]) -> Cell:
    """Some ratios; nothing where there is none of them."""

    def cell(record: Record) -> str | None:
        values = [ratio(record) for ratio in found]
        return "; ".join(f"{v:.2f}" if v else "-" for v in values) if any(values) else None

    return cell


def shares(record: Record, name: str, precision: str, placed: str) -> dict[str, float]:
    """Of the phases, in percent, where the run was measured; they are elapsed times."""
    of = record.runs.get(f"{name}/{precision}/{placed}", {})
    if not of:
        return {}
    spent = sum(of[phase].median for phase in PHASES)
    return {phase: max(100 * of[phase].median / spent, 0.0) for phase in PHASES}


def not_elements(name: str, which: tuple[tuple[str, str], ...]) -> Cell:
    """Share of the time that is not elements', of runs by precision and ranks x threads."""

    def cell(record: Record) -> str | None:
        found = [shares(record, name, *run) for run in which]
        texts = [f"{100 - of['elements']:.0f} %" if of else "-" for of in found]
        return "; ".join(texts) if any(found) else None

    return cell


def phases(name: str, placed: str, which: tuple[str, ...]) -> Cell:
    """Shares of phases in double."""

    def cell(record: Record) -> str | None:
        of = shares(record, name, "double", placed)
        return ", ".join(f"{of[phase]:.0f}" for phase in which) + " %" if of else None

    return cell


# ---- tables -----------------------------------------------------------------------------------------


def crash_table(columns: Columns) -> Table:
    """Whole crashes."""
    cells: list[tuple[str, Cell]] = []
    placed = tuple((precision, ranks) for precision in BOTH for ranks in ("1x1", "2x1"))
    some = ("elements", "contact", "constraints", "exchange", "output")
    for crash in CRASHES:
        name = crash.name
        fast = (
            times_as_fast(name, ("double", "1x1"), ("single", "1x1"), "processor"),
            times_as_fast(name, ("double", "1x1"), ("double", "2x1")),
        )
        cells += [
            (f"{name}: seconds, double; single", both(name, "seconds")),
            ("ns of processor time an element and cycle", both(name, "processor")),
            (f"single over double ({SINGLE}); 2 ranks over one ({SPEED_UP})", ratios(*fast)),
            (f"{', '.join(some)}: 1 rank", phases(name, "1x1", some)),
            ("of 2 ranks", phases(name, "2x1", some)),
            (
                f"not elements (under {NOT_ELEMENTS} %): double on 1, 2 ranks; single",
                not_elements(name, placed),
            ),
        ]
    note = (
        "Targets in brackets. Seconds are elapsed time of all cycles, shares of that of all but the first; "
        "ratios say how many times as fast. 2 ranks run on 2 cores."
    )
    return table(columns, "Whole crashes", "crash", cells, note)


def two_core_table(columns: Columns) -> Table:
    """Two ranks and two threads against one."""
    names = [model[0] for model in MODELS] + [TUBE, CARS, CAMRY] + [crash.name for crash in CRASHES]
    one, two = ("double", "1x1"), (("double", "2x1"), ("double", "1x2"))
    cells = [(name, ratios(*(times_as_fast(name, one, fast) for fast in two))) for name in names]
    return table(
        columns,
        "Two cores: times as fast as one, ranks; threads",
        "double precision",
        cells,
        f"Medians of elapsed time. The target is {SPEED_UP}.",
    )


def run_table(columns: Columns) -> Table:
    """Runs on one core that do not go through a crash."""
    cells: list[tuple[str, Cell]] = []
    for name in [model[0] for model in MODELS] + [TUBE, CARS, MINI, CAMRY]:
        target = TARGETS.get(name)
        wanted = f" ({target[0]}; {target[1]})" if target else ""
        cells.append((name + wanted, both(name, "processor")))
        if name in (TUBE, CARS, CAMRY):
            share = not_elements(name, tuple((precision, "1x1") for precision in BOTH))
            cells.append(("of which not elements", share))
    return table(
        columns,
        "Runs on one core: ns of processor time an element and cycle, double; single",
        "model (targets for Zen 4)",
        cells,
        "50,000 elements of MAT_024 with a curve, all yielding (mini tube: 2,000). Three vehicles: 50,000 "
        "elements, 300 cycles; Camry: 975,435, 200 cycles; nothing crashes yet in these two.",
    )


def times_the_limit(work: Work) -> Callable[[str, str], Cell]:
    """Cells of a kernel and precision; old records, which have no work of their own, have `work`."""

    def against_limit(name: str, precision: str) -> Cell:
        def cell(record: Record) -> str | None:
            limit = limits(record.kernels, record.work or work).get(f"{name}/{precision}")
            now = record.kernels.get(benchmark_of(name, precision))
            if not limit or not now:
                return None
            by = {"flops": "", "memory": " memory", "div": " divisions"}[limit.by]
            return f"{short(now.median)} / {short(limit.ns)}{by} = {now.median / limit.ns:.1f}"

        return cell

    return against_limit


def rate(names: tuple[str, ...], beside: str) -> Cell:
    """Rates of the machine, of a record that has a benchmark whose name begins with `beside`."""

    def cell(record: Record) -> str | None:
        found = [record.kernels.get(f"machine/{name}") for name in names]
        if not all(found) or not any(name.startswith(beside) for name in record.kernels):
            return None
        return "; ".join(short(1 / f.median) for f in found if f)

    return cell


def other_table(columns: Columns) -> Table:
    """Contact, sorts, ties and rigid bodies against the machine's limits.

    Records without their work are of contact on two threads.
    """
    cell = times_the_limit({})
    cells = [(ITEMS[name], cell(name, "double")) for name in BESIDE_ELEMENTS]
    cells.append(("triad of 32 MiB, GB/s", rate(("triad/32 MiB",), "ties/")))
    return table(
        columns,
        "Contact, sorts, ties, rigid bodies: ns an item / limit by operations = times the limit",
        "double precision, 22,801 and 45,602 nodes",
        cells,
        "Limits as those of elements (docs/limits.md): memory: bytes over the triad's bandwidth; divisions: "
        "these and roots over their rates. Closest points are 1,024 pairs in the caches. The target is "
        f"{ALLOWED_LIMITS[0]} times.",
        baseline=True,
    )


def kernel_table(columns: Columns) -> Table:
    """Kernels against the limits of the machine with their instruction set."""
    work = next((record.work for record in columns.records if TRAFFIC.keys() <= record.work.keys()), {})
    against_limit = times_the_limit(work)
    cells: list[tuple[str, Cell]] = [
        (f"{NAMES[name]}, {precision}", against_limit(name, precision))
        for precision in BOTH
        for name in TRAFFIC
    ]
    pair = tuple(f"multiply-add/{precision}" for precision in BOTH)
    cells.append(("multiply-adds, 10^9 operations a second: double; single", rate(pair, "element/")))
    cells.append(("triad of 32 MiB, GB/s", rate(("triad/32 MiB",), "element/")))
    double, single = ALLOWED_LIMITS
    return table(
        columns,
        "Kernels: ns an element / limit by operations = times the limit",
        "50,000 elements",
        cells,
        "The limit is operations over the rate of multiply-adds of the same instruction set, measured in the "
        "same run (memory: bytes over the triad's bandwidth, where that takes longer). "
        f"Targets: {double} times in double, {single} in single.",
        baseline=True,
    )


def of_kernel(name: str) -> Callable[[Record, str], float | None]:
    """The median of a kernel of a precision."""

    def median(record: Record, precision: str) -> float | None:
        found = record.kernels.get(f"{name}/{precision}")
        return found.median if found else None

    return median


def factor_rate(name: str) -> Cell:
    """GFLOP/s of a factor in double and single, each with its share of the rate of products."""
    factor, product = of_kernel(f"factor/{name}"), of_kernel("machine/product")

    def cell(record: Record) -> str | None:
        texts = []
        for precision in BOTH:
            ns, best = factor(record, precision), product(record, precision)
            texts.append(f"{short(1 / ns)} = {100 * best / ns:.0f} %" if ns and best else "-")
        return "; ".join(texts) if any(text != "-" for text in texts) else None

    return cell


def stiffness(name: str) -> Cell:
    """Nanoseconds of a stiffness with forces, and of forces alone."""

    def cell(record: Record) -> str | None:
        found = [record.kernels.get(f"tangent/{name}/{what}") for what in ("stiffness", "forces")]
        return "; ".join(f"{f.median:,.0f}" for f in found if f) if all(found) else None

    return cell


def implicit_run(threads: int, kind: str) -> Cell:
    """A figure of the implicit run, double and single."""

    def cell(record: Record) -> str | None:
        found = [record.kernels.get(key(precision, threads, kind)) for precision in BOTH]
        percent = kind.startswith("of ")
        texts = [f"{100 * f.median:.0f} %" if percent else short(f.median) for f in found if f]
        return "; ".join(texts) or None

    return cell


def implicit_table(columns: Columns) -> Table:
    """Stiffness, factors and a whole run of implicit analysis."""
    cells: list[tuple[str, Cell]] = [
        (f"stiffness of a {NAMES[name]}, ns; its forces alone", stiffness(name))
        for name in ("solid 1 hg6", "solid 2", "shell 16")
    ]
    sizes = {"cube": "a cube, 45,000 equations", "cylinders": "six tied cylinders, 37,000"}
    cells += [
        (f"factor of {what}: GFLOP/s = share of GEMM's rate, double; single", factor_rate(name))
        for name, what in sizes.items()
    ]
    for threads, words in ((1, "one thread"), (2, "two threads")):
        name = f"six cylinders in contact, {ELEMENTS:,} solids, {words}"
        cells += [
            (f"{name}: seconds of the run, double; single", implicit_run(threads, "seconds")),
            ("its factors, GFLOP/s", implicit_run(threads, "GFLOP/s")),
            ("share of GEMM's rate", implicit_run(threads, "of GEMM's rate")),
        ]
    return table(
        columns,
        "Implicit analysis",
        "implicit",
        cells,
        "Stiffness by dual numbers, MAT_024, yielding. Operations are multiplications and additions of the "
        "factor; GEMM's rate is that of tiles in cache, on as many threads, measured beside. The run is one "
        "step of two factors, without reading and preparing.",
    )


def gain_table(columns: Columns) -> Table:
    """Kernels of an instruction set against those that any x86-64 has."""

    def over_baseline(name: str) -> Cell:
        def cell(record: Record) -> str | None:
            slow = beside(record, BASELINE, columns.records)
            keys = [f"element/{name}/024/50000/{precision}" for precision in BOTH]
            if record.kind.isa == BASELINE or not slow:
                return None
            pairs = [(slow.kernels.get(key), record.kernels.get(key)) for key in keys]
            texts = [f"{a.median / b.median:.2f}" if a and b else "-" for a, b in pairs]
            return "; ".join(texts) if all(pairs[0]) else None

        return cell

    return table(
        columns,
        "Kernels: times as fast as the baseline's, double; single",
        "50,000 elements",
        [(NAMES[name], over_baseline(name)) for name in TRAFFIC],
        "Baseline: what any x86-64 has (SSE2), measured in turn on the same machine. Figures of 26 to 28 "
        "November are of baseline kernels that were compiled with -O1, a third slower than with -O3. "
        f"Target of AVX2: {OF_BASELINE}.",
    )


def machine_table(columns: Columns) -> Table:
    """Of which records the other tables are."""
    found = []
    for kind in sorted(columns.used):
        for record in sorted(columns.used[kind].values(), key=lambda r: r.machine["measured"], reverse=True):
            m = record.machine
            busy = "; busy with other work" if m["busy"] else ""
            words = f"{m['processor']}, {m['cores']} cores, {m['compiler']} {m['flags']}{busy}"
            name = f"{record.name}.json" if record.name else "now"
            found.append((str(kind), words, m["measured"][:10], m["commit"], name))
    return Table("Measured on", ("kind", "machine", "on", "commit", "figures"), found, numbers=False)


def tables(records: list[Record]) -> dict[str, Table]:
    """All by name; records the newest first."""
    columns = Columns(records, sorted({record.kind for record in records}))
    made = {
        "crashes": crash_table,
        "two-cores": two_core_table,
        "runs": run_table,
        "kernels": kernel_table,
        "others": other_table,
        "gains": gain_table,
        "implicit": implicit_table,
        "machines": machine_table,
    }
    return {name: make(columns) for name, make in made.items()}
