"""Predictions for the report of a study, as data: of its own cases, and of those of a paper."""

from dataclasses import dataclass, field

from crumple.lab.applications.case import StudyCase
from crumple.lab.simulate.simulated_energy import SimulatedEnergy


@dataclass(frozen=True)
class CasePrediction:
    """The prediction for one case on one cluster."""

    cluster: str  #: title of the cluster
    key: str  #: key of the case
    case: StudyCase
    label: str  #: simulated or modelled
    seconds: float  #: of a job's cycles, without start, reading and writing
    low: float
    high: float
    energy: SimulatedEnergy | None  #: for all jobs


@dataclass
class Predictions:
    """All predictions, and the reasons for those that are left out."""

    found: list[CasePrediction] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)  #: reason by cluster, or by case on it

    def of(self, cluster: str) -> list[CasePrediction]:
        """The predictions on a cluster."""
        return [p for p in self.found if p.cluster == cluster]

    @property
    def clusters(self) -> list[str]:
        """The clusters in the order of the file."""
        return list(dict.fromkeys(p.cluster for p in self.found))


@dataclass
class PublishedSize:
    """Predictions for cases of a paper at their size, as cells of tables; empty if there are none."""

    note: str = ""
    cases: list[list[str]] = field(default_factory=list)
    findings: list[list[str]] = field(default_factory=list)
    failure: str = ""  #: why nothing is predicted
