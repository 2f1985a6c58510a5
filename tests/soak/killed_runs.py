"""Runs that are killed or lose their disk at any moment end in the bits of one left alone."""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import small_decks
from same_results import different_files
from solver_run import run, solver_processes

from crumple.at_work import VARIABLE, read_places
from crumple.models import Wishes, write_model
from crumple.restart.dumps import dumps_in

ROOT = Path(__file__).resolve().parents[2]
THREE_VEHICLES = "three-vehicle"
DECKS = (*small_decks.CRASHES, THREE_VEHICLES)
DUMPS = 12  #: of a whole run
STATES = 60  #: plot states of a whole run
LIMIT = 240.0  #: s of a run with all its restarts
MOST = 4  #: faults of a run


@dataclass
class Row:
    """A row of the table: what became of the runs with one kind of fault."""

    runs: int = 0
    faults: int = 0
    restarts: int = 0
    lost: int = 0  #: cycles computed again, at most
    bound: int = 0  #: the interval of dumps of that run
    equal: int = 0
    skipped: str = ""
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Whole:
    """A run that was left alone."""

    deck: Path
    directory: Path
    hash: str
    cycles: int
    seconds: float
    precision: str


class Patient:
    """A run with its faults, in a folder of its own."""

    def __init__(self, whole: Whole, out: Path, chance: random.Random) -> None:
        self.whole, self.out, self.chance = whole, out, chance
        self.log = out.parent / f"{out.name}.log"
        self.interval = max(5, whole.cycles // DUMPS)
        self.faults = self.by_hand = self.lost = 0
        self.expect_loss = True  #: of an interval at most
        self.removes = True  #: unfinished files, before the end
        self.process = self.start()

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        """`crumple run --auto-restart` on some ranks and threads."""
        ranks, threads = self.chance.randint(1, 4), self.chance.randint(1, 2)
        words = [sys.executable, "-m", "crumple", "run", str(self.whole.deck), "-d", str(self.out)]
        words += ["-n", str(ranks), "--threads", str(threads), "--precision", self.whole.precision]
        words += ["--auto-restart=50", "--dump-cycles", str(self.interval), "--vtkhdf"]
        words += ["--dump-layout", self.chance.choice(("files", "shared"))]
        words += ["--decomposition", self.chance.choice(("rcb", "metis"))]
        env = os.environ | {"PYTHONPATH": str(ROOT), "OMP_WAIT_POLICY": "passive"}
        with self.log.open("ab") as log:
            return subprocess.Popen([*words, *options], env=env, stdout=log, stderr=log)

    def ranks(self) -> list[int]:
        return solver_processes(self.out)

    def launchers(self) -> list[int]:
        """mpirun of this run."""
        with suppress(psutil.Error):
            below = psutil.Process(self.process.pid).children()
            return [child.pid for child in below if child.name() in ("mpirun", "orterun")]
        return []

    def running(self) -> bool:
        return self.process.poll() is None

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def cycle(self) -> int:
        """Where the ranks are now; -1: before the first cycle."""
        for pid in self.ranks():
            with suppress(psutil.Error, OSError):
                folder = psutil.Process(pid).environ().get(VARIABLE)
                return max((p.cycle for p in read_places({VARIABLE: folder})), default=-1) if folder else -1
        return -1

    def newest(self) -> int:
        """The cycle of the newest whole dump; 0: there is none."""
        return max((dump.cycle for dump in dumps_in(self.out)), default=0)

    def kill(self, *processes: int) -> None:
        """Kill them, and count what the run has lost by it."""
        if not processes:
            return
        before = self.cycle()
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.faults += 1
        if self.expect_loss:
            self.lost = max(self.lost, before - self.newest())

    def ended_within(self, limit: float) -> bool:
        """Wait for the end; kill what has not ended in time."""
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            for pid in [self.process.pid, *self.launchers(), *self.ranks()]:
                os.kill(pid, signal.SIGKILL)
            return False
        return True

    def wait(self, condition: Callable[[], bool], limit: float = LIMIT) -> bool:
        """Wait until something is so, or the run has ended. False if it has, or in vain."""
        end = time.monotonic() + limit
        while not condition():
            if not self.running() or time.monotonic() > end:
                return False
            time.sleep(0.001)
        return True


def kill_rank(patient: Patient) -> None:
    if ranks := patient.ranks():
        patient.kill(patient.chance.choice(ranks))


def kill_ranks(patient: Patient) -> None:
    patient.kill(*patient.ranks())


def kill_launcher(patient: Patient) -> None:
    patient.kill(*patient.launchers())


def kill_any(patient: Patient) -> None:
    patient.chance.choice((kill_rank, kill_ranks, kill_launcher))(patient)


def kill_command(patient: Patient) -> None:
    """The run goes on alone to its end."""
    patient.process.kill()
    patient.process.wait()
    patient.faults += 1
    end = time.monotonic() + LIMIT
    while patient.ranks() and time.monotonic() < end:
        time.sleep(0.05)


def kill_everything(patient: Patient) -> None:
    """As the loss of the machine; then a restart by hand, on other ranks."""
    patient.process.kill()
    patient.kill(*patient.launchers(), *patient.ranks())
    patient.process.wait()
    patient.faults = max(patient.faults, patient.by_hand + 1)
    end = time.monotonic() + LIMIT
    while patient.ranks() and time.monotonic() < end:
        time.sleep(0.01)
    patient.by_hand += 1
    patient.process = patient.start("--restart", "auto")


def kill_in_a_dump(patient: Patient) -> None:
    """While a file of a dump has its first name."""
    if patient.wait(lambda: any(patient.out.glob("*.new")), limit=20.0):
        kill_any(patient)


def kill_in_a_plot_state(patient: Patient) -> None:
    """When one of the plot files has just become longer."""

    def size() -> int:
        total = 0
        for path in patient.out.glob("d3plot*"):
            with suppress(OSError):
                total += path.stat().st_size
        return total

    before = size()
    if patient.wait(lambda: size() > before, limit=20.0):
        kill_any(patient)


def fill_disk(patient: Patient) -> None:
    """Until the run has failed by it, or a while."""
    filler = patient.out / "filler"
    patient.expect_loss = False
    restarts = patient.said().count("restart ")
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(b"\0" * 65536):
            pass
    patient.faults += 1
    patient.wait(lambda: patient.said().count("CR-O10") + patient.said().count("restart ") > restarts, 5.0)
    time.sleep(patient.chance.uniform(0.0, 1.0))
    filler.unlink(missing_ok=True)


def take_file_system_away(patient: Patient) -> None:
    """Files that are open stay so, new ones are elsewhere; a rank dies; then it comes back."""
    patient.expect_loss = patient.removes = False
    kept = patient.out.parent / "kept"
    subprocess.run(["umount", "-l", str(patient.out)], check=True)
    time.sleep(patient.chance.uniform(0.0, 0.5))
    kill_rank(patient)
    time.sleep(patient.chance.uniform(0.0, 2.0))
    subprocess.run(["mount", "--bind", str(kept), str(patient.out)], check=True)


KINDS: dict[str, Callable[[Patient], None]] = {
    "a rank": kill_rank,
    "all ranks": kill_ranks,
    "mpirun": kill_launcher,
    "the command": kill_command,
    "everything": kill_everything,
    "one of the first three, in a dump": kill_in_a_dump,
    "one of the first three, in a plot state": kill_in_a_plot_state,
    "the disk is full": fill_disk,
    "the file system is away": take_file_system_away,
}
ON_DISK = ("the disk is full", "the file system is away")


def succeeds(*words: str) -> bool:
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def mounted_disk(folder: Path, kilobytes: int) -> bool:
    """A small ext4 in a file beside the folder, mounted on it."""
    image = folder.parent / f"{folder.name}.ext4"
    with image.open("wb") as file:
        file.truncate(1024 * kilobytes)
    return succeeds("mkfs.ext4", "-q", "-m", "0", str(image)) and succeeds(
        "mount", "-o", "loop", str(image), str(folder)
    )


def mounted_memory(folder: Path, kilobytes: int) -> bool:
    """A small tmpfs."""
    return succeeds("mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder))


@contextmanager
def results_folder(kind: str, whole: Whole, folder: Path) -> Iterator[Path | None]:
    """Where a run writes: for some faults a file system of its own; None if there can be none."""
    out = folder / "out"
    out.mkdir()
    if kind not in ON_DISK:
        yield out
        return
    size = 3 * sum(path.stat().st_size for path in whole.directory.iterdir()) // 1024 + 8192
    kept = folder / "kept" if kind == "the file system is away" else out
    kept.mkdir(exist_ok=True)
    mount = mounted_disk if kind == "the disk is full" else mounted_memory
    if not mount(kept, size):
        yield None
        return
    if kept != out and not succeeds("mount", "--bind", str(kept), str(out)):
        succeeds("umount", "-l", str(kept))
        yield None
        return
    try:
        yield out
    finally:
        for path in {out, kept}:
            succeeds("umount", "-l", str(path))


def examine(patient: Patient) -> list[str]:
    """What is wrong with a run at its end."""
    said = patient.said()
    log = (patient.out / "d3hsp").read_text(errors="replace") if (patient.out / "d3hsp").exists() else ""
    hashes = re.findall(r"state hash: ([0-9a-f]{16})", said) or re.findall(r"hash: ([0-9a-f]{16})", log)
    wrong = []
    if not hashes or hashes[-1] != patient.whole.hash:
        wrong.append(f"state {hashes[-1] if hashes else 'unknown'}, not {patient.whole.hash}")
    if different := different_files(patient.out, patient.whole.directory):
        wrong.append(f"files differ: {', '.join(different)}")
    if patient.lost > patient.interval:
        wrong.append(f"{patient.lost} cycles lost, with dumps every {patient.interval}")
    # What could not be removed while its file system was away stays until the next restart.
    if patient.removes and (left := [path.name for path in patient.out.glob("*.new")]):
        wrong.append(f"left behind: {', '.join(left)}")
    return wrong


def treat(kind: str, whole: Whole, out: Path, chance: random.Random) -> Patient:
    """One run with some faults of a kind."""
    patient = Patient(whole, out, chance)
    for _ in range(1 if kind in (*ON_DISK, "the command") else chance.randint(1, MOST)):
        patient.wait(lambda: bool(patient.ranks()), limit=30.0)
        time.sleep(chance.uniform(0.0, 1.1 * whole.seconds))
        if not patient.running() and not take_up_again(patient):
            break
        KINDS[kind](patient)
        newest = patient.newest()
        if chance.random() < 0.8:  # otherwise perhaps again before the next dump
            patient.wait(lambda n=newest: patient.newest() > n, limit=60.0)
    while patient.ended_within(LIMIT) and take_up_again(patient):
        pass
    return patient


def take_up_again(patient: Patient) -> bool:
    """By hand, where the command gave up: it was hit twice before its next dump."""
    if patient.running() or "no further restart" not in patient.said()[-300:]:
        return False
    patient.by_hand += 1
    patient.process = patient.start("--restart", "auto")
    return True


class Wholes:
    """Runs that were left alone, each made once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.made = folder, {}

    def get(self, name: str, precision: str) -> Whole:
        """The run of a deck, with many plot states."""
        if (name, precision) not in self.made:
            deck = self.folder / f"{name}.k"
            if not deck.exists():
                self.write(name, deck)
            directory = self.folder / f"{name}-{precision}"
            begin = time.monotonic()
            done = run(deck, directory, "--precision", precision, "--vtkhdf")
            assert done.status == 0, done.said
            seconds, cycles = time.monotonic() - begin, done.progress[-1].cycle
            self.made[name, precision] = Whole(deck, directory, done.hash, cycles, seconds, precision)
        return self.made[name, precision]

    @staticmethod
    def write(name: str, deck: Path) -> None:
        if name == THREE_VEHICLES:
            write_model(name, deck, Wishes(3200, speed=40.0, end_time=2.0))
            return
        text = small_decks.CRASHES[name]()
        end = float(re.search(r"\*CONTROL_TERMINATION\n([0-9.e-]+)", text)[1])
        deck.write_text(re.sub(r"(\*DATABASE_BINARY_D3PLOT\n)[0-9.e-]+", rf"\g<1>{end / STATES:.3g}", text))


def soak_restarts(minutes: float, decks: tuple[str, ...] = DECKS, seed: int | None = None) -> list[str]:
    """Runs with faults until the time has passed; prints a table, and returns what is wrong."""
    seed = seed if seed is not None else random.randrange(1 << 30)
    chance, rows = random.Random(seed), {kind: Row() for kind in KINDS}
    print(f"killed runs, seed {seed}", flush=True)
    end = time.monotonic() + 60.0 * minutes
    kinds: list[str] = []
    with tempfile.TemporaryDirectory(prefix="crumple-killed-", ignore_cleanup_errors=True) as place:
        wholes = Wholes(Path(place))
        for number in range(1_000_000):
            kinds = kinds or chance.sample(list(KINDS), len(KINDS))
            kind, row = kinds[-1], rows[kinds.pop()]
            if time.monotonic() > end or all(r.skipped for r in rows.values()):
                break
            whole = wholes.get(chance.choice(decks), chance.choice(("double", "single")))
            folder = Path(place) / f"run-{number}"
            folder.mkdir()
            with results_folder(kind, whole, folder) as out:
                if out is None:
                    row.skipped = "skipped: nothing can be mounted here"
                    continue
                patient = treat(kind, whole, out, chance)
                wrong = examine(patient)
            row.runs += 1
            row.faults += patient.faults
            row.restarts += len(re.findall(r"^restart \d+ of", patient.said(), re.M)) + patient.by_hand
            row.lost, row.bound = max((row.lost, row.bound), (patient.lost, patient.interval))
            row.equal += not wrong
            if wrong:
                row.wrong += [
                    f"{kind}: {whole.deck.name}, {whole.precision}, run {number}: {'; '.join(wrong)}"
                ]
                print(row.wrong[-1], patient.said()[-3000:], sep="\n", flush=True)
    print_table(rows)
    return [line for row in rows.values() for line in row.wrong]


def print_table(rows: dict[str, Row]) -> None:
    print("| lost | runs | times | restarts | cycles lost at most (interval) | all bits equal |")
    print("|---|---|---|---|---|---|")
    for kind, row in rows.items():
        if row.skipped:
            print(f"| {kind} | {row.skipped} | | | | |")
            continue
        cells = (kind, row.runs, row.faults, row.restarts, f"{row.lost} ({row.bound})", row.equal)
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
