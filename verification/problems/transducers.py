"""Force transducers in a pile of blocks that is pressed: on one block, between two, and in a tie."""

from verification.deck import Deck
from verification.meshes import Mesh, hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

# kg, mm, ms, kN
E, RHO, FORCE, HEIGHT, GAP = 1.0, 1e-6, 0.05, 2.0, 0.01
BLOCKS = ((6, 12.0), (4, 9.0), (3, 6.0), (4, 8.0))  # cells along a side, and its length; the last is tied
END = 4.0


def blocks() -> list[Mesh]:
    """One on the other about the z axis, each with a gap but the last."""
    meshes = []
    for k, (cells, side) in enumerate(BLOCKS):
        z = k * HEIGHT + min(k, 2) * GAP
        mesh = hexahedra((cells, cells, 2), (side, side, HEIGHT), 1000 * k + 1)
        meshes.append(mesh.moved(lambda p, s=side, z=z: (p[0] - s / 2, p[1] - s / 2, p[2] + z)))
    return meshes


#: Contact number: keyword, A, B and the force on A along z.
TRANSDUCERS = {
    11: ("PENALTY", 1, 0, -FORCE),
    12: ("PENALTY", 2, 0, 0.0),
    13: ("PENALTY", 2, 3, -FORCE),
    14: ("PENALTY", 2, 1, FORCE),
    15: ("PENALTY", 1, 3, 0.0),
    16: ("CONSTRAINT", 4, 0, FORCE),
    17: ("CONSTRAINT", 3, 4, -FORCE),
}


def pile() -> Deck:
    """Pressed from above by FORCE, damped to rest."""
    deck = Deck("pile", END)
    deck.solid_section(1, 1)
    deck.elastic(1, RHO, E, 0.0)
    meshes = blocks()
    for part, mesh in enumerate(meshes, 1):
        deck.part(part, 1, 1, f"block {part}")
        deck.nodes(mesh.nodes)
        deck.solids(part, mesh.elements)
    deck.node_set(1, meshes[0].where(lambda p: p[2] == 0))
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1])
    low = min(p[2] for p in meshes[3].nodes.values())
    deck.node_set(2, meshes[3].where(lambda p: p[2] == low))
    top = meshes[3].where(lambda p: p[2] > low + 0.9 * HEIGHT)
    deck.node_set(3, top)
    deck.curve(1, [(0.0, 0.0), (1.0, 1.0), (100.0, 1.0)])
    deck.add("LOAD_NODE_SET", [3, 3, 1, -FORCE / len(top)])
    deck.add("DAMPING_GLOBAL", [0, 8.0])
    deck.add("SET_PART_LIST", [1], [1, 2, 3])
    deck.add("CONTACT_AUTOMATIC_SINGLE_SURFACE_ID", [1, "all"], [1, 0, 2], [0.0], [1.0, 1.0])
    deck.add("CONTACT_TIED_NODES_TO_SURFACE_ID", [2, "tie"], [2, 3, 4, 3], [0.0], [1.0, 1.0, -0.1, -0.1])
    for number, (kind, a, b, _) in TRANSDUCERS.items():
        sides = [a, b, 3, 3] if b else [a, 0, 3]
        deck.add(f"CONTACT_FORCE_TRANSDUCER_{kind}_ID", [number, "t"], sides, [0.0], [1.0, 1.0])
    deck.output(0.1, "glstat", "rcforc")
    return deck


def decks() -> dict[str, Deck]:
    """The pile."""
    return {"pile": pile()}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Every force on A and B at rest."""
    r = results["pile"]
    figures = []
    column = 3  # after the one contact and both sides of the tie
    for kind, a, b, force in TRANSDUCERS.values():
        name = f"{kind}, {a}" + (f" against {b}" if b else "")
        for side, sign in ((0, 1.0), (1, -1.0))[: 2 if b else 1]:
            measured = float(r.contact("z_force", column)[-1])
            figures.append(Figure(name, f"force on {'AB'[side]}, kN", sign * force, measured, 0.01, FORCE))
            column += 1
    return figures


PROBLEM = Problem(
    "transducers",
    "Force transducers in a pressed pile of blocks",
    "closed form: equilibrium",
    decks,
    measure,
    slow=True,
)
