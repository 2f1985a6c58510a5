"""The combinations of a study's axes: those that run, and the reasons why the others do not."""

import hashlib
import itertools
import json
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from crumple.lab.applications.case import StudyCase
from crumple.lab.study.study_file import StudyFile


@dataclass(frozen=True)
class LeftOut:
    """A combination that does not run."""

    case: StudyCase
    why: str


AXES = tuple(f.name for f in fields(StudyCase))


def varied_axes(study: StudyFile) -> tuple[str, ...]:
    """Axes with more than one value; ranks if there is none."""
    found = tuple(name for name in AXES if len(getattr(study.axes, name)) > 1)
    return found or ("ranks",)


def combinations(study: StudyFile) -> list[StudyCase]:
    """All combinations, in the order of the values in the file."""
    given = {name: values for name in AXES if (values := getattr(study.axes, name))}
    return [
        StudyCase(**dict(zip(given, values, strict=True))) for values in itertools.product(*given.values())
    ]


def obstacle(case: StudyCase, optional_axes: frozenset[str]) -> str:
    """Why a combination cannot run anywhere; empty if it can.

    Args:
        optional_axes: axes that the application has beyond those that every program has
    """
    if case.ranks_per_node and case.ranks % case.ranks_per_node:
        return f"{case.ranks} ranks do not fill nodes with {case.ranks_per_node} each"
    if case.device != "default" and case.ranks == 1:
        return "one rank sends nothing"
    if case.jobs > 1 and case.binding == "none":
        return "jobs side by side need their own cores: binding packed, scattered or socket"
    for axis in ("decomposition", "precision"):
        if getattr(case, axis) and axis not in optional_axes:
            return f"the application has no {axis}"
    return ""


def plan_cases(
    study: StudyFile, optional_axes: frozenset[str], here: Callable[[StudyCase], str]
) -> tuple[list[StudyCase], list[LeftOut]]:
    """Cases that run, and those left out with the reason.

    Args:
        optional_axes: axes that the application has beyond those that every program has
        here: returns why a case cannot run on this system; empty if it can
    """
    run, left = [], []
    for case in combinations(study):
        if why := obstacle(case, optional_axes) or here(case):
            left.append(LeftOut(case, why))
        else:
            run.append(case)
    return run, left


def case_key(case: StudyCase, study: StudyFile) -> str:
    """A key that changes only if something else would run: settings, workload, names of executables."""
    settings, where = asdict(case), study.where.model_dump()
    if not case.file_system:  # without it, keys are as before this axis existed
        del settings["file_system"]
    where["launcher_options"] = study.where.options_of(case.mpi)
    if not where["launcher_options"]:  # without options, keys are as before this setting existed
        del where["launcher_options"]
    what = {
        "case": settings,
        "workload": study.workload.model_dump(),
        "where": where,
        "version": str(study.versions.get(case.version, "")),
        "profile": study.study.profile,
    }
    return hashlib.sha256(json.dumps(what, sort_keys=True, default=str).encode()).hexdigest()[:16]


def with_full_paths(study: StudyFile, base: Path) -> StudyFile:
    """The same with full paths of its versions, which are relative to the study file's folder."""
    versions = {name: (base / file.expanduser()).resolve() for name, file in study.versions.items()}
    return study.model_copy(update={"versions": versions})


def keys_of_file(text: str, path: Path) -> frozenset[str]:
    """Keys of all cases in the text of a study file; none if it cannot be read."""
    try:
        study = StudyFile.model_validate(tomllib.loads(text))
    except (ValueError, RecursionError):  # from tomllib and pydantic
        return frozenset()
    study = with_full_paths(study, path.parent)
    return frozenset(case_key(case, study) for case in combinations(study))
