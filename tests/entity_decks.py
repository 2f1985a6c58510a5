"""Decks with contact entities: analytic surfaces that rigid bodies carry."""

from small_decks import STEEL, Deck

AXES = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def entity(
    body: int,
    shape: int,
    nodes: tuple[int, int],
    centre: tuple[float, float, float],
    g: tuple[float, ...],
    force: str = "",
    second: str = "0.",
    axes: tuple[float, ...] = AXES,
    inside: int = 0,
    number: int | None = None,
) -> str:
    """A *CONTACT_ENTITY.

    Args:
        nodes: SSID and SSTYP
        force: SF, DF and CF
        second: the second card
    """
    head = "*CONTACT_ENTITY\n" if number is None else f"*CONTACT_ENTITY_ID\n{number},entity\n"
    return head + "\n".join(
        [
            f"{body},{shape},{nodes[0]},{nodes[1]},{force}",
            second,
            ",".join(map(str, (*centre, *axes[:3]))),
            ",".join(map(str, axes[3:])),
            ",".join(map(str, (inside, *g))),
        ]
    )


def hit(shape: int, g: tuple[float, ...], force: str = "0.05", end: float = 0.06) -> str:
    """An elastic block, beside whose middle it meets a surface at z = -0.05 of a free rigid block."""
    deck = Deck()
    deck.control(end, end, end / 40)
    deck.part(1, "SOLID,1", f"ELASTIC,{STEEL}")
    deck.part(2, "SOLID,1", f"RIGID,{STEEL}|0.|")
    deck.block(1, (4, 3, 3), (0.0, 0.0, 0.0), (12.0, 9.0, 9.0))
    deck.block(2, (2, 2, 2), (0.0, 1.0, -10.0), (8.0, 8.0, 6.0))
    deck.add("*INITIAL_VELOCITY_GENERATION\n1,2,0.,1.,0.,-10.\n0.,0.,0.")
    deck.add(entity(2, shape, (1, 1), (4.0, 5.0, -6.05), g, force, number=7))
    deck.add(f"*DATABASE_SLEOUT\n{end / 40}")
    return deck.text()


SPHERE = (0.0, 0.0, 0.0, 6.0)
ELLIPSOID = (0.0, 0.0, 0.0, 8.0, 7.0, 6.0)
TORUS = (0.0, 0.0, 0.0, 9.0, 6.0)
CYLINDER = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 6.0)
SHAPES = {"sphere": (2, SPHERE), "cylinder": (3, CYLINDER), "ellipsoid": (4, ELLIPSOID), "torus": (5, TORUS)}
