"""Trusses of *PART_AVERAGED stretch as one: forces, frequency, step, muscles; the same bits on all ranks."""

import numpy as np
import pytest
from solver_run import Run, run

from crumple.results.glstat import read_glstat

AREA, YOUNG, DENSITY = 2.0, 200.0, 7.85e-6
END = 10.0

ELASTIC = f"*MAT_ELASTIC\n1,{DENSITY},{YOUNG},0.3"
MUSCLE = "*MAT_MUSCLE\n1,1e-6,1.0,0.01,2e-4,0.6,4.0,0.\n1.0,1.0,1.0,1.0,0.0"


def deck(
    nodes: list[tuple[float, float, int]],
    more: str,
    law: str = ELASTIC,
    end: float = END,
    title: str = "PART_AVERAGED",
) -> str:
    """Trusses along `nodes`: x, y and the code of what is held."""
    rows = "\n".join(f"{k},{x},{y},0,{held},7" for k, (x, y, held) in enumerate(nodes, 1))
    trusses = "\n".join(f"{k},1,{k},{k + 1}" for k in range(1, len(nodes)))
    beams = "\n".join(str(k) for k in range(1, len(nodes)))
    return f"""*KEYWORD
*CONTROL_TERMINATION
{end}
*CONTROL_ENERGY
2,2,2,1
*DATABASE_GLSTAT
{end / 100}
*DATABASE_SPCFORC
{end / 100}
*DATABASE_NODOUT
{end / 100}
*DATABASE_HISTORY_NODE
{",".join(str(k) for k in range(1, len(nodes) + 1))}
*DATABASE_ELOUT
{end / 100}
*DATABASE_HISTORY_BEAM
{beams}
*DATABASE_BINARY_D3PLOT
{end}
*DEFINE_CURVE
4
0.,1.
1000.,1.
*{title}
cable
1,1,1
*SECTION_BEAM
1,3
{AREA},,,
{law}
*NODE
{rows}
*ELEMENT_BEAM
{trusses}
{more}*END
"""


def solve(text: str, where, *arguments: str, ranks: int = 1) -> Run:
    where.mkdir(parents=True, exist_ok=True)
    path = where / "deck.k"
    path.write_text(text)
    done = run(path, where, *arguments, ranks=ranks)
    assert done.status == 0, done.said
    return done


def displacement(done: Run, node: int) -> np.ndarray:
    """Time, x and y displacement in each row of nodout."""
    rows, time = [], 0.0
    for line in done.history("nodout"):
        words = line.split()
        if "time" in line and words[-1] == ")":
            time = float(words[-2])
        elif len(words) == 13 and words[0] == str(node):
            rows.append([time, float(words[1]), float(words[2])])
    return np.array(rows)


#: Straight, of lengths 10, 30, 20 and 40; the inner nodes are free along it.
LINE = [(0, 0, 7), (10, 0, 5), (40, 0, 5), (60, 0, 5), (100, 0, 5)]


def test_swings_as_one_spring(tmp_path):
    """Period of a mass on k = E A / L; no force moves the inner nodes."""
    mass, speed = 10.0, 0.01
    done = solve(deck(LINE, f"*ELEMENT_MASS\n9,5,{mass}\n*INITIAL_VELOCITY_NODE\n5,{speed},0,0\n"), tmp_path)
    moved = displacement(done, 5)
    end_of_truss = DENSITY * AREA * 40 / 2
    omega = np.sqrt(YOUNG * AREA / 100 / (mass + end_of_truss))
    np.testing.assert_allclose(
        moved[:, 1], speed / omega * np.sin(omega * moved[:, 0]), atol=2e-3 * speed / omega
    )
    for node in (2, 3, 4):
        assert not displacement(done, node)[:, 1].any()


