"""A real Slurm for tests: four virtual nodes, controller, accounting and database on this machine."""

import os
import platform
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

NEEDED = ("munged", "slurmctld", "slurmd", "slurmdbd", "mariadbd", "mariadb-install-db", "sbatch")
FOLDERS = ("/usr/sbin", "/usr/bin")  #: daemons are not on every PATH
NODES, CORES, MEMORY = 4, 2, 2000  #: MB of a node, as the configuration says; it may be less

SLURM = """
ClusterName=crumple
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={slurmctld}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CommunicationParameters=NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
KillWait=2
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
{accounting}
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ports}] CPUs={cores} RealMemory={memory}
PartitionName=all Nodes=n[1-{nodes}] Default=YES MaxTime=60
PartitionName=small Nodes=n1 MaxTime=60
"""

ACCOUNTING = """AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={slurmdbd}
AccountingStoragePass={folder}/munge.socket"""

SLURMDBD = """
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={slurmdbd}
SlurmUser={user}
LogFile={folder}/slurmdbd.log
PidFile={folder}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database}
StorageUser={user}
StorageLoc=slurm
"""


class NoCluster(Exception):
    """Why Slurm cannot be started here."""


def free_ports(count: int) -> list[int]:
    """Neighbouring ports that nobody listens at."""
    for start in range(21000 + os.getpid() % 5000, 60000, count):
        listeners = []
        try:
            for port in range(start, start + count):
                listeners.append(socket.create_server(("127.0.0.1", port)))
            return list(range(start, start + count))
        except OSError:
            continue
        finally:
            for listener in listeners:
                listener.close()
    raise NoCluster("no free ports")


class SlurmCluster:
    """The daemons, and all their files in a folder of /tmp: paths of sockets must be short."""

    def __init__(self) -> None:
        if missing := [name for name in NEEDED if not self.program(name)]:
            raise NoCluster(f"Slurm is not installed: there is no {', '.join(missing)}")
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))
        self.daemons: list[subprocess.Popen] = []
        self.configuration = self.folder / "slurm.conf"
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    @staticmethod
    def program(name: str) -> str | None:
        """Where a daemon is."""
        return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS]))

    def daemon(self, *command: str) -> None:
        """Start a daemon in the foreground, as a child that this process ends."""
        with (self.folder / f"{Path(command[0]).name}.out").open("ab") as output:
            process = subprocess.Popen(
                [self.program(command[0]), *command[1:]],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=os.environ | {"SLURM_CONF": str(self.configuration)},
                start_new_session=True,
            )
        self.daemons.append(process)

    def wait_until(self, ready: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
        """Wait for something that must become true while all daemons live."""
        deadline = time.monotonic() + seconds
        while not ready():
            for process in self.daemons:
                if process.poll() is not None:
                    name = Path(process.args[0]).name
                    raise NoCluster(f"{name} ended: {(self.folder / f'{name}.out').read_text()[-500:]}")
            if time.monotonic() > deadline:
                raise NoCluster(f"{what} after {seconds:.0f} s")
            time.sleep(0.1)

    def say(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run one of Slurm's commands."""
        env = os.environ | {"SLURM_CONF": str(self.configuration)}
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)

    def start(self) -> None:
        """Start authentication, database, accounting, controller, nodes, in this order."""
        first, *rest = free_ports(NODES + 3)
        names = {"slurmctld": first, "slurmdbd": rest[0], "database": rest[1]}
        names |= {
            "ports": f"{rest[2]}-{rest[-1]}",
            "nodes": NODES,
            "cores": CORES,
            "memory": MEMORY,
            "folder": self.folder,
        }
        names |= {"host": platform.node().split(".")[0], "user": self.user()}
        self.write("slurm.conf", SLURM, names | {"accounting": ACCOUNTING.format(**names)})
        self.write("without-accounting.conf", SLURM, names | {"accounting": ""})
        self.write("slurmdbd.conf", SLURMDBD, names)
        for name in ("state", *(f"{part}.n{k + 1}" for part in ("spool", "tmp") for k in range(NODES))):
            (self.folder / name).mkdir()
        self.start_munge()
        self.start_database(names["database"])
        self.daemon("slurmdbd", "-D")
        self.wait_until(lambda: self.say("sacctmgr", "-n", "show", "cluster").returncode == 0, "no slurmdbd")
        self.say("sacctmgr", "-i", "add", "cluster", "crumple")
        self.daemon("slurmctld", "-D", "-c")
        for node in range(NODES):
            self.daemon("slurmd", "-D", "-N", f"n{node + 1}")
        self.wait_until(self.idle, "nodes are not idle")

    @staticmethod
    def user() -> str:
        """Who we are."""
        return pwd.getpwuid(os.getuid()).pw_name

    def write(self, name: str, text: str, names: dict) -> None:
        """Write a configuration; Slurm wants them private."""
        path = self.folder / name
        path.write_text(text.format(**names))
        path.chmod(0o600)

    def start_munge(self) -> None:
        """A private munged, with a key of its own."""
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        files = {"socket": "munge.socket", "key-file": "munge.key", "log-file": "munge.log"}
        files |= {"pid-file": "munge.pid", "seed-file": "munge.seed"}
        options = [f"--{option}={self.folder / file}" for option, file in files.items()]
        self.daemon("munged", "--foreground", "--force", *options)
        self.wait_until((self.folder / "munge.socket").exists, "no munged")

    def start_database(self, port: int) -> None:
        """A private MariaDB on a port of its own."""
        data = self.folder / "database"
        install = [self.program("mariadb-install-db"), "--no-defaults", f"--datadir={data}"]
        install += ["--auth-root-authentication-method=normal", "--skip-test-db", f"--user={self.user()}"]
        made = subprocess.run(install, capture_output=True, text=True, check=False)
        if made.returncode:
            raise NoCluster(f"mariadb-install-db: {(made.stderr or made.stdout)[-300:]}")
        self.daemon(
            "mariadbd",
            "--no-defaults",
            f"--datadir={data}",
            f"--user={self.user()}",
            f"--port={port}",
            "--bind-address=127.0.0.1",
            f"--socket={self.folder}/mariadb.socket",
            f"--pid-file={self.folder}/mariadb.pid",
            "--innodb-buffer-pool-size=32M",
            "--innodb-flush-log-at-trx-commit=0",
        )
        self.wait_until((self.folder / "mariadb.socket").exists, "no MariaDB")

    def sql(self, statement: str) -> str:
        """Run a statement on the accounting's database."""
        command = [
            "mariadb",
            "--no-defaults",
            f"--socket={self.folder}/mariadb.socket",
            "-N",
            "-e",
            statement,
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def idle(self) -> bool:
        """Whether all nodes wait for work."""
        return self.say("sinfo", "-h", "-p", "all", "-t", "idle", "-o", "%D").stdout.strip() == str(NODES)

    def stop(self) -> None:
        """End all daemons, the last first, and remove their files."""
        if self.daemons:
            self.say("scancel", "-u", self.user())
        for process in reversed(self.daemons):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
