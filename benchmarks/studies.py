"""Runs shipped studies and writes their reports into docs/studies: all of them, or those that are named.

A study that cannot run here (a solver for MPICH that is not built, a program that is not installed) is
named and left out. Results stay in build/studies, so that an interrupted study goes on where it stopped.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build" / "studies"
REPORTS = ROOT / "docs" / "studies"
PUBLISHED = ROOT.parent / "shared" / "reference" / "published.toml"
COMMAND = [sys.executable, "-m", "crumple", "study"]


def conduct(file: Path) -> bool:
    """One study and its report; whether the report was written."""
    database = RESULTS / f"{file.stem}.db"
    status = subprocess.run([*COMMAND, "run", str(file), "--database", str(database)], cwd=ROOT).returncode
    if status == 2 or not database.exists():
        return False
    published = ["--published", str(PUBLISHED)] if PUBLISHED.exists() else []
    for suffix, folder in ((".md", REPORTS), (".html", RESULTS)):
        page = folder / f"{file.stem}{suffix}"
        words = [*COMMAND, "report", str(database), "-o", str(page), *published]
        if subprocess.run(words, cwd=ROOT).returncode:
            return False
    return True


def main() -> int:
    """Exit status 0 all reports are there, 1 some are not."""
    names = sys.argv[1:] or sorted(p.stem for p in (ROOT / "benchmarks").glob("*.toml"))
    RESULTS.mkdir(parents=True, exist_ok=True)
    REPORTS.mkdir(parents=True, exist_ok=True)
    left = [name for name in names if not conduct(ROOT / "benchmarks" / f"{name}.toml")]
    if left:
        print(f"no report of: {', '.join(left)}")
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
