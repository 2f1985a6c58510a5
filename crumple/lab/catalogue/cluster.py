"""Reads a cluster file, which names entries of the catalogue and may replace any of their figures."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from crumple.lab.catalogue import assemble, platform
from crumple.lab.catalogue.cluster_file import ClusterFile, ClusterHeader
from crumple.lab.catalogue.effects import check_effects, notes_of
from crumple.lab.catalogue.entries import KINDS, NONE, CpuEntry, NodeEntry
from crumple.lab.catalogue.figure import CatalogueError, Curve, SourcedFigure, complaint, first_of, read_toml
from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.catalogue.rates import work_a_clock
from crumple.lab.toml_places import line_of, places
from crumple.lab.toml_table import nearest

__all__ = ["CatalogueError", "Cluster", "read_cluster"]

SECTIONS = ("cluster", "node", "cpu", "network", "topology", "file_system", "mpi")
#: default of each section that the file does not have
USUAL = {"network": {}, "topology": {}, "file_system": {"use": "local-disk"}, "mpi": {"use": "open-mpi"}}


def read_cluster(path: Path, instead: dict[str, dict] | None = None) -> Cluster:
    """Read and check a cluster file.

    Args:
        instead: tables that replace those of the file, by section; an empty one removes the section

    Raises:
        CatalogueError: it cannot be read, or it or an entry that it names is wrong; with the line.
    """
    path = Path(path)
    text, tables = read_toml(path)
    tables = {name: table for name, table in (tables | (instead or {})).items() if table}
    file = ClusterFile(path, tables, places(text))
    cluster = built(file)
    in_vain = () if instead else check_effects(file, cluster, built)
    return replace(cluster, notes=(*in_vain, *notes_of(file, cluster)))


def built(file: ClusterFile) -> Cluster:
    """Build the cluster from the tables of a file.

    Raises:
        CatalogueError: something in them is wrong; with the line.
    """
    check_sections(file)
    header = header_of(file)
    node, cpu = node_and_cpu(file)
    others = {}
    for kind, usual in USUAL.items():
        if header.nodes == 1 and kind in ("network", "topology"):
            usual = {"use": NONE}
        table = {**usual, **file.tables.get(kind, {})}
        if header.nodes > 1 and table.get("use") == NONE:
            of = kind.replace("_", " ")
            raise file.wrong((kind, "use"), f"[{kind}] use: a cluster of {header.nodes} nodes has a {of}")
        others[kind] = entry_of(file, kind, table, KINDS[kind][1])
    cluster = assemble.assemble(header, node, cpu, **others)
    if why := assemble.does_not_fit(cluster):
        key = ("topology", "ports") if "topology" in file.tables else ("cluster", "nodes")
        raise file.wrong(key, why)
    return cluster


def check_sections(file: ClusterFile) -> None:
    """Refuse unknown sections, and keys outside of sections."""
    for section, table in file.tables.items():
        if section not in SECTIONS:
            raise file.wrong((section,), f"unknown key '{section}'{nearest(section, list(SECTIONS))}")
        if not isinstance(table, dict):
            raise file.wrong((section,), f"'{section}' is a table: [{section}]")


def node_and_cpu(file: ClusterFile) -> tuple[NodeEntry, CpuEntry]:
    """The entries of node and processor; without [cpu] the processor is that of the node's entry.

    Raises:
        CatalogueError: one of them is wrong.
    """
    node_table, cpu_table = dict(file.tables.get("node", {})), dict(file.tables.get("cpu", {}))
    if "cpu" in node_table:
        raise file.wrong(("node", "cpu"), "[node] cpu: name the processor in [cpu]: use = ...")
    if "platform" in node_table:
        add_platform(file, node_table, cpu_table)
    node = entry_of(file, "node", node_table, NodeEntry)
    if node.cpu:
        node = without_what_is_of_other_processors(node, node_table, cpu_table)
        cpu_table = {"use": node.cpu, **cpu_table}
    cpu = entry_of(file, "cpu", with_clocks(file, cpu_table), CpuEntry)
    given = file.tables.get("node", {})
    if "cores" in given and node.cores.value != node.sockets.value * cpu.cores.value:
        is_ = f"sockets times cores of the processor is {node.sockets.value * cpu.cores.value:g}"
        raise file.wrong(("node", "cores"), f"[node] cores: {node.cores.value:g}, and {is_}: change these")
    try:
        work_a_clock(cpu.generation)
    except CatalogueError as error:
        raise file.wrong(("cpu", "generation"), f"[cpu] {error}") from None
    return node, cpu


def without_what_is_of_other_processors(node: NodeEntry, given: dict, cpu_given: dict) -> NodeEntry:
    """The node without the catalogue's name and watts, if the file has other processors or sockets.

    Args:
        given: the file's [node]
        cpu_given: the file's [cpu]
    """
    entry = catalogued("node")[given["use"]]
    other = cpu_given.get("use", node.cpu) != node.cpu or node.sockets.value != entry["sockets"]["value"]
    changed = {}
    for key, of_cpu in (("idle_watts", "idle_watts"), ("peak_watts", "busy_watts")):
        if (other or of_cpu in cpu_given) and key not in given:
            changed[key] = None
    if other and "name" not in given:
        changed["name"] = ""
    return node.model_copy(update=changed)


def with_clocks(file: ClusterFile, given: dict) -> dict:
    """[cpu] with `clock_alone` equal to `clock`, if it replaces the `clock` of an entry without turbo."""
    if "clock" not in given or "clock_alone" in given or "use" not in given:
        return given
    entry = catalogued("cpu").get(str(given["use"]), {})
    if "clock_alone" not in entry or entry["clock"]["value"] != entry["clock_alone"]["value"]:
        return given
    clock = given["clock"]
    value, estimated = (
        (clock.get("value"), clock.get("estimated", False)) if isinstance(clock, dict) else (clock, False)
    )
    line = line_of(("cpu", "clock"), file.lines)
    source = f"{file.path.name}:{line}: as clock, for {given['use']} has no turbo"
    return {**given, "clock_alone": {"value": value, "source": source, "estimated": estimated}}


def header_of(file: ClusterFile) -> ClusterHeader:
    """Read [cluster].

    Raises:
        CatalogueError: it is wrong.
    """
    table = file.tables.get("cluster")
    if table is None:
        raise file.wrong((), "[cluster] is missing, with name and nodes")
    nodes = table.get("nodes")
    if isinstance(nodes, int) and not isinstance(nodes, bool) and nodes < 1:
        raise file.wrong(("cluster", "nodes"), f"nodes: a cluster has 1 node or more, not {nodes}")
    try:
        return ClusterHeader.model_validate(table)
    except ValidationError as error:
        first = first_of(error)
        said = complaint(first, list(ClusterHeader.model_fields))
        raise file.wrong(("cluster", *first["loc"]), f"[cluster] {said}") from None


def entry_of(file: ClusterFile, section: str, table: dict, model: type[BaseModel]) -> Any:  # noqa: ANN401
    """The entry of the catalogue that a section uses, with the figures that the section replaces.

    Raises:
        CatalogueError: there is no such entry, or the two together are wrong.
    """
    table = dict(table)
    if section == "network" and "switches" in table:
        raise file.wrong((section, "switches"), "[network] switches: name the cluster's in [topology]")
    used, entry = table.pop("use", None), {}
    if used is not None and not isinstance(used, str):
        raise file.wrong((section, "use"), f"[{section}] use: the name of an entry, not {used!r}")
    if used is not None:
        entries = catalogued(section)
        if used not in entries:
            what = section.replace("_", " ")
            raise file.wrong(
                (section, "use"),
                f"the catalogue has no {what} '{used}'{nearest(str(used), names_of(section))}",
            )
        entry = entries[used]
        if section == "mpi" and isinstance(table.get("collectives"), dict):  # only some are replaced
            table["collectives"] = {**entry["collectives"], **table["collectives"]}
    try:
        return model.model_validate({**entry, **with_sources(file, section, table, model)})
    except ValidationError as error:
        first = first_of(error)
        said = complaint(first, ["use", *model.model_fields])
        if first["type"] == "missing" and used is None and len(first["loc"]) == 1:
            said += f"; or name an entry of the catalogue: use = ...{nearest('', names_of(section))}"
        elif first["loc"] and first["loc"][0] not in table and first["type"] != "missing":
            said += f" (in {KINDS[section][0].name}: {used})"
        raise file.wrong((section, *first["loc"]), f"[{section}] {said}") from None


def names_of(section: str) -> list[str]:
    """Entries of a kind."""
    return [name for name in catalogued(section) if name != NONE]


@cache
def catalogued(section: str) -> dict[str, dict]:
    """Entries of a kind in the catalogue; read only once, because a file is built many times."""
    return read_toml(KINDS[section][0])[1]


def with_sources(file: ClusterFile, section: str, table: dict, model: type[BaseModel]) -> dict:
    """Plain numbers in the file as figures whose source is the file."""
    found = {}
    for key, value in table.items():
        field = model.model_fields.get(key)
        kinds = getattr(field.annotation, "__args__", (field.annotation,)) if field else ()
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if (SourcedFigure in kinds and number) or (Curve in kinds and isinstance(value, list)):
            line = line_of((section, key), file.lines)
            value = {"value": value, "source": f"{file.path.name}:{line}"}
        found[key] = value
    return found


def add_platform(file: ClusterFile, node_table: dict, cpu_table: dict) -> None:
    """Add figures of `crumple calibrate` to the sections of node and processor, which have priority.

    Raises:
        CatalogueError: it cannot be read.
    """
    named = file.path.parent / str(node_table.pop("platform"))
    try:
        node, cpu = platform.figures_of(named)
    except CatalogueError as error:
        raise file.wrong(("node", "platform"), str(error)) from None
    use = {"use": cpu_table["use"]} if "use" in cpu_table else {}
    for table, measured in ((node_table, node), (cpu_table, cpu)):
        given = dict(table)
        table.clear()
        table |= {**measured, **given, **(use if table is cpu_table else {})}
