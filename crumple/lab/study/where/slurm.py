"""Runs as arrays of Slurm jobs: submits, watches, collects, finds again and cancels them."""

import json
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.processes import Job
from crumple.lab.study.database import now
from crumple.lab.study.file_system import obstacle as file_system_obstacle
from crumple.lab.study.study_file import StudyFile
from crumple.lab.study.where import slurm_queue
from crumple.lab.study.where.ranks_on_nodes import mpirun_on_nodes, node_obstacle, srun
from crumple.lab.study.where.slurm_script import array_script, run_script, shape
from crumple.lab.study.where.system import Ended, Prepare, Prepared, Run, Say, not_started
from crumple.mpi import Mpi
from crumple.whole_file import write_whole

LONGEST = 1000  #: largest number of tasks in an array; Slurm's default MaxArraySize is 1001
PATIENCE = 60.0  #: s by which accounting and shared folders may lag behind the queue
SILENCE = 900.0  #: s without an answer from Slurm before a study gives up
BEYOND_MEMORY = re.compile(r"^slurmstepd\S*: error: .* exceeded memory limit ", re.M)
TIMED_OUT = (124, 137)  #: exit statuses of `timeout`: ended, killed


@dataclass
class Task:
    """A run as one task of an array job."""

    id: str  #: "12_3"
    prepared: Prepared
    file: Path  #: its description in the array's folder; removed when it is collected
    left: float | None = None  #: when it was first missing in the queue

    def forget(self) -> None:
        """Remove its folder, and after the last task that of the array."""
        self.file.unlink(missing_ok=True)
        shutil.rmtree(self.prepared.folder, ignore_errors=True)
        if not any(self.file.parent.glob("*.json")):
            shutil.rmtree(self.file.parent, ignore_errors=True)


def write_task(file: Path, prepared: Prepared) -> None:
    """Describe a run, so that another process can collect it."""
    content = {
        "key": prepared.run.key,
        "repeat": prepared.run.repeat,
        "folder": str(prepared.folder),
        "jobs": [{"command": job.command, "directory": str(job.directory)} for job in prepared.jobs],
        "source": prepared.source,
    }
    write_whole(file, json.dumps(content))


def read_task(file: Path, array: str, runs: dict[tuple[str, int], Run]) -> Task | None:
    """A task that an earlier process submitted; None if the study has no such open run."""
    content = json.loads(file.read_text())
    run = runs.get((content["key"], content["repeat"]))
    if run is None:
        return None
    jobs = [Job(job["command"], Path(job["directory"]), {}) for job in content["jobs"]]
    return Task(f"{array}_{file.stem}", Prepared(run, Path(content["folder"]), jobs, content["source"]), file)


def words_of(path: Path) -> dict[str, str]:
    """A file with lines "name value"; empty if it is missing."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return {}
    return dict(line.partition(" ")[::2] for line in lines)


def seconds(text: str) -> float:
    """Seconds in the output of bash's `times`: "1m2.003s 0m0.100s", user and system time of the children."""
    total = 0.0
    for part in text.split():
        minutes, _, rest = part.rstrip("s").partition("m")
        total += 60.0 * float(minutes) + float(rest)
    return total


