"""The sled as a keyword deck. Units: mm, ms, kg, kN, GPa."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from crumple.models import sled_rig as parts
from crumple.models.deck_text import write_elements, write_nodes, write_set
from crumple.models.sled_bag import mesh_bag
from crumple.models.sled_belt import divided, taut_string
from crumple.models.sled_laws import (
    BACK_DISC,
    CURVES,
    FRONT_DISC,
    LAWS,
    RIB_DAMPER,
    RIB_SPRING,
    WEBBING,
    card,
    curve,
    laws,
    part,
    parts_of_rig,
    rigid,
    shell_section,
)
from crumple.models.sled_mesh import Points, SledMesh
from crumple.models.sled_occupant import (
    HEAD,
    MOMENTS,
    RIBS,
    STERNUM,
    Joint,
    JointMoment,
    Segment,
    joints,
    mesh_segment,
    segments,
    spine,
)

PULSE = 90.0  #: ms
BELT_CELL = 22.0  #: mm
REEL, D_RING = np.array([330.0, -300.0, -250.0]), np.array([330.0, -290.0, 600.0])
BUCKLE, ANCHOR = np.array([70.0, 235.0, -60.0]), np.array([70.0, -245.0, -70.0])
OVER_CHEST, OVER_LAP = spine(335.0, -200.0, -10.0), np.array([-60.0, 0.0, 125.0])
STORED = 10  #: belt elements inside the retractor at the start
FED = 35.0  #: mm of belt after which one leaves it
THORAX, STERNUM_PART, HEAD_PART, PELVIS = 3, 4, 6, 1


@dataclass
class Sled:
    """Mesh, and what the cards name."""

    mesh: SledMesh
    body: list[Segment]
    extra: dict[int, list[np.ndarray]]  #: nodes that are added to rigid parts
    belt: list[tuple[int, int, int, float]] = field(default_factory=list)  #: nodes, retractor, slack
    rings: dict[str, tuple[int, int, int]] = field(default_factory=dict)  #: two elements of the belt, node
    reel: tuple[int, int] = (0, 0)  #: node, element at the mouth
    joint_nodes: list[tuple[Joint, list[int]]] = field(default_factory=list)
    ribs: list[tuple[int, int]] = field(default_factory=list)  #: spring, damper
    guide: list[int] = field(default_factory=list)
    gauges: dict[str, list[int]] = field(default_factory=dict)  #: nodes of accelerometers

    def elements(self) -> int:
        """Number of elements of all kinds."""
        return self.mesh.shells.count() + self.mesh.solids.count() + len(self.belt) + len(self.ribs)

    def held(self, part: int, x: Points) -> list[int]:
        """New nodes of a rigid part."""
        numbers = self.mesh.add(np.atleast_2d(x))
        self.extra.setdefault(part, []).append(numbers)
        return numbers.tolist()


def build_sled(cell: float) -> Sled:
    """The sled with cells of a size in mm."""
    mesh, rig, body = SledMesh(), parts.Rig(), segments()
    sled = Sled(mesh, body, {})
    for segment in body:
        mesh_segment(mesh, segment, 0.9 * cell)
    floor = parts.mesh_floor(mesh, cell)
    surfaces = [s.surface() for s in body]
    parts.mesh_cushion(mesh, rig, surfaces, cell, floor)
    parts.mesh_back(mesh, rig, surfaces, cell)
    parts.mesh_bracket(mesh)
    parts.mesh_wheel(mesh, cell)
    parts.mesh_screen(mesh, rig, cell)
    frame = np.array([parts.WHEEL_UP, [0.0, -1.0, 0.0], parts.TO_DRIVER])
    bag = mesh_bag(
        mesh,
        (BACK_DISC, FRONT_DISC),
        parts.WHEEL_CENTRE + (parts.HUB + 4.0) * parts.TO_DRIVER,
        frame,
        0.8 * cell,
    )
    for number, nodes in (
        (parts.FLOOR, rig.on_floor),
        (parts.BRACKET, rig.on_bracket),
        (parts.BACK_FRAME, rig.on_frame),
        (parts.WHEEL, [bag.held]),
    ):
        sled.extra[number] = [np.unique(np.concatenate(nodes))]
    add_belts(sled)
    add_joints(sled)
    return sled


def add_belts(sled: Sled) -> None:
    """Retractor, D-ring, shoulder belt, buckle, lap belt."""
    bodies = [s.surface() for s in sled.body if s.part <= 4 or "thigh" in s.name]
    shoulder = divided(taut_string((D_RING, BUCKLE), OVER_CHEST, bodies), BELT_CELL)
    lap = divided(taut_string((BUCKLE, ANCHOR), OVER_LAP, bodies), BELT_CELL)
    up = divided(np.array([REEL, D_RING]), 1.6 * BELT_CELL)
    reel, ring, buckle, anchor = (sled.held(parts.FLOOR, x)[0] for x in (REEL, D_RING, BUCKLE, ANCHOR))
    inside = sled.mesh.add(np.repeat(REEL[None], STORED, axis=0)).tolist()
    upright = sled.mesh.add(up).tolist()
    over = [upright[-1], *sled.mesh.add(shoulder[1:]).tolist()]
    across = [over[-1], *sled.mesh.add(lap[1:-1]).tolist(), anchor]

    def chain(nodes: list[int], retractor: int = 0, slack: float = 0.0) -> None:
        sled.belt += [(a, b, retractor, slack) for a, b in zip(nodes[:-1], nodes[1:], strict=True)]

    chain([*inside, upright[0]], 1, FED)
    mouth = len(sled.belt)
    chain(upright)
    d_ring = len(sled.belt) - 1
    chain(over)
    at_buckle = len(sled.belt) - 1
    chain(across)
    sled.rings = {"D-ring": (d_ring, d_ring + 1, ring), "buckle": (at_buckle, at_buckle + 1, buckle)}
    sled.reel = (reel, mouth)


def add_joints(sled: Sled) -> None:
    """Joints of the occupant and the recliner, the sternum's guide and ribs, accelerometers."""
    across = np.array([0.0, 60.0, 0.0])
    recliner = Joint("recliner", "REVOLUTE", (parts.BRACKET, parts.BACK_FRAME), parts.RECLINER, "recliner")
    for joint in [*joints(), recliner]:
        points = [joint.at] if joint.kind == "SPHERICAL" else [joint.at - across, joint.at + across]
        nodes = [sled.held(of, x)[0] for x in points for of in joint.parts]
        sled.joint_nodes.append((joint, nodes))
    out, aside = np.array(STERNUM - RIBS) / np.linalg.norm(STERNUM - RIBS), np.array([0.0, 80.0, 0.0])
    for x in (STERNUM, STERNUM + 80.0 * out, STERNUM + aside):
        sled.guide += [sled.held(of, x)[0] for of in (THORAX, STERNUM_PART)]
    (spring,) = sled.held(THORAX, RIBS - 40.0 * out)
    (tip,) = sled.held(STERNUM_PART, STERNUM)
    sled.ribs = [(spring, tip), (spring, tip)]
    for name, number, at in (
        ("head", HEAD_PART, HEAD),
        ("chest", THORAX, RIBS),
        ("pelvis", PELVIS, spine(0.0)),
    ):
        axes = [[0.0, 0.0, 0.0], [-30.0, 0.0, 0.0], [0.0, -30.0, 0.0]]
        sled.gauges[name] = sled.held(number, at + np.array(axes))


