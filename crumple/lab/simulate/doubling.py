"""Recursive doubling of any number of ranks: its rounds, and what it takes.

Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from crumple.lab.simulate.jitter import CALLS, SEED


@dataclass(frozen=True)
class Way:
    """Through a recursive doubling, from one rank to the next."""

    far: int  #: rounds between nodes
    near: int  #: rounds within one
    senders: int  #: ranks that send from the node of its first round between nodes; 0 without one


@lru_cache(maxsize=256)
def ways_of_doubling(ranks: int, per_node: int) -> frozenset[Way]:
    """The longest to its end, by their senders; ranks in blocks over nodes.

    Where they are no power of two, MPICH has the first ranks hand their part to their neighbours, which
    makes a power of two of those that go on; these give them the result at the end.
    """
    power = 1 << (ranks.bit_length() - 1)
    pairs = ranks - power  # of neighbours, one of whom goes on
    taking_part = [2 * k + 1 if k < pairs else k + pairs for k in range(power)]
    senders = Counter(rank // per_node for rank in taking_part)
    ways = [{0: (0, 0)} for _ in range(ranks)]  # of each rank, by senders: rounds between nodes and within

    def meet(a: int, b: int) -> None:
        between, met = a // per_node != b // per_node, {}
        first = max(senders[a // per_node], senders[b // per_node])
        for known in (ways[a], ways[b]):
            for count, (far, near) in known.items():
                count = count or between * first
                met[count] = max(met.get(count, (0, 0)), (far + between, near + (not between)))
        ways[a] = ways[b] = met

    neighbours = [(2 * k, 2 * k + 1) for k in range(pairs)]
    doubled = [
        (taking_part[k], taking_part[k | 1 << n])
        for n in range(power.bit_length() - 1)
        for k in range(power)
        if not k >> n & 1
    ]
    for a, b in (*neighbours, *doubled, *neighbours):
        meet(a, b)
    longest: dict[int, tuple[int, int]] = {}
    for rank in taking_part:
        for count, way in ways[rank].items():
            longest[count] = max(longest.get(count, (0, 0)), way)
    most = max(longest.values())[0]
    return frozenset(Way(far, near, count) for count, (far, near) in longest.items() if count or not most)


@lru_cache(maxsize=4096)
def seconds_of_doublings(ranks: int, path: float, processor: float, delay: float) -> float:
    """Of one of many recursive doublings, each begun where the last ended, of any number of ranks.

    Where they are no power of two, of the first ranks every other hands its part to the next, and gets the
    result from it. The rest are ahead of those, and what they say is there already.

    Args:
        path: s from one rank to another, processors included
        processor: s of both for a message that has come already
        delay: s, mean of that of a message, which keeps its sender, too
    """
    draw = np.random.default_rng(SEED)
    power = 1 << (ranks.bit_length() - 1)
    pairs = ranks - power
    even, odd = np.arange(0, 2 * pairs, 2), np.arange(1, 2 * pairs, 2)
    taking_part = np.concatenate([odd, np.arange(2 * pairs, ranks)])
    time, partner = np.zeros(ranks), np.arange(power)

    def send(who: np.ndarray) -> None:
        time[who] += delay * draw.exponential(size=len(who)) if delay else 0.0

    def hear(who: np.ndarray, of: np.ndarray) -> None:
        time[who] = np.maximum(time[who] + processor, time[of] + path)

    for call in range(2 * CALLS):
        send(even)
        hear(odd, even)
        for bit in range(power.bit_length() - 1):
            send(taking_part)
            hear(taking_part, taking_part[partner ^ (1 << bit)])
        send(odd)
        hear(even, odd)
        if call == CALLS - 1:
            begun = time.mean()
    return float(time.mean() - begun) / CALLS
