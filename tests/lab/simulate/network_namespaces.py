"""Two hosts on this machine: network namespaces joined by a bridge, whose links have a rate (tc tbf)."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BURST = 0.005  #: s of the rate that pass unshaped; small messages always do
QUEUE = 16_000_000  #: bytes that wait for the link; nothing is lost
PAYLOAD = 1448 / 1514  #: of a frame of Ethernet with TCP's timestamps

AGENT = """#!/bin/sh
# mpirun's way to start its daemon on a host: host, then a command.
for k in 1 2; do
  [ "$1" = "{net}.$k" ] && host={name}-$k
done
shift
exec {ip} netns exec "$host" sh -c "$*"
"""


def missing() -> str:
    """Why there can be no namespaces; empty where there can."""
    if os.geteuid():
        return "network namespaces need root"
    if absent := [name for name in ("ip", "tc", "mpirun.openmpi", "mpicc.openmpi") if not shutil.which(name)]:
        return f"not installed: {', '.join(absent)}"
    name = f"crumple-try-{os.getpid()}"
    if done := tried(["ip", "netns", "add", name]):
        return f"no network namespaces here: {done}"
    tried(["ip", "netns", "del", name])
    return ""


def tried(command: list[str]) -> str:
    """Run a command; what it complained of, empty where it went well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stderr or done.stdout or str(done.returncode)).strip() if done.returncode else ""


class Hosts:
    """Both namespaces while they are there."""

    def __init__(self, folder: Path) -> None:
        number = os.getpid()
        self.name = f"crumple-{number}"
        self.bridge = f"crb{number}"
        self.net = f"10.231.{number % 250}"
        self.agent = folder / "agent.sh"
        self.agent.write_text(AGENT.format(net=self.net, name=self.name, ip=shutil.which("ip")))
        self.agent.chmod(0o755)

    def up(self) -> None:
        """Make them."""
        ip("link", "add", self.bridge, "type", "bridge")
        ip("link", "set", self.bridge, "up")
        for k in (1, 2):
            host, cable = f"{self.name}-{k}", self.cable(k)
            ip("netns", "add", host)
            ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", host)
            ip("link", "set", cable, "master", self.bridge, "up")
            ip("-n", host, "addr", "add", f"{self.net}.{k}/24", "dev", "eth0")
            ip("-n", host, "link", "set", "eth0", "up")
            ip("-n", host, "link", "set", "lo", "up")

    def cable(self, k: int) -> str:
        """The bridge's end of a host's link."""
        return f"crv{os.getpid()}{k}"

    def down(self) -> None:
        """Take away what there is of them.

        Cables first: those left in a namespace go with it, but some time after its name has gone.
        """
        for k in (1, 2):
            tried(["ip", "link", "del", self.cable(k)])
            tried(["ip", "netns", "del", f"{self.name}-{k}"])
        tried(["ip", "link", "del", self.bridge])

    def set_rate(self, bits: float) -> None:
        """Bits a second that each host can send."""
        burst = max(16_000, int(bits / 8 * BURST))
        shape = ["tbf", "rate", f"{int(bits)}bit", "burst", str(burst), "limit", str(QUEUE)]
        for k in (1, 2):
            command = ["tc", "-n", f"{self.name}-{k}", "qdisc", "replace", "dev", "eth0", "root", *shape]
            if why := tried(command):
                raise OSError(f"{' '.join(command)}: {why}")

    def run(self, command: list[str]) -> str:
        """A program of two ranks, one on each host, over TCP; what it printed."""
        words = ["mpirun.openmpi", "--host", f"{self.net}.1,{self.net}.2", "-np", "2", "--bind-to", "none"]
        for key, value in {
            "plm_rsh_agent": str(self.agent),
            "btl": "tcp,self",
            "pml": "ob1",
            "btl_tcp_if_include": "eth0",
            "oob_tcp_if_include": "eth0",
        }.items():
            words += ["--mca", key, value]
        done = subprocess.run(
            ["ip", "netns", "exec", f"{self.name}-1", *words, *command],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise OSError(done.stderr + done.stdout)
        return done.stdout


def ip(*words: str) -> None:
    """A command of iproute2.

    Raises:
        OSError: it failed.
    """
    if why := tried(["ip", *words]):
        raise OSError(f"ip {' '.join(words)}: {why}")


@contextmanager
def two_hosts(folder: Path) -> Iterator[Hosts]:
    """Hosts 1 and 2, which are taken away in the end."""
    hosts = Hosts(folder)
    try:
        hosts.up()
        yield hosts
    finally:
        hosts.down()
