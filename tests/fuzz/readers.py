"""The Python readers of files that others may hand us, and what each may say of a damaged one."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

CORPUS = Path(__file__).resolve().parent / "corpus"


@dataclass(frozen=True)
class Reader:
    """A reader, as a command uses it."""

    name: str
    read: Callable[[Path], object]  #: of a folder with the corpus' files, one of them damaged
    errors: tuple[type[Exception], ...]
    corpus: str  #: folder of good files
    damages: str = "*"  #: which of them are damaged
    may_die: bool = False  #: commands have it in a process of its own
    module: str = ""  #: to be imported before the processes begin: it takes seconds
    names: str = ""  #: what its errors must name where it is not the damaged file


def records(folder: Path) -> None:
    """`crumple profile show FOLDER`."""
    from crumple.lab.profile.profile import read_profile
    from crumple.lab.profile.show import show

    show(read_profile(folder), Console(file=io.StringIO(), markup=False))


def profile(folder: Path) -> None:
    """`crumple profile show FILE --diff FILE`."""
    from crumple.lab.profile.profile import read_profile
    from crumple.lab.profile.show import show, show_difference

    found = read_profile(folder / "profile.json")
    show(found, Console(file=io.StringIO(), markup=False))
    show_difference(found, found, Console(file=io.StringIO(), markup=False))


def events(folder: Path) -> None:
    """`crumple profile trace FOLDER`."""
    from crumple.lab.profile.trace.convert import convert

    convert(folder, folder / "out", [])


def trace(folder: Path) -> None:
    """A simulation's trace."""
    from crumple.lab.traces.trace import open_trace

    found = open_trace(folder)
    for rank in range(found.ranks):
        for _ in found.lines(rank):
            pass


def results(folder: Path) -> None:
    """`crumple report FOLDER`, but for what is drawn."""
    from crumple.report import facts, tables
    from crumple.report.run_results import read_results

    found = read_results(folder)
    tables.fact_tiles(facts.run_facts(found))
    tables.check_table(facts.checks(found))
    for forces in (found.walls, found.contacts, found.sections):
        if forces is not None:
            tables.force_table(forces, "what")
    if found.parts is not None:
        tables.part_table(found)
    if found.history is not None:
        tables.control_table(found.history, {})
    if found.load is not None:
        tables.load_table(found.load)
    tables.coverage(found.log.keywords)


def plot_states(folder: Path) -> None:
    """`crumple view FOLDER`, but for the drawing."""
    from crumple.view.field import Field
    from crumple.view.fields import highest
    from crumple.view.plot_states import PlotStates

    for state in PlotStates(folder):
        for field in Field:
            highest(state, field)


def ls_dyna(folder: Path) -> None:
    """A run of LS-DYNA in a study."""
    from crumple.results.glstat import read_glstat
    from crumple.results.lsdyna_log import read_lsdyna_load_profile, read_lsdyna_log

    read_lsdyna_log(folder / "d3hsp")
    read_lsdyna_load_profile(folder / "load_profile.csv")
    read_glstat(folder / "glstat")


def radioss(folder: Path) -> None:
    """A run of OpenRadioss in a study."""
    from crumple.results.radioss_listing import read_listing

    read_listing(folder / "beam_0001.out")


def database(folder: Path) -> None:
    """`crumple study export` and what a report is made of."""
    from crumple.lab.report.measurements import read_measurements
    from crumple.lab.study.export import flat

    found = read_measurements(folder / "study.db")
    flat(found)
    found.cases()


def platform(folder: Path) -> None:
    """What the simulator reads of a machine."""
    from crumple.lab.calibrate.platform_file import read_platform

    read_platform(folder / "platform.toml")


def cluster(folder: Path) -> None:
    """`crumple catalog check FILE`."""
    from crumple.lab.catalogue.cluster import read_cluster
    from crumple.lab.catalogue.show import show_cluster

    found = read_cluster(folder / "cluster.toml")
    show_cluster(found, Console(file=io.StringIO(), markup=False))
    for busy in (1, 1.5, found.node.cpu.cores):
        found.node.cpu.factor(busy)
        found.node.cpu.factor(busy, 1000)


