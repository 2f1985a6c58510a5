"""A against B: pairs of cases that differ in one axis, with the ratio of their medians and its bounds."""

from dataclasses import dataclass

import pandas as pd

from crumple.lab.applications.case import StudyCase
from crumple.lab.report.measurements import Measurements
from crumple.lab.report.study_findings import times_the_spread

MOST = 40  #: largest number of pairs that are shown


@dataclass(frozen=True)
class CaseComparison:
    """Two cases that differ only in one axis; ratios are B's seconds over A's."""

    axis: str
    a: StudyCase
    b: StudyCase
    ratio: float
    low: float  #: fastest B over slowest A
    high: float  #: slowest B over fastest A
    verdict: str

    def values(self) -> tuple[str, str]:
        """The values of the axis in A and B."""
        return str(getattr(self.a, self.axis)), str(getattr(self.b, self.axis))


def compare(axis: str, a: pd.Series, b: pd.Series) -> CaseComparison:
    """Compare two rows of the table of cases."""
    return CaseComparison(
        axis,
        a.case,
        b.case,
        b["median"] / a["median"],
        b.low / a.high,
        b.high / a.low,
        times_the_spread(a, b),
    )


def comparisons(m: Measurements) -> list[CaseComparison]:
    """The first value of each varied axis against its others, all else equal."""
    cases, found = m.cases(), []
    if cases.empty:
        return []
    for axis in m.varied():
        rest = [name for name in m.varied() if name != axis]
        for _, group in cases.groupby(rest, sort=False) if rest else [((), cases)]:
            rows = [row for _, row in group.iterrows()]
            found += [compare(axis, rows[0], other) for other in rows[1:]]
    return found[:MOST]
