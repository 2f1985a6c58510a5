"""Watts of a node at the wall from those of its processors, if they were not published."""

from crumple.lab.catalogue.entries import CpuEntry, NodeEntry
from crumple.lab.catalogue.figure import SourcedFigure

BOARD_WATTS = 60.0  #: board, memory, disk and fans
UNKNOWN = "not known: neither the node nor its processor has it"
SUPPLY = 0.88  #: watts out of a power supply over watts in


def node_watts(node: NodeEntry, cpu: CpuEntry, sockets: int) -> dict[str, SourcedFigure]:
    """Idle and peak watts by name; values that the node gives are not changed."""
    found = {}
    for key, of_cpu in (("idle_watts", cpu.idle_watts), ("peak_watts", cpu.busy_watts)):
        if getattr(node, key):
            continue
        if of_cpu is None:
            found[f"node.{key}"] = SourcedFigure(value=0.0, source=UNKNOWN, estimated=True)
            continue
        watts = (sockets * of_cpu.value + BOARD_WATTS) / SUPPLY
        source = f"{sockets} x {of_cpu.value:g} W, {BOARD_WATTS:g} W for the rest, supply of {SUPPLY:.0%}"
        found[f"node.{key}"] = SourcedFigure(value=watts, source=source, estimated=True)
    return found
