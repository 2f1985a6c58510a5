"""The sled's occupant: rigid ellipsoids of a mid-size man on joints, some with a skin of foam.

x points backwards, y to the right, z up; the hip point is the origin. Masses and lengths are those of a
mid-size male within what is published of dummies (Backaitis and Mertz 1994, Hybrid III: The First
Human-Like Crash Test Dummy, SAE PT-44); joints are simple moments that rise to stops.
"""

from dataclasses import dataclass

import numpy as np

from crumple.models.sled_mesh import Choice, Ellipsoid, Points, SledMesh, cube_sphere

RECLINE = np.radians(22.0)  #: of the spine
UP = np.array([np.sin(RECLINE), 0.0, np.cos(RECLINE)])  #: along the spine
BACK = np.array([np.cos(RECLINE), 0.0, -np.sin(RECLINE)])  #: to the seat's back
SKIN = 14.0  #: mm
TOE = np.array([-0.643, 0.0, 0.766])  #: along a foot and the toe board
SOLE = np.array([0.766, 0.0, 0.643])  #: normal of it


def spine(along: float, back: float = 0.0, y: float = 0.0) -> Points:
    """A point of the torso."""
    return along * UP + back * BACK + np.array([0.0, y, 0.0])


@dataclass(frozen=True)
class Segment:
    """A rigid body: the part's number, its ellipsoid, kg, the part and the place of a skin."""

    name: str
    part: int
    body: Ellipsoid
    mass: float
    skin_part: int = 0
    skin_at: Choice | None = None

    def inertia(self) -> Points:
        """The tensor of the full ellipsoid about its centre, in global axes."""
        a, b, c = self.body.half**2
        own = np.diag([b + c, a + c, a + b]) * self.mass / 5.0
        return self.body.frame.T @ own @ self.body.frame

    def surface(self) -> Ellipsoid:
        """Its body, with the skin where there is one."""
        return self.body.grown(SKIN) if self.skin_part else self.body


@dataclass(frozen=True)
class JointMoment:
    """Moment over angle in kN mm and rad, from angles of rotation about y; damping in kN mm ms."""

    curve: tuple[tuple[float, float], ...]
    damping: float


@dataclass(frozen=True)
class Joint:
    """A joint of two segments at a point; hinges turn about y."""

    name: str
    kind: str
    parts: tuple[int, int]
    at: Points
    moment: str


def between(p: Points, q: Points) -> Points:
    """A frame whose z axis is along a limb."""
    z = (q - p) / np.linalg.norm(q - p)
    y = np.array([0.0, 1.0, 0.0]) - z[1] * z
    y /= np.linalg.norm(y)
    return np.array([np.cross(y, z), y, z])


def limb(p: Points, q: Points, radius: float, more: float) -> Ellipsoid:
    """An ellipsoid around a limb, longer than it by some mm at each end."""
    half = np.array([radius, radius, np.linalg.norm(q - p) / 2.0 + more])
    return Ellipsoid((p + q) / 2.0, half, between(p, q))


def trunk(along: float, back: float, half: tuple[float, float, float]) -> Ellipsoid:
    """An ellipsoid on the spine."""
    frame = np.array([BACK, [0.0, 1.0, 0.0], UP])
    return Ellipsoid(spine(along, back), np.array(half), frame)


NECK = spine(470.0, 20.0)
SKULL = NECK + np.array([-10.0, 0.0, 130.0])
HEAD = SKULL + np.array([-18.0, 0.0, 55.0])
STERNUM, RIBS = spine(335.0, -60.0), spine(335.0, 30.0)


def side(y: float, x: float, z: float, right: bool) -> Points:
    """A point on one side."""
    return np.array([x, y if right else -y, z])


def arm(right: bool) -> tuple[Points, Points, Points]:
    """Shoulder, elbow, hand."""
    y = 175.0 if right else -175.0
    return spine(440.0, 15.0, y), side(235.0, 0.0, 175.0, right), side(222.0, -275.0, 240.0, right)


def leg(right: bool) -> tuple[Points, Points, Points, Points]:
    """Hip, knee, ankle, middle of the foot."""
    ankle = side(115.0, -690.0, -260.0, right)
    return (
        side(85.0, 0.0, 0.0, right),
        side(110.0, -420.0, 75.0, right),
        ankle,
        ankle + 70.0 * TOE - 30.0 * SOLE,
    )


