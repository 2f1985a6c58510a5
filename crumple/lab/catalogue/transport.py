"""Connections that an endpoint must hold, by the transport of its network, and the memory that they take.

Source: Performance optimizations via Connect-IB and Dynamically Connected Transport for LS-DYNA (2013).
"""

from crumple.lab.catalogue.hardware import Cluster, Transport


def connections(transport: Transport, ranks_per_node: int, nodes: int) -> int:
    """Connections of one adapter when every rank talks to every other.

    Args:
        transport: RC, reliable connected: each rank to each; XRC, extended: each rank to each node; DCT,
            dynamically connected: one a rank, pointed to whom it talks to; TCP: as RC
        ranks_per_node: P
        nodes: N

    Returns:
        P P N, P N or P.
    """
    if transport == "DCT":
        return ranks_per_node
    if transport == "XRC":
        return ranks_per_node * nodes
    return ranks_per_node * ranks_per_node * nodes


def connection_memory(cluster: Cluster, ranks_per_node: int, nodes: int = 0) -> float:
    """Bytes of a node's memory that connections take.

    Args:
        nodes: all of the cluster without it
    """
    held = connections(cluster.network.transport, ranks_per_node, nodes or cluster.nodes)
    return held * cluster.network.connection_bytes
