"""Rate of the solver's element computations on a processor, by the rule in docs/catalogue.md."""

from functools import cache

from pydantic import ValidationError

from crumple.lab.catalogue.entries import CpuEntry, Isa
from crumple.lab.catalogue.figure import (
    FOLDER,
    CatalogueError,
    Curve,
    SourcedFigure,
    complaint,
    first_of,
    nearest,
    read_entries,
    read_toml,
)
from crumple.lab.catalogue.saturation import saturated
from crumple.lab.toml_table import TomlTable

RULE = "rule of docs/catalogue.md"


class Generation(TomlTable):
    """A microarchitecture, compared with an earlier one."""

    name: str
    over: str
    step: SourcedFigure


class Kernels(TomlTable):
    """Rates of one instruction set on the reference core."""

    rate_double: SourcedFigure
    rate_single: SourcedFigure


class Core(TomlTable):
    """The reference core."""

    generation: str
    clock: SourcedFigure
    element_bytes: (
        SourcedFigure  #: bytes per element update in double precision, from and to memory, without caches
    )
    resident_bytes: SourcedFigure  #: bytes of an element in caches
    message_latency: SourcedFigure
    message_bandwidth: SourcedFigure


class OperatingSystem(TomlTable):
    """Interruptions of a core that computes, by the operating system."""

    detour_rate: SourcedFigure  #: number per second
    detour: SourcedFigure  #: s, mean


class Reference(TomlTable):
    """Measurements on the reference core."""

    core: Core
    system: OperatingSystem
    kernels: dict[Isa, Kernels]


@cache
def reference() -> Reference:
    """The reference core."""
    file = FOLDER / "reference.toml"
    try:
        return Reference.model_validate(read_toml(file)[1])
    except ValidationError as error:
        raise CatalogueError(f"{file}: {complaint(first_of(error), list(Core.model_fields))}") from None


@cache
def generations() -> dict[str, Generation]:
    """All generations by name."""
    return read_entries(FOLDER / "generations.toml", Generation)


def work_a_clock(generation: str) -> float:
    """Work per clock of a generation over that of the first generation of the chain; 1 without a name.

    Raises:
        CatalogueError: there is no such generation.
    """
    if generation and generation not in generations():
        raise CatalogueError(
            f"generation: there is no '{generation}'{nearest(generation, list(generations()))}"
        )
    product = 1.0
    while generation:
        product *= generations()[generation].step.value
        generation = generations()[generation].over
    return product


def per_clock_of(cpu: CpuEntry) -> SourcedFigure | None:
    """Work per clock over the reference core's: given, or by the generation; None if neither is known."""
    if cpu.per_clock or not cpu.generation:
        return cpu.per_clock
    ratio = work_a_clock(cpu.generation) / work_a_clock(reference().core.generation)
    return SourcedFigure(value=ratio, source=f"{RULE}: generation {cpu.generation}", estimated=True)


def speed_of(cpu: CpuEntry) -> float:
    """Speed of one core alone over the reference core's, with equal kernels; 1 if it is not known."""
    per_clock = per_clock_of(cpu)
    if not per_clock or not cpu.clock_alone:
        return 1.0
    return cpu.clock_alone.value / reference().core.clock.value * per_clock.value


def rule_is_known(cpu: CpuEntry) -> bool:
    """Whether all figures for the rule are known."""
    return bool(cpu.clock_alone and cpu.isa and (cpu.generation or cpu.per_clock))


def rate_is_known(cpu: CpuEntry) -> bool:
    """Whether a rate is given, or known by the rule."""
    return bool(cpu.rate_double or cpu.rate_single or rule_is_known(cpu))


def rate_of(cpu: CpuEntry, precision: str) -> SourcedFigure:
    """Element updates per second of one core alone: given, or by the rule.

    Args:
        precision: double or single
    """
    if given := getattr(cpu, f"rate_{precision}"):
        return given
    if not rate_is_known(cpu):
        measured = getattr(reference().kernels["avx512"], f"rate_{precision}").value
        source = "not known: the reference's, which scales no trace"
        return SourcedFigure(value=measured, source=source, estimated=True)
    kernels = reference().kernels[cpu.isa or "avx512"]
    measured = getattr(kernels, f"rate_{precision}").value
    other = "rate_single" if precision == "double" else "rate_double"
    given = getattr(cpu, other)
    if given and (other == "rate_double" or not rule_is_known(cpu)):  # same ratio as on the reference core
        ratio = measured / getattr(kernels, other).value
        source = f"{other}, times {ratio:.2f} as on the reference"
        return SourcedFigure(value=given.value * ratio, source=source, estimated=True)
    source = f"{RULE}: {measured / 1e6:.3g} M/s of {cpu.isa} kernels on the reference, clocks, generation"
    return SourcedFigure(value=measured * speed_of(cpu), source=source, estimated=True)


def slowed_by_clock(cpu: CpuEntry) -> float:
    """Clock with all cores busy over that of one alone."""
    return min(1.0, cpu.clock.value / cpu.clock_alone.value) if cpu.clock and cpu.clock_alone else 1.0


def rate_when_busy_of(cpu: CpuEntry) -> Curve:
    """Rate of each busy core of the socket over that of one alone, for a model larger than the caches."""
    if cpu.rate_when_busy:
        return cpu.rate_when_busy
    cores, alone = int(cpu.cores.value), rate_of(cpu, "double").value
    moved, slowed = reference().core.element_bytes.value, slowed_by_clock(cpu)
    whole = saturated(1, cores, slowed, alone * moved, cpu.memory_bandwidth.value)
    pairs = []
    for busy in range(1, cores + 1):
        rate = saturated(busy, cores, slowed, alone * moved, cpu.memory_bandwidth.value)
        pairs.append((float(busy), min(1.0, rate / whole)))
    source = f"{RULE}: clocks, memory_bandwidth, bytes of an element update"
    return Curve(value=tuple(pairs), source=source, estimated=True)