def segments() -> list[Segment]:
    """All rigid bodies of the occupant."""
    upright = np.eye(3)

    def front(local: Points) -> np.ndarray:
        return local[:, 0] < 0.35

    def top(local: Points) -> np.ndarray:
        return np.ones(len(local), dtype=bool)

    found = [
        Segment("pelvis", 1, trunk(0.0, 0.0, (105.0, 175.0, 95.0)), 17.2),
        Segment("abdomen", 2, trunk(150.0, -5.0, (105.0, 150.0, 95.0)), 4.2),
        Segment("thorax", 3, trunk(335.0, 30.0, (90.0, 155.0, 175.0)), 15.6),
        Segment("sternum", 4, trunk(335.0, -60.0, (46.0, 130.0, 140.0)), 1.3, 31, front),
        Segment("neck", 5, limb(NECK, SKULL, 55.0, 10.0), 1.54),
        Segment("head", 6, Ellipsoid(HEAD, np.array([90.0, 70.0, 108.0]), upright), 4.54, 32, front),
    ]
    for k, right in enumerate((False, True)):
        name, n = ("right", "left")[not right], 7 + 5 * k
        shoulder, elbow, hand = arm(right)
        hip, knee, ankle, foot = leg(right)
        frame = between(foot, foot + TOE)
        found += [
            Segment(f"{name} upper arm", n, limb(shoulder, elbow, 48.0, 15.0), 2.1),
            Segment(f"{name} forearm", n + 1, limb(elbow, hand, 40.0, 20.0), 2.25),
            Segment(f"{name} thigh", n + 2, limb(hip, knee, 68.0, 10.0), 6.1, 33 + k, top),
            Segment(f"{name} shank", n + 3, limb(knee, ankle, 55.0, 15.0), 4.3),
            Segment(f"{name} foot", n + 4, Ellipsoid(foot, np.array([40.0, 48.0, 130.0]), frame), 1.2),
        ]
    return found


MOMENTS = {
    "lumbar": JointMoment(((-1.2, -900.0), (-0.5, -200.0), (0.0, 0.0), (0.5, 200.0), (1.2, 900.0)), 2000.0),
    "neck": JointMoment(((-1.4, -300.0), (-0.8, -50.0), (0.0, 0.0), (0.5, 40.0), (1.0, 300.0)), 500.0),
    "hip": JointMoment(((-1.5, -500.0), (-0.8, -40.0), (0.0, 0.0), (0.8, 40.0), (1.5, 500.0)), 1000.0),
    "shoulder": JointMoment(((-3.0, -80.0), (-2.0, -10.0), (0.0, 0.0), (1.0, 10.0), (1.6, 80.0)), 150.0),
    "elbow": JointMoment(((-1.8, -80.0), (-1.2, -8.0), (0.0, 0.0), (1.2, 8.0), (1.8, 80.0)), 100.0),
    "knee": JointMoment(((-1.4, -200.0), (-0.8, -10.0), (0.0, 0.0), (0.8, 10.0), (1.4, 200.0)), 300.0),
    "ankle": JointMoment(((-0.8, -200.0), (-0.3, -20.0), (0.0, 0.0), (0.3, 20.0), (0.8, 200.0)), 200.0),
}


def joints() -> list[Joint]:
    """All joints but the sternum's guide."""
    found = [
        Joint("pelvis to abdomen", "SPHERICAL", (1, 2), spine(80.0), "lumbar"),
        Joint("abdomen to thorax", "SPHERICAL", (2, 3), spine(215.0), "lumbar"),
        Joint("thorax to neck", "SPHERICAL", (3, 5), NECK, "neck"),
        Joint("neck to head", "SPHERICAL", (5, 6), SKULL, "neck"),
    ]
    for k, right in enumerate((False, True)):
        name, n = ("right", "left")[not right], 7 + 5 * k
        shoulder, elbow, _ = arm(right)
        hip, knee, ankle, _ = leg(right)
        found += [
            Joint(f"{name} shoulder", "SPHERICAL", (3, n), shoulder, "shoulder"),
            Joint(f"{name} elbow", "REVOLUTE", (n, n + 1), elbow, "elbow"),
            Joint(f"{name} hip", "SPHERICAL", (1, n + 2), hip, "hip"),
            Joint(f"{name} knee", "REVOLUTE", (n + 2, n + 3), knee, "knee"),
            Joint(f"{name} ankle", "REVOLUTE", (n + 3, n + 4), ankle, "ankle"),
        ]
    return found


def mesh_segment(mesh: SledMesh, segment: Segment, cell: float) -> None:
    """The quads of a segment, and its skin."""
    points, quads = cube_sphere(segment.body.divisions(cell))
    numbers = mesh.add(segment.body.world(points))
    mesh.shell(segment.part, numbers[quads])
    if segment.skin_at is None:
        return
    covered = quads[segment.skin_at(points[quads].mean(axis=1))]
    normals = np.zeros((mesh.nodes, 3))
    normals[numbers - 1] = segment.body.normals(points)
    mesh.skin(segment.skin_part, numbers[covered], normals, SKIN)
