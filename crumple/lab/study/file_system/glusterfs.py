"""GlusterFS on this machine: four bricks on one disk, distributed and sharded, mounted by FUSE.

Its daemons refuse loopback addresses. So they are in a network namespace whose `lo` has an address for
documentation (RFC 5737), where nothing else can reach them, and they reach nothing else.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from crumple.lab.study.file_system.made import FileSystemError, command, mount_point, unmount, why_not

ADDRESS = "192.0.2.1"
BRICKS = 4
SHARD = "4MB"  #: the smallest that it allows; the shards of a file are on all bricks
VOLUME = "results"
#: Where bricks write logs, whatever the options are. In the study's mount namespace it is a folder of the
#: study, with all files of the daemons: the names of their sockets must be short.
FILES = Path("/var/log/glusterfs")
PATIENCE = 30.0  #: s until the daemon answers

DAEMON = """volume management
    type mgmt/glusterd
    option working-directory {files}/state
    option run-directory {files}/run
    option glusterd-sockfile {files}/run/socket
    option transport-type socket
    option transport.socket.listen-port 24007
    option transport.socket.bind-address {address}
    option ping-timeout 0
    option event-threads 1
end-volume
"""


@cache
def tried() -> str:
    """Why namespaces cannot be made; empty if they can."""
    return why_not("unshare --net ip link set lo up")


class GlusterFs:
    """A new volume with daemons of its own; those of the system, if there are any, are left alone."""

    def obstacle(self) -> str:
        """Its packages, FUSE, and root for mounts and network namespaces."""
        if any(not shutil.which(name) for name in ("glusterd", "gluster", "glusterfs")):
            return "GlusterFS is not installed: make glusterfs, or apt-get install glusterfs-server"
        if not Path("/dev/fuse").exists():
            return "the kernel has no FUSE: there is no /dev/fuse"
        return f"no network namespace can be made: {why}" if (why := tried()) else ""

    @contextmanager
    def made(self, work: Path) -> Iterator[Path]:
        """Start the daemons, make a volume, mount it."""
        with mount_point(work) as (folder, mounted), files_in(folder), running_daemon() as daemon:
            bricks = [f"{ADDRESS}:{FILES}/brick{k}" for k in range(BRICKS)]
            daemon.ask("volume", "create", VOLUME, *bricks, "force")
            daemon.ask("volume", "set", VOLUME, "features.shard", "on")
            daemon.ask("volume", "set", VOLUME, "features.shard-block-size", SHARD)
            daemon.ask("volume", "start", VOLUME)
            volume = [f"--volfile-server={ADDRESS}", f"--volfile-id={VOLUME}"]
            try:
                daemon.inside("glusterfs", *volume, "-l", FILES / "mount.log", mounted)
                daemon.wait_for_mount(mounted)
                yield mounted
            finally:
                unmount(mounted)


@contextmanager
def files_in(folder: Path) -> Iterator[None]:
    """The daemons' files go into a folder."""
    kept = folder / "daemons"
    for name in ("state", "run"):
        (kept / name).mkdir(parents=True)
    FILES.mkdir(parents=True, exist_ok=True)
    command("mount", "--bind", kept, FILES)
    try:
        yield
    finally:
        unmount(FILES)


@dataclass
class Daemon:
    """A running glusterd in a network namespace of its own."""

    process: subprocess.Popen

    def inside(self, *words: str | Path) -> str:
        """Run a command in its network namespace."""
        return command("nsenter", f"--net=/proc/{self.process.pid}/ns/net", *words)

    def ask(self, *words: str) -> str:
        """Run its command line."""
        where = [f"--glusterd-sock={FILES}/run/socket", f"--log-file={FILES}/cli.log"]
        return self.inside("gluster", "--mode=script", *where, *words)

    def wait_until_it_answers(self) -> None:
        """Wait for the daemon to start.

        Raises:
            FileSystemError: it ends, or does not answer.
        """
        end = time.monotonic() + PATIENCE
        while True:
            if self.process.poll() is not None:
                raise FileSystemError(f"glusterd ended: {last_line(FILES / 'glusterd.log')}")
            try:
                self.ask("volume", "list")
                return
            except FileSystemError as error:
                if time.monotonic() > end:
                    raise FileSystemError(f"glusterd does not answer: {error}") from None
            time.sleep(0.1)

    def wait_for_mount(self, mounted: Path) -> None:
        """Wait until the volume is there: `glusterfs` returns before.

        Raises:
            FileSystemError: it does not come.
        """
        end = time.monotonic() + PATIENCE
        while not mounted.is_mount():
            if time.monotonic() > end:
                raise FileSystemError(f"glusterfs: {last_line(FILES / 'mount.log')}")
            time.sleep(0.05)

    def end(self) -> None:
        """Kill all that is in its network namespace: the daemon, its bricks, the clients; nothing is kept."""
        network = namespace_of(self.process.pid)
        members = [p for p in psutil.process_iter() if network and namespace_of(p.pid) == network]
        for member in members:
            try:
                member.kill()
            except psutil.NoSuchProcess:
                continue
        self.process.kill()
        self.process.wait()
        psutil.wait_procs(members, timeout=PATIENCE)


def namespace_of(pid: int) -> str:
    """The network namespace of a process; empty if it has ended."""
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return ""


@contextmanager
def running_daemon() -> Iterator[Daemon]:
    """A glusterd in a network namespace of its own."""
    volfile = FILES / "glusterd.vol"
    volfile.write_text(DAEMON.format(files=FILES, address=ADDRESS))
    start = f'ip link set lo up && ip address add {ADDRESS}/32 dev lo && exec glusterd --no-daemon "$@"'
    files = ["-f", str(volfile), "-p", f"{FILES}/run/pid", "-l", f"{FILES}/glusterd.log"]
    process = subprocess.Popen(
        ["unshare", "--net", "sh", "-ec", start, "glusterd", *files],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    daemon = Daemon(process)
    try:
        daemon.wait_until_it_answers()
        yield daemon
    finally:
        daemon.end()


def last_line(log: Path) -> str:
    """The end of a log; empty if there is none."""
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""
