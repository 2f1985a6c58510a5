"""The Python readers of files that others may hand us, and what each may say of a damaged one."""

import io
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

CORPUS = Path(__file__).resolve().parent / "corpus"
ROOT = CORPUS.parents[2]
STUDIES = ROOT / "benchmarks" / "published"
CLUSTER = ROOT / "benchmarks" / "clusters" / "opteron-2382-gige.toml"
KEPT = {"jobs": [[{"ended": 1.5, "overhead": 0.0, "spent": [[0, 1, 1.5, 0.0]]}]], "links": []}


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
    from crumple.lab.profile.show_profile import show

    show(read_profile(folder), Console(file=io.StringIO(), markup=False))


def profile(folder: Path) -> None:
    """`crumple profile show FILE --diff FILE`."""
    from crumple.lab.profile.profile import read_profile
    from crumple.lab.profile.show_profile import show, show_difference

    found = read_profile(folder / "profile.json")
    show(found, Console(file=io.StringIO(), markup=False))
    show_difference(found, found, Console(file=io.StringIO(), markup=False))


def events(folder: Path) -> None:
    """`crumple profile trace FOLDER`."""
    from crumple.lab.profile.trace.convert import convert

    convert(folder, folder / "out", [])


def trace(folder: Path) -> None:
    """A simulation's trace."""
    from crumple.lab.profile.trace.trace_folder import open_trace

    found = open_trace(folder)
    for rank in range(found.ranks):
        for _ in found.lines(rank):
            pass


def recording(folder: Path) -> None:
    """`crumple trace show FOLDER`, and what --synthetic and the analytic model make of it."""
    from crumple.lab.profile.trace.trace_folder import open_trace
    from crumple.lab.simulate.volume import volume_of
    from crumple.lab.traces.decomposition import FILE, read_decomposition
    from crumple.lab.traces.pattern import pattern_of
    from crumple.lab.traces.show_trace import show
    from crumple.lab.traces.work import phase_times, unit_costs

    found = open_trace(folder)
    show(found, Console(file=io.StringIO(), markup=False))
    volume_of(found)
    shared = read_decomposition(folder / FILE)
    unit_costs([(phase_times(found, shared), shared)])
    pattern_of(found, shared)


def simulation(folder: Path) -> None:
    """`crumple simulate FOLDER`, with the real simulator; a result of before that is damaged is none."""
    from crumple.lab.catalogue.cluster import read_cluster
    from crumple.lab.profile.trace.trace_folder import open_trace
    from crumple.lab.simulate.experiment import Options, experiment_of
    from crumple.lab.simulate.run_simulations import conduct

    cluster = read_cluster(CLUSTER)
    options = Options(seeds=(0,), reference_rate=1e6)
    conduct([experiment_of(open_trace(folder), cluster, options)], use_cache=False)


def kept_result(folder: Path) -> None:
    """What `crumple simulate` kept of a simulation: it, or nothing."""
    from crumple.lab.simulate import cache

    os.environ["CRUMPLE_CACHE"] = str(folder)
    if cache.cached("key") not in (None, KEPT):
        raise ValueError("what was not kept is read")


def catalogue(folder: Path) -> None:
    """The catalogue's own files."""
    from crumple.lab.catalogue.entries import KINDS
    from crumple.lab.catalogue.figure import read_entries

    for path, model in KINDS.values():
        read_entries(folder / path.name, model)


def published_study(folder: Path) -> None:
    """`crumple study run FILE` of a published study, up to what it names."""
    from crumple.lab.published.published_file import cases_of, read_published

    found = read_published(folder / "published_study.toml")
    for finding in found.finding:
        cases_of(found, finding)


def program(folder: Path) -> None:
    """The profile of a published program."""
    from crumple.lab.published.programs import read_profile

    read_profile(folder / "program.toml")


def plot_arrays(folder: Path) -> None:
    """`crumple.Results(FOLDER)`: all arrays of the first and the last state."""
    from crumple.results.d3plot_file import PlotFamily
    from crumple.results.lasso_names import LassoArrays

    found = PlotFamily(folder / "d3plot")
    for array in LassoArrays(found).values():
        if len(found.states):
            array[0], array[-1]


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


def histories(folder: Path) -> None:
    """What `crumple plot` and `crumple diff` read of a run."""
    from crumple.results.run_files import find_run
    from crumple.results.run_tables import RunTables

    tables = RunTables(find_run(folder))
    for name in tables.names:
        tables.table(name)


def measured(folder: Path) -> None:
    """`crumple plot --against FILE --corridor FILE`."""
    from crumple.curves.measured import read_corridor, read_measured

    read_measured(folder / "test.csv", "acceleration", "head x")
    read_measured(folder / "test.001", "acceleration")
    read_corridor(folder / "corridor.csv")


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
    from crumple.lab.report.export import flat
    from crumple.lab.report.measurements import read_measurements

    found = read_measurements(folder / "study.db")
    flat(found)
    found.cases()


def platform(folder: Path) -> None:
    """What the simulator reads of a machine."""
    from crumple.lab.catalogue.platform_file import read_platform

    read_platform(folder / "platform.toml")


