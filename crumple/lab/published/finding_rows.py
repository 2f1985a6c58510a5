"""Rows of the page: the finding, its prediction, and the error."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from statistics import fmean

from crumple.lab.applications.case import StudyError
from crumple.lab.catalogue.transport import connections
from crumple.lab.published.predict import JobPrediction
from crumple.lab.published.published_file import Finding, PublishedCase, PublishedFile, cases_of

Predict = Callable[[PublishedCase], JobPrediction]
NEAR = 0.15  #: error of a ratio above which the missing mechanism is shown
ALIKE = 0.02  #: a smaller difference of times is what papers call equal
NOTHING = 0.0015  #: a smaller difference of times is shown as 0.1 % or less
SAME = 0.005  #: smaller changes of a ratio do not count


@dataclass(frozen=True)
class Answer:
    """The prediction for one program."""

    text: str
    right: bool  #: whether the direction is right
    #: predicted ratio over published, or over the missed bound, minus one; None: no figure was
    #: published, or the bound is kept
    error: float | None = None
    fitted: bool = False  #: the figure is an input of the program
    idle: bool = False  #: the compared change makes no difference in the model, so it cannot be wrong
    directed: bool = True  #: it has a direction that can be wrong

    @property
    def counts(self) -> bool:
        """Whether it can be wrong."""
        return not self.fitted and not self.idle


@dataclass(frozen=True)
class FindingRow:
    """One line of the page."""

    paper: str
    number: int
    what: str
    published: str
    answers: dict[str, Answer] = field(default_factory=dict)  #: by program
    missing: str = ""
    over_model: tuple[float, ...] = ()  #: simulated over modelled time, for the simulated cases


def ratio_of(measure: str, figure: float) -> float:
    """A published change as the ratio of times (or energies): the other case over this case."""
    if measure in ("reduction", "energy reduction"):
        return 1.0 / (1.0 - figure / 100.0)
    if measure == "increase":
        return 1.0 + figure / 100.0
    return figure


def figure_of(measure: str, ratio: float) -> str:
    """A ratio in the form of its measure."""
    match measure:
        case "reduction" | "energy reduction":
            return f"{100 * (1 - 1 / ratio):.0f} %"
        case "increase":
            return f"{100 * (ratio - 1):+.0f} %"
        case "slower" | "faster":
            return f"{100 * (1 / ratio - 1):+.1f} % time"
        case "within" | "alike":
            return f"{100 * abs(1 / ratio - 1):.1f} %"
    return f"{ratio:.2f}"


def published_words(finding: Finding) -> str:
    """The published figure as on the page."""
    figure, before = finding.published, f"{finding.bound} " if finding.bound else ""
    match finding.measure:
        case "reduction" | "energy reduction":
            return f"{before}{figure:g} %"
        case "increase":
            return f"{before}+{figure:g} %"
        case "factor":
            return f"{before}{figure:g}"
        case "turn":
            return f"least on {figure:g} nodes"
        case "within":
            return f"within {figure:g} %"
        case "alike":
            return "near-identical"
        case "elapsed":
            return f"{figure[0]:g} s against {figure[1]:g} s"
        case "connections":
            return ", ".join(f"{k} {v:g}" for k, v in figure.items())
        case "MPI share":
            return f"{100 * figure[1] / sum(figure):.0f} %"
        case "message bytes":
            return f"{figure[0]:g} to {figure[1]:g} KB"
        case "small messages" | "collectives":
            return "most"
        case "more messages":
            return "more"
    return finding.measure


def turned(finding: Finding, pairs: list[tuple[PublishedCase, PublishedCase]], predict: Predict) -> Answer:
    """The number of nodes with the shortest time, and how much more time the others take."""
    seconds = {case.nodes: predict(case).seconds for case, _ in pairs}
    least = min(seconds, key=lambda nodes: seconds[nodes])
    more = [f"{n}: {100 * (s / seconds[least] - 1):+.1f} %" for n, s in seconds.items() if n != least]
    return Answer(f"least on {least} nodes ({', '.join(more)})", least == finding.published)


def compared(finding: Finding, pairs: list[tuple[PublishedCase, PublishedCase]], predict: Predict) -> Answer:
    """A case against another: the largest change of all, or their mean, or the place of a turn."""
    if finding.measure == "turn":
        return turned(finding, pairs, predict)
    ratios = []
    for case, other in pairs:
        a, b = predict(case), predict(other)
        if finding.measure == "energy reduction" and not a.energy * b.energy:
            raise StudyError("the power of the nodes is not known")
        if finding.measure == "energy reduction":
            ratios.append(b.energy / a.energy)
        elif finding.measure == "factor":
            ratios.append(b.seconds / a.seconds * case.jobs / other.jobs)
        else:
            ratios.append(b.seconds / a.seconds)
    worst = max(ratios, key=lambda r: abs(r - 1.0))
    ratio = worst if finding.measure in ("within", "alike") else max(ratios)
    if finding.bound == "average":
        ratio = fmean(ratios)
    text = figure_of(finding.measure, ratio)
    if finding.measure == "elapsed":
        seconds = [predict(pairs[0][k]).seconds for k in (1, 0)]
        published = finding.published[0] / finding.published[1]
        return Answer(
            f"{seconds[0]:.0f} s against {seconds[1]:.0f} s", ratio > 1 + SAME, ratio / published - 1
        )
    if finding.measure == "slower":
        return Answer(figure_of("slower", min(ratios)), min(ratios) < 1 - SAME)
    if finding.measure == "faster":
        return Answer(text, ratio > 1 + SAME)
    if finding.measure == "alike":
        off = abs(1.0 / ratio - 1.0)
        return Answer(figure_of("within", ratio), off < ALIKE, idle=off < NOTHING)
    if finding.measure == "within":
        bound = finding.published / 100.0
        off = abs(1.0 / ratio - 1.0)
        kept = off <= bound
        return Answer(text, kept, None if kept else (1 + off) / (1 + bound) - 1, idle=off < NOTHING)
    published = ratio_of(finding.measure, finding.published)
    if finding.bound == "over" and ratio >= published:
        return Answer(text, True)
    return Answer(text, (ratio > 1) == (published > 1), ratio / published - 1)


def alone(finding: Finding, pairs: list[tuple[PublishedCase, PublishedCase]], predict: Predict) -> Answer:
    """A finding about a case alone; of several cases, the least favourable counts."""
    several = [predict(case) for case, _ in pairs]
    match finding.measure:
        case "small messages":
            share = min(p.small for p in several)
            return Answer(f"{100 * share:.0f} %", share > 0.5)
        case "collectives":
            share = min(p.collectives / (p.collectives + p.point_to_point) for p in several)
            return Answer(f"{100 * share:.0f} % of MPI", share > 0.5)
        case "MPI share":
            share = fmean(p.in_mpi for p in several)
            published = finding.published[1] / sum(finding.published)
            error = (1 - published) / (1 - share) - 1
            return Answer(f"{100 * share:.0f} %", True, error, directed=False)
    low, high = (1024.0 * size for size in finding.published)
    size = fmean(p.message_bytes for p in several)
    return Answer(f"{size / 1024:.3g} KB", low <= size <= high)


def more_messages(pairs: list[tuple[PublishedCase, PublishedCase]], predict: Predict) -> Answer:
    """Numbers and bytes of messages of all ranks together."""
    case, other = predict(pairs[0][0]), predict(pairs[0][1])
    ranks = pairs[0][0].nodes / pairs[0][1].nodes
    number = case.messages / other.messages * ranks
    volume = case.large_bytes / other.large_bytes if other.large_bytes else float("inf")
    return Answer(f"{number:.2f} times as many, {volume:.2f} times the bytes", number > 1 and volume > 1)


def held(finding: Finding) -> Answer:
    """Connections of an endpoint by the rule of the catalogue."""
    ranks, nodes = finding.case["ranks_per_node"], finding.case["nodes"]
    found = {name: connections(name, ranks, nodes) for name in finding.published}
    return Answer(", ".join(f"{k} {v:g}" for k, v in found.items()), found == finding.published)


def answer(file: PublishedFile, finding: Finding, predict: Predict) -> Answer:
    """The prediction for a program."""
    if finding.measure == "connections":
        return held(finding)
    pairs = cases_of(file, finding)
    if finding.measure == "more messages":
        return more_messages(pairs, predict)
    if finding.measure in ("small messages", "collectives", "MPI share", "message bytes"):
        return alone(finding, pairs, predict)
    return compared(finding, pairs, predict)


def row_of(file: PublishedFile, finding: Finding, programs: dict[str, Predict]) -> FindingRow:
    """A row, with an answer for each program that runs its case."""
    answers = {}
    if finding.measure != "not predicted":
        for name, predict in programs.items():
            answers[name] = replace(answer(file, finding, predict), fitted=name in finding.input_of)
    off = any(not a.right or abs(a.error or 0.0) > NEAR for a in answers.values()) or not answers
    return FindingRow(
        file.published.name,
        finding.number,
        finding.what,
        published_words(finding),
        answers,
        "; ".join(filter(None, [finding.missing if off else "", finding.hangs_on])),
    )
