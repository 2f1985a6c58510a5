"""Reads and checks the file of a published study: its cases and its findings."""

import tomllib
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import (
    BaseModel,
    Field,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    model_validator,
)

from crumple.lab.applications.case import StudyError
from crumple.lab.catalogue.hardware import Transport
from crumple.lab.toml_places import line_of, line_of_syntax_error, places
from crumple.lab.toml_table import TomlTable, nearest

Measure = Literal[
    "reduction",  # of elapsed time, %: the case against the other
    "increase",  # of jobs a day, %
    "factor",  # of jobs a day
    "energy reduction",  # of energy a job, %
    "elapsed",  # seconds of the other case and of this case
    "slower",  # the case against the other; no figure
    "faster",
    "turn",  # number of nodes, of those in `over`, with the shortest time
    "within",  # times differ by at most so many percent
    "connections",  # number at an endpoint, by transport
    "small messages",  # more than half of all messages have 4 KB or less
    "more messages",  # a rank sends more in the case than in the other, and more bytes in large ones
    "alike",  # times differ by less than 2 %; no figure
    "collectives",  # they take most of the time in MPI
    "MPI share",  # share of MPI in the time, %, with the waiting for others
    "message bytes",  # the size of messages is between two sizes
    "not predicted",
]
PAIRS = (
    "reduction",
    "increase",
    "factor",
    "energy reduction",
    "elapsed",
    "slower",
    "faster",
    "within",
    "alike",
    "more messages",
)
WITHOUT_FIGURE = (
    "slower",
    "faster",
    "alike",
    "small messages",
    "more messages",
    "collectives",
    "not predicted",
)
COMPARED = tuple(m for m in PAIRS if m != "more messages") + ("turn",)  #: they compare times of cases
DECKS = ("three-vehicle", "neon", "car2car", "caravan")
MODELS = (*DECKS, "flow", "factorisation")  #: `elements` means cells of a flow, equations of a factorisation


class PublishedCase(TomlTable):
    """A case. Keys that are not given come from the file's [case], then from these defaults."""

    model: str = "three-vehicle"
    elements: Annotated[int, Field(ge=0)] = 0  #: 0: as many as the published model has
    cluster: str = ""  #: name of a file in the folder of clusters
    nodes: PositiveInt = 1  #: nodes in use
    ranks_per_node: PositiveInt | None = None  #: of all jobs; default: all cores
    jobs: PositiveInt = 1  #: jobs side by side, each with its share of every node's cores
    decomposition: str = "stock"  #: or the path of a pfile, relative to the file's folder
    precision: Literal["single", "double"] = "double"
    inside: Literal["shared memory", "network"] = "shared memory"  #: messages within a node
    latency_factor: PositiveFloat = 1.0
    extra_hops: Annotated[int, Field(ge=0)] = 0
    file_system: str = ""  #: an entry of the catalogue; default: the cluster's
    cycles: Annotated[int, Field(ge=0)] = 0  #: cycles of the job; 0: one, and times are those of a cycle
    written: Annotated[float, Field(ge=0)] = 0.0  #: bytes of results that the job writes
    states: Annotated[int, Field(ge=0)] = 0  #: number of states in which they are written; 0: not known
    dumped: Annotated[float, Field(ge=0)] = 0.0  #: bytes of restart dumps that the job writes
    dumps: Annotated[int, Field(ge=0)] = 0  #: number of these dumps


class Finding(TomlTable):
    """One row; or with `over` and `each`, one for every value."""

    number: PositiveInt  #: number of the finding in the paper, as in the reference file
    what: str
    measure: Measure
    published: float | list[float] | dict[str, float] | None = None
    bound: Literal["", "up to", "over", "average"] = ""  #: meaning of the figure for the cases of `over`
    case: dict = {}
    against: dict = {}
    over: dict[str, list] = {}  #: values of which the largest change (or the average) counts
    input_of: list[Literal["ours", "stand-in"]] = []  #: programs for which the figure is an input
    missing: str = ""  #: the mechanism that is not in the model; shown if the error is large
    hangs_on: str = ""  #: the assumption on which a prediction depends; always shown

    @model_validator(mode="after")
    def has_what_it_needs(self) -> "Finding":
        """Check that the figures and cases fit the measure."""
        if self.measure in PAIRS and not self.against:
            raise ValueError("'against' is missing: the case that it is compared with")
        if self.measure not in WITHOUT_FIGURE and self.published is None:
            raise ValueError("'published' is missing: the figure that was found")
        if wrong := self.wrong_figure():
            raise ValueError(f"'published' {wrong}")
        if self.measure == "connections" and not all(
            isinstance(self.case.get(key), int) and self.case[key] > 0 for key in ("ranks_per_node", "nodes")
        ):
            raise ValueError("'case' has to give ranks_per_node and nodes")
        if self.measure == "turn" and self.published not in self.over.get("nodes", []):
            raise ValueError("'published' is one of the nodes in 'over': those of the least time")
        if any(not values for values in self.over.values()):
            raise ValueError("'over' has a key without a value")
        if self.measure == "not predicted" and not self.missing:
            raise ValueError("'missing' has to say why it is not predicted")
        return self

    def wrong_figure(self) -> str:
        """Why the figure does not fit its measure; "": it does."""
        figure = self.published
        if figure is None or self.measure in WITHOUT_FIGURE:
            return ""
        if self.measure == "connections":
            known = isinstance(figure, dict) and figure and set(figure) <= set(get_args(Transport))
            return "" if known else f"is a table by transport: {', '.join(get_args(Transport))}"
        if self.measure in ("elapsed", "MPI share", "message bytes"):
            two = isinstance(figure, list) and len(figure) == 2 and min(figure) > 0
            return "" if two else "is two positive numbers"
        if not isinstance(figure, float) or not 0 < figure < float("inf"):
            return "is a positive number"
        return "is less than 100 %" if self.measure.endswith("reduction") and figure >= 100 else ""


