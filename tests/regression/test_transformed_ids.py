"""*INCLUDE_TRANSFORM shifts ids wherever cards keep them: also in fields that hold other things, too."""

from small_decks import STEEL, Deck
from solver_run import run

#: By the bricks of `bodies`; only where a field is shifted does its id exist.
KEEPERS = {
    "CON1 of *MAT_RIGID": "*MAT_RIGID\n3,7.85e-6,210.,0.3\n-1.,5,111111\n",
    "IRIGID": "*INITIAL_VELOCITY\n0,0,0,6\n1.,2.,3.\n",
    "NY and NZ": "*INITIAL_VELOCITY_GENERATION\n4,2,0.1\n,,,-999,1,2\n",
    "FMPH": "*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n1,1,2,5,5\n0,0,0,0,0,0\n0.,-7.\n,\n",
    "CID of *DEFINE_VECTOR": "*DEFINE_VECTOR\n12,0.,0.,0.,1.,0.,0.,5\n",
    "XCT and XCH": "*DATABASE_CROSS_SECTION_PLANE\n6,1,,,2,,,-5.\n,\n",
    "CN": "*AIRBAG_SIMPLE_PRESSURE_VOLUME\n8\n-7.,1.\n",
}


def bodies() -> str:
    """Three rigid bricks and one that is not, with a frame, sets and a curve."""
    deck = Deck([])
    deck.part(1, "SOLID,1", f"RIGID,{STEEL}|0.|")
    deck.part(2, "SOLID,1", f"RIGID,{STEEL}|0.|")
    deck.add("*PART\npart 3\n3,1,3")
    deck.part(4, "SOLID,1", f"ELASTIC,{STEEL}")
    for part in (1, 2, 3, 4):
        nodes = deck.block(part, (1, 1, 1), (20.0 * part, 0.0, 0.0), (10.0, 10.0, 10.0))
    a, b, c, d, e, f, g, h = nodes
    faces = ((a, c, d, b), (e, f, h, g), (a, b, f, e), (b, d, h, f), (d, c, g, h), (c, a, e, g))
    deck.add("*SET_SEGMENT\n8\n" + "\n".join(",".join(map(str, n)) for n in faces))
    deck.add("*DEFINE_COORDINATE_SYSTEM\n5,0.,0.,0.,0.,1.,0.\n0.,0.,1.\n*DEFINE_CURVE\n7\n-9.,1e-6\n9.,1e-6")
    deck.add("*SET_PART_LIST\n6\n1,2")
    return "\n".join(deck.lines) + "\n"


def test_ids_are_shifted(tmp_path):
    (tmp_path / "bodies.k").write_text(bodies() + "".join(KEEPERS.values()))
    control = "*KEYWORD\n*CONTROL_TERMINATION\n0.001\n{}\n*END\n"
    results = []
    for name, offsets in (("plain", "0,0,0,0,0,0,0"), ("shifted", "1000,2000,3000,4000,5000,6000,7000")):
        path = tmp_path / f"{name}.k"
        path.write_text(control.format(f"*INCLUDE_TRANSFORM\nbodies.k\n{offsets}\n8000\n\n"))
        done = run(path, tmp_path / name, "ncycle=3")
        assert done.status == 0, done.said
        results.append(done.progress)
    assert results[0][-1].kinetic > 0.0
    assert results[0] == results[1]
