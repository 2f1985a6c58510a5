"""Energy and cost: RAPL on a made-up sysfs, IPMI on a stand-in for ipmitool, the model, the catalogue."""

import time
from pathlib import Path

import pytest

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.catalogue.node_watts import CatalogueError, read_nodes
from crumple.lab.energy import meter_of
from crumple.lab.energy.ipmi import Ipmi
from crumple.lab.energy.meter import MeterError
from crumple.lab.energy.rapl import Rapl
from crumple.lab.study.run_energy import cost_of, energy_of, with_power
from crumple.lab.study.study_file import CostTable, EnergyTable, StudyFile, StudyTable, Workload
from crumple.lab.study.where.system import Ended

RANGE = 262_143_328_850  #: of a real counter, in microjoules


def zone(powercap: Path, folder: str, name: str, energy: int) -> Path:
    """A zone of powercap, as Linux has them."""
    path = powercap / folder
    path.mkdir(parents=True)
    (path / "name").write_text(f"{name}\n")
    (path / "energy_uj").write_text(f"{energy}\n")
    (path / "max_energy_range_uj").write_text(f"{RANGE}\n")
    return path / "energy_uj"


@pytest.fixture
def powercap(tmp_path) -> Path:
    """Two packages with memory, and zones whose energy is in those already."""
    for socket in (0, 1):
        zone(tmp_path, f"intel-rapl:{socket}", f"package-{socket}", 1000)
        zone(tmp_path, f"intel-rapl:{socket}:0", "core", 1000)
        zone(tmp_path, f"intel-rapl:{socket}:1", "dram", 1000)
    zone(tmp_path, "intel-rapl:2", "psys", 1000)
    zone(tmp_path, "intel-rapl-mmio:0", "package-0", 1000)
    return tmp_path


def test_rapl_counts_packages_and_memory_once(powercap):
    with Rapl(powercap) as meter:
        for counter in powercap.glob("*/energy_uj"):
            counter.write_text("5001000")
    assert meter.joules == pytest.approx(4 * 5.0)


def test_rapl_counter_runs_over(powercap):
    meter = Rapl(powercap)
    counter = powercap / "intel-rapl:0" / "energy_uj"
    counter.write_text(str(RANGE - 2_000_000))
    with meter:
        counter.write_text("3000000")
    assert meter.joules == pytest.approx(5.0)


def test_rapl_that_goes_away_measures_nothing(powercap):
    with Rapl(powercap) as meter:
        (powercap / "intel-rapl:1" / "energy_uj").unlink()
    assert meter.joules is None
    assert meter.failure
    assert not Rapl.readable(powercap)


def test_no_rapl(tmp_path):
    with pytest.raises(MeterError, match="there is no RAPL in"):
        Rapl(tmp_path)
    assert meter_of("none").joules is None


def ipmitool(folder: Path, script: str, monkeypatch) -> None:
    """A stand-in for ipmitool."""
    tool = folder / "ipmitool"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_ipmi_joins_samples(tmp_path, monkeypatch):
    reading = "    Instantaneous power reading:                   220 Watts\n    Minimum: 12 Watts"
    ipmitool(tmp_path, f"cat <<'END'\n{reading}\nEND", monkeypatch)
    meter = Ipmi()
    start = time.monotonic()
    with meter:
        time.sleep(0.2)
    assert 220 * 0.2 <= meter.joules <= 220 * (time.monotonic() - start)


def test_ipmi_without_a_controller(tmp_path, monkeypatch):
    ipmitool(tmp_path, "echo 'Could not open device at /dev/ipmi0' >&2; exit 1", monkeypatch)
    with pytest.raises(MeterError, match="Could not open device at /dev/ipmi0"):
        Ipmi()


def study(**energy) -> StudyFile:
    """A study with a table [energy]."""
    return StudyFile(study=StudyTable(name="s"), workload=Workload(), energy=EnergyTable(**energy))


def ended(**how) -> Ended:
    """A run of half an hour."""
    return Ended("done", [0], 1800.0, 0.0, "", 0.0, **how)


def test_measured_energy_is_not_modelled():
    case = StudyCase(ranks=2, jobs=2)
    given = study(idle_watts=100, peak_watts=300, pue=1.5)
    measured = energy_of(case, given, ended(joules=7200.0, meter="Slurm"))
    assert measured == (pytest.approx(1.5), "measured (Slurm), x PUE 1.5")
    modelled = energy_of(case, given, ended(nodes=2, machine={"cores": 4}))
    assert modelled == (pytest.approx(1.5 * 2 * 200 * 0.5 / 2), "modelled, x PUE 1.5")
    assert energy_of(case, study(), ended()) is None


def test_cost():
    cost = CostTable(node_hour=2.0, kwh=0.5, licence_hour=0.1, tokens_a_job=30, tokens_a_rank=1)
    money = cost_of(StudyCase(ranks=8, jobs=2), cost, hours=0.5, wh=4000.0, nodes=4)
    assert money == pytest.approx(2.0 * 4 * 0.5 / 2 + 0.5 * 4 + 0.1 * 38 * 0.5)


def test_catalogue():
    for node in read_nodes().values():
        assert 0 < node.idle_watts.value < node.peak_watts.value
    assert with_power(EnergyTable(node="rs700-xeon-l5520")).peak_watts == 254
    with pytest.raises(StudyError, match="did you mean 'rs700-xeon-l5520'"):
        with_power(EnergyTable(node="rs700-xeon-l5530"))


def test_number_without_source(tmp_path):
    path = tmp_path / "nodes.toml"
    path.write_text('[a]\nname = "A"\ncores = { value = 8, source = "x" }\nidle_watts = { value = 9 }\n')
    with pytest.raises(CatalogueError, match=r"nodes.toml:4: a: idle_watts: a number without its source"):
        read_nodes(path)
