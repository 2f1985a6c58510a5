"""What is predicted of a study's cases, as data."""

from dataclasses import dataclass, field

from crumple.lab.applications.case import StudyCase
from crumple.lab.simulate.simulated_energy import SimulatedEnergy


@dataclass(frozen=True)
class CasePrediction:
    """Of one case on one cluster."""

    cluster: str  #: its title
    key: str  #: of the case
    case: StudyCase
    label: str  #: simulated or modelled
    seconds: float  #: of a job's cycles; start, reading and writing are not in it
    low: float
    high: float
    energy: SimulatedEnergy | None  #: of all jobs


@dataclass
class Predictions:
    """All, and why there are not more."""

    found: list[CasePrediction] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)  #: cluster, or case on it: why

    def of(self, cluster: str) -> list[CasePrediction]:
        """Those on a cluster."""
        return [p for p in self.found if p.cluster == cluster]

    @property
    def clusters(self) -> list[str]:
        """In the order of the file."""
        return list(dict.fromkeys(p.cluster for p in self.found))
