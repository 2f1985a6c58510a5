"""The deck of two bars that collide: what contact files have of it is tested here and there."""

from verification.deck import Deck
from verification.problems import collision


def colliding_bars(printed: int = 1) -> Deck:
    """Two bars that collide, with friction; the second is a little wider. `printed` is SAPR and SBPR."""
    deck = Deck("colliding bars", 2 * collision.GAP / collision.SPEED)
    deck.solid_section(1, 1)
    deck.elastic(1, collision.RHO, collision.E, 0.0)
    for number, x in ((1, 0.0), (2, collision.LENGTH + collision.GAP)):
        mesh = collision.bar(number, x, collision.SIDE * (0.8 if number == 1 else 1.0))
        deck.part(number, 1, 1, f"bar {number}")
        deck.nodes(mesh.nodes)
        deck.solids(number, mesh.elements)
    deck.node_set(1, collision.bar(1, 0.0, 1.0).nodes)
    deck.add("INITIAL_VELOCITY", [1], [collision.SPEED, 5 * collision.SPEED, 0.0])
    sides = [1, 2, 3, 3, None, None, printed, printed]
    deck.add("CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID", [7, "bars"], sides, [0.05, 0.05], [1.0, 1.0])
    return deck
