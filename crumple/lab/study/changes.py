"""Programs and input files of a study that have changed since its runs."""

from pathlib import Path

from crumple.lab.provenance import hash_of
from crumple.lab.study.conductor import StudyPlan
from crumple.lab.study.database import Database


def changed_files(plan: StudyPlan, database: Database) -> list[Path]:
    """Programs and input files whose content has changed since runs with them were done."""
    before: dict[Path, set[str]] = {}
    for key in dict.fromkeys(run.key for run in plan.runs):
        for source in database.sources(key):
            program = source["executable"]
            for path, content in {program["path"]: program["sha256"], **source["inputs"]}.items():
                before.setdefault(Path(path), set()).add(content)
    return [path for path, contents in before.items() if path.is_file() and contents != {hash_of(path)}]
