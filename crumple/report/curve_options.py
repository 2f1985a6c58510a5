"""The curves of a report as options name them: one value of an option for all curves, or one for each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from crumple.curves.atd_limits import read_place
from crumple.curves.curve_figures import Wanted
from crumple.curves.filters import read_class
from crumple.curves.plot_request import PlotRequest
from crumple.curves.quantity import QuantityError
from crumple.curves.run_curves import NOUNS
from crumple.report.named_curves import USUAL, CurvesAsked

OVER = " over "  #: between a quantity and the one on the horizontal axis
#: between quantities of one picture: before the name of a history, because titles of a deck may have "and"
AND = re.compile(rf" and (?=(?:glstat|{'|'.join(NOUNS)})/)")
NONE = ("", "-")  #: values of an option that is not for a curve


@dataclass(frozen=True)
class CurveOptions:
    """The options of `crumple report` for its curves, as typed; their meaning is that of `crumple plot`.

    Attributes:
        curves: quantities, "rwforc/1/x_force over nodout/3/x_displacement" for a crush,
            "secforc/neck/z_force and secforc/neck/y_moment" for two in one picture
        others: runs to compare with
        channel_filter, against, column, corridor, atd: one for all curves, or one for each in their order,
            of which "-" is none, as for curves at the end that have none
        filter_test: also filter the measured curves
        wanted: figures of those curves to which they apply
        window: first and last time
    """

    curves: str | Sequence[str] = ()
    others: Sequence[Path] = ()
    channel_filter: str | Sequence[str] = ()
    against: str | Sequence[str] = ()
    column: str | Sequence[str] = ()
    corridor: str | Sequence[str] = ()
    atd: str | Sequence[str] = ()
    filter_test: bool = False
    wanted: Wanted = field(default_factory=Wanted)
    window: tuple[float | None, float | None] = (None, None)


def listed(values: str | Sequence[str]) -> tuple[str, ...]:
    """The values of an option; a text is one value."""
    return (values,) if isinstance(values, str) else tuple(values)


def for_each(values: Sequence[str], count: int, option: str) -> list[str]:
    """The values of an option for each curve; "" for none. One value is for all curves.

    Raises:
        QuantityError: there are more than curves.
    """
    if len(values) > max(1, count):
        raise QuantityError(f"{option} is given {len(values)} times, --curve {count}")
    each = [*values] * count if len(values) == 1 else [*values, *[""] * (count - len(values))]
    return ["" if value in NONE else str(value) for value in each]


def request_for(
    curve: str, channel_filter: str, against: str, column: str, corridor: str, atd: str
) -> PlotRequest:
    """The request of one curve, without runs.

    Raises:
        QuantityError, SignalError: there is no such filter or place, or options do not go together.
    """
    quantity, _, across = curve.partition(OVER)
    if across and against:
        raise QuantityError(f"'{curve}' is not over time, so it has no test: --against - for it")
    if column and not against:
        raise QuantityError(f"--column '{column}' is of a test: --against names its file")
    quantities = tuple(one.strip() for one in AND.split(quantity))
    return PlotRequest(
        runs=(),
        quantities=quantities,
        versus=across.strip(),
        channel_class=read_class(channel_filter) if channel_filter else None,
        against=Path(against) if against else None,
        column=column,
        corridor=Path(corridor) if corridor else None,
        atd=read_place(atd) if atd else None,
        title=curve if len(quantities) > 1 else "",
    )


def curves_asked(options: CurveOptions) -> CurvesAsked:
    """What a report is to draw; without names of curves what is usual for a comparison.

    Raises:
        QuantityError, SignalError: as for `request_for` and `for_each`, or there are options and no curves.
    """
    of_curves = {
        "--against": options.against,
        "--column": options.column,
        "--corridor": options.corridor,
        "--atd": options.atd,
    }
    if not options.curves:
        given = [name for name, values in of_curves.items() if values]
        if given or options.wanted != Wanted():
            raise QuantityError(f"{given[0] if given else 'a measure'} is of curves: name them by --curve")
    names = listed(options.curves) or (USUAL if options.others else ())
    lists = {"--filter": options.channel_filter} | of_curves
    each = [for_each(listed(values), len(names), name) for name, values in lists.items() if names]
    return CurvesAsked(
        requests=tuple(request_for(*values) for values in zip(names, *each, strict=True)),
        others=tuple(options.others),
        named=bool(options.curves),
        wanted=options.wanted,
        filter_test=options.filter_test,
        window=options.window,
    )
