"""The profile of a run: one JSON file, from the records of its ranks."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

from pydantic import ValidationError

from crumple.lab.profile.io_file import read_io
from crumple.lab.profile.rank_file import ProfileError, names_of_phases, read_rank
from crumple.lab.profile.schema import WHOLE
from crumple.whole_file import write_whole

FORMAT = "crumple-profile"
VERSION = 1
NAMED = 16  #: largest number of ranks without a record that are listed one by one


@dataclass
class Total:
    """One function, summed over ranks; seconds and bytes."""

    name: str
    calls: int = 0
    time: float = 0.0
    longest: float = 0.0
    waiting: float = 0.0
    bytes_out: int = 0
    bytes_in: int = 0


@dataclass
class Profile:
    """A run's profile."""

    command: list[str]
    size: int
    ranks: list[dict] = field(repr=False)
    exit_status: int | None = None
    spawned: list["Profile"] = field(default_factory=list)  #: one for each world that MPI_Comm_spawn started

    def totals(self) -> list[Total]:
        """Functions by their time, the longest first."""
        totals: dict[str, Total] = {}
        for rank in self.ranks:
            for name, f in rank["functions"].items():
                t = totals.setdefault(name, Total(name))
                t.calls += f["calls"]
                t.longest = max(t.longest, f["longest"])
                for key in ("time", "waiting", "bytes_out", "bytes_in"):
                    setattr(t, key, getattr(t, key) + f[key])
        return sorted(totals.values(), key=lambda t: (-t.time, t.name))

    def application(self) -> float:
        """Seconds outside MPI, of all ranks and threads that call MPI."""
        return sum(rank["application"] for rank in self.ranks)

    def mpi(self) -> Total:
        """All MPI functions together."""
        all_of_it = Total("MPI")
        for t in self.totals():
            all_of_it.calls += t.calls
            for key in ("time", "waiting", "bytes_out", "bytes_in"):
                setattr(all_of_it, key, getattr(all_of_it, key) + getattr(t, key))
        return all_of_it

    def histogram(self, kind: str) -> dict[int, tuple[int, int]]:
        """Messages and bytes by bin: sizes in (2^(k-1), 2^k], bin 0 up to 1 byte.

        Args:
            kind: point_to_point, collective or one_sided
        """
        bins: dict[int, tuple[int, int]] = {}
        for rank in self.ranks:
            for k, (messages, size) in rank[kind].items():
                was = bins.get(int(k), (0, 0))
                bins[int(k)] = (was[0] + messages, was[1] + size)
        return dict(sorted(bins.items()))

    def lost(self) -> list[str]:
        """Sentences about ranks that are missing or ended early."""
        seen = {rank["rank"] for rank in self.ranks}
        absent = self.size - len(seen)
        named = islice((r for r in count() if r not in seen), min(absent, NAMED))
        missing = [f"rank {r} left no record" for r in named]
        if absent > NAMED:
            missing.append(f"{absent - NAMED} more ranks left no record")
        return missing + [
            f"rank {r['rank']} "
            + ("aborted" if r["state"] == "aborted" else "ended without MPI_Finalize")
            + f" after {r['elapsed']:.3g} s"
            for r in self.ranks
            if r["state"] != "finalized"
        ]

    def lost_of_spawned(self) -> list[str]:
        """The same for spawned worlds, with the number of their processes without a record."""
        lines = [f"spawned world {k}: {line}" for k, w in enumerate(self.spawned, 1) for line in w.lost()]
        worlds = [self, *self.spawned]
        started = sum(rank.get("spawned", 0) for world in worlds for rank in world.ranks)
        missing = started - sum(world.size for world in self.spawned)
        return lines + ([f"{missing} spawned processes are not in this profile"] if missing > 0 else [])


def gather(folder: Path, command: list[str], exit_status: int | None = None) -> Profile:
    """The profile of the ranks that left their records in a folder.

    Raises:
        ProfileError: there are none, or one is damaged.
    """
    profile = gather_world(folder, command, exit_status)
    for world in in_order(folder.glob("spawned.*")):
        if any(world.glob("rank.*")):
            profile.spawned.append(gather_world(world, []))
    return profile


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Paths that end in numbers, sorted by these."""
    return sorted(paths, key=lambda p: (len(p.suffix), p.suffix))


def read_rank_with_files(path: Path) -> dict:
    """A rank's record, with that of its files beside it.

    Raises:
        ProfileError: one is damaged.
    """
    rank = read_rank(path)
    beside = path.with_name(f"io{path.suffix}")
    if beside.exists():
        rank["io"] = read_io(beside, names_of_phases(path))
    return rank


def gather_world(folder: Path, command: list[str], exit_status: int | None = None) -> Profile:
    """The profile of one world: MPI_COMM_WORLD of the program, or one that it spawned.

    Raises:
        ProfileError: it has no records, or one is damaged.
    """
    paths = in_order(folder.glob("rank.*"))
    ranks = [read_rank_with_files(path) for path in paths]
    for path, rank in zip(paths, ranks, strict=True):
        if path.suffix != f".{rank['rank']}":
            raise ProfileError(f"{path} is damaged: it says that it is of rank {rank['rank']}")
    if not ranks:
        raise ProfileError(
            f"no rank left a record in {folder}: does the program call MPI_Init of the MPI library "
            "for which the profiler was built?"
        )
    return Profile(command, max(r["size"] for r in ranks), ranks, exit_status)


def text_of(profile: Profile) -> str:
    """The profile as JSON."""
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "command": profile.command,
        "exit_status": profile.exit_status,
        "size": profile.size,
        "ranks": profile.ranks,
    }
    if profile.spawned:
        whole["spawned"] = [{"size": world.size, "ranks": world.ranks} for world in profile.spawned]
    return json.dumps(whole, separators=(",", ":")) + "\n"


def write_profile(profile: Profile, path: Path) -> None:
    """Write the JSON file."""
    write_whole(path, text_of(profile))


def read_profile(path: Path) -> Profile:
    """Read a JSON profile, or a folder of records that `crumple profile` has not gathered.

    Raises:
        ProfileError: it is neither.
    """
    if path.is_dir():
        return gather(path, [])
    try:
        return profile_of(path.read_bytes(), str(path))
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror}") from None


def profile_of(text: str | bytes, where: str) -> Profile:
    """The profile that a JSON text is.

    Args:
        where: its origin, for messages

    Raises:
        ProfileError: it is not a profile, or damaged.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        raise ProfileError(f"{where} is not a profile, or a damaged one") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise ProfileError(f"{where} is not a profile")
    if whole.get("version") != VERSION:
        raise ProfileError(
            f"{where} is a profile of version {str(whole.get('version'))[:20]}; this is version {VERSION}"
        )
    try:
        checked = WHOLE.validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(map(str, first["loc"]))[:100]
        what = f"'{key}' is missing" if first["type"] == "missing" else f"{key}: {first['msg']}"
        raise ProfileError(f"{where} is a damaged profile: {what}") from None
    spawned = checked.get("spawned", [])
    for world in (checked, *spawned):
        numbers = [rank["rank"] for rank in world["ranks"]]
        if len(set(numbers)) < len(numbers) or max(numbers) >= world["size"]:
            raise ProfileError(f"{where} is a damaged profile: a rank appears twice, or is too large")
    worlds = [Profile([], world["size"], world["ranks"]) for world in spawned]
    return Profile(checked["command"], checked["size"], checked["ranks"], checked["exit_status"], worlds)
