"""Time of a run due to lost messages: the sender's system sends them again, and all ranks wait.

It is a mean over many cycles, because there may be only one loss in hundreds of them.
"""

import math

import numpy as np

from crumple.lab.catalogue.hardware import RETRANSMISSION
from crumple.lab.simulate.simulated_machine import TWO_LEVELS, Choices, algorithm_of
from crumple.lab.simulate.volume import Volume

FROM_ONE_TO_NEXT = ("allgather", "allgatherv", "alltoall", "alltoallv")


def between_nodes(volume: Volume, node: np.ndarray, choices: Choices) -> float:
    """Number of messages between nodes of all ranks; those of collectives by their rounds.

    Args:
        node: of each rank
        choices: of `collectives_of`
    """
    source, target = volume.pairs[:, 0].astype(int), volume.pairs[:, 1].astype(int)
    found = float(volume.pairs[node[source] != node[target], 2].sum())
    nodes = len(set(node.tolist()))
    far = math.ceil(math.log2(volume.ranks)) - int(math.log2(volume.ranks / nodes))
    for (operation, size), calls in volume.collectives.items():
        one_a_node = algorithm_of(choices, operation, size) == TWO_LEVELS
        if operation in FROM_ONE_TO_NEXT:  # around a ring
            found += calls * (volume.ranks - 1) * nodes
        elif operation == "allreduce":  # by doubling
            found += calls * (nodes if one_a_node else volume.ranks) * far
        else:  # a tree
            found += calls * (nodes - 1)
    return found if nodes > 1 else 0.0


def seconds_lost(volume: Volume, node: np.ndarray, loss: float, choices: Choices) -> float:
    """Expected seconds that all ranks wait for lost messages; between two collectives they wait only once.

    Args:
        node: of each rank
        loss: share of lost messages between nodes
        choices: of `collectives_of`
    """
    if not loss:
        return 0.0
    segments, sent = volume.segments.shape[1], between_nodes(volume, node, choices)
    return RETRANSMISSION * segments * -math.expm1(-loss * sent / segments)
