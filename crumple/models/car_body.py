"""The body in white: floor, firewall, sides with wheel arches, fenders, pillars, glass, roof, fascias."""

from crumple.models.car_lattice import Lattice
from crumple.models.car_mesh import Panels
from crumple.models.car_parts import CarPart


def paint_body(n: Lattice) -> Panels:
    """All panels of the body that share nodes."""
    panels = Panels(n)
    paint_floor(panels, n)
    paint_sides(panels, n)
    paint_engine_bay(panels, n)
    paint_ends(panels, n)
    paint_greenhouse(panels, n)
    paint_wheelhouses(panels, n)
    return panels


def paint_floor(panels: Panels, n: Lattice) -> None:
    """Floor with tunnel, firewall, bulkhead behind the rear seats."""
    floor, _, belt, _ = n.levels
    at = n.at
    panels.level(CarPart.FLOOR, floor, (at["firewall"], at["floor end"]), (0, n.ny))
    panels.level(CarPart.TUNNEL, floor, (at["firewall"], at["rear arch"]), (at["left tunnel"], at["tunnel"]))
    for y in ((0, at["left wheelhouse"]), (at["wheelhouse"], n.ny)):
        panels.level(0, floor, (at["rear arch"], at["rear arch end"]), y)
    panels.cross(CarPart.FIREWALL, at["firewall"], (0, n.ny), (floor, belt))
    if n.car.deck:
        panels.cross(CarPart.BULKHEAD, at["deck"], (0, n.ny), (floor, belt))


def paint_sides(panels: Panels, n: Lattice) -> None:
    """Fenders, sills and quarter panels; doors and wheel arches are left open."""
    floor, arch, belt, _ = n.levels
    at = n.at
    for j in (0, n.ny):
        panels.side(CarPart.FENDER, j, (0, at["firewall"]), (0, belt))
        panels.side(CarPart.FRONT_FASCIA, j, (0, at["front arch"]), (0, arch))
        panels.side(CarPart.BODY_SIDE, j, (at["firewall"], n.nx), (0, belt))
        panels.side(CarPart.REAR_FASCIA, j, (at["rear arch end"], n.nx), (0, arch))
        for _, x in doors(n).items():
            panels.side(0, j, x, (floor, belt))
        panels.side(0, j, (at["front arch"], at["front arch end"]), (0, arch))
        panels.side(0, j, (at["rear arch"], at["rear arch end"]), (0, arch))


def doors(n: Lattice) -> dict[str, tuple[int, int]]:
    """Ranges in x of the doors, between pillars."""
    at = n.at
    return {
        "front door": (at["hinge post"], at["B-pillar"]),
        "rear door": (at["B-pillar end"], at["rear door end"]),
    }


def paint_engine_bay(panels: Panels, n: Lattice) -> None:
    """Aprons inside the front wheels and the strips of the fenders beside the hood."""
    floor, _, belt, _ = n.levels
    at = n.at
    top = belt - max(1, round(75.0 / n.cell))
    for j in (at["left wheelhouse"], at["wheelhouse"]):
        panels.side(CarPart.APRON, j, (at["front arch"], at["firewall"]), (floor, max(floor + 1, top)))
    for y in ((0, at["left hood"]), (at["hood"], n.ny)):
        panels.level(CarPart.FENDER, belt, (0, at["firewall"]), y)


def paint_ends(panels: Panels, n: Lattice) -> None:
    """Fascias with lamps, the deck beside the trunk's lid."""
    _, arch, belt, _ = n.levels
    at = n.at
    panels.cross(CarPart.FRONT_FASCIA, 0, (0, n.ny), (0, belt))
    panels.cross(CarPart.REAR_FASCIA, n.nx, (0, n.ny), (0, belt))
    lamps = (0, at["left wheelhouse"]), (at["wheelhouse"], n.ny)
    for y in lamps:
        panels.cross(CarPart.LAMP, 0, y, (arch, belt))
        panels.cross(CarPart.LAMP, n.nx, y, (arch, belt))
    if n.car.deck:
        for y in ((0, at["left hood"]), (at["hood"], n.ny)):
            panels.level(CarPart.BODY_SIDE, belt, (at["deck"], n.nx), y)
    else:
        panels.cross(0, n.nx, (at["left wheelhouse"], at["wheelhouse"]), (arch, belt))


def paint_greenhouse(panels: Panels, n: Lattice) -> None:
    """Roof, pillars, roof rails and glass."""
    _, _, belt, roof = n.levels
    at = n.at
    front, rear = at["firewall"], at["deck"]
    header = max(1, round(70.0 / n.cell))
    behind = max(at["rear arch"], n.plane_at(n.x[rear] - (330.0 if n.car.deck else 160.0)))
    behind = min(behind, rear - 1)
    posts = [
        (front, at["hinge post"]),
        (at["B-pillar"], at["B-pillar end"]),
        (at["rear door end"], at["rear arch"]),
        (behind, rear),
    ]
    for j in (0, n.ny):
        panels.side(CarPart.GLASS, j, (front, rear), (belt, roof))
        for x in posts:
            panels.side(CarPart.PILLAR, j, x, (belt, roof))
        panels.side(CarPart.PILLAR, j, (front, rear), (roof - header, roof))
    edge = max(1, round(60.0 / n.cell))
    for i in (front, rear):
        panels.cross(CarPart.PILLAR, i, (0, n.ny), (belt, roof))
        panels.cross(CarPart.GLASS, i, (edge, n.ny - edge), (belt, roof - header))
    panels.level(CarPart.ROOF, roof, (front, rear), (0, n.ny))


def paint_wheelhouses(panels: Panels, n: Lattice) -> None:
    """Boxes round the rear wheels, open to the side and below."""
    floor, arch, _, _ = n.levels
    at = n.at
    x = (at["rear arch"], at["rear arch end"])
    for j, y in (
        (at["left wheelhouse"], (0, at["left wheelhouse"])),
        (at["wheelhouse"], (at["wheelhouse"], n.ny)),
    ):
        panels.side(CarPart.WHEELHOUSE, j, x, (floor, arch))
        panels.level(CarPart.WHEELHOUSE, arch, x, y)
        for i in x:
            panels.cross(CarPart.WHEELHOUSE, i, y, (floor, arch))
