"""The cores of this machine that this process may use, as hwloc sees them."""

import ctypes
import os
import xml.etree.ElementTree as xml
from dataclasses import dataclass

LIBRARY = "libhwloc.so.15"  #: of every hwloc 2; Open MPI and MPICH of Debian need it, too


class TopologyError(Exception):
    """The cores of this machine are not known: why, in words."""


@dataclass(frozen=True)
class PhysicalCore:
    """A physical core."""

    package: int  #: socket
    threads: tuple[int, ...]  #: its hardware threads, by the numbers of the operating system


def cores_of_this_machine() -> list[PhysicalCore]:
    """The cores that this process may use, those that share caches next to each other.

    Raises:
        TopologyError: hwloc is missing, or fails.
    """
    return cores_in(topology_text(), os.sched_getaffinity(0))


def cores_in(topology: str, allowed: set[int]) -> list[PhysicalCore]:
    """The cores of a topology (the XML of hwloc 2) with the hardware threads in `allowed`.

    Raises:
        TopologyError: it is not such a topology.
    """
    try:
        root = xml.fromstring(topology)
    except xml.ParseError as error:
        raise TopologyError(f"hwloc's topology cannot be read: {error}") from None
    found = []
    for number, package in enumerate(root.findall(".//object[@type='Package']") or [root]):
        for core in package.findall(".//object[@type='Core']"):
            units = [int(unit.get("os_index", "-1")) for unit in core.findall(".//object[@type='PU']")]
            if threads := tuple(unit for unit in units if unit in allowed):
                found.append(PhysicalCore(number, threads))
    if not found:
        raise TopologyError("hwloc finds no cores that this process may use")
    return found


def topology_text() -> str:
    """This machine in the XML of hwloc 2.

    Raises:
        TopologyError: hwloc is missing, or fails.
    """
    try:
        hwloc = ctypes.CDLL(LIBRARY)
    except OSError:
        raise TopologyError(
            f"there is no {LIBRARY}; Debian's package libhwloc15 has it (apt-get install libhwloc15)"
        ) from None
    topology, text, length = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
    if hwloc.hwloc_topology_init(ctypes.byref(topology)):
        raise TopologyError("hwloc does not start")
    try:
        if hwloc.hwloc_topology_load(topology) or hwloc.hwloc_topology_export_xmlbuffer(
            topology, ctypes.byref(text), ctypes.byref(length), ctypes.c_ulong(0)
        ):
            raise TopologyError("hwloc cannot read this machine's topology")
        found = ctypes.string_at(text).decode()
        hwloc.hwloc_free_xmlbuffer(topology, text)
        return found
    finally:
        hwloc.hwloc_topology_destroy(topology)
