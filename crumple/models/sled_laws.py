"""Materials, sections and curves of the sled as text of a deck. Units: mm, ms, kg, kN, GPa."""

from crumple.models import sled_rig as rig

BACK_DISC, FRONT_DISC, WEBBING, RIB_SPRING, RIB_DAMPER = 201, 202, 301, 302, 303
STEEL = 7.85e-6

Curve = list[tuple[float, float]]

CURVES: dict[int, tuple[str, Curve]] = {
    11: (
        "seat foam: stress over strain",
        [(0, 0), (0.08, 8e-6), (0.4, 1.4e-5), (0.6, 4e-5), (0.75, 1.6e-4), (0.85, 6e-4), (0.92, 3e-3)],
    ),
    12: ("skin: stress over strain", [(0, 0), (0.3, 4e-4), (0.5, 1.2e-3), (0.7, 6e-3), (0.85, 4e-2)]),
    13: ("webbing: force over strain", [(0, 0), (0.02, 1.0), (0.08, 6.0), (0.16, 14.0)]),
    14: ("retractor: force over pull-out", [(0, 0.02), (5, 1.5), (15, 3.5), (25, 3.9), (600, 4.5)]),
    15: ("pretensioner: pull-in over time", [(0, 0), (1, 4), (7, 55), (8, 60)]),
    16: (
        "rib cage: force over change of length",
        [(-90, -20.0), (-70, -8.0), (-50, -4.8), (-30, -2.8), (-15, -1.5), (0, 0), (15, 1.5), (30, 4.0)],
    ),
    17: (
        "inflator: kg/ms over time",
        [
            (0, 0),
            (12, 0),
            (14, 0.0008),
            (18, 0.0018),
            (26, 0.0016),
            (40, 0.0007),
            (60, 0.0001),
            (75, 0),
            (900, 0),
        ],
    ),
}

# part, title, thickness, law, and of rigid parts density and modulus
SHELLS: list[tuple[int, str, float, str]] = [
    (rig.FLOOR, "floor and toe board", 3.0, "floor"),
    (rig.CUSHION_PAN, "cushion pan", 1.2, "steel"),
    (rig.LEGS, "seat frame", 1.5, "steel"),
    (rig.BRACKET, "recliner bracket", 4.0, "rigid"),
    (rig.BACK_FRAME, "back frame", 2.0, "rigid"),
    (rig.BACK_PAN, "back pan", 1.0, "steel"),
    (rig.WHEEL, "steering wheel", 2.0, "rigid"),
    (BACK_DISC, "airbag, back disc", 0.4, "fabric"),
    (FRONT_DISC, "airbag, front disc", 0.4, "fabric"),
]
#: law and thickness of the windscreen's layers: two panes, of which each has three points, and a film
PANE = [("glass", 0.3), ("glass", 1.5), ("glass", 0.3)]
SCREEN = [*PANE, ("film", 0.76), *PANE]
LAWS = {"steel": 901, "glass": 902, "film": 903, "fabric": 904, "seat foam": 905, "skin": 906}


def card(*values: float | str, width: int = 10) -> str:
    """A line of fields."""
    return (
        "".join(f"{v:>{width}}" if isinstance(v, (int, str)) else f"{number(v):>{width}}" for v in values)
        + "\n"
    )


def number(value: float) -> str:
    """A number in at most nine characters."""
    for digits in (7, 6, 5, 4, 3):
        if len(text := f"{value:.{digits}g}") <= 9:
            return text
    return f"{value:.2e}"


def curve(n: int, title: str, points: Curve) -> str:
    """*DEFINE_CURVE."""
    lines = "".join(card(float(x), float(y), width=20) for x, y in points)
    return f"*DEFINE_CURVE_TITLE\n{title}\n{card(n)}{lines}"


def part(n: int, title: str, section: int, law: int) -> str:
    """*PART."""
    return f"*PART\n{title}\n{card(n, section, law)}"


