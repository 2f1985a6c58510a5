"""Lateness of exchanges with random delays of messages: means in units of the mean exponential delay."""

from functools import lru_cache

import numpy as np

CALLS = 12  #: calls in sequence whose mean counts: a late rank of one call begins the next one late
SEED = 1


@lru_cache(maxsize=256)
def of_doubling(near: int, far: int) -> float:
    """Recursive doubling: in each round both partners wait for each other.

    Args:
        near: number of first rounds, within nodes, without delay
        far: number of rounds between nodes
    """
    if far < 1:
        return 0.0
    draw = np.random.default_rng(SEED)
    count = 1 << (near + far)
    time, partner = np.zeros(count), np.arange(count)
    for _ in range(CALLS):
        for k in range(near + far):
            time = time + (draw.exponential(size=count) if k >= near else 0.0)
            time = np.maximum(time, time[partner ^ (1 << k)])
    return float(time.mean()) / CALLS


@lru_cache(maxsize=256)
def of_tree(far: int) -> float:
    """A binomial tree: the last leaf counts."""
    draw = np.random.default_rng(SEED)
    last = []
    for _ in range(CALLS):
        time = np.zeros(1)
        for _ in range(far):
            time = np.concatenate([time, time + draw.exponential(size=len(time))])
        last.append(time.max())
    return float(np.mean(last))


def of_ring(steps: int) -> float:
    """A ring: two delays per step (last-passage percolation with exponential delays: Rost, 1981)."""
    return 2.0 * steps


def of_exchange(neighbours: float) -> float:
    """Messages of some neighbours and of the rank, each with a delay: the mean of the latest."""
    return 0.5772 + float(np.log(neighbours + 1.0)) if neighbours > 0 else 0.0