class Slurm:
    """A cluster under Slurm."""

    def __init__(self, study: StudyFile, base: Path) -> None:
        self.study = study
        self.nodes, self.cores = slurm_queue.capacity(study.where.partition)
        self.failed: list[Prepared] = []  #: runs that could not be prepared
        folder = study.where.folder.expanduser() if study.where.folder else Path(f"{study.study.name}.runs")
        self.folder = (base / folder).resolve()

    def obstacle(self, case: StudyCase) -> str:
        """Too few nodes, or too few cores per node."""
        if why := file_system_obstacle(case, here=False):
            return why
        return node_obstacle(case, self.nodes, self.cores, self.study.study.oversubscribe)

    def command(self, case: StudyCase, mpi: Mpi, job: int) -> list[str]:
        """mpirun or srun, within the job's allocation."""
        if self.study.where.launcher == "srun":
            return srun(case, mpi, job, self.study.where)
        own = self.study.where.options_of(case.mpi)
        return mpirun_on_nodes(case, mpi, job, self.study.study.oversubscribe, own)

    def conduct(self, runs: list[Run], prepare: Prepare, say: Say) -> Iterator[tuple[Prepared, Ended]]:
        """Submit the missing runs, and collect runs in the order in which they end."""
        tasks = self.found(runs)
        if tasks:
            say(f"found {len(tasks)} earlier runs: {numbers_of(tasks)}")
        try:
            held = {(task.prepared.run.key, task.prepared.run.repeat) for task in tasks}
            missing = [run for run in runs if (run.key, run.repeat) not in held]
            for group in groups_of(missing):
                tasks += self.submit(group, prepare)
            for prepared in self.failed:
                yield prepared, not_started(prepared)
            if missing:
                say(f"{len(missing)} runs submitted to Slurm: {numbers_of(tasks[len(held) :])}")
            while tasks:
                for task, ended in list(self.ended(tasks)):
                    tasks.remove(task)
                    yield task.prepared, ended
                    task.forget()
                if tasks:
                    time.sleep(self.study.where.poll)
        finally:
            if tasks:
                slurm_queue.cancel([task.id for task in tasks])
            for task in tasks:
                task.forget()

    def submit(self, runs: list[Run], prepare: Prepare) -> list[Task]:
        """Submit runs of the same size as an array."""
        self.folder.mkdir(parents=True, exist_ok=True)
        array = Path(tempfile.mkdtemp(prefix="array-", dir=self.folder))
        prepared: list[Prepared] = []
        try:
            for run in runs:
                one = prepare(run, self.run_folder(run.case, array, len(prepared)))
                if one.failure:
                    self.failed.append(one)
                    shutil.rmtree(one.folder, ignore_errors=True)
                    continue
                prepared.append(one)
                script = run_script(one.folder, one.jobs, self.study)
                (one.folder / "run.sh").write_text(script)
                write_task(array / f"{len(prepared) - 1}.json", one)
            if not prepared:
                shutil.rmtree(array)
                return []
            (array / "tasks").write_text("".join(f"{p.folder}\n" for p in prepared))
            (array / "array.sh").write_text(
                array_script(array, shape(runs[0].case), len(prepared), self.study)
            )
            number = slurm_queue.submit(str(array / "array.sh"))
        except BaseException:
            for each in prepared:
                shutil.rmtree(each.folder, ignore_errors=True)
            shutil.rmtree(array, ignore_errors=True)
            raise
        write_whole(array / "job", number)
        return [Task(f"{number}_{k}", p, array / f"{k}.json") for k, p in enumerate(prepared)]

    def run_folder(self, case: StudyCase, array: Path, index: int) -> Path:
        """A folder for a run, which all nodes see: in that of the array, or in the folder of the case."""
        where = case.folder()
        if not where:
            folder = array / f"run{index}"
            folder.mkdir()
            return folder
        where = where.resolve()
        where.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="crumple-study-", dir=where))

    def found(self, runs: list[Run]) -> list[Task]:
        """Tasks that an earlier process submitted but did not collect."""
        open_ = {(run.key, run.repeat): run for run in runs}
        tasks = []
        for file in sorted(self.folder.glob("array-*/*.json")):
            number = file.with_name("job")
            if number.exists() and (task := read_task(file, number.read_text(), open_)):
                tasks.append(task)
        return tasks

    def ended(self, tasks: list[Task]) -> Iterator[tuple[Task, Ended]]:
        """Tasks that have left the queue, and how they ended as soon as this is known."""
        states = self.queued(tasks)
        for task in tasks:
            if task.id in states:
                task.left = None
                continue
            task.left = task.left or time.monotonic()
            late = time.monotonic() - task.left > PATIENCE
            record = slurm_queue.record(task.id)
            wrote = (task.prepared.folder / "ended.txt").exists()
            # Accounting lags behind the queue, and a shared folder behind the node that wrote to it.
            if late or (record and (wrote or record.state not in ("COMPLETED", "FAILED"))):
                yield task, self.how(task, record)

    def queued(self, tasks: list[Task]) -> dict[str, str]:
        """States of the tasks in the queue; if Slurm does not answer for a while, all tasks."""
        start = time.monotonic()
        numbers = sorted({task.id.split("_")[0] for task in tasks})
        while True:
            try:
                return slurm_queue.queued(numbers)
            except StudyError:
                if time.monotonic() - start > SILENCE:
                    raise
                time.sleep(self.study.where.poll)

    def how(self, task: Task, record: slurm_queue.Record | None) -> Ended:
        """How a task ended, from Slurm's record and the notes of its script."""
        begun, wrote = (words_of(task.prepared.folder / f"{part}.txt") for part in ("begun", "ended"))
        statuses = [int(word) for word in wrote.get("statuses", "").split()]
        state = "failed" if any(statuses) or not statuses else "done"
        if any(status in TIMED_OUT for status in statuses) and self.over(float(wrote["elapsed"])):
            state = "timeout"
        if record and record.state not in ("COMPLETED", "FAILED"):
            state = record.state.lower()
        elif state == "failed" and self.beyond_memory(task):
            state = "out_of_memory"
        ended = Ended(
            state,
            statuses,
            float(wrote.get("elapsed", 0.0)),
            seconds(wrote.get("cpu", "")),
            begun.get("started", now()),
            float(begun.get("load", 0.0)),
            texts={"slurm job": task.id},
        )
        if record:
            ended.nodes, ended.joules, ended.meter = record.count, record.joules, "Slurm"
            ended.texts["nodes"] = record.nodes
        if "memory" in begun:
            ended.machine = machine_of(begun)
        if state != "done":
            ended.note = self.note(task, record)
        return ended

    def over(self, elapsed: float) -> bool:
        """Whether a run used all of its time."""
        return elapsed >= self.study.study.time_limit

    def beyond_memory(self, task: Task) -> bool:
        """Whether Slurm reports in an output that it ended a job because of its memory.

        With control groups the record has this; if Slurm polls (OverMemoryKill), it only cancels the step.
        """
        outputs = [task.file.with_suffix(".out"), *(job.directory / "log.txt" for job in task.prepared.jobs)]
        texts = (path.read_text(errors="replace") for path in outputs if path.exists())
        return any(BEYOND_MEMORY.search(text) for text in texts)

    def note(self, task: Task, record: slurm_queue.Record | None) -> str:
        """Messages of Slurm and of the job's own output about a run that failed."""
        said = f"{record.state} on {record.nodes or 'no node'}" if record else "no longer known"
        output = task.file.with_suffix(".out")
        text = output.read_text(errors="replace").strip() if output.exists() else ""
        return "\n".join(filter(None, [f"Slurm job {task.id}: {said}", text]))


def machine_of(begun: dict[str, str]) -> dict[str, str | int]:
    """The node as a machine of the provenance."""
    return {
        "host": begun["host"],
        "processor": begun["processor"],
        "cores": int(begun["cores"]),
        "memory": int(begun["memory"]) * 1024,
        "kernel": begun["kernel"],
        "system": "Slurm",
    }


def groups_of(runs: list[Run]) -> list[list[Run]]:
    """Groups of runs with the same request to Slurm, each at most as long as an array."""
    by_shape: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        by_shape.setdefault(shape(run.case), []).append(run)
    return [group[k : k + LONGEST] for group in by_shape.values() for k in range(0, len(group), LONGEST)]


def numbers_of(tasks: list[Task]) -> str:
    """The numbers of the jobs, in words."""
    return "jobs " + ", ".join(dict.fromkeys(task.id.split("_")[0] for task in tasks))
