"""Connections that an endpoint must hold, by the transport of its network, and their memory.

Source: Performance optimizations via Connect-IB and Dynamically Connected Transport for LS-DYNA (2013).
"""

from crumple.lab.catalogue.hardware import Cluster, Transport


def connections(transport: Transport, ranks_per_node: int, nodes: int) -> int:
    """Connections of one adapter if every rank communicates with every other rank.

    Args:
        transport: RC, reliable connected: each rank to each rank; XRC, extended: each rank to each node; DCT,
            dynamically connected: one per rank, for any receiver; TCP: as RC
        ranks_per_node: P
        nodes: N

    Returns:
        The number P P N, P N or P.
    """
    if transport == "DCT":
        return ranks_per_node
    if transport == "XRC":
        return ranks_per_node * nodes
    return ranks_per_node * ranks_per_node * nodes


def connection_memory(cluster: Cluster, ranks_per_node: int, nodes: int = 0) -> float:
    """Bytes of memory per node for connections.

    Args:
        nodes: number of nodes; default: all of the cluster
    """
    held = connections(cluster.network.transport, ranks_per_node, nodes or cluster.nodes)
    return held * cluster.network.connection_bytes
