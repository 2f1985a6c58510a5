"""Names of a deck's units for output and pictures. Numbers are not converted."""

from dataclasses import dataclass, field

POUND, GRAVITY, INCH = 0.45359237, 9.80665, 0.0254

Unit = tuple[str, str, float, str]

#: word, quantity, size in kg, m, s or N, and label; the same as in solver/model/units.cpp
UNITS: list[Unit] = [
    ("kg", "mass", 1.0, "kg"),
    ("g", "mass", 1e-3, "g"),
    ("mg", "mass", 1e-6, "mg"),
    ("t", "mass", 1e3, "t"),
    ("ton", "mass", 1e3, "t"),
    ("tonne", "mass", 1e3, "t"),
    ("lb", "mass", POUND, "lb"),
    ("lbm", "mass", POUND, "lb"),
    ("oz", "mass", POUND / 16, "oz"),
    ("uston", "mass", 2000 * POUND, "US ton"),
    ("slug", "mass", POUND * GRAVITY / (12 * INCH), "slug"),
    ("slinch", "mass", POUND * GRAVITY / INCH, "slinch"),
    ("m", "length", 1.0, "m"),
    ("cm", "length", 1e-2, "cm"),
    ("mm", "length", 1e-3, "mm"),
    ("in", "length", INCH, "in"),
    ("ft", "length", 12 * INCH, "ft"),
    ("yd", "length", 36 * INCH, "yd"),
    ("mile", "length", 63360 * INCH, "mile"),
    ("s", "time", 1.0, "s"),
    ("sec", "time", 1.0, "s"),
    ("ms", "time", 1e-3, "ms"),
    ("us", "time", 1e-6, "µs"),
    ("min", "time", 60.0, "min"),
    ("hr", "time", 3600.0, "h"),
    ("n", "force", 1.0, "N"),
    ("kn", "force", 1e3, "kN"),
    ("lbf", "force", POUND * GRAVITY, "lbf"),
]
COMMON = ("kg-m-s", "t-mm-s", "kg-mm-ms", "g-mm-ms", "kg-mm-s", "g-cm-us", "g-cm-s", "lbf-in-s", "slug-ft-s")

FORCES = {1.0: "N", 1e3: "kN", 1e6: "MN", 1e-3: "mN", 1e-6: "µN", 1e-5: "dyn", POUND * GRAVITY: "lbf"}
ENERGIES = {
    1.0: "J",
    1e3: "kJ",
    1e6: "MJ",
    1e-3: "mJ",
    1e-6: "µJ",
    1e-9: "nJ",
    1e-7: "erg",
    POUND * GRAVITY * INCH: "in lbf",
    POUND * GRAVITY * 12 * INCH: "ft lbf",
}
STRESSES = {
    1.0: "Pa",
    1e3: "kPa",
    1e6: "MPa",
    1e9: "GPa",
    1e11: "Mbar",
    0.1: "dyn/cm²",
    POUND * GRAVITY / INCH**2: "psi",
    POUND * GRAVITY / (12 * INCH) ** 2: "psf",
}


@dataclass(frozen=True)
class Units:
    """A consistent system of units with name and labels, or none (everything is in deck units)."""

    name: str = ""
    labels: dict[str, str] = field(default_factory=dict)  #: of mass, length, time, force, energy, ...
    sizes: dict[str, float] = field(default_factory=dict)  #: of the same and of acceleration, in SI units

    def __bool__(self) -> bool:
        """Whether the units are known."""
        return bool(self.name)

    def __getitem__(self, quantity: str) -> str:
        """The label of a quantity; "deck units" if the units are not known."""
        return self.labels.get(quantity, "deck units")

    def behind(self, quantity: str) -> str:
        """A blank and the label; empty if the units are not known."""
        return f" {self.labels[quantity]}" if quantity in self.labels else ""


def named(names: dict[float, str], size: float, otherwise: str) -> str:
    """The name of a unit of this size."""
    return next((name for s, name in names.items() if abs(size - s) < 1e-6 * s), otherwise)


def find_units(name: str) -> Units:
    """The system with a name such as "t-mm-s"; none for an empty name.

    Raises:
        ValueError: it is not a system of units.
    """
    if not name:
        return Units()
    found: dict[str, Unit] = {}
    for word in name.lower().split("-"):
        unit = next((u for u in UNITS if u[0] == word), None)
        place = "mass" if unit and unit[1] == "force" else unit[1] if unit else ""
        if unit is None or place in found:
            found = {}
            break
        found[place] = next(u for u in UNITS if u[3] == unit[3])
    if len(found) != 3:
        raise ValueError(
            f"'{name}' is no system of units: mass, length and time, such as {', '.join(COMMON)}"
        )
    return derived(found["mass"], found["length"], found["time"])


def derived(heavy: Unit, long: Unit, late: Unit) -> Units:
    """The system of a unit of mass or force, one of length and one of time, as `UNITS` has them."""
    _, kind, mass, mass_name = heavy
    length, length_name, time, time_name = long[2], long[3], late[2], late[3]
    acceleration = length / time**2
    force_name = mass_name
    if kind == "force":
        mass /= acceleration
        mass_name = f"{mass_name} {time_name}²/{length_name}"
    else:
        force_name = named(FORCES, mass * acceleration, f"{mass_name} {length_name}/{time_name}²")
    force = mass * acceleration
    labels = {
        "mass": mass_name,
        "length": length_name,
        "time": time_name,
        "force": force_name,
        "energy": named(ENERGIES, force * length, f"{force_name} {length_name}"),
        "stress": named(STRESSES, force / length**2, f"{force_name}/{length_name}²"),
        "speed": f"{length_name}/{time_name}",
    }
    sizes = {
        "mass": mass,
        "length": length,
        "time": time,
        "force": force,
        "energy": force * length,
        "stress": force / length**2,
        "speed": length / time,
        "acceleration": acceleration,
    }
    return Units("-".join((heavy[0], long[0], late[0])), labels, sizes)
