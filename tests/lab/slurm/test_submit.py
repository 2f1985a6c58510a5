"""`crumple submit` with a real Slurm: the next job follows one that ran out of time, and goes on."""

import re

from command_line import crumple
from jobs_in_folder import ENDS_EARLY, Jobs

from crumple.restart.dumps import read_dump


def test_next_job_is_submitted_by_the_first(jobs: Jobs):
    lines = [word for line in ENDS_EARLY.splitlines() for word in ("--setup", line)]
    words = ["-n", "2", "-d", "out", "--time", "10", "--jobs", "2", "--run=--dump-cycles 2000", *lines]
    done = crumple("submit", "deck.k", *words, directory=jobs.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    first = int(re.match(r"job (\d+): ", done.stdout)[1])
    logs = [jobs.folder / "out" / f"job-{job}.log" for job in (first, first + 1)]
    jobs.cluster.wait_until(
        lambda: logs[1].exists() and "has not ended after 2 jobs" in logs[1].read_text(), "no second job"
    )
    begun, gone_on = (log.read_text() for log in logs)
    assert "restart" not in begun and f"Submitted batch job {first + 1}" in begun, begun
    cycles = [read_dump(jobs.folder / "out" / f"d3dump0{k}").cycle for k in (1, 2)]
    assert 0 < cycles[0] < cycles[1]
    assert f"cycle {cycles[0]}" in gone_on, gone_on
