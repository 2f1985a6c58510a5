"""A run in jobs of a real Slurm: a dump before the first job's end, the same bits at the end of the next."""

import re
import sys
import time
from pathlib import Path

import pytest
from same_results import different_files
from slurm_cluster import SlurmCluster
from small_decks import block
from solver_run import run

from crumple.restart.dumps import read_dump

ROOT = Path(__file__).resolve().parents[3]
#: The job that users submit again until their run has ended. It begins no earlier run's results anew.
JOB = """#!/bin/bash
#SBATCH --nodes=1 --ntasks=2 --time=10 --output=job-%j.log
{first}
exec {python} -m crumple run deck.k -n {ranks} -d out --restart auto --auto-restart {more}
"""
LEFT = 10  #: s of the job that ends early; Slurm's shortest limit would be a minute
#: Slurm 23 and later say when a job ends; 22 does not.
ENDS_EARLY = f"""scontrol update JobId=$SLURM_JOB_ID EndTime=now+{LEFT}
end=$(scontrol --oneliner show job $SLURM_JOB_ID | sed 's/.* EndTime=\\([^ ]*\\).*/\\1/')
export SLURM_JOB_END_TIME=$(date -d "$end" +%s)"""
FURTHER = 1.2  #: the end of the run, as a multiple of the time of its first dump


class Jobs:
    """Jobs in a folder, one after the other."""

    def __init__(self, cluster: SlurmCluster, folder: Path) -> None:
        self.cluster, self.folder = cluster, folder

    def submit(self, ranks: int, first: str = "", more: str = "") -> str:
        """The number of a new job."""
        script = self.folder / "job.sh"
        script.write_text(JOB.format(first=first, python=sys.executable, ranks=ranks, more=more))
        done = self.cluster.say("sbatch", "--parsable", f"--chdir={self.folder}", str(script))
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def log(self, job: str) -> str:
        """What it has said so far."""
        path = self.folder / f"job-{job}.log"
        return path.read_text() if path.exists() else ""

    def wait_for(self, job: str, text: str) -> None:
        """Wait until the job has said something."""
        self.cluster.wait_until(lambda: text in self.log(job), f"job {job} says no {text!r}")

    def ended(self, job: str) -> str:
        """What a job has said at its end, which was a good one."""
        self.cluster.wait_until(lambda: self.state(job) not in ("PENDING", "RUNNING", "COMPLETING"), job)
        assert self.state(job) == "COMPLETED", self.log(job)
        return self.log(job)

    def state(self, job: str) -> str:
        """What Slurm says of it."""
        said = self.cluster.say("scontrol", "--oneliner", "show", "job", job).stdout
        return re.search(r"JobState=(\S+)", said)[1]


@pytest.fixture
def jobs(cluster, tmp_path, monkeypatch) -> Jobs:
    """A folder with a deck whose run takes longer than any job."""
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "deck.k").write_text(block(1e6, 5.0, cells=3))
    return Jobs(cluster, tmp_path)


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
