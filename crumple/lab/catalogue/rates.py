"""How fast a processor does the solver's element work: the rule of docs/catalogue.md."""

from functools import cache

from crumple.lab.catalogue.entries import CpuEntry
from crumple.lab.catalogue.figure import FOLDER, Curve, Figure, Table, read_entries

PRECISIONS = ("double", "single")


class Reference(Table):
    """The core that was measured, with the kernels of one instruction set."""

    clock: Figure
    rate_double: Figure
    rate_single: Figure
    bytes_double: (
        Figure  #: that an element update moves from and to memory, where the model is larger than caches
    )
    bytes_single: Figure


@cache
def references() -> dict[str, Reference]:
    """The measured rates, by instruction set."""
    return read_entries(FOLDER / "reference.toml", Reference)


def rate_of(cpu: CpuEntry, precision: str) -> Figure:
    """Element updates a second of one core alone: given, or by the rule.

    Args:
        precision: double or single
    """
    if given := getattr(cpu, f"rate_{precision}"):
        return given
    if cpu.rate_double:
        return single_from_double(cpu)
    reference = references()[cpu.isa]
    measured = getattr(reference, f"rate_{precision}").value
    rate = measured * cpu.clock_alone.value / reference.clock.value * cpu.per_clock.value
    source = f"rule of docs/catalogue.md from {cpu.isa} kernels on the reference, clock_alone and per_clock"
    return Figure(value=rate, source=source, estimated=True)


def single_from_double(cpu: CpuEntry) -> Figure:
    """Rate in single precision where only double was measured: as many times faster as here."""
    reference = references()[cpu.isa or "avx2"]
    ratio = reference.rate_single.value / reference.rate_double.value
    source = f"rate_double, and single over double precision on the reference ({ratio:.2f})"
    return Figure(value=cpu.rate_double.value * ratio, source=source, estimated=True)


def rate_when_busy_of(cpu: CpuEntry) -> Curve:
    """Rate of each busy core over that of one alone, by cores busy on the socket: given, or by the rule.

    Clocks fall evenly from one core to all; all cores together get at most the memory's bandwidth.
    """
    if cpu.rate_when_busy:
        return cpu.rate_when_busy
    cores, alone = int(cpu.cores.value), rate_of(cpu, "double").value
    moved = references()[cpu.isa or "avx2"].bytes_double.value
    slowed = cpu.clock.value / cpu.clock_alone.value if cpu.clock and cpu.clock_alone else 1.0
    pairs = []
    for busy in range(1, cores + 1):
        share = (busy - 1) / (cores - 1) if cores > 1 else 0.0
        clock = 1.0 + share * (slowed - 1.0)
        memory = cpu.memory_bandwidth.value / (busy * alone * moved)
        pairs.append((float(busy), min(1.0, clock, memory)))
    source = "rule of docs/catalogue.md from clocks, memory_bandwidth and the bytes of an element update"
    return Curve(value=tuple(pairs), source=source, estimated=True)
