"""Muscles pull as Hill's relations say: as trusses, as springs, alone and against a mass."""

import numpy as np
import pytest
from solver_run import run

from crumple.results.glstat import read_glstat

LENGTH, AREA, PEAK = 100.0, 50.0, 2e-4  # mm, mm2, GPa
RATE = 0.01  #: largest strain rate, 1/ms
SPEED = -0.2  #: of shortening, mm/ms
END = 60.0


def deck(kind: str, end: float = END, extra: str = "", fixed: bool = True) -> str:
    """A muscle between a fixed node and one that moves at SPEED, or a mass that it pulls."""
    truss = kind == "truss"
    moves = f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n2,1,0,4,{SPEED}\n" if fixed else "*ELEMENT_MASS\n9,2,0.5\n"
    element = "*ELEMENT_BEAM\n1,1,1,2" if truss else "*ELEMENT_DISCRETE\n1,1,1,2"
    section = f"*SECTION_BEAM\n1,3\n{AREA},,," if truss else "*SECTION_DISCRETE\n1,0\n0,0"
    law = (
        f"*MAT_MUSCLE\n1,1e-6,1.0,{RATE},{PEAK},0.6,4.0,0.\n-1,1.0,-2,-3,0.0"
        if truss
        else f"*MAT_SPRING_MUSCLE\n1,{LENGTH},{RATE * LENGTH},1.0,-1,{PEAK * AREA},-2,-3\n0.,0.6,4."
    )
    history = "*DATABASE_HISTORY_BEAM\n1\n" if truss else ""
    mass = "" if truss or not fixed else "*ELEMENT_MASS\n9,2,0.001\n"
    return f"""*KEYWORD
*CONTROL_TERMINATION
{end}
*CONTROL_ENERGY
2,2,2,1
*DATABASE_GLSTAT
0.5
*DATABASE_SPCFORC
0.5
*DATABASE_BNDOUT
0.5
*DATABASE_DEFORC
0.5
*DATABASE_ELOUT
0.5
{history}*DATABASE_BINARY_D3PLOT
{end}
*DEFINE_CURVE
1
0.,0.
20.,1.
1000.,1.
*DEFINE_CURVE
2
0.5,0.
1.,1.
1.5,0.
*DEFINE_CURVE
3
-1.,0.
-0.5,0.2
0.,1.
1.,1.5
*DEFINE_CURVE
4
0.,1.
1000.,1.
*PART
muscle
1,1,1
{section}
{law}
*NODE
1,0,0,0,7,7
2,{LENGTH},0,0,5,7
{element}
{mass}{moves}{extra}*END
"""


def expected(t: np.ndarray, speed: float = SPEED) -> np.ndarray:
    """Tension at a constant speed."""
    length = 1 + speed * t / LENGTH
    active = np.minimum(t / 20, 1) * np.interp(length, [0.5, 1, 1.5], [0, 1, 0])
    rate = speed / LENGTH / RATE
    return PEAK * AREA * active * np.interp(rate, [-1, -0.5, 0, 1], [0, 0.2, 1, 1.5])


@pytest.mark.parametrize("kind", ["truss", "spring"])
def test_shortens_at_a_constant_speed(kind, tmp_path):
    path = tmp_path / "muscle.k"
    path.write_text(deck(kind))
    done = run(path, tmp_path / "run")
    assert done.status == 0, done.said
    history = read_glstat(tmp_path / "run" / "glstat")
    work = history["external work"].to_numpy()
    t = history["time"].to_numpy()
    fine = np.linspace(0, t[-1], 20001)
    force = expected(fine)
    done_by = np.concatenate([[0], np.cumsum(0.5 * (force[1:] + force[:-1]) * SPEED * np.diff(fine))])
    assert work[-1] == pytest.approx(done_by[-1], rel=2e-3)
    internal = (history["internal energy"] + history["spring and damper energy"]).to_numpy()
    assert internal[-1] == pytest.approx(done_by[-1], rel=2e-3)


@pytest.mark.parametrize("kind", ["truss", "spring"])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_same_bits_on_any_number_of_ranks_and_after_a_dump(kind, precision, tmp_path):
    """A muscle pulls a mass; its energy is the mass's, since nothing else is there."""
    path = tmp_path / "muscle.k"
    others = "".join(
        f"*NODE\n{n},0,{50 * n},0,7,7\n{n + 1},{LENGTH},{50 * n},0,5,7\n"
        f"*ELEMENT_{'BEAM' if kind == 'truss' else 'DISCRETE'}\n{n},1,{n},{n + 1}\n"
        f"*ELEMENT_MASS\n{n + 9},{n + 1},0.6\n"
        for n in (3, 5)
    )
    path.write_text(deck(kind, 200.0, f"{others}*DATABASE_BINARY_D3DUMP\n20\n", fixed=False))
    one = run(path, tmp_path / "one", "--precision", precision)
    assert one.status == 0, one.said
    history = read_glstat(tmp_path / "one" / "glstat")
    total = history["kinetic energy"] + history["internal energy"] + history["spring and damper energy"]
    assert history["kinetic energy"].max() > 1e-4
    assert abs(total).max() < 0.01 * history["kinetic energy"].max()
    for ranks in (2, 3):
        done = run(path, tmp_path / f"{ranks}", "--precision", precision, ranks=ranks)
        assert done.hash == one.hash, ranks
    dump = tmp_path / "one" / "d3dump01"
    assert dump.exists() or list((tmp_path / "one").glob("d3dump01*"))
    gone_on = run(None, tmp_path / "one", f"r={dump}")
    assert gone_on.status == 0, gone_on.said
    assert gone_on.hash == one.hash


def test_a_maxwell_spring_relaxes(tmp_path):
    """Pulled at once and held: the internal energy of the step does not change, the force relaxes."""
    text = deck("spring")
    head, rest = text.split("*MAT_SPRING_MUSCLE")
    rest = rest.split("*NODE", 1)[1]
    k0, ki, beta = 0.02, 0.005, 0.1
    path = tmp_path / "maxwell.k"
    path.write_text(f"{head}*MAT_S07\n1,{k0},{ki},{beta}\n*NODE{rest}")
    done = run(path, tmp_path / "run")
    assert done.status == 0, done.said
    history = read_glstat(tmp_path / "run" / "glstat")
    t = float(history["time"].iloc[-1])
    v = abs(SPEED)
    # Work of v (ki v s + (k0 - ki) v (1 - exp(-b s)) / b) over s.
    work = v * v * (ki * t * t / 2 + (k0 - ki) / beta * (t - (1 - np.exp(-beta * t)) / beta))
    assert float(history["external work"].iloc[-1]) == pytest.approx(work, rel=1e-3)


REFUSED = {
    "hughes_liu": ("*SECTION_BEAM\n1,3\n50.0,,,", "*SECTION_BEAM\n1,1\n5.,5.,5.,5.", "MAT_MUSCLE"),
    "stress": ("50.0,,,", "50.0,,0.1,", "CR-E308"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what, tmp_path):
    old, new, said = REFUSED[what]
    text = deck("truss")
    assert old in text
    path = tmp_path / "muscle.k"
    path.write_text(text.replace(old, new))
    done = run(path, tmp_path / "run")
    assert done.status != 0
    assert said in done.said
