"""Jobs of a real Slurm in a folder, one after the other, which end early."""

import re
import sys
from pathlib import Path

from slurm_cluster import SlurmCluster

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