HEADER = """*KEYWORD
*TITLE
occupant on a sled, {elements} elements
$ units: mm, ms, kg, kN, GPa
*CONTROL_UNITS
        mm        ms        kg
*CONTROL_TERMINATION
$   ENDTIM
{end_time:10.3f}
*CONTROL_TIMESTEP
$   DTINIT    TSSFAC
       0.0       0.9       0.0       0.0       0.0         0         1
*CONTROL_ENERGY
         2         2         2         2
*CONTROL_SHELL
$   WRPANG     ESORT     IRNXX    ISTUPD    THEORY       BWC     MITER      PROJ
      20.0         1        -1         0         2         2         1         0
*CONTROL_HOURGLASS
         4      0.05
*DATABASE_BINARY_D3PLOT
{plot_interval:10.4f}
"""
HISTORIES = {
    "GLSTAT": 4,
    "MATSUM": 4,
    "RCFORC": 4,
    "SBTOUT": 1,
    "DEFORC": 1,
    "ABSTAT": 1,
    "JNTFORC": 4,
    "NODOUT": 1,
}
HISTORY = 0.05  #: ms, of nodout and belts; others are some times rarer


def write_sled(path: Path, sled: Sled, speed: float, end_time: float, plots: int) -> int:
    """Write the deck; returns the number of elements."""
    with path.open("wb") as out:
        text = HEADER.format(elements=sled.elements(), end_time=end_time, plot_interval=end_time / plots)
        for name, times in HISTORIES.items():
            text += f"*DATABASE_{name}\n{card(times * HISTORY, 3)}"
        text += laws() + parts_of_rig() + parts_of_occupant(sled) + curves(speed)
        text += pulse_cards() + joint_cards(sled) + bag_cards(sled) + belt_cards(sled) + gauge_cards(sled)
        out.write(text.encode())
        write_contacts(out, sled)
        write_mesh(out, sled)
        out.write(b"*END\n")
    return sled.elements()


