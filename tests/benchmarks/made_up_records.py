"""Records of `make bench` with figures that are made up."""

from speed_figure import Figure
from speed_record import Record

MACHINE = {
    "processor": "AMD EPYC",
    "cores": 2,
    "compiler": "GNU 12.2.0",
    "flags": "-O3",
    "busy": False,
    "commit": "abc",
}


def figure(value: float) -> Figure:
    """Measured once."""
    return Figure.of([value])


def record(
    name: str,
    day: int,
    runs: dict[str, dict[str, float]] | None = None,
    kernels: dict[str, float] | None = None,
    work: dict[str, dict[str, float]] | None = None,
    generation: str = "Zen 4",
    isa: str = "AVX-512",
) -> Record:
    """Of a day of a month; runs and kernels by their names."""
    machine = MACHINE | {"measured": f"2026-01-{day:02d}", "generation": generation, "isa": isa}
    found = {key: {kind: figure(v) for kind, v in of.items()} for key, of in (runs or {}).items()}
    return Record(name, machine, found, {key: figure(v) for key, v in (kernels or {}).items()}, work or {})
