"""Measures messages between pairs of cores, and collectives of all cores."""

from crumple.lab.calibrate.micro_benchmarks import (
    Library,
    MeasuringEffort,
    Samples,
    measured,
    on_cores,
    on_hosts,
    words,
)
from crumple.lab.calibrate.this_machine import cores, pairs
from crumple.lab.catalogue.platform_file import (
    Link,
    MeasuredCollective,
    PairFigure,
    Platform,
    PointToPoint,
    summarized,
)

HOW = {
    "point_to_point": "MPI_Send and MPI_Recv there and back between two ranks, each bound to its core; half "
    "the time; a sample is the mean of a block of repetitions",
    "message_rate": "64 MPI_Isend of 8 bytes one way, MPI_Waitall, an empty answer; messages a second",
    "link": "latency: the smallest message of point_to_point; bandwidth: size over time of its largest",
    "collective": "MPI_Allreduce (sum of doubles), MPI_Bcast from each rank in turn; ranks bound to cores",
}


def measure_pairs(
    platform: Platform, which: Library, effort: MeasuringEffort, largest: int, hosts: list[str]
) -> None:
    """Measure messages for one pair of each existing kind."""
    arguments = words("pair", effort, largest)
    for kind, two in pairs(cores()).items():
        add_pair(platform, which.name, kind, list(two), [], measured(on_cores(which, list(two), arguments)))
    if len(hosts) > 1:
        two_hosts = hosts[:2]
        add_pair(
            platform, which.name, "other node", [], two_hosts, measured(on_hosts(which, two_hosts, arguments))
        )


def add_pair(
    platform: Platform,
    mpi: str,
    kind: str,
    of: list[int],
    hosts: list[str],
    samples: dict[tuple[str, int], Samples],
) -> None:
    """Add the rows of a pair."""
    common = {"mpi": mpi, "pair": kind, "cores": of, "hosts": hosts}
    rows = []
    for (name, size), s in sorted(samples.items()):
        if name == "half_round_trip":
            rows.append(PointToPoint(**common, size=size, **summarized(s.values, s.shares)))
        else:
            rate = PairFigure(**common, **summarized([1.0 / v for v in s.values], s.shares))
            platform.message_rate.append(rate)
    platform.point_to_point += rows
    least, most = rows[0], rows[-1]
    platform.link.append(
        Link(
            mpi=mpi,
            pair=kind,
            latency=least.median,
            bandwidth=most.size / most.median,
            message_rate=rate.median,
        )
    )


def counts(most: int) -> list[int]:
    """Powers of two up to a number, and the number itself."""
    return sorted({1 << k for k in range(most.bit_length())} | {most})


def measure_collectives(platform: Platform, which: Library, effort: MeasuringEffort, largest: int) -> None:
    """Measure collectives on 2, 4, ... ranks, up to all cores."""
    for ranks in counts(len(cores())):
        if ranks < 2:
            continue
        samples = measured(on_cores(which, cores()[:ranks], words("collectives", effort, largest)))
        for (name, size), s in sorted(samples.items()):
            platform.collective.append(
                MeasuredCollective(
                    mpi=which.name,
                    operation=name,
                    ranks=ranks,
                    size=size,
                    **summarized(s.values, s.shares),
                )
            )
