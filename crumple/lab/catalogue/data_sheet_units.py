"""Numbers of the catalogue as text, in the units of data sheets."""

from crumple.lab.catalogue.figure import Curve, SourcedFigure

#: factor and unit of a key, or of all keys that end with a word
UNITS: dict[str, tuple[float, str]] = {
    "clock": (1e-9, "GHz"),
    "clock_alone": (1e-9, "GHz"),
    "per_clock": (1.0, ""),
    "bandwidth": (1e-9, "GB/s"),
    "latency": (1e6, "us"),
    "overhead": (1e6, "us"),
    "reference": (1e6, "us"),
    "byte_on_reference": (1e9, "ns/B"),
    "overhead_per_byte": (1e9, "ns/B"),
    "jitter": (1e6, "us"),
    "watts": (1.0, "W"),
    "message_rate": (1e-6, "M/s"),
    "rate_double": (1e-6, "M/s"),
    "rate_single": (1e-6, "M/s"),
}
SIZES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))


def number(key: str, value: float, digits: int = 4) -> str:
    """A value with its unit."""
    if key.endswith("_bytes") or key == "eager_limit":
        size, unit = next((s for s in SIZES if value >= s[0]), SIZES[-1])
        return f"{value / size:.{digits}g} {unit}"
    if key == "year":
        return f"{value:.0f}"
    factor, unit = UNITS.get(key) or UNITS.get(key.rsplit("_", 1)[-1], (1.0, ""))
    return f"{value * factor:.{digits}g} {unit}".rstrip()


def written(key: str, figure: SourcedFigure | Curve) -> str:
    """A figure as text; estimates begin with a tilde."""
    mark = "~" if figure.estimated else ""
    if isinstance(figure, SourcedFigure):
        return mark + number(key, figure.value, 3 if figure.estimated else 4)
    if key.startswith("turn_"):
        return mark + ", ".join(f"{1e6 * work:.4g} us: {1e6 * cost:.2g} us" for work, cost in figure.value)
    few = figure.value if len(figure.value) <= 8 else [figure.value[k] for k in spread(len(figure.value))]
    return mark + ", ".join(f"{count:g}: {factor:.2f}" for count, factor in few)


def spread(length: int) -> list[int]:
    """Indices of eight pairs of a longer curve, with both ends."""
    return sorted({round(k * (length - 1) / 7) for k in range(8)})
