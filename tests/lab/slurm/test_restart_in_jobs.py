"""A run in jobs of a real Slurm: a dump before the first job's end, the same bits at the end of the next."""

import time

import pytest
from jobs_in_folder import ENDS_EARLY, LEFT
from same_results import different_files
from solver_run import run

from crumple.restart.dumps import read_dump

FURTHER = 1.2  #: the end of the run, as a multiple of the time of its first dump


@pytest.mark.parametrize("why", ["the end of the Slurm job", "stopped on request"])
def test_next_job_goes_on(why, jobs):
    begin = time.monotonic()
    if why == "stopped on request":
        job = jobs.submit(2)
        jobs.wait_for(job, "start-up")
        jobs.cluster.say("scancel", "--batch", "--signal=TERM", job)
    else:
        job = jobs.submit(2, first=ENDS_EARLY)
    said = jobs.ended(job)
    assert time.monotonic() - begin < LEFT + 20
    assert why in said, said
    dump = read_dump(jobs.folder / "out" / "d3dump01")
    assert dump and dump.ranks == 2 and dump.cycle > 0
    end = f"{FURTHER * dump.time:.3e}"
    said = jobs.ended(jobs.submit(1, more=f"--end-time {end}"))
    assert "restart" in said
    whole = run(jobs.folder / "deck.k", jobs.folder / "whole", f"endtime={end}")
    assert f"state hash: {whole.hash}" in said
    changed = ["d3hsp"]  # it tells the end time, first of one and then of the other
    assert different_files(jobs.folder / "out", whole.directory) == changed
