"""Reads and checks the study file: program, axes, system, energy and cost."""

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, model_validator

from crumple.lab.applications.case import StudyError
from crumple.lab.toml_places import line_of, line_of_syntax_error, places
from crumple.lab.toml_table import TomlTable, nearest

Name = Annotated[str, Field(pattern=r"^[\w.+-]+$")]
Binding = Literal["none", "packed", "scattered", "socket"]
Device = Literal["default", "shared-memory", "tcp"]


class StudyTable(TomlTable):
    """The table [study]."""

    name: Name
    title: str = ""
    question: str = ""  #: the question of the study, for the report
    paper: str = ""  #: name of the published study in published.toml
    repeats: PositiveInt = 3
    time_limit: Annotated[float, Field(gt=0)] = 600.0  #: s per run
    profile: bool = False  #: with the profiler loaded
    oversubscribe: bool = False  #: allow more ranks and threads than cores
    charts: list[str] = []  #: figures of the program to draw in the report
    published_size: Path | None = None  #: cases at the published size to predict, relative to this file


class Workload(BaseModel):
    """The program and its case; the application defines the further keys."""

    model_config = ConfigDict(extra="allow", frozen=True)

    application: str = "crumple"


class Axes(TomlTable):
    """The axes: lists of values; each value is combined with all values of the others."""

    ranks: list[PositiveInt] = [1]
    threads: list[PositiveInt] = [1]
    jobs: list[PositiveInt] = [1]  #: side by side
    mpi: list[Name] = ["openmpi"]
    ranks_per_node: list[PositiveInt] = []
    binding: list[Binding] = ["none"]
    device: list[Device] = ["default"]
    decomposition: list[str] = []
    precision: list[Literal["single", "double"]] = []
    version: list[Name] = []
    directory: list[str] = []
    file_system: list[str] = []

    @model_validator(mode="after")
    def no_value_twice(self) -> "Axes":
        """Refuse repeated values, which would run twice."""
        for name, values in self:
            if len(set(values)) != len(values):
                raise ValueError(f"'{name}' has a value twice")
            if not values and name in ("ranks", "threads", "jobs", "mpi", "binding", "device"):
                raise ValueError(f"'{name}' is empty")
        return self


class Where(TomlTable):
    """The system for the runs: this machine, Slurm, or an existing allocation."""

    system: Literal["local", "slurm", "allocation"] = "local"
    launcher: Literal["mpirun", "srun"] = "mpirun"  #: starts the ranks within a job
    launcher_options: list[str] | dict[Name, list[str]] = []  #: options; or by MPI library
    mpi_plugin: str = ""  #: for srun --mpi; default: pmi2 for MPICH, pmix for Open MPI
    folder: Path | None = None  #: a folder that all nodes see; default: NAME.runs beside the study file
    partition: str = ""
    account: str = ""
    time: str = ""  #: time limit of a Slurm job; default: a little more than the study's time_limit
    exclusive: bool = True  #: no other job on the nodes
    at_once: Annotated[int, Field(ge=0)] = 0  #: runs of the same size at a time; 0: as many as fit
    poll: Annotated[float, Field(gt=0)] = 5.0  #: s between two queries to Slurm
    options: list[str] = []  #: further options for sbatch
    setup: list[str] = []  #: shell lines before a run, such as "module load openmpi"
    environment: dict[str, str] = {}
    hostfile: Path | None = None  #: nodes of an allocation, if no scheduler gives them

    def options_of(self, mpi: str) -> list[str]:
        """Further options for the launcher of an MPI library."""
        given = self.launcher_options
        return list(given.get(mpi, [])) if isinstance(given, dict) else list(given)


