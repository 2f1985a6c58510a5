"""One brick of each family of foams, rubbers and viscoelastic laws, pressed and released: its stresses."""

import numpy as np
import pytest
from lasso.dyna import Binout
from small_decks import Deck
from solver_run import run

SIDE, END = 10.0, 2.0  #: mm, ms
FOAM = ((0.0, 0.05, 0.6, 0.8), (0.0, 0.1e-3, 0.2e-3, 1.2e-3))  #: strain, GPa
CRUSH = ((0.0, 0.4, 0.6, 0.7), (0.1e-3, 0.2e-3, 0.4e-3, 1.2e-3))
BULK, FAST, SLOW, DECAY = 2.0, 0.05, 0.01, 3.0
C10, C01, NU = 1e-3, 0.2e-3, 0.49


def curve(number: int, points: tuple[tuple[float, ...], tuple[float, ...]]) -> str:
    return "\n".join([f"*DEFINE_CURVE\n{number}", *(f"{x},{y}" for x, y in zip(*points, strict=True))])


def pressed(law: str, form: int, deepest: float, more: str = "") -> str:
    """A brick whose thickness along z falls to 1 - `deepest` at half the time and comes back to 0.95."""
    deck = Deck()
    deck.part(1, f"SOLID,{form}", law)
    nodes = deck.block(1, (1, 1, 1), (0.0, 0.0, 0.0), (SIDE, SIDE, SIDE))
    for k, node in enumerate(nodes):
        for axis in (1, 2, 3):
            deck.add(f"*BOUNDARY_PRESCRIBED_MOTION_NODE\n{node},{axis},2,{1 if axis == 3 and k > 3 else 2}")
    deck.add(
        f"*DEFINE_CURVE\n1\n0.,0.\n{END / 2},{-deepest * SIDE}\n{END},{-0.05 * SIDE}\n9.,{-0.05 * SIDE}\n"
        "*DEFINE_CURVE\n2\n0.,0.\n9.,0.\n" + more
    )
    deck.add(f"*CONTROL_TERMINATION\n{END}\n*DATABASE_ELOUT\n{END / 40},3\n*DATABASE_HISTORY_SOLID\n1")
    return deck.text()


def stresses(tmp_path, text: str, *options: str) -> dict[str, np.ndarray]:
    """Times, stretch along z, and stresses along z and x."""
    path = tmp_path / "deck.k"
    path.write_text(text)
    done = run(path, tmp_path / "out", "--double-files", *options)
    assert done.status == 0, done.said
    binout = Binout(str(tmp_path / "out" / "binout0000"))
    time = np.asarray(binout.read("elout", "solid", "time"))
    read = {
        c: np.asarray(binout.read("elout", "solid", f"sig_{c}")).reshape(len(time), -1)[:, 0]
        for c in ("xx", "zz")
    }
    return {"time": time, **read}


def stretch(time: np.ndarray, deepest: float) -> np.ndarray:
    """Along z, as prescribed."""
    return 1 - np.interp(time, [0, END / 2, END], [0, deepest, 0.05])


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("form", [1, 2])
def test_low_density_foam_follows_its_curve_and_unloads_below_it(form, precision, tmp_path):
    deepest, hu, shape = 0.7, 0.2, 2.0
    law = f"LOW_DENSITY_FOAM,5e-8,2e-3,5,,{hu}|{shape},0"
    got = stresses(tmp_path, pressed(law, form, deepest, curve(5, FOAM)), "--precision", precision)
    strain = 1 - stretch(got["time"], deepest)
    fine = np.linspace(0, 0.8, 80001)
    work = np.concatenate(([0], np.cumsum(np.interp(fine[1:] - 5e-6, *FOAM)) * 1e-5))
    ratio = np.interp(strain, fine, work) / np.interp(deepest, fine, work)
    factor = np.where(got["time"] > END / 2, 1 - (1 - hu) * (1 - ratio**shape), 1.0)
    wanted = -factor * np.interp(strain, *FOAM)  # no lateral strain: nominal stress is Cauchy's
    np.testing.assert_allclose(got["zz"], wanted, atol=0.01 * np.abs(wanted).max())
    # the stretch of a step is of second order, and these steps are large
    np.testing.assert_allclose(got["xx"], 0.0, atol=2e-3 * np.abs(wanted).max())


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize(("form", "law"), [(1, "HONEYCOMB"), (2, "HONEYCOMB"), (1, "MODIFIED_HONEYCOMB")])
def test_honeycomb_is_crushed_along_its_axis(form, law, precision, tmp_path):
    """The axis a is along z; unloading has the modulus of the smallest volume, up to the yield stress."""
    deepest, young, first, compacted = 0.65, 0.2, 0.01, 0.2
    moduli = f"{first},{first},{first},5e-3,5e-3,5e-3,2"
    cards = f"{law},5e-8,{young},0.3,0.1,{compacted}|5,6|{moduli}|0,0,0,0,0,1|1,0,0"
    weak = curve(6, ((0.0, 0.8), (1e-6, 1e-6)))
    more = curve(5, CRUSH) + "\n" + weak + "\n*CONTROL_TIMESTEP\n,0.1"
    got = stresses(tmp_path, pressed(cards, form, deepest, more), "--precision", precision)
    z = stretch(got["time"], deepest)
    strain = 1 - z if law == "HONEYCOMB" else -np.log(z)
    yields = np.interp(strain, *CRUSH)
    beyond = strain > CRUSH[0][-1]
    yields[beyond] += (
        (strain[beyond] - CRUSH[0][-1]) * (CRUSH[1][-1] - CRUSH[1][-2]) / (CRUSH[0][-1] - CRUSH[0][-2])
    )
    modulus = first + deepest / (1 - compacted) * (young - first)
    back = -np.max(yields) + modulus * np.log(z / (1 - deepest))
    wanted = np.where(got["time"] > END / 2, np.minimum(back, yields), -yields)
    far = (got["time"] > END / 20) & (np.abs(got["time"] - END / 2) > END / 30)
    np.testing.assert_allclose(got["zz"][far], wanted[far], atol=0.01 * np.abs(wanted).max())
    np.testing.assert_allclose(got["xx"], 0.0, atol=2e-6)


