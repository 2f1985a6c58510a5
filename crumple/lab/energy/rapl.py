"""RAPL through Linux's powercap: energy of all processor packages and their memory."""

from pathlib import Path

from crumple.lab.energy.meter import Meter, MeterError

POWERCAP = Path("/sys/class/powercap")
MICRO = 1e-6


def zones(powercap: Path) -> list[Path]:
    """Zones that together are packages and memory, nothing twice.

    A package (package-0) has core and uncore below it, whose energy is in its own, and dram, whose is not;
    psys is the whole platform with the packages; intel-rapl-mmio names the same packages again.
    """
    found = []
    for zone in sorted(powercap.glob("intel-rapl:*")):
        try:
            name = (zone / "name").read_text().strip()
        except OSError:
            continue
        if name.startswith("package-") or name == "dram":
            found.append(zone)
    return found


class Rapl(Meter):
    """Counters of energy, which run over: they must be read more often than that."""

    name = "RAPL: packages and memory"
    interval = 20.0  #: s; at 1 kW a counter of 2^32 x 15.3 uJ runs over in 65 s

    def __init__(self, powercap: Path | None = None) -> None:
        super().__init__()
        self.zones = zones(powercap or POWERCAP)
        self.last: dict[Path, int] = {}
        if not self.zones:
            raise MeterError(f"there is no RAPL in {powercap or POWERCAP}")

    @staticmethod
    def readable(powercap: Path | None = None) -> bool:
        """Whether there are counters, and we may read them (since 2020 only root may)."""
        found = zones(powercap or POWERCAP)
        try:
            return bool(found) and all((zone / "energy_uj").read_text() for zone in found)
        except OSError:
            return False

    @staticmethod
    def number(file: Path) -> int:
        """A counter."""
        try:
            return int(file.read_text())
        except (OSError, ValueError) as error:
            raise MeterError(f"{file}: {error}") from None

    def begin(self) -> None:
        """Read all counters."""
        self.last = {zone: self.number(zone / "energy_uj") for zone in self.zones}
        self.joules = 0.0

    def sample(self) -> None:
        """Add what the counters went on by; one that is lower than before has run over once."""
        for zone, before in self.last.items():
            now = self.number(zone / "energy_uj")
            over = self.number(zone / "max_energy_range_uj") if now < before else 0
            self.joules = (self.joules or 0.0) + MICRO * (now - before + over)
            self.last[zone] = now
