"""Recursive doubling with any number of ranks: its rounds and its time.

Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from crumple.lab.simulate.jitter import CALLS, SEED


@dataclass(frozen=True)
class Way:
    """A path through a recursive doubling, from one rank to the next."""

    far: int  #: rounds between nodes
    near: int  #: rounds within a node
    senders: int  #: ranks that send from the node of its first round between nodes; 0: no such round


def taking_part(ranks: int) -> list[int]:
    """Number of ranks that take part in the rounds, a power of two.

    Where there are more, MPICH has every other one of the first hand its part to the next, which gives it the
    result at the end.
    """
    power = 1 << (ranks.bit_length() - 1)
    pairs = ranks - power
    return [2 * k + 1 if k < pairs else k + pairs for k in range(power)]


@lru_cache(maxsize=256)
def ways_of_doubling(ranks: int, per_node: int) -> frozenset[Way]:
    """The longest paths to the end, by their senders; the ranks are in blocks over nodes."""
    going_on = taking_part(ranks)
    power = len(going_on)
    senders = Counter(rank // per_node for rank in going_on)
    ways = [{0: (0, 0)} for _ in range(ranks)]  # for each rank, by senders: rounds between nodes and within

    def meet(a: int, b: int) -> None:
        between, met = a // per_node != b // per_node, {}
        first = max(senders[a // per_node], senders[b // per_node])
        for known in (ways[a], ways[b]):
            for count, (far, near) in known.items():
                count = count or between * first
                met[count] = max(met.get(count, (0, 0)), (far + between, near + (not between)))
        ways[a] = ways[b] = met

    neighbours = [(2 * k, 2 * k + 1) for k in range(ranks - power)]
    doubled = [
        (going_on[k], going_on[k | 1 << n])
        for n in range(power.bit_length() - 1)
        for k in range(power)
        if not k >> n & 1
    ]
    for a, b in (*neighbours, *doubled, *neighbours):
        meet(a, b)
    longest: dict[int, tuple[int, int]] = {}
    for rank in going_on:
        for count, way in ways[rank].items():
            longest[count] = max(longest.get(count, (0, 0)), way)
    most = max(longest.values())[0]
    return frozenset(Way(far, near, count) for count, (far, near) in longest.items() if count or not most)


@lru_cache(maxsize=4096)
def seconds_of_doublings(ranks: int, path: float, processor: float, delay: float) -> float:
    """Seconds of one of many recursive doublings in sequence, with any number of ranks.

    If some ranks hand their part to others, the remaining ranks are ahead; their messages have arrived.

    Args:
        path: s from one rank to another, with processor time
        processor: processor time in s of both sides for a message that has already arrived
        delay: mean delay of a message in s; it also delays the sender
    """
    draw = np.random.default_rng(SEED)
    going_on = np.array(taking_part(ranks))
    power = len(going_on)
    odd = going_on[: ranks - power]
    even = odd - 1
    time, partner = np.zeros(ranks), np.arange(power)

    def send(who: np.ndarray) -> None:
        time[who] += delay * draw.exponential(size=len(who)) if delay else 0.0

    def hear(who: np.ndarray, of: np.ndarray) -> None:
        time[who] = np.maximum(time[who] + processor, time[of] + path)

    for call in range(2 * CALLS):
        send(even)
        hear(odd, even)
        for bit in range(power.bit_length() - 1):
            send(going_on)
            hear(going_on, going_on[partner ^ (1 << bit)])
        send(odd)
        hear(even, odd)
        if call == CALLS - 1:
            begun = time.mean()
    return float(time.mean() - begun) / CALLS
