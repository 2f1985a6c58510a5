"""RAPL through Linux's powercap: energy of all processor packages and their memory."""

from pathlib import Path

from crumple.lab.energy.meter import Meter, MeterError

POWERCAP = Path("/sys/class/powercap")
MICRO = 1e-6


def zones(powercap: Path) -> list[Path]:
    """Zones that together cover packages and memory, each only once.

    The energy of a package (package-0) includes core and uncore below it, but not dram;
    psys is the whole platform including the packages; intel-rapl-mmio repeats the same packages.
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
    """Energy counters. They overflow, so they must be read often enough."""

    name = "RAPL: packages and memory"
    interval = 20.0  #: s; at 1 kW a counter of 2^32 x 15.3 uJ overflows in 65 s

    def __init__(self, powercap: Path | None = None) -> None:
        super().__init__()
        self.zones = zones(powercap or POWERCAP)
        self.last: dict[Path, int] = {}
        if not self.zones:
            raise MeterError(f"there is no RAPL in {powercap or POWERCAP}")

    @staticmethod
    def readable(powercap: Path | None = None) -> bool:
        """Whether there are counters that this process may read (since 2020 only root may)."""
        found = zones(powercap or POWERCAP)
        try:
            return bool(found) and all((zone / "energy_uj").read_text() for zone in found)
        except OSError:
            return False

    @staticmethod
    def number(file: Path) -> int:
        """Read a counter."""
        try:
            return int(file.read_text())
        except (OSError, ValueError) as error:
            raise MeterError(f"{file}: {error}") from None

    def begin(self) -> None:
        """Read all counters."""
        self.last = {zone: self.number(zone / "energy_uj") for zone in self.zones}
        self.joules = 0.0

    def sample(self) -> None:
        """Add the increase of the counters; a lower value means that a counter has overflowed once."""
        for zone, before in self.last.items():
            now = self.number(zone / "energy_uj")
            over = self.number(zone / "max_energy_range_uj") if now < before else 0
            self.joules = (self.joules or 0.0) + MICRO * (now - before + over)
            self.last[zone] = now
