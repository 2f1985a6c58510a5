"""Seconds of an implicit step with an out-of-core direct solver: arithmetic, and bytes over file systems.

A factor is written once and read twice in each solve, forwards and backwards. Nothing of this overlaps with
arithmetic, and no page cache helps.
"""

from crumple.lab.catalogue.hardware import Cluster

#: MUMPS 5.5.1 with METIS: operations for this number of equations of solids; they grow with its square
OPERATIONS, EQUATIONS = 7.8e11, 300_000
#: a ring of 921,600 solids: 28 GB in single precision, so twice that; grows with the power of 4/3
FACTOR_BYTES, FACTOR_EQUATIONS = 56e9, 2.9e6
#: operations per clock of a core with SSE (128 bits) in double precision; a multifrontal solver gets half
A_CLOCK, SHARE = 4.0, 0.5
FACTORISATIONS, SOLVES, PASSES = 2, 2, 2  #: as published for CYL1E6


def seconds_of_step(
    cluster: Cluster, nodes: int, ranks: int, equations: int, clock: float
) -> tuple[float, float]:
    """Seconds for arithmetic, and for reading and writing.

    Args:
        clock: clock of a core in Hz
    """
    operations = FACTORISATIONS * OPERATIONS * (equations / EQUATIONS) ** 2
    computing = operations / (ranks * clock * A_CLOCK * SHARE)
    factor = FACTOR_BYTES * (equations / FACTOR_EQUATIONS) ** (4.0 / 3.0)
    system, network = cluster.file_system, cluster.network
    servers = nodes if system.kind == "local" else system.servers
    write, read = servers * system.write_bandwidth, servers * system.read_bandwidth
    if system.kind != "local":
        through = nodes * network.bandwidth * network.rails
        write, read = min(write, through), min(read, through)
    moving = FACTORISATIONS * factor / write + SOLVES * PASSES * factor / read
    return computing, moving