def test_crushable_foam_stays_crushed(tmp_path):
    deepest, cut = 0.65, 0.05e-3
    law = f"CRUSHABLE_FOAM,5e-8,3e-3,0.,5,{cut}"
    got = stresses(tmp_path, pressed(law, 1, deepest, curve(5, CRUSH)))
    strain = 1 - stretch(got["time"], deepest)
    modulus = 8e-3  # the slope of the curve's end
    back = -np.interp(deepest, *CRUSH) + modulus * np.log((1 - strain) / (1 - deepest))
    wanted = np.where(got["time"] > END / 2, np.minimum(back, cut), -np.interp(strain, *CRUSH))
    wanted[strain < 0.02] = got["zz"][strain < 0.02]  # elastic
    np.testing.assert_allclose(got["zz"], wanted, atol=0.01 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["SOIL_AND_FOAM", "SOIL_AND_FOAM_FAILURE"])
def test_soil_is_crushed_by_its_pressure(name, tmp_path):
    """Without shear strength but A0: p by the curve, then by KUN down to PC; s_zz = -p - 2/3 sqrt(3 A0).

    Soil with failure has no tension once it has been at PC.
    """
    deepest, a0, unloading, cut = 0.5, 1e-10, 20e-3, -0.02e-3
    pressures = ((0.0, 0.2, 1.0), (0.0, 0.4e-3, 4e-3))
    law = f"{name},5e-7,2e-3,{unloading},{a0},0.,0.,{cut}|0.,0.,5"
    # Small steps: the largest strain that one of them meets is where unloading begins.
    got = stresses(tmp_path, pressed(law, 1, deepest, curve(5, pressures) + "\n*CONTROL_TIMESTEP\n,0.05"))
    pressure = -(got["zz"] + 2 * got["xx"]) / 3
    strain = -np.log(stretch(got["time"], deepest))
    most = -np.log(1 - deepest)
    back = np.maximum(np.interp(most, *pressures) - unloading * (most - strain), cut)
    if name.endswith("FAILURE"):
        back[back <= cut] = 0
    wanted = np.where(got["time"] > END / 2, back, np.interp(strain, *pressures))
    np.testing.assert_allclose(pressure, wanted, atol=0.005 * np.abs(wanted).max())
    going = (got["time"] > 0.1 * END) & (got["time"] < 0.45 * END)
    shear = np.sqrt(3 * a0)
    np.testing.assert_allclose((got["xx"] - got["zz"])[going], shear, rtol=1e-6)


def test_modified_crushable_foam_yields_by_its_rate(tmp_path):
    """Pressed by 0.65 / ms, half-way between two curves; let go, by the first one, with the modulus E."""
    deepest, cut, modulus = 0.65, 0.05e-3, 8e-3
    law = f"MODIFIED_CRUSHABLE_FOAM,5e-8,{modulus},0.,7,{cut},0.,2|,1"
    fast = (CRUSH[0], tuple(2 * y for y in CRUSH[1]))
    more = "\n".join([curve(5, CRUSH), curve(6, fast), "*DEFINE_TABLE_2D\n7\n0.,5\n1.3,6"])
    got = stresses(tmp_path, pressed(law, 1, deepest, more))
    strain = 1 - stretch(got["time"], deepest)
    back = -np.interp(deepest, *CRUSH) + modulus * np.log((1 - strain) / (1 - deepest))
    wanted = np.where(got["time"] > END / 2, np.minimum(back, cut), -1.5 * np.interp(strain, *CRUSH))
    far = (strain > 0.05) & (np.abs(got["time"] - END / 2) > END / 30)
    np.testing.assert_allclose(got["zz"][far], wanted[far], atol=0.02 * np.abs(wanted).max())