class PublishedTable(TomlTable):
    """The study."""

    name: Annotated[str, Field(pattern=r"^[\w.+-]+$")]
    title: str
    code: str = ""
    clusters: str = "../clusters"  #: folder of cluster files
    note: str = ""


class PublishedFile(TomlTable):
    """The whole file."""

    published: PublishedTable
    case: dict = {}
    finding: list[Finding]


def is_published(path: Path) -> bool:
    """Whether a study file is one of a published study; mistakes in it are reported by its reader."""
    try:
        return any(line.strip() == "[published]" for line in path.read_text().splitlines())
    except (OSError, UnicodeDecodeError):
        return False


def read_published(path: Path) -> PublishedFile:
    """Read and check the file of a published study.

    Raises:
        StudyError: it cannot be read, or there is a mistake in it; with the line.
    """
    try:
        text = path.read_text()
        tables = tomllib.loads(text)
    except OSError as error:
        raise StudyError(f"{path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise StudyError(
            f"{path}:{line_of_syntax_error(error) or 1}: {str(error).split(' (at')[0]}"
        ) from None
    except (RecursionError, ValueError) as error:
        raise StudyError(f"{path}: {error}") from None
    lines = places(text)
    try:
        file = PublishedFile.model_validate(tables)
    except ValidationError as error:
        raise StudyError(complaint_of(path, lines, error, (), PublishedFile)) from None
    for number, finding in enumerate(file.finding):
        where = ("finding", number)
        for side in ("case", "against"):
            for values in combinations_of(finding):
                merged = {
                    **file.case,
                    **finding.case,
                    **(finding.against if side == "against" else {}),
                    **values,
                }
                check_case(path, lines, (*where, side), merged)
    return file


def check_case(path: Path, lines: dict, where: tuple, merged: dict) -> None:
    """Check that a case is valid.

    Raises:
        StudyError: it is not; with the line.
    """
    try:
        case = PublishedCase.model_validate(merged)
    except ValidationError as error:
        raise StudyError(complaint_of(path, lines, error, where, PublishedCase)) from None
    if case.model in MODELS and case.model not in DECKS and not case.elements:
        line = line_of((*where, "model"), lines) or 1
        raise StudyError(
            f"{path}:{line}: 'elements' is missing: cells of a flow, equations of a factorisation"
        )
    if case.model not in MODELS:
        line = line_of((*where, "model"), lines) or 1
        raise StudyError(
            f"{path}:{line}: model: there is no '{case.model}'{nearest(case.model, list(MODELS))}"
        )


def complaint_of(
    path: Path, lines: dict, error: ValidationError, where: tuple, model: type[BaseModel]
) -> str:
    """The first finding of pydantic, with file and line."""
    found = error.errors(include_url=False)
    first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])
    at = (*where, *first["loc"])
    key = next((str(p) for p in reversed(first["loc"]) if isinstance(p, str)), "")
    if first["type"] == "extra_forbidden":
        owner = (
            Finding
            if model is PublishedFile and "finding" in at
            else PublishedTable
            if at[0] == "published"
            else model
        )
        said = f"unknown key '{key}'{nearest(key, list(owner.model_fields))}"
    elif first["type"] == "literal_error":
        choices = [c.strip("' ") for c in first["ctx"]["expected"].replace(" or ", ", ").split(",")]
        said = f"{key}: '{first['input']}' is not valid{nearest(str(first['input']), choices)}"
    elif first["type"] == "missing":
        said = f"'{key}' is missing"
    else:
        said = f"{key}: {first['msg']}".replace("Value error, ", "").removeprefix(": ")
    return f"{path}:{line_of(at, lines) or 1}: {said}"


def combinations_of(finding: Finding) -> list[dict]:
    """All combinations of the values of the varied keys."""
    keys = list(finding.over)
    return [dict(zip(keys, values, strict=True)) for values in product(*finding.over.values())]


def cases_of(file: PublishedFile, finding: Finding) -> list[tuple[PublishedCase, PublishedCase]]:
    """Pairs of a case and the one it is compared with, one pair for each combination."""
    pairs = []
    for values in combinations_of(finding):
        base = {**file.case, **finding.case, **values}
        pairs.append(
            (PublishedCase.model_validate(base), PublishedCase.model_validate({**base, **finding.against}))
        )
    return pairs
