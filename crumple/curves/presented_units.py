"""The units in which curves are presented: g, kN, mm, m/s, kJ, MPa over ms, and what each quantity is."""

import re

from crumple.units import Units

GRAVITY = 9.80665  #: m/s^2
#: of what kind a quantity is, by the end of its name
KINDS = (
    (r"r[xyz]?_?displacement|phi_degrees|theta_degrees|psi_degrees", "angle"),
    (r"r[xyz]?_?velocity|r[xyz]?_?acceleration|d\(.*\)_dt", "turning"),
    (r"acceleration", "acceleration"),
    (r"velocity|rbvelocity", "speed"),
    (r"displacement|coordinate|centroid|distance|length|slip|pull_out", "length"),
    (r"force|axial|shear(_[st])?|resultant_force|total_force", "force"),
    (r"moment(_[st])?|torsion|moment_(stiffness|damping|total)|resultant_moment|total_moment", "moment"),
    (r"energy|work|etotal", "energy"),
    (r"sig_..|sigma_..|von_mises|effsg|pressure", "stress"),
    (r"mass", "mass"),
    (r"time_step|time", "time"),
)
#: unit in which each kind is presented, and its size in SI units
PRESENTED = {
    "time": ("ms", 1e-3),
    "acceleration": ("g", GRAVITY),
    "speed": ("m/s", 1.0),
    "length": ("mm", 1e-3),
    "force": ("kN", 1e3),
    "moment": ("N m", 1.0),
    "energy": ("kJ", 1e3),
    "stress": ("MPa", 1e6),
    "mass": ("kg", 1.0),
}
#: units that files of measured curves name: kind and size in SI units
WRITTEN = {
    "s": ("time", 1.0),
    "sec": ("time", 1.0),
    "ms": ("time", 1e-3),
    "us": ("time", 1e-6),
    "µs": ("time", 1e-6),
    "g": ("acceleration", GRAVITY),
    "m/s2": ("acceleration", 1.0),
    "mm/ms2": ("acceleration", 1e3),
    "mm/s2": ("acceleration", 1e-3),
    "m/s": ("speed", 1.0),
    "mm/ms": ("speed", 1.0),
    "mm/s": ("speed", 1e-3),
    "km/h": ("speed", 1 / 3.6),
    "mph": ("speed", 0.44704),
    "m": ("length", 1.0),
    "cm": ("length", 1e-2),
    "mm": ("length", 1e-3),
    "in": ("length", 0.0254),
    "n": ("force", 1.0),
    "kn": ("force", 1e3),
    "lbf": ("force", 0.45359237 * GRAVITY),
    "nm": ("moment", 1.0),
    "n m": ("moment", 1.0),
    "n*m": ("moment", 1.0),
    "knmm": ("moment", 1.0),
    "j": ("energy", 1.0),
    "kj": ("energy", 1e3),
    "pa": ("stress", 1.0),
    "mpa": ("stress", 1e6),
    "gpa": ("stress", 1e9),
    "kg": ("mass", 1.0),
}


def kind_of(component: str) -> str:
    """The kind of a quantity: "acceleration", "force", ...; empty for ratios and what is not known."""
    for pattern, kind in KINDS:
        if re.search(rf"(^|_)({pattern})$", component):
            return kind
    return ""


def si_size(kind: str, units: Units) -> float | None:
    """The size in SI units of the deck's unit of a kind; None for kinds without, and for units not known."""
    if kind == "moment":
        kind = "energy"
    return units.sizes.get(kind)


def presented(kind: str, units: Units) -> tuple[str, float]:
    """The label in which a kind is presented, and the factor from units of the deck.

    With units that are not known the factor is 1 and the label "deck units"; angles are in rad.
    """
    if kind == "angle":
        return "rad", 1.0
    if kind == "turning":
        return f"rad/{units['time']}" if units else "deck units", 1.0
    if not kind:
        return "", 1.0
    size = si_size(kind, units)
    if size is None:
        return "deck units", 1.0
    label, shown = PRESENTED[kind]
    return label, size / shown


def written_unit(text: str) -> tuple[str, float] | None:
    """Kind and SI size of a unit as files write it: "m/s^2", "[g]", "kN"; None if it is not known."""
    word = text.strip(" []").lower().replace("(s*s)", "s2").strip("()")
    for old, new in (("^", ""), ("**", ""), ("²", "2"), ("sec2", "s2")):
        word = word.replace(old, new)
    return WRITTEN.get(word)
