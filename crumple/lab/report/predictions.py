"""Predictions for the cases of a study, on the clusters that its file names."""

import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from crumple.lab.applications.case import StudyCase, StudyError
from crumple.lab.report.case_predictions import CasePrediction, Predictions
from crumple.lab.report.measurements import Measurements
from crumple.lab.study.study_file import StudyFile

if TYPE_CHECKING:
    from crumple.lab.advise.deck_traces import DeckTraces
    from crumple.lab.catalogue.hardware import Cluster
    from crumple.lab.profile.trace.trace_folder import Trace

Say = Callable[[str], None]
WINDOW = 60  #: default number of cycles to trace
FIRST = 200  #: default first cycle, if the runs have so many


def predictions_of(m: Measurements, say: Say) -> Predictions:
    """Make the predictions that the study file asks for; none if it names no cluster.

    Raises:
        StudyError: the study is not of our solver, or the cluster file is wrong.
    """
    tables = tomllib.loads(m.file)
    if "prediction" not in tables or m.cases().empty:
        return Predictions()
    study = StudyFile.model_validate(tables)
    if study.workload.application != "crumple":
        raise StudyError(f"{m.path}: [prediction] is for our solver, not '{study.workload.application}'")
    from crumple.lab.catalogue.cluster import CatalogueError, read_cluster
    from crumple.lab.profile.rank_file import ProfileError
    from crumple.lab.profile.trace.events import TraceError
    from crumple.lab.simulate.simulator_program import SimulationError

    try:
        clusters = [read_cluster(m.path.parent / path) for path in study.prediction.clusters]
        with tempfile.TemporaryDirectory(prefix="crumple-predict-") as folder:
            return predicted(m, study, clusters, Path(folder), say)
    except CatalogueError as error:
        raise StudyError(f"{m.path}: [prediction] {error}") from None
    except (SimulationError, TraceError, ProfileError, FileNotFoundError) as error:
        return Predictions(left_out={"nothing is predicted": str(error)})


def predicted(
    m: Measurements, study: StudyFile, clusters: list["Cluster"], folder: Path, say: Say
) -> Predictions:
    """Predict all cases on all clusters."""
    from crumple.lab.simulate.experiment import Options, experiment_of
    from crumple.lab.simulate.placement import PlacementWish
    from crumple.lab.simulate.run_simulations import conduct
    from crumple.lab.simulate.simulator_program import NoPlaceError

    deck, cycles, result = deck_of(m, study, folder), m.median_of("cycles"), Predictions()
    traces: dict[str, DeckTraces] = {}
    asked = []
    for cluster in clusters:
        title = cluster.title or cluster.name
        for _, row in m.cases().iterrows():
            case, name = row.case, f"{row.case.label(tuple(m.varied()))} on {title}"
            if why := not_predicted(case):
                result.left_out[name] = why
                continue
            precision = case.precision or "double"
            count = int(cycles.get(row.key, 0))
            if precision not in traces:
                traces[precision] = traces_of(deck, precision, study, m, count, say)
            try:
                trace = trace_of(traces[precision], case)
                wish = PlacementWish(case.jobs, None, case.ranks_per_node or None, study.study.oversubscribe)
                options = Options(wish, precision=precision, job_cycles=count)
                asked.append((title, row.key, case, experiment_of(trace, teams(cluster, case), options)))
            except NoPlaceError as error:
                result.left_out[name] = str(error)
    say(f"simulating {len(asked)} cases")
    for (title, key, case, _), s in zip(asked, conduct([a[3] for a in asked]), strict=True):
        low, high = s.range
        result.found.append(CasePrediction(title, key, case, "simulated", s.whole, low, high, s.energy))
    return result


def not_predicted(case: StudyCase) -> str:
    """Why a case cannot be predicted; empty if it can."""
    from crumple.lab.advise.candidates import MOST_THREADS

    if case.threads > MOST_THREADS:
        return f"{case.threads} threads per rank were not measured"
    if case.device != "default" or case.version:
        return "the cluster file does not describe devices and versions"
    return ""


def teams(cluster: "Cluster", case: StudyCase) -> "Cluster":
    """The cluster for ranks with several threads, for any number of elements."""
    from crumple.lab.advise.candidates import GAINS, threaded

    return threaded(cluster, case.threads, GAINS[0][1])


def deck_of(m: Measurements, study: StudyFile, folder: Path) -> Path:
    """The deck of the runs; a model is written again."""
    from crumple.lab.applications.crumple_solver import SolverSettings
    from crumple.models import Wishes, write_model

    s = SolverSettings.model_validate(study.workload.model_dump())
    if s.deck:
        return m.path.parent / s.deck
    wishes = Wishes(s.elements)
    if s.plot_states:
        wishes = Wishes(s.elements, end_time=s.end_time, plots=s.plot_states)
    write_model(s.model, folder / "model.k", wishes)
    return folder / "model.k"


def traces_of(
    deck: Path, precision: str, study: StudyFile, m: Measurements, count: int, say: Say
) -> "DeckTraces":
    """Recordings of the deck, in a window that is part of the runs.

    Args:
        count: number of cycles of a run; 0: not known
    """
    from crumple.lab.advise.deck_traces import deck_traces
    from crumple.lab.profile.trace.options import cycles_of
    from crumple.lab.traces.record import RecordingWish

    first = min(FIRST, count // 2) if count else FIRST
    end = min(first + WINDOW, count) if count else first + WINDOW
    if study.prediction.cycles:
        first, end = cycles_of(study.prediction.cycles)
    pfiles = {
        name: m.path.parent / name.removeprefix("pfile:")
        for name in study.axes.decomposition
        if name.startswith("pfile:")
    }
    return deck_traces(RecordingWish(deck, 1, first, end, precision=precision), pfiles, say)


def trace_of(traces: "DeckTraces", case: StudyCase) -> "Trace":
    """The trace for the ranks and the decomposition of a case."""
    from crumple.lab.advise.candidates import DeckSharing

    sharing = DeckSharing(case.ranks, case.decomposition or "rcb")
    traces.add(sharing)
    return traces.traces[sharing]
