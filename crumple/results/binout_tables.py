"""All histories of a binout family as arrays, also those that no other reader knows."""

import numpy as np

from crumple.results.binout import SIDES, Binout
from crumple.results.history_table import HistoryTable
from crumple.results.lsda import LsdaContents, VariablePlace

NOT_VALUES = {
    "time",
    "cycle",
    "ids",
    "mat",
    "mtype",
    "nip",
    "npl",
    "iop",
    "state",
    "num_nodal",
    "failure_flag",
}
NO_ENTITY = ("glstat",)
#: kinds of entities of sbtout: the variable with their numbers, and how their other variables begin
BELTS = {
    "sbtout/belt": ("belt_ids", "belt_"),
    "sbtout/ring": ("slipring_ids", "ring_"),
    "sbtout/retractor": ("retractor_ids", "retractor_"),
}
POINTS = ("sig_", "sigma_", "plastic_strain", "plastic_eps")  #: elout: a value for each integration point
AXES = {"d": "displacement", "v": "velocity", "a": "acceleration"}
#: names of rbdout, as nodout has them
RIGID = {
    f"{frame}_{turn}{letter}{axis}": f"{'local_' if frame == 'local' else ''}{turn}{axis}_{word}"
    for frame in ("global", "local")
    for turn in ("", "r")
    for letter, word in AXES.items()
    for axis in "xyz"
} | {f"global_{axis}": f"{axis}_coordinate" for axis in "xyz"}


def branches(binout: Binout) -> list[str]:
    """Histories with at least one state: "nodout", "rwforc/forces", "elout/shell", ..."""
    found = {directory.rpartition("/")[0].strip("/") for directory in binout.places_}
    named = {branch for branch in found if branch and binout.has(branch)}
    if "sbtout" in named:
        named = (named - {"sbtout"}) | {b for b, (ids, _) in BELTS.items() if binout.integers("sbtout", ids)}
    return sorted(named)


def table_of(binout: Binout, branch: str) -> HistoryTable:
    """One history.

    Raises:
        ValueError, LookupError: the file is damaged.
        DamagedFile: it is cut off.
    """
    states = binout.states("sbtout" if branch in BELTS else branch)
    read = binout.contents_.numbers
    times = np.array([read(state["time"])[0] for state in states], dtype=float)
    if branch in BELTS:
        return belts_of(binout, branch, times)
    if branch.startswith("elout/"):
        return elements_of(binout, branch, times)
    if branch == "spcforc":
        return supports_of(binout, times)
    numbers = binout.integers(branch, "setid") or binout.integers(branch, "ids")
    keys = [str(n) for n in numbers]
    if branch == "rcforc":
        sides = binout.integers(branch, "side") or [0] * len(keys)
        keys = [f"{key}:{SIDES[1 if side else 0]}" for key, side in zip(keys, sides, strict=True)]
    if not keys or branch in NO_ENTITY:
        keys = [""]
    table = HistoryTable(times, keys, binout.titles(branch))
    for name in names_of(states):
        if name in NOT_VALUES or name.startswith("ts_"):
            continue
        width = max(state[name].count for state in states if name in state)
        if width == len(keys):
            table.columns[RIGID.get(name, name)] = column_of(states, name, width, binout.contents_)
    return table


def names_of(states: list[dict[str, VariablePlace]]) -> list[str]:
    """Names of variables in any state, as they come."""
    return list(dict.fromkeys(name for state in states for name in state))


def column_of(
    states: list[dict[str, VariablePlace]], name: str, width: int, contents: LsdaContents
) -> np.ndarray:
    """A variable of all states, (states, width)."""
    values = np.full((len(states), width), np.nan)
    for row, state in zip(values, states, strict=True):
        if name in state:
            row[:] = contents.numbers(state[name])
    return values


def belts_of(binout: Binout, branch: str, times: np.ndarray) -> HistoryTable:
    """Belt elements, slip rings or retractors of sbtout: force, length, slip, pull_out."""
    states = binout.states("sbtout")
    ids, begin = BELTS[branch]
    table = HistoryTable(times, [str(n) for n in binout.integers("sbtout", ids)])
    for name in names_of(states):
        if name.startswith(begin) and name != ids:
            found = column_of(states, name, len(table.keys), binout.contents_)
            table.columns[name.removeprefix(begin)] = found
    return table


def supports_of(binout: Binout, times: np.ndarray) -> HistoryTable:
    """Forces and moments of held nodes, and the resultants of all as the entity "total"."""
    states = binout.states("spcforc")
    kinds = {
        "force": binout.integers("spcforc", "force_ids"),
        "moment": binout.integers("spcforc", "moment_ids"),
    }
    keys = [str(n) for n in dict.fromkeys(kinds["force"] + kinds["moment"])]
    table = HistoryTable(times, [*keys, "total"])
    place = {key: k for k, key in enumerate(keys)}
    for kind, numbers in kinds.items():
        for axis in "xyz":
            if numbers and f"{axis}_{kind}" in names_of(states):
                values = np.full((len(times), len(keys) + 1), np.nan)
                # A node that is held by several constraints has several rows: their sum.
                found = column_of(states, f"{axis}_{kind}", len(numbers), binout.contents_)
                for k, number in enumerate(numbers):
                    at = place[str(number)]
                    values[:, at] = np.nan_to_num(values[:, at]) + found[:, k]
                table.columns[f"{axis}_{kind}"] = values
    for axis in "xyz":
        if f"{axis}_resultant" in names_of(states):
            values = table.columns.setdefault(f"{axis}_force", np.full((len(times), len(keys) + 1), np.nan))
            values[:, -1] = column_of(states, f"{axis}_resultant", 1, binout.contents_)[:, 0]
    return table


def elements_of(binout: Binout, branch: str, times: np.ndarray) -> HistoryTable:
    """Elements of one kind; each state names those that are left."""
    states, read = binout.states(branch), binout.contents_.numbers
    listed = [read(state["ids"]).astype(int).tolist() for state in states]
    keys = list(dict.fromkeys(n for ids in listed for n in ids))
    place = {key: k for k, key in enumerate(keys)}
    table = HistoryTable(times, [str(key) for key in keys], binout.titles(branch))
    for name in names_of(states):
        if name in NOT_VALUES:
            continue
        pointwise = name.startswith(POINTS)
        rows: list[tuple[int, int, np.ndarray]] = []
        for k, (state, ids) in enumerate(zip(states, listed, strict=True)):
            if name not in state:
                continue
            values = read(state[name])
            counts = read(state["nip"]).astype(int) if "nip" in state else np.ones(len(ids), dtype=int)
            if not pointwise:
                counts = np.ones(len(ids), dtype=int)
            pieces = np.split(values, np.cumsum(counts)[:-1])
            if sum(map(len, pieces)) != counts.sum():
                continue
            rows += [(k, place[n], piece) for n, piece in zip(ids, pieces, strict=True)]
        if rows:
            whole = np.full((len(times), len(keys), max(len(piece) for *_, piece in rows)), np.nan)
            for k, at, piece in rows:
                whole[k, at, : len(piece)] = piece
            table.columns[name] = whole if pointwise else whole[:, :, 0]
    if all(f"sig_{c}" in table.columns for c in ("xx", "yy", "zz", "xy", "yz", "zx")):
        table.columns["von_mises"] = von_mises(table.columns)
    return table


def von_mises(columns: dict[str, np.ndarray]) -> np.ndarray:
    """The equivalent stress of all points."""
    xx, yy, zz, xy, yz, zx = (columns[f"sig_{c}"] for c in ("xx", "yy", "zz", "xy", "yz", "zx"))
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2))
