"""The script of a job: what it asks Slurm for, what it runs, when the next job follows."""

import json
import subprocess
from pathlib import Path

import pytest
from command_line import crumple
from small_decks import block

from crumple.lab.submit.advised import SubmitError, advised_layout
from crumple.lab.submit.job_script import OUT_OF_TIME, JobWish, job_script

ROOT = Path(__file__).resolve().parents[3]


def run_script(folder: Path, said: str, status: int, job: int, jobs: int = 3) -> tuple[int, str]:
    """The exit status of a job whose run prints `said`, and what it gives to sbatch."""
    (folder / "bin").mkdir(exist_ok=True)
    sbatch = folder / "bin" / "sbatch"
    sbatch.write_text(f'#!/bin/sh\necho "$@" > "{folder}/submitted"\n')
    program = folder / "bin" / "program"
    program.write_text(f"#!/bin/sh\necho '{said}'\nexit {status}\n")
    for path in (sbatch, program):
        path.chmod(0o755)
    (folder / "submitted").unlink(missing_ok=True)
    script = folder / "job.sh"
    script.write_text(job_script(JobWish(folder / "a.k", folder, 4, jobs=jobs), [str(program)], script))
    with (folder / "job-17.log").open("w") as log:
        done = subprocess.run(
            ["bash", str(script)],
            env={"PATH": f"{folder}/bin:/usr/bin:/bin", "SLURM_JOB_ID": "17", "CRUMPLE_JOB": str(job)},
            stdout=log,
            check=False,
        )
    given = folder / "submitted"
    return done.returncode, given.read_text() if given.exists() else ""


def test_next_job_follows_only_when_time_was_short(tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    assert run_script(folder, "ended well", 0, 1) == (0, "")
    assert run_script(folder, "an error", 3, 1) == (3, "")
    status, given = run_script(folder, OUT_OF_TIME, 0, 2)
    assert status == 0
    assert given.split() == [
        "--export=ALL,CRUMPLE_JOB=3",
        "--dependency=afterany:17",
        *str(folder / "job.sh").split(),
    ]
    assert run_script(folder, OUT_OF_TIME, 0, 3) == (1, "")
    assert "not ended after 3 jobs" in (folder / "job-17.log").read_text()


def test_request(tmp_path):
    wish = JobWish(
        tmp_path / "a.k",
        tmp_path / "100 %",
        ranks=30,
        threads=2,
        nodes=4,
        time="1-12",
        partition="long",
        account="crash",
        options=("--exclusive",),
        setup=("module load mpi",),
        run=("--precision", "single"),
    )
    lines = job_script(wish, ["crumple"], tmp_path / "job.sh").splitlines()
    asked = [line.removeprefix("#SBATCH ") for line in lines if line.startswith("#SBATCH")]
    assert asked[:-2] == [
        "--job-name=a",
        "--ntasks=30",
        "--nodes=4",
        "--ntasks-per-node=8",
        "--cpus-per-task=2",
        "--time=1-12",
        "--partition=long",
        "--account=crash",
    ]
    assert asked[-2:] == [f"'--output={tmp_path}/100 %%/job-%j.log'", "--exclusive"]
    run = next(line for line in lines if line.startswith("crumple run"))
    assert lines.index("module load mpi") < lines.index(run)
    assert run.endswith("--restart auto --auto-restart --precision single") and "-n 30 --threads 2" in run


def test_advice(tmp_path):
    path = tmp_path / "advice.json"
    best = {"ranks": 32, "threads": 2, "nodes": 4, "jobs": 1, "decomposition": "metis", "high": 7000.0}
    path.write_text(json.dumps({"best": [best]}))
    layout = advised_layout(path)
    assert (layout.ranks, layout.threads, layout.nodes, layout.minutes) == (32, 2, 4, 175)
    (tmp_path / "a.k").write_text(block(1e-4, 5.0))
    done = crumple("submit", "a.k", "--advice", "advice.json", "--dry-run", directory=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "#SBATCH --ntasks-per-node=8\n" in done.stdout and "#SBATCH --time=175\n" in done.stdout
    assert "--decomposition metis" in done.stdout
    done = crumple("submit", "a.k", "--advice", "advice.json", "-n", "8", "--dry-run", directory=tmp_path)
    assert "--nodes" not in done.stdout and "--time" not in done.stdout and "metis" not in done.stdout
    for wrong in ("{}", "[", '{"best": []}', '{"best": [{"ranks": null}]}'):
        path.write_text(wrong)
        with pytest.raises(SubmitError, match="has no advice"):
            advised_layout(path)


def test_what_cannot_be_submitted(tmp_path):
    (tmp_path / "good.k").write_text(block(1e-4, 5.0))
    (tmp_path / "bad.k").write_text("*KEYWORD\n*NODE\nx\n*END\n")
    for words, says in (
        (["missing.k", "-n", "2"], "there is no deck missing.k"),
        (["good.k"], "how many ranks?"),
        (["good.k", "-n", "2", "--advice", "none.json"], "none.json"),
        (["bad.k", "-n", "2"], "error CR-"),
    ):
        done = crumple("submit", *words, "-d", "out", directory=tmp_path)
        assert done.returncode == 2 and says in done.stdout, done.stdout
        assert not (tmp_path / "out").exists()


def test_a_path_with_a_line_break_is_refused(tmp_path):
    """Also where the script is only shown."""
    deck = tmp_path / "a\nb.k"
    deck.write_text(block(1.0, 0.01))
    done = crumple("submit", deck.name, "-n", "2", "--dry-run", directory=tmp_path)
    assert done.returncode == 2
    assert "a path with a line break cannot be in a job" in done.stdout + done.stderr