class EnergyTable(TomlTable):
    """The meter of energy, and the power of a node for the model if there is no measurement."""

    meter: Literal["auto", "rapl", "ipmi", "none"] = "auto"
    node: str = ""  #: a node of the catalogue, instead of the watts
    idle_watts: Annotated[float, Field(ge=0)] = 0.0
    peak_watts: Annotated[float, Field(ge=0)] = 0.0  #: 0: not modelled
    pue: Annotated[float, Field(ge=1)] = 1.0  #: power usage effectiveness of the building

    @model_validator(mode="after")
    def power_once(self) -> "EnergyTable":
        """Check that watts are given only once, and that the peak is the larger one."""
        if self.node and self.peak_watts:
            raise ValueError("give either 'node' or 'idle_watts' and 'peak_watts'")
        if self.peak_watts < self.idle_watts:
            raise ValueError("'peak_watts' is missing, or less than 'idle_watts'")
        return self


class CostTable(TomlTable):
    """Prices, in any currency."""

    currency: str = "EUR"
    node_hour: Annotated[float, Field(ge=0)] = 0.0
    kwh: Annotated[float, Field(ge=0)] = 0.0
    licence_hour: Annotated[float, Field(ge=0)] = 0.0  #: price of one token per hour
    tokens_a_job: Annotated[float, Field(ge=0)] = 0.0
    tokens_a_rank: Annotated[float, Field(ge=0)] = 0.0


class PredictionTable(TomlTable):
    """Predictions of the report for our solver."""

    clusters: Annotated[list[Path], Field(min_length=1)]  #: cluster files, relative to the study file
    cycles: Annotated[str, Field(pattern=r"^(\d+:\d+)?$")] = (
        ""  #: cycles to trace; default: in the middle of a run
    )


class StudyFile(TomlTable):
    """The whole file."""

    study: StudyTable
    workload: Workload
    axes: Axes = Axes()
    where: Where = Where()
    versions: dict[Name, Path] = {}  #: executables by name
    mpis: dict[Name, Path] = {}  #: launchers (mpirun) by name, in addition to openmpi and mpich
    energy: EnergyTable | None = None
    cost: CostTable | None = None
    prediction: PredictionTable | None = None


def keys_of(model: type[BaseModel], path: tuple) -> list[str]:
    """Valid keys of the table with a wrong key."""
    for key in path:
        found = model.model_fields.get(str(key))
        kinds = getattr(found.annotation, "__args__", (found.annotation,)) if found else ()
        model = next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), model)
    return list(model.model_fields)


def complaint(error: dict) -> str:
    """One finding of pydantic, in our words."""
    path, kind = error["loc"], error["type"]
    name = next((str(p) for p in reversed(path) if isinstance(p, str)), "")
    if kind == "extra_forbidden":
        table = f" in [{'.'.join(str(p) for p in path[:-1])}]" if len(path) > 1 else ""
        return f"unknown key '{path[-1]}'{table}{nearest(str(path[-1]), keys_of(StudyFile, path[:-1]))}"
    if kind == "missing":
        return f"'{name}' is missing" + (f" in [{'.'.join(map(str, path[:-1]))}]" if len(path) > 1 else "")
    if kind == "literal_error":
        choices = [c.strip("' ") for c in error["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return f"{name}: '{error['input']}' is not valid{nearest(str(error['input']), choices)}"
    return f"{name}: {error['msg'].removeprefix('Value error, ')}"


def read_study(path: Path) -> StudyFile:
    """Read and check a study file.

    Raises:
        StudyError: it cannot be read, or there is a mistake in it; with the line.
    """
    try:
        text = path.read_text()
    except OSError as error:
        raise StudyError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise StudyError(f"{path}: it is no text in UTF-8: {error}") from None
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = line_of_syntax_error(error)
        raise StudyError(f"{path}:{line or 1}: {str(error).split(' (at')[0]}") from None
    except (RecursionError, ValueError) as error:
        raise StudyError(f"{path}: {error}") from None
    try:
        return StudyFile.model_validate(tables)
    except ValidationError as error:
        found = error.errors(include_url=False)
        # If a key has a typo, it is also missing, but the typo is more helpful.
        first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])
        line = line_of(tuple(first["loc"]), places(text)) or 1
        raise StudyError(f"{path}:{line}: {complaint(first)}") from None
