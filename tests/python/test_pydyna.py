"""Keywords of ansys-dyna-core are taken as they are: their text, and its classes where it is there."""

import pytest

import crumple

NOT_INSTALLED = (
    "ansys-dyna-core is not in install/requirements-test.txt: with what it needs it takes 210 MB more; "
    "the test passes with `pip install ansys-dyna-core==0.12.1`"
)
#: as ansys-dyna-core 0.12 writes keywords
WRITTEN = """*KEYWORD
*TITLE
a plate
*MAT_ELASTIC
$#     mid        ro         e        pr        da        db    unused
         7  7.85e-06     210.0       0.3                              \n\
*NODE
$#   nid               x               y               z      tc      rc
       1             0.0             0.0             0.0       7       7
       2             1.0             0.0             0.0       7       7
       3             1.0             1.0             0.0       0       0
       4             0.0             1.0             0.0       0       0
*ELEMENT_SHELL
$#   eid     pid      n1      n2      n3      n4      n5      n6      n7      n8
       1       1       1       2       3       4                                \n\
*PART
$#                                                                         title
plate                                                                           \n\
$#     pid     secid       mid     eosid      hgid      grav    adpopt      tmid
         1         3         7         0         0         0         0         0
*SECTION_SHELL
$#   secid    elform      shrf       nip     propt   qr/irid     icomp     setyp
         3        16       1.0         2       1.0         0         0         1
$#      t1        t2        t3        t4      nloc     marea      idof    edgset
       1.5       1.5       1.5       1.5       0.0       0.0       0.0         0
*CONTROL_TERMINATION
$#  endtim    endcyc     dtmin    endeng    endmas     nosol
      0.01         0       0.0       0.0     1e+08         0
*END
"""


class Written:
    """What writes its keywords, as the decks and keywords of ansys-dyna-core do."""

    def __init__(self, text: str) -> None:
        self.text = text

    def write(self, output=None) -> str:
        return self.text


def test_its_decks_are_changed_and_run(tmp_path):
    deck = crumple.Deck.from_text(Written(WRITTEN))
    assert deck.text == WRITTEN
    assert deck["MAT_ELASTIC"]["E"] == 210.0
    assert len(deck.table("NODE")) == 4
    deck["SECTION_SHELL"]["T1"] = 1.25
    assert "\n      1.25       1.5" in deck.text
    deck.append(
        Written(
            "*DATABASE_GLSTAT\n$#      dt    binary      lcur     ioopt\n     0.001         1         0\n"
        )
    )
    results = crumple.run(Written(deck.write()), tmp_path, ranks=1)
    assert len(results.glstat) > 5


def test_its_own_classes():
    keywords = pytest.importorskip("ansys.dyna.core", reason=NOT_INSTALLED).keywords
    deck = crumple.Deck.from_text([keywords.MatElastic(mid=7, ro=7.85e-6, e=210.0, pr=0.3)])
    deck.append(keywords.SectionShell(secid=3, elform=16, t1=1.5))
    deck.append([keywords.ControlTermination(endtim=0.1), keywords.ControlEnergy(hgen=2)])
    assert deck["MAT_ELASTIC"]["E"] == 210.0
    assert deck["SECTION_SHELL"]["ELFORM"] == 16
    assert (deck["CONTROL_TERMINATION"]["ENDTIM"], deck["CONTROL_ENERGY"]["HGEN"]) == (0.1, 2)
