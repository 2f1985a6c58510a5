"""Cases of a published study at its size, predicted for the report of a small one: time of writing."""

import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING

from crumple.lab.applications.case import StudyError
from crumple.lab.report.case_predictions import PublishedSize
from crumple.lab.report.measurements import Measurements

if TYPE_CHECKING:
    from crumple.lab.published.predict_findings import PublishedStudy

Say = Callable[[str], None]
CYCLES = 4  #: that are simulated of each recorded window
HEAD = ["case", "file system", "job [s]", "states, not hidden, and dumps [s]", "of the job [%]"]
FINDINGS = ["finding", "published", "simulated"]


def published_size_of(m: Measurements, say: Say) -> PublishedSize:
    """Predict the cases of the file that the study names.

    Raises:
        StudyError: there is a mistake in that file.
    """
    named = tomllib.loads(m.file).get("study", {}).get("published_size", "")
    if not named:
        return PublishedSize()
    from crumple.lab.catalogue.cluster import CatalogueError
    from crumple.lab.profile.trace.events import TraceError
    from crumple.lab.published.predict_findings import PublishedStudy
    from crumple.lab.published.published_file import read_published
    from crumple.lab.simulate.simulator_program import SimulationError

    path = m.path.parent / named
    try:
        return predicted(PublishedStudy(path, read_published(path)), say)
    except CatalogueError as error:
        raise StudyError(f"{path}: {error}") from None
    except (SimulationError, TraceError, FileNotFoundError) as error:
        return PublishedSize(failure=str(error))


def predicted(study: "PublishedStudy", say: Say) -> PublishedSize:
    """Simulate the cases of all findings, and compare them."""
    from crumple.lab.published.finding_rows import compared, published_words
    from crumple.lab.published.model_sharing import share_out
    from crumple.lab.published.predict import Predictor
    from crumple.lab.published.predict_findings import sharing_in
    from crumple.lab.published.published_file import cases_of
    from crumple.lab.published.simulated import Simulated

    shared = share_out([sharing_in(study, *of) for of in study.cases()], say)
    simulated = Simulated(Predictor(study.path.parent, study.clusters, shared), CYCLES)
    simulated.simulate([case for _, case in study.cases()], say)
    found = PublishedSize(study.file.published.note)
    for case in dict.fromkeys(case for _, case in study.cases()):
        p = simulated.predict(case)
        nodes = f"{case.nodes} nodes, {case.cluster}"
        share = f"{100 * p.writing / p.seconds:.2f}"
        system = case.file_system or "that of the cluster"
        found.cases.append([f"{case.model}, {nodes}", system, f"{p.seconds:.0f}", f"{p.writing:.1f}", share])
    for finding in study.file.finding:
        answer = compared(finding, cases_of(study.file, finding), simulated.predict)
        found.findings.append([finding.what, published_words(finding), answer.text])
    return found