def cluster(folder: Path) -> None:
    """`crumple catalogue check FILE`."""
    from crumple.lab.catalogue.cluster import read_cluster
    from crumple.lab.catalogue.show_catalogue import show_cluster

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
    from crumple.curves.measured import MeasuredError
    from crumple.fetch.pydyna import FetchError
    from crumple.lab.applications.case import StudyError
    from crumple.lab.catalogue.figure import CatalogueError
    from crumple.lab.catalogue.platform_file import CalibrationError
    from crumple.lab.profile.rank_file import ProfileError
    from crumple.lab.profile.trace.events import TraceError
    from crumple.lab.simulate.simulator_program import HEADER, SimulationError
    from crumple.results.damage import DamagedFile
    from crumple.results.run_files import RunError
    from crumple.view.plot_file import ResultError

    simulates = HEADER.exists() and shutil.which("g++")
    return [
        Reader("records", records, (ProfileError,), "records", "rank.*"),
        Reader("files of ranks", records, (ProfileError,), "records", "io.*"),
        Reader("profile", profile, (ProfileError,), "profile"),
        # Records that do not belong together are no fault of one file: the rank is named.
        Reader("events", events, (TraceError,), "records", "events.*", names="rank "),
        Reader("trace", trace, (TraceError,), "trace"),
        Reader("recording", recording, (TraceError,), "recording"),
        Reader("kept simulation", kept_result, (), "kept", "simulate/*"),
        Reader("catalogue", catalogue, (CatalogueError,), "catalogue"),
        Reader("published study", published_study, (StudyError,), "published-study", "published_study.toml"),
        Reader("published program", program, (StudyError,), "published-study", "program.toml"),
        Reader("results", results, (RunError,), "results", "[!dr]*"),
        Reader("d3hsp", results, (RunError,), "results", "d3hsp"),
        Reader("run.json", results, (), "results", "run.json"),
        Reader("binout", results, (RunError,), "binout", "binout0000"),
        Reader("histories as text", histories, (DamagedFile,), "curves", "[nr]*"),
        Reader("histories in binout", histories, (DamagedFile,), "binout", "binout0000"),
        Reader("measured curves", measured, (MeasuredError,), "curves", "*.[c0]*"),
        Reader(
            "d3plot",
            plot_states,
            (ResultError,),
            "results",
            "d3plot*",
            may_die=True,
            module="crumple.view.fields",
        ),
        Reader("d3plot in Python", plot_arrays, (DamagedFile,), "results", "d3plot*"),
        Reader("ls-dyna", ls_dyna, (DamagedFile,), "lsdyna"),
        Reader("radioss", radioss, (DamagedFile,), "radioss"),
        Reader("database", database, (StudyError,), "database"),
        Reader("platform", platform, (CalibrationError,), "platform"),
        Reader("cluster", cluster, (CatalogueError,), "cluster"),
        Reader("study", study, (StudyError,), "study"),
        Reader("published", published, (StudyError,), "published"),
        Reader("hostfile", hostfile, (StudyError,), "hostfile"),
        Reader("fetch", properties, (FetchError,), "fetch"),
        *(
            [Reader("simulation", simulation, (TraceError, SimulationError), "trace", "rank.*")]
            if simulates
            else []
        ),
    ]


def write_corpus(folder: Path) -> None:
    """Good files: those of the corpus, shipped ones, and a database, which has the schema of the day."""
    shutil.copytree(CORPUS, folder, ignore=shutil.ignore_patterns("deck", "pfile"))
    write_recording(folder / "recording")
    write_kept(folder / "kept")
    catalogued = ROOT / "crumple" / "lab" / "catalogue"
    shutil.copytree(catalogued, folder / "catalogue", ignore=lambda _, n: [x for x in n if x[-5:] != ".toml"])
    (folder / "published-study").mkdir()
    shutil.copy(STUDIES / "productivity.toml", folder / "published-study" / "published_study.toml")
    shutil.copy(STUDIES / "programs" / "ls-dyna-971.toml", folder / "published-study" / "program.toml")
    (folder / "database").mkdir()
    write_database(folder / "database" / "study.db", folder / "profile" / "profile.json")


def write_recording(folder: Path) -> None:
    """A recording of the solver in plain text, without the hashes that would tell of any damage."""
    from crumple.lab.profile.trace.trace_folder import open_trace
    from crumple.lab.traces.decomposition import FILE

    found = open_trace(STUDIES / "recordings" / "three-vehicle" / "2101" / "2-ranks")
    folder.mkdir()
    for rank in range(found.ranks):
        text = "".join(f"{line}\n" for line in found.marked_lines(rank))
        (folder / f"rank.{rank}.txt").write_text(text)
    (folder / "trace.txt").write_text("".join(f"rank.{rank}.txt\n" for rank in range(found.ranks)))
    (folder / "trace.json").write_text(json.dumps(found.meta | {"files": []}, indent=1))
    shutil.copy(found.folder / FILE, folder / FILE)


def write_kept(folder: Path) -> None:
    """A result as `crumple simulate` keeps it."""
    from crumple.lab.simulate import cache

    before = os.environ.get("CRUMPLE_CACHE")
    os.environ["CRUMPLE_CACHE"] = str(folder)
    cache.keep("key", KEPT)
    os.environ.pop("CRUMPLE_CACHE") if before is None else os.environ.update(CRUMPLE_CACHE=before)


def write_database(path: Path, profile: Path) -> None:
    """A study with two runs and a profile."""
    from crumple.lab.applications.application import Figures
    from crumple.lab.applications.case import StudyCase
    from crumple.lab.study.database import Database, RunOutcome, now

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
        outcome = RunOutcome("done", 2.0 / ranks, 2.0, 0.1, 0, "true", now())
        outcome.figures = [Figures({"cycles": 10.0, "elapsed [s]": 2.0}, {"contact": [1.0] * ranks})]
        outcome.profiles = [json.dumps(whole | {"ranks": whole["ranks"][:ranks]})]
        found.add(study, found.case(f"case {ranks}", StudyCase(ranks=ranks)), 0, source, outcome)
    found.close()