def test_turns_round_a_corner(tmp_path):
    """Both legs have the strain ln(1 + u / L) of the whole, whichever end moves."""
    speed = 0.3
    text = deck([(0, 0, 7), (50, 0, 7), (50, 70, 6)], f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n3,2,0,4,{speed}\n")
    done = solve(text, tmp_path / "averaged")
    history = read_glstat(tmp_path / "averaged" / "glstat")
    strain = np.log1p(speed * END / 120)
    force = YOUNG * AREA * strain
    assert float(history["external work"].iloc[-1]) == pytest.approx(
        YOUNG * AREA * 120 * ((1 + speed * END / 120) * (strain - 1) + 1), rel=2e-3
    )
    rows = [line for line in done.history("spcforc") if "forces =" in line and line.split()[1] == "1"]
    pull = float(rows[-1].split("=")[-1].split()[0])
    assert -pull == pytest.approx(force, rel=5e-3)
    # Without the average only the leg that moves is strained.
    solve(text.replace("PART_AVERAGED", "PART"), tmp_path / "apart")
    apart = read_glstat(tmp_path / "apart" / "glstat")
    assert float(apart["external work"].iloc[-1]) > 1.5 * float(history["external work"].iloc[-1])


def test_step_is_that_of_the_whole_line(tmp_path):
    """sqrt(n) times that of a truss for n equal ones, and it is stable."""
    speed = np.sqrt(YOUNG / DENSITY)
    for n in (1, 4):
        nodes = [(25.0 * k, 0, 5) for k in range(n + 1)]
        text = deck(nodes, f"*INITIAL_VELOCITY_NODE\n{n + 1},0.01,0,0\n", end=2.0)
        solve(text, tmp_path / str(n))
        history = read_glstat(tmp_path / str(n) / "glstat")
        assert float(history["time step"].iloc[-2]) == pytest.approx(0.9 * 25 * np.sqrt(n) / speed, rel=1e-3)
        total = (history["kinetic energy"] + history["internal energy"]).to_numpy()
        assert total.max() < 10 * total[0]  # half steps of so fast a motion; it would grow without bound


def test_a_muscle_of_four_pulls_as_one(tmp_path):
    moves = "*BOUNDARY_PRESCRIBED_MOTION_NODE\n{},1,0,4,-0.2\n"
    law = MUSCLE.replace("1.0,1.0,1.0,1.0,0.0", "0.5,1.0,-2,-3,0.0")
    law += "\n*DEFINE_CURVE\n2\n0.5,0.\n1.,1.\n1.5,0.\n*DEFINE_CURVE\n3\n-1.,0.\n-0.5,0.2\n0.,1.\n1.,1.5"
    work = []
    for name, nodes in (("one", [LINE[0], LINE[-1]]), ("four", LINE)):
        solve(deck(nodes, moves.format(len(nodes)), law, 60.0), tmp_path / name)
        work.append(float(read_glstat(tmp_path / name / "glstat")["internal energy"].iloc[-1]))
    assert work[0] < -1e-3
    assert work[1] == pytest.approx(work[0], rel=3e-3)  # by other steps


BENT = [(0, 0, 7), (30, 10, 3), (55, 0, 3), (70, 20, 3), (110, 20, 3)]


@pytest.mark.parametrize("law", ["elastic", "muscle", pytest.param("plastic", marks=pytest.mark.slow)])
def test_same_bits_on_any_number_of_ranks_and_after_a_dump(law, tmp_path):
    laws = {
        "elastic": ELASTIC,
        "muscle": MUSCLE,
        "plastic": f"*MAT_PIECEWISE_LINEAR_PLASTICITY\n1,{DENSITY},{YOUNG},0.3,0.2,1.0,0.02\n,\n,\n,",
    }
    masses = "".join(f"*ELEMENT_MASS\n{90 + n},{n},0.02\n" for n in (2, 3, 4, 5))
    pull = "*LOAD_NODE_POINT\n5,1,4,2.0\n" if law != "muscle" else ""
    text = deck(BENT, f"{masses}{pull}*DATABASE_BINARY_D3DUMP\n2\n", laws[law])
    one = solve(text, tmp_path / "one")
    for ranks in (2, 3):
        assert solve(text, tmp_path / str(ranks), ranks=ranks).hash == one.hash, ranks
    if law == "plastic":
        assert "failed" in one.said or "deleted" in one.said
    gone_on = run(None, tmp_path / "one", f"r={tmp_path / 'one' / 'd3dump01'}")
    assert gone_on.status == 0, gone_on.said
    assert gone_on.hash == one.hash


REFUSED = {
    "branch": (deck(LINE, "*NODE\n9,40,30,0,7,7\n*ELEMENT_BEAM\n9,1,3,9\n"), "are not one line"),
    "gap": (deck(LINE, "*NODE\n8,0,30,0,7,7\n9,10,30,0,5,7\n*ELEMENT_BEAM\n9,1,8,9\n"), "are not one line"),
    "beam": (
        deck(LINE, "").replace("1,3\n2.0,,,", "1,1\n2.,2.,2.,2."),
        "only trusses (beams of ELFORM 3) have an average strain",
    ),
    "implicit": (
        deck(LINE, "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n"),
        "averaged parts (*PART_AVERAGED)",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what, tmp_path):
    text, said = REFUSED[what]
    path = tmp_path / "deck.k"
    path.write_text(text)
    done = run(path, tmp_path / "run")
    assert done.status != 0
    assert said in done.said