@pytest.mark.parametrize("precision", ["double", "single"])
def test_foam_of_metal_follows_its_yield_stress(precision, tmp_path):
    """With ALPHA^2 = 4.5 and PR = 0 nothing expands: s_zz = -s_y(e), where e + s_y / E is the strain."""
    deepest, young = 0.65, 1e-3
    law = f"DESHPANDE_FLECK_FOAM,5e-8,{young},0.,{4.5**0.5},0.2e-3|1.5,0.3e-3,3.,0.1e-3"
    more = "*CONTROL_TIMESTEP\n,0.1"
    got = stresses(tmp_path, pressed(law, 1, deepest, more), "--precision", precision)
    strain = -np.log(stretch(got["time"], deepest))
    stress = np.zeros_like(strain)
    for _ in range(200):
        part = np.maximum(strain - stress / young, 0) / 1.5
        stress = 0.1e-3 + 0.2e-3 * part - 0.3e-3 * np.log(1 - part**3)
    top = stress.max()
    back = -top + young * (-np.log(1 - deepest) - strain)
    going = (got["time"] > END / 20) & (got["time"] <= END / 2)
    np.testing.assert_allclose(got["zz"][going], -stress[going], atol=0.01 * top)
    leaving = (got["time"] > END / 2) & (back < 0.8 * 0.1e-3)
    assert leaving.sum() > 2
    np.testing.assert_allclose(got["zz"][leaving], back[leaving], atol=0.01 * top)
    np.testing.assert_allclose(got["xx"][going], 0.0, atol=0.01 * top)


def test_fu_chang_foam_resists_more_when_fast(tmp_path):
    deepest = 0.7
    fast = (FOAM[0], tuple(3 * y for y in FOAM[1]))
    table = (
        curve(5, FOAM)
        + "\n"
        + curve(6, fast)
        + "\n*DEFINE_TABLE_2D\n7\n0.,5\n10.,6\n*CONTROL_TIMESTEP\n,0.02"
    )
    law = "FU_CHANG_FOAM,5e-8,2e-3,,,,,7|0,1.,0,0|,|,|"
    got = stresses(tmp_path, pressed(law, 1, deepest, table))
    strain = 1 - stretch(got["time"], deepest)
    rate = deepest / (END / 2)  # of engineering strain
    factor = np.where(got["time"] > END / 2, 1.0, 1 + 2 * rate / 10)
    wanted = -factor * np.interp(strain, *FOAM)
    turning = (np.abs(got["time"] - END / 2) < END / 30) | (got["time"] < END / 30)
    np.testing.assert_allclose(got["zz"][~turning], wanted[~turning], atol=0.01 * np.abs(wanted).max())


def test_rubber_follows_its_invariants(tmp_path):
    deepest = 0.1
    law = f"HYPERELASTIC_RUBBER,1e-6,{NU},0|{C10},{C01}"
    got = stresses(tmp_path, pressed(law, 1, deepest))
    z = stretch(got["time"], deepest)
    # J = z; s_zz - s_xx = 2 / J (z^2 - 1) (W1 J^(-2/3) + W2 J^(-4/3))
    wanted = 2 / z * (z**2 - 1) * (C10 * z ** (-2 / 3) + C01 * z ** (-4 / 3))
    np.testing.assert_allclose(got["zz"] - got["xx"], wanted, atol=0.002 * np.abs(wanted).max())
    bulk = 4 * (C10 + C01) * (1 + NU) / (3 * (1 - 2 * NU))
    mean = (got["zz"] + 2 * got["xx"]) / 3
    np.testing.assert_allclose(mean, bulk * (z - 1), atol=0.002 * bulk * deepest)


def test_viscoelastic_shear_relaxes(tmp_path):
    deepest = 0.1
    law = f"VISCOELASTIC,1e-6,{BULK},{FAST},{SLOW},{DECAY}"
    got = stresses(tmp_path, pressed(law, 1, deepest))
    fine = np.linspace(0, END, 20001)
    strain = np.log(stretch(fine, deepest))
    memory = np.zeros_like(fine)
    left = np.exp(-DECAY * (fine[1] - fine[0]))
    for k in range(1, len(fine)):
        memory[k] = left * memory[k - 1] + np.sqrt(left) * (strain[k] - strain[k - 1])
    wanted = np.interp(got["time"], fine, 2 * SLOW * strain + 2 * (FAST - SLOW) * memory)
    np.testing.assert_allclose(got["zz"] - got["xx"], wanted, atol=0.005 * np.abs(wanted).max())