def study(folder: Path) -> None:
    """`crumple study run FILE`, up to what it names."""
    from crumple.lab.study.study_file import read_study

    read_study(folder / "study.toml")


def published(folder: Path) -> None:
    """`crumple study report --published FILE`."""
    from crumple.lab.report.published import read_paper

    read_paper(folder / "published.toml", "placement")


def hostfile(folder: Path) -> None:
    """Nodes of an allocation."""
    from crumple.lab.study.where.allocation import slots

    slots(folder / "hosts")


def properties(folder: Path) -> None:
    """`crumple fetch camry --properties FILE --wheel FILE`."""
    from crumple.fetch.pydyna import read_licence, read_properties_file, read_wheel

    read_properties_file(folder / "camry_rc_data.py")
    read_wheel(folder / "wheel.whl", "mesh.k")
    read_licence(folder / "wheel.whl")


def readers() -> list[Reader]:
    """All of them."""
    from crumple.fetch.pydyna import FetchError
    from crumple.lab.calibrate.platform_file import CalibrationError
    from crumple.lab.catalogue.figure import CatalogueError
    from crumple.lab.profile.rank_file import ProfileError
    from crumple.lab.profile.trace.events import TraceError
    from crumple.lab.study.study_file import StudyError
    from crumple.results.damage import DamagedFile
    from crumple.results.run_files import RunError
    from crumple.view.plot_file import ResultError

    return [
        Reader("records", records, (ProfileError,), "records", "rank.*"),
        Reader("profile", profile, (ProfileError,), "profile"),
        # Records that do not belong together are no fault of one file: the rank is named.
        Reader("events", events, (TraceError,), "records", "events.*", names="rank "),
        Reader("trace", trace, (TraceError,), "trace"),
        Reader("results", results, (RunError,), "results", "[!dr]*"),
        Reader("d3hsp", results, (RunError,), "results", "d3hsp"),
        Reader("run.json", results, (), "results", "run.json"),
        Reader(
            "d3plot",
            plot_states,
            (ResultError,),
            "results",
            "d3plot*",
            may_die=True,
            module="crumple.view.fields",
        ),
        Reader("ls-dyna", ls_dyna, (DamagedFile,), "lsdyna"),
        Reader("radioss", radioss, (DamagedFile,), "radioss"),
        Reader("database", database, (StudyError,), "database"),
        Reader("platform", platform, (CalibrationError,), "platform"),
        Reader("cluster", cluster, (CatalogueError,), "cluster"),
        Reader("study", study, (StudyError,), "study"),
        Reader("published", published, (StudyError,), "published"),
        Reader("hostfile", hostfile, (StudyError,), "hostfile"),
        Reader("fetch", properties, (FetchError,), "fetch"),
    ]


def write_corpus(folder: Path) -> None:
    """Good files: those of the repository, and a database, which has the schema of the day."""
    import shutil

    shutil.copytree(CORPUS, folder, ignore=shutil.ignore_patterns("deck", "pfile"))
    (folder / "database").mkdir()
    write_database(folder / "database" / "study.db", folder / "profile" / "profile.json")


def write_database(path: Path, profile: Path) -> None:
    """A study with two runs and a profile."""
    from crumple.lab.applications.application import Figures
    from crumple.lab.study.cases import Case
    from crumple.lab.study.database import Database, Outcome, now

    found = Database(path)
    study = found.study("fuzz", Path("study.toml"), '[study]\nname = "fuzz"\n')
    source = found.provenance(
        {
            "machine": {"host": "here", "processor": "P", "cores": 2, "memory": 1, "kernel": "6"},
            "executable": {"path": "/bin/program", "sha256": "0"},
            "inputs": {},
            "mpi": "",
        }
    )
    whole = json.loads(profile.read_text())
    for ranks in (1, 2):
        outcome = Outcome("done", 2.0 / ranks, 2.0, 0.1, 0, "true", now())
        outcome.figures = [Figures({"cycles": 10.0, "elapsed [s]": 2.0}, {"contact": [1.0] * ranks})]
        outcome.profiles = [json.dumps(whole | {"ranks": whole["ranks"][:ranks]})]
        found.add(study, found.case(f"case {ranks}", Case(ranks=ranks)), 0, source, outcome)
    found.close()
