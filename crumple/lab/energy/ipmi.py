"""IPMI: power of the whole node, measured by its management controller, sampled with ipmitool."""

import re
import shutil
import subprocess
import time

from crumple.lab.energy.meter import Meter, MeterError

READING = re.compile(r"Instantaneous power reading:\s*(\d+)\s*Watts")


def watts() -> float:
    """The present power in W.

    Raises:
        MeterError: ipmitool is missing, or the controller does not give the power.
    """
    try:
        said = subprocess.run(
            ["ipmitool", "dcmi", "power", "reading"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MeterError(f"ipmitool: {error}") from None
    found = READING.search(said.stdout)
    if not found:
        lines = (said.stderr or said.stdout).strip().splitlines()
        raise MeterError(f"ipmitool dcmi power reading: {lines[-1] if lines else 'no reading'}")
    return float(found[1])


class Ipmi(Meter):
    """Energy from samples of the power, with straight lines between them."""

    name = "IPMI: node"

    def __init__(self) -> None:
        super().__init__()
        if not shutil.which("ipmitool"):
            raise MeterError("there is no ipmitool on the PATH")
        self.last = (0.0, watts())

    def begin(self) -> None:
        """Read power."""
        self.last = (time.monotonic(), watts())
        self.joules = 0.0

    def sample(self) -> None:
        """Add the energy since the last sample."""
        before, power = self.last
        self.last = (time.monotonic(), watts())
        self.joules = (self.joules or 0.0) + 0.5 * (power + self.last[1]) * (self.last[0] - before)
