"""Adds up what a profile's ranks did with files: by file, by rank, by phase."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from crumple.lab.profile.profile import Profile

MORE = "more"
#: of requests: up to 100 bytes, 1 KiB, ...
SIZE_CLASSES = ("100 B", "1 KiB", "10 KiB", "100 KiB", "1 MiB", "4 MiB", MORE)
PROGRAM = ("posix", "stdio", "mpi_io")  #: layers of calls by the program
BENEATH = "beneath_mpi_io"  #: POSIX calls of the MPI library in calls of MPI-IO
OTHERS = "(others)"


@dataclass
class Calls:
    """Calls on files, summed over ranks; seconds and bytes."""

    counts: dict[str, int] = field(default_factory=dict)  #: by kind: reads, writes, ...
    read: int = 0
    written: int = 0
    seconds: float = 0.0
    sizes: list[int] = field(default_factory=lambda: [0] * len(SIZE_CLASSES))

    def add(self, layer: dict) -> None:
        """Add the calls of one layer, as in the JSON file."""
        for kind, f in layer["calls"].items():
            self.counts[kind] = self.counts.get(kind, 0) + f["calls"]
            self.seconds += f["time"]
        self.read += layer["calls"].get("reads", {}).get("bytes", 0)
        self.written += layer["calls"].get("writes", {}).get("bytes", 0)
        both = zip(self.sizes, layer["read_sizes"], layer["write_sizes"], strict=True)
        self.sizes = [sum(three) for three in both]

    def bytes(self) -> int:
        """Read and written."""
        return self.read + self.written

    def rate(self) -> float | None:
        """Bytes per second of a rank in these calls; None: no bytes, or no time."""
        return self.bytes() / self.seconds if self.bytes() and self.seconds > 0 else None


@dataclass
class FileTotal:
    """One file, of all ranks."""

    path: str
    ranks: set[int] = field(default_factory=set)
    layers: dict[str, Calls] = field(default_factory=dict)
    phases: dict[str, Calls] = field(default_factory=dict)  #: of the program

    def main_phase(self) -> str:
        """The phase with most seconds; "": none."""
        return max(self.phases, key=lambda name: self.phases[name].seconds, default="")

    def program(self) -> Calls:
        """Calls by the program."""
        return together([c for layer, c in self.layers.items() if layer in PROGRAM])

    def through(self) -> list[str]:
        """Layers by which the program used it."""
        return [layer for layer in PROGRAM if layer in self.layers]


def together(parts: list[Calls]) -> Calls:
    """The sum of calls."""
    whole = Calls()
    for c in parts:
        for kind, n in c.counts.items():
            whole.counts[kind] = whole.counts.get(kind, 0) + n
        whole.read += c.read
        whole.written += c.written
        whole.seconds += c.seconds
        whole.sizes = [a + b for a, b in zip(whole.sizes, c.sizes, strict=True)]
    return whole


def entries(profile: Profile) -> Iterator[tuple[dict, dict, str, str, dict]]:
    """Rank, file, phase, layer and its calls: all that was recorded."""
    for rank in profile.ranks:
        for file in rank.get("io", {}).get("files", []):
            for phase, layers in file["phases"].items():
                for layer, calls in layers.items():
                    yield rank, file, phase, layer, calls


def last_name(rank: dict, file: dict, profile: Profile) -> str:
    """The path of a rank's file after what other ranks renamed."""
    path, seen = file["path"], {file["path"]}
    renames = [x for r in profile.ranks if r is not rank for x in r.get("io", {}).get("renames", [])]
    while True:
        new = next(
            (x["to"] for x in reversed(renames) if x["from"] == path and x["inode"] == file["inode"]), path
        )
        if new in seen:
            return path
        path = new
        seen.add(path)


def names_on_hosts(profile: Profile) -> dict[tuple[int, int], str]:
    """Path by rank and place in its list of files; with the host where several hosts each have their own."""
    named = {
        (rank["rank"], k): (last_name(rank, file, profile), rank["host"], file["inode"])
        for rank in profile.ranks
        for k, file in enumerate(rank.get("io", {}).get("files", []))
    }
    on: dict[str, dict[str, set[int]]] = {}
    for path, host, inode in named.values():
        on.setdefault(path, {}).setdefault(host, set()).add(inode)
    local = {
        path
        for path, hosts in on.items()
        if path != OTHERS and len(hosts) > 1 and not set.intersection(*hosts.values())
    }
    return {key: f"{host}:{path}" if path in local else path for key, (path, host, _) in named.items()}


def by_file(profile: Profile) -> list[FileTotal]:
    """All files, those with most bytes first."""
    found: dict[str, FileTotal] = {}
    names = names_on_hosts(profile)
    for rank in profile.ranks:
        for k, file in enumerate(rank.get("io", {}).get("files", [])):
            path = names[rank["rank"], k]
            total = found.setdefault(path, FileTotal(path))
            total.ranks.add(rank["rank"])
            for phase, layers in file["phases"].items():
                for layer, calls in layers.items():
                    total.layers.setdefault(layer, Calls()).add(calls)
                    if layer in PROGRAM:
                        total.phases.setdefault(phase, Calls()).add(calls)
    return sorted(found.values(), key=lambda f: (-f.program().bytes(), -f.program().seconds, f.path))


def by_phase(profile: Profile) -> dict[str, Calls]:
    """The program's calls in each phase that has any."""
    found: dict[str, Calls] = {}
    for _, _, phase, layer, calls in entries(profile):
        if layer in PROGRAM:
            found.setdefault(phase, Calls()).add(calls)
    return found


def by_rank(profile: Profile) -> dict[int, Calls]:
    """The program's calls of each rank that has any."""
    found: dict[int, Calls] = {}
    for rank, _, _, layer, calls in entries(profile):
        if layer in PROGRAM:
            found.setdefault(rank["rank"], Calls()).add(calls)
    return found
