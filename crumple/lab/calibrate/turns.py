"""Time that ranks lose by taking turns on a core, with one rank and with two on each core."""

from crumple.lab.calibrate.micro_benchmarks import Library, MeasuringEffort, measured, on_cores, words
from crumple.lab.calibrate.this_machine import cores
from crumple.lab.catalogue.platform_file import Platform, Turn, summarized

HOW = {
    "turns": "ranks work without memory and wait, for a message of 8 bytes from each of two neighbours or in "
    "MPI_Allreduce, again and again; seconds of a repetition beyond the processor time of all ranks' work "
    "over the cores; ranks are bound to cores, back and forth over them, and where they outnumber them those "
    "that wait yield, if the MPI library can (mpi_yield_when_idle of Open MPI)"
}
RANKS_PER_CORE = (1, 2)


def measure_turns(platform: Platform, which: Library, effort: MeasuringEffort) -> None:
    """Measure with as many ranks as cores, for comparison, and with twice as many."""
    for each in RANKS_PER_CORE:
        # Back and forth: each rank of a shared core has a neighbour on it, and one on another core
        bound = (cores() + cores()[::-1])[: each * len(cores())]
        command = on_cores(which, bound, words("turns", effort, len(cores())))
        for (name, nanoseconds), s in sorted(measured(command).items()):
            platform.turns.append(
                Turn(
                    mpi=which.name,
                    wait=name,
                    ranks_per_core=each,
                    work=nanoseconds * 1e-9,
                    **summarized(s.values, s.shares),
                )
            )