def parts_of_occupant(sled: Sled) -> str:
    """Rigid parts with their inertia, and skins."""
    text = ""
    for s in sled.body:
        tensor = s.inertia()
        text += shell_section(s.part, 2, 2.0) + rigid(s.part, s.name, density=1e-6)
        text += f"*PART_INERTIA\n{s.name}\n{card(s.part, s.part, s.part)}"
        text += card(*(float(c) for c in s.body.centre), s.mass, 0, 0)
        text += card(*(float(tensor[i]) for i in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
        text += card(*[0.0] * 6)
        if s.skin_part:
            text += f"*SECTION_SOLID\n{card(s.skin_part, 1)}"
            text += part(s.skin_part, f"{s.name}, skin", s.skin_part, LAWS["skin"])
    return text


def curves(speed: float) -> str:
    """The pulse, half a sine, and all other curves."""
    t = np.linspace(0.0, PULSE, 46)
    peak = np.pi * speed / (2.0 * PULSE)
    pulse = [(float(a), float(peak * np.sin(np.pi * a / PULSE))) for a in t]
    text = curve(1, "pulse of the sled: mm/ms2 over time", [*pulse[:-1], (PULSE, 0.0), (1e4, 0.0)])
    for n, (title, points) in CURVES.items():
        text += curve(n, title, points)
    for k, (name, moment) in enumerate(all_moments().items()):
        text += curve(21 + 2 * k, f"{name}: moment over angle", list(moment.curve))
        top = 10.0 * moment.damping
        text += curve(22 + 2 * k, f"{name}: moment over rate", [(-10.0, -top), (0.0, 0.0), (10.0, top)])
    return text


def all_moments() -> dict[str, JointMoment]:
    """Moments of the occupant's joints, and of the recliner."""
    recliner = JointMoment(
        ((-0.5, -6000.0), (-0.05, -1500.0), (0.0, 0.0), (0.05, 1500.0), (0.5, 6000.0)), 5000.0
    )
    return MOMENTS | {"recliner": recliner}


def pulse_cards() -> str:
    """The floor's motion; what is welded to it."""
    text = f"*BOUNDARY_PRESCRIBED_MOTION_RIGID\n{card(parts.FLOOR, 1, 1, 1, 1.0)}"
    return text + f"*CONSTRAINED_RIGID_BODIES\n{card(parts.FLOOR, parts.WHEEL)}"


def joint_cards(sled: Sled) -> str:
    """Joints and their moments about y, z and x; the sternum's guide, spring and damper."""
    text = "*DEFINE_COORDINATE_SYSTEM\n" + card(1, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0) + card(0.0, 0.0, 1.0)
    names = list(all_moments())
    for k, (joint, nodes) in enumerate(sled.joint_nodes, 1):
        listed = nodes + [0] * (6 - len(nodes))
        text += f"*CONSTRAINED_JOINT_{joint.kind}_ID\n{k:10d}{joint.name}\n{card(*listed, 1.0, 0.1)}"
        at = names.index(joint.moment)
        one, rate = 21 + 2 * at, 22 + 2 * at
        free = joint.kind == "REVOLUTE"
        text += "*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n" + card(k, *joint.parts, 1, 1)
        text += card(one, *[0 if free else one] * 2, rate, *[0 if free else rate] * 2)
        text += card(*[0.0] * 6) + card(*[0.0] * 6)
    k = len(sled.joint_nodes) + 1
    listed = [sled.guide[i] for i in range(6)]
    text += f"*CONSTRAINED_JOINT_TRANSLATIONAL_ID\n{k:10d}sternum\n{card(*listed, 1.0, 0.1)}"
    text += "*ELEMENT_DISCRETE\n"
    for k, (n, (a, b)) in enumerate(zip((RIB_SPRING, RIB_DAMPER), sled.ribs, strict=True)):
        text += card(10_000_001 + k, n, a, b, 0, width=8)
    for number, blocks in sled.extra.items():
        text += f"*SET_NODE_LIST\n{card(number)}"
        flat = np.concatenate(blocks).tolist()
        for i in range(0, len(flat), 8):
            text += card(*flat[i : i + 8])
        text += f"*CONSTRAINED_EXTRA_NODES_SET\n{card(number, number)}"
    return text


def bag_cards(sled: Sled) -> str:
    """The gas."""
    text = f"*SET_PART_LIST\n{card(401)}{card(BACK_DISC, FRONT_DISC)}"
    text += f"*AIRBAG_WANG_NEFSKE_ID\n{1:10d}driver airbag\n{card(401, 1)}"
    text += card(742.0, 1039.0, 550.0, 0, 17) + card(0.7, 0, 1500.0, 0)
    return text + card(1.01325e-4, 1.2e-9, 1.0, 0, 0.0, 0.0, 0)


def belt_cards(sled: Sled) -> str:
    """Belt elements, rings, retractor, pretensioner, sensors."""
    text = "*ELEMENT_SEATBELT\n"
    base = 20_000_001
    for k, (a, b, retractor, slack) in enumerate(sled.belt):
        text += card(base + k, WEBBING, a, b, retractor, width=8)[:-1] + f"{slack:16.4f}\n"
    for k, (one, other, node) in enumerate(sled.rings.values(), 1):
        text += (
            f"*ELEMENT_SEATBELT_SLIPRING\n{card(k, base + one, base + other, 0.1 if k == 1 else 0.2, node)}"
        )
    node, mouth = sled.reel
    text += f"*ELEMENT_SEATBELT_RETRACTOR\n{card(1, node, base + mouth, 1)}{card(0.0, 0.0, 14, 0, FED)}"
    text += f"*ELEMENT_SEATBELT_SENSOR\n{card(1, 3, 1)}{card(5.0)}"
    text += f"*ELEMENT_SEATBELT_SENSOR\n{card(2, 3, 1)}{card(9.0)}"
    text += f"*ELEMENT_SEATBELT_PRETENSIONER\n{card(1, 5, 2)}{card(1, 0.0, 15, 1.8)}"
    return text


def gauge_cards(sled: Sled) -> str:
    """Accelerometers, and nodes with histories."""
    text = ""
    for k, nodes in enumerate(sled.gauges.values(), 1):
        text += f"*ELEMENT_SEATBELT_ACCELEROMETER\n{card(k, *nodes, 0, 0, 0.0)}"
    text += "*DATABASE_HISTORY_NODE_ID\n"
    for name, nodes in sled.gauges.items():
        text += f"{nodes[0]:10d}{name}\n"
    return text


def write_contacts(out: BinaryIO, sled: Sled) -> None:
    """Occupant with rig, belt and bag; the bag with itself and the rig."""
    skins = [s.skin_part for s in sled.body if s.skin_part]
    body = [s.part for s in sled.body] + skins
    rig = [n for n in range(parts.FLOOR, parts.SCREEN + 1)]
    hard = [parts.FLOOR, parts.WHEEL, parts.SCREEN]
    belt = sorted({n for a, b, *_ in sled.belt for n in (a, b)})
    write_set(out, "SET_PART_LIST", 402, body)
    write_set(out, "SET_PART_LIST", 403, [n for n in rig if n != parts.BACK_FRAME])
    write_set(out, "SET_PART_LIST", 404, [*body, *hard])
    write_set(out, "SET_NODE_LIST", 405, belt)
    arms = [s.part for s in sled.body if "arm" in s.name]
    write_set(out, "SET_PART_LIST", 406, [n for n in body if n not in arms])
    kinds = (
        (1, "occupant and rig", "AUTOMATIC_SURFACE_TO_SURFACE", (402, 403, 2, 2), 0.4),
        (2, "belt on occupant", "AUTOMATIC_NODES_TO_SURFACE", (405, 406, 4, 2), 0.3),
        (3, "airbag with itself", "AIRBAG_SINGLE_SURFACE", (401, 0, 2, 0), 0.2),
        (4, "airbag and occupant", "AUTOMATIC_SURFACE_TO_SURFACE", (401, 404, 2, 2), 0.3),
    )
    for n, title, kind, sides, friction in kinds:
        text = f"*CONTACT_{kind}_ID\n{n:10d}{title}\n{card(*sides)}"
        text += card(friction, friction, 0.0, 0.0, 40.0) + card(1.0, 1.0) + card(1, 0.02 if n == 1 else 0.1)
        out.write(text.encode())


def write_mesh(out: BinaryIO, sled: Sled) -> None:
    """Nodes, shells and solids."""
    write_nodes(out, 1, sled.mesh.x())
    element = 1
    for keyword, elements in (("ELEMENT_SHELL", sled.mesh.shells), ("ELEMENT_SOLID", sled.mesh.solids)):
        order = np.argsort(elements.parts(), kind="stable")
        write_elements(out, keyword, element, elements.parts()[order], elements.nodes()[order])
        element += elements.count()
