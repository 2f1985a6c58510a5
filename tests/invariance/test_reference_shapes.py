"""Fabrics with a reference shape (*AIRBAG_REFERENCE_GEOMETRY): stresses as if pulled from it."""

import numpy as np
import pytest
from lasso.dyna import D3plot
from small_decks import STEEL, Deck
from solver_run import run

END = 0.2
FABRIC = "FABRIC,8.e-7,0.3,0.25,,0.1|0.05,,,0.,0.,0.,0.,0.|0.,,,,,{form},0||,,,,,,30.|0,0,0,0,0,0"


def pulled(x: float, y: float) -> tuple[float, float]:
    """Where the point (x, y) of the reference shape is: stretched, and sheared."""
    return 1.05 * x + 0.02 * y, 0.98 * y


def sheet(elform: int, at_once: bool, law: str = FABRIC.format(form=14), keyword: str = "") -> str:
    """Two by two membranes, pulled from the start or in the course of the run; no node is free."""
    deck = Deck()
    deck.control(END, END)
    deck.part(1, f"SHELL,{elform},1.,1|0.3,0.3,0.3,0.3", law)
    grid = deck.plate(
        1, (2, 2), lambda u, v: (*(pulled(20 * u, 15 * v) if at_once else (20 * u, 15 * v)), 0.0)
    )
    nodes = [(n, 20 * i / 2, 15 * j / 2) for j, row in enumerate(grid) for i, n in enumerate(row)]
    deck.add(f"*DEFINE_CURVE\n1\n0.,0.\n{END / 2},1.\n{2 * END},1.")
    if at_once:
        deck.add("*SET_NODE_LIST\n5\n" + ",".join(str(n) for n, *_ in nodes[:8]) + f"\n{nodes[8][0]}")
        deck.add("*BOUNDARY_SPC_SET\n5,0,1,1,1")
        deck.add(keyword or "*AIRBAG_REFERENCE_GEOMETRY")
        deck.lines += [f"{n:8d}{x:16.9e}{y:16.9e}{0.0:16.9e}" for n, x, y in nodes]
    else:
        for n, x, y in nodes:
            to = pulled(x, y)
            for dof, by in ((1, to[0] - x), (2, to[1] - y), (3, 0.0)):
                deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{n},{dof},2,1,{by or 1e-30!r}")
    return deck.text()


def stresses(done) -> np.ndarray:
    assert done.status == 0, done.said
    return D3plot(str(done.directory / "d3plot")).arrays["element_shell_stress"]


@pytest.mark.parametrize("elform", [5, 9])
def test_as_if_pulled_from_it(elform, tmp_path):
    deck = tmp_path / "sheet.k"
    deck.write_text(sheet(elform, at_once=False))
    wanted = stresses(run(deck, tmp_path / "pulled"))[-1]
    assert np.abs(wanted).max() > 5e-3
    deck.write_text(sheet(elform, at_once=True))
    one = run(deck, tmp_path / "one", "--dump-cycles", "20")
    found = stresses(one)
    np.testing.assert_allclose(found[-1], wanted, atol=2e-5 * np.abs(wanted).max())
    assert {run(deck, tmp_path / str(n), ranks=n).hash for n in (2, 3)} == {one.hash}
    dump = sorted(p for p in (tmp_path / "one").glob("runrsf*") if ".c" not in p.name)[0]
    assert run(None, tmp_path / "one", f"r={dump}", ranks=2).hash == one.hash


@pytest.mark.parametrize(
    ("law", "keyword", "says"),
    [
        (FABRIC.format(form=0), "", "is not of *MAT_FABRIC with FORM 4 or 14"),
        (f"ELASTIC,{STEEL}", "", "is not of *MAT_FABRIC with FORM 4 or 14"),
        (FABRIC.format(form=14), "*AIRBAG_REFERENCE_GEOMETRY_BIRTH\n0.1", "BIRTH = 0.1"),
        (FABRIC.format(form=14), "*AIRBAG_REFERENCE_GEOMETRY_ID\n1,2.0", "SX, SY and SZ other than 1"),
        (FABRIC.format(form=14), "*AIRBAG_REFERENCE_GEOMETRY_RDT", "AIRBAG_REFERENCE_GEOMETRY_RDT"),
    ],
)
def test_what_is_refused(law, keyword, says, tmp_path):
    deck = tmp_path / "sheet.k"
    deck.write_text(sheet(5, at_once=True, law=law, keyword=keyword))
    refused = run(deck, tmp_path / "out")
    assert refused.status == 2, refused.said
    assert says in refused.said