def shell_section(n: int, form: int, thickness: float) -> str:
    """*SECTION_SHELL."""
    return f"*SECTION_SHELL\n{card(n, form, 0.8333, 3)}{card(*[thickness] * 4)}"


def rigid(n: int, title: str, held: bool = False, density: float = STEEL) -> str:
    """*MAT_RIGID; the floor slides along x only."""
    return (
        f"*MAT_RIGID_TITLE\n{title}\n{card(n, density, 10.0, 0.3)}{card(1.0, 5, 7) if held else card(0.0)}\n"
    )


def laws() -> str:
    """All materials but those of rigid parts."""
    text = "*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE\nsteel\n"
    text += card(LAWS["steel"], STEEL, 210.0, 0.3, 0.35, 0.8, 0.0, 0.0) + card(0.0, 0.0) + "\n\n"
    text += f"*MAT_GLASS_TITLE\nglass\n{card(LAWS['glass'], 2.5e-6, 70.0, 0.22)}"
    text += card(0.0, 0.06, 1.0) + card(0.0, 0.0, 0.0, 0.0, 20.0)
    text += "*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE\npolymer film\n"
    text += card(LAWS["film"], 1.1e-6, 0.1, 0.45, 0.011, 0.01, 0.0, 0.0) + card(0.0, 0.0) + "\n\n"
    text += f"*MAT_FABRIC_TITLE\nfabric\n{card(LAWS['fabric'], 7e-7, 0.3, 0.3, '', 0.2)}"
    text += card(0.08, "", "", 0.0, 0.0, 0.0, 0.0, 0.0) + card(0.0, 0.0, 0.0, "", 0, 14) + "\n\n"
    text += card(*[0] * 6)
    for name, density, modulus, points, share in (
        ("seat foam", 6e-8, 2e-4, 11, 0.2),
        ("skin", 2.5e-7, 2e-3, 12, 0.3),
    ):
        text += f"*MAT_LOW_DENSITY_FOAM_TITLE\n{name}\n"
        text += card(LAWS[name], density, modulus, points, 1e20, share, 0.0, 0.1) + card(5.0)
    text += f"*MAT_SEATBELT_TITLE\nwebbing\n{card(WEBBING, 6e-5, 13, 0, 6.0)}"
    text += f"*MAT_SPRING_NONLINEAR_ELASTIC_TITLE\nrib cage\n{card(RIB_SPRING, 16)}"
    text += f"*MAT_DAMPER_VISCOUS_TITLE\nrib cage\n{card(RIB_DAMPER, 0.5)}"
    return text


def windscreen() -> str:
    """Its part, whose layers are from the outside in."""
    layers = [card(LAWS[law], thickness, 0.0, 0)[:-1] for law, thickness in SCREEN]
    pairs = ["".join(layers[k : k + 2]) + "\n" for k in range(0, len(layers), 2)]
    return f"*PART_COMPOSITE\nwindscreen\n{card(rig.SCREEN, 2, 0.8333)}" + "".join(pairs)


def parts_of_rig() -> str:
    """Parts of seat, floor, wheel, windscreen, bag, belts."""
    text = windscreen()
    for n, title, thickness, law in SHELLS:
        text += shell_section(n, 5 if law == "fabric" else 2, thickness)
        own = law in ("rigid", "floor")
        text += part(n, title, n, n if own else LAWS[law])
        if own:
            text += rigid(n, title, law == "floor")
    for n, title in ((rig.CUSHION, "cushion foam"), (rig.BACK_FOAM, "back foam")):
        text += f"*SECTION_SOLID\n{card(n, 1)}" + part(n, title, n, LAWS["seat foam"])
    text += f"*SECTION_SEATBELT\n{card(WEBBING)}" + part(WEBBING, "belt", WEBBING, WEBBING)
    for n, title in ((RIB_SPRING, "rib cage, spring"), (RIB_DAMPER, "rib cage, damper")):
        text += f"*SECTION_DISCRETE\n{card(n, 0)}\n" + part(n, title, n, n)
    return text
