"""Collectives as messages, for communicators that a replay does not know, by textbook algorithms.

Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH (2005), sections 3
and 4. The part of each rank is a list of steps, one after another.
"""

from typing import NamedTuple


class ExchangeStep(NamedTuple):
    """A send to one rank and a receive from another at once, in ranks of the communicator; None: not done."""

    to: int | None
    sends: int
    source: int | None
    receives: int


def send(to: int, size: int) -> ExchangeStep:
    """A step that only sends."""
    return ExchangeStep(to, size, None, 0)


def receive(source: int, size: int) -> ExchangeStep:
    """A step that only receives."""
    return ExchangeStep(None, 0, source, size)


def barrier(rank: int, n: int) -> list[ExchangeStep]:
    """Dissemination: in round k each rank sends to the rank 2^k further."""
    steps, far = [], 1
    while far < n:
        steps.append(ExchangeStep((rank + far) % n, 0, (rank - far) % n, 0))
        far *= 2
    return steps


def bcast(rank: int, n: int, root: int, size: int) -> list[ExchangeStep]:
    """Binomial tree."""
    place, steps, far = (rank - root) % n, [], 1
    while far < n:
        if place & far:
            steps.append(receive((place - far + root) % n, size))
            break
        far *= 2
    far //= 2
    while far >= 1:
        if place + far < n:
            steps.append(send((place + far + root) % n, size))
        far //= 2
    return steps


def reduce(rank: int, n: int, root: int, size: int) -> list[ExchangeStep]:
    """Binomial tree: Bcast backwards."""
    return [ExchangeStep(s.source, s.receives, s.to, s.sends) for s in reversed(bcast(rank, n, root, size))]


def allreduce(rank: int, n: int, size: int) -> list[ExchangeStep]:
    """Recursive doubling; ranks beyond a power of two send to a neighbour and get the sum back."""
    power = 1 << (n.bit_length() - 1)
    rest = n - power
    if rank < 2 * rest and rank % 2 == 1:
        return [send(rank - 1, size), receive(rank - 1, size)]
    lends = rank < 2 * rest
    steps = [receive(rank + 1, size)] if lends else []
    place, far = (rank // 2 if lends else rank - rest), 1
    while far < power:
        other = place ^ far
        partner = 2 * other if other < rest else other + rest
        steps.append(ExchangeStep(partner, size, partner, size))
        far *= 2
    return steps + ([send(rank + 1, size)] if lends else [])


def scan(rank: int, n: int, size: int) -> list[ExchangeStep]:
    """A chain."""
    steps = [receive(rank - 1, size)] if rank else []
    return steps + ([send(rank + 1, size)] if rank + 1 < n else [])


def gatherv(rank: int, n: int, root: int, own: int, blocks: tuple[int, ...]) -> list[ExchangeStep]:
    """All blocks to the root, one after another.

    Args:
        own: bytes of the rank's own block
        blocks: bytes of all ranks' blocks, at the root
    """
    if rank != root:
        return [send(root, own)]
    return [receive(r, blocks[r]) for r in range(n) if r != root]


def scatterv(rank: int, n: int, root: int, own: int, blocks: tuple[int, ...]) -> list[ExchangeStep]:
    """From the root to all ranks, one after another."""
    if rank != root:
        return [receive(root, own)]
    return [send(r, blocks[r]) for r in range(n) if r != root]


def allgatherv(rank: int, n: int, blocks: tuple[int, ...]) -> list[ExchangeStep]:
    """Ring: each rank passes on the block that it received last."""
    return [
        ExchangeStep((rank + 1) % n, blocks[(rank - k) % n], (rank - 1) % n, blocks[(rank - k - 1) % n])
        for k in range(n - 1)
    ]


def reduce_scatter(rank: int, n: int, blocks: tuple[int, ...]) -> list[ExchangeStep]:
    """Pairwise exchange: each rank sends every other rank its block, and receives its own."""
    return [
        ExchangeStep((rank + k) % n, blocks[(rank + k) % n], (rank - k) % n, blocks[rank])
        for k in range(1, n)
    ]


def alltoallv(rank: int, n: int, sent: tuple[int, ...], received: tuple[int, ...]) -> list[ExchangeStep]:
    """Pairwise exchange."""
    return [
        ExchangeStep((rank + k) % n, sent[(rank + k) % n], (rank - k) % n, received[(rank - k) % n])
        for k in range(1, n)
    ]


class Share(NamedTuple):
    """A rank's part of a collective: sizes in bytes."""

    operation: str  #: MPI's name in lower case, such as allreduce
    rank: int
    n: int
    root: int
    size: int
    sent: tuple[int, ...]
    received: tuple[int, ...]

    def blocks_sent(self) -> tuple[int, ...]:
        """Bytes sent to each rank."""
        return self.sent or (self.size // self.n,) * self.n

    def blocks_received(self) -> tuple[int, ...]:
        """Bytes received from each rank."""
        return self.received or (self.size // self.n,) * self.n


def messages(share: Share) -> list[ExchangeStep]:
    """The steps of the rank."""
    s = share
    match s.operation:
        case "barrier":
            return barrier(s.rank, s.n)
        case "bcast":
            return bcast(s.rank, s.n, s.root, s.size)
        case "reduce":
            return reduce(s.rank, s.n, s.root, s.size)
        case "allreduce":
            return allreduce(s.rank, s.n, s.size)
        case "scan" | "exscan":
            return scan(s.rank, s.n, s.size)
        case "gather" | "gatherv":
            return gatherv(s.rank, s.n, s.root, s.size, s.received or (s.size,) * s.n)
        case "scatter" | "scatterv":
            return scatterv(s.rank, s.n, s.root, s.size, s.sent or (s.size,) * s.n)
        case "allgather":
            return allgatherv(s.rank, s.n, (s.size,) * s.n)
        case "allgatherv":
            return allgatherv(s.rank, s.n, s.received)
        case "reduce_scatter" | "reduce_scatter_block":
            return reduce_scatter(s.rank, s.n, s.blocks_received())
        case "alltoall" | "alltoallv" | "alltoallw":
            return alltoallv(s.rank, s.n, s.blocks_sent(), s.blocks_received())
    raise ValueError(f"unknown collective '{s.operation}'")


#: collectives whose messages do not wait for each other, so that they can be under way until the wait
INDEPENDENT = {"gather", "gatherv", "scatter", "scatterv", "alltoall", "alltoallv", "alltoallw"}


def replayed(share: Share) -> str:
    """The line of a collective of all ranks for a replay; blocks are in bytes (type 6).

    Args:
        share: with ranks and blocks in the order of MPI_COMM_WORLD
    """
    s = share
    match s.operation:
        case "barrier":
            return "barrier"
        case "bcast":
            return f"bcast {s.size} {s.root} 6"
        case "reduce":
            return f"reduce {s.size} 0 {s.root} 6"
        case "allreduce" | "scan" | "exscan":
            return f"{s.operation} {s.size} 0 6"
        case "gather" | "scatter":
            return f"{s.operation} {s.size} {s.size} {s.root} 6 6"
        case "allgather":
            return f"allgather {s.size} {s.size} 6 6"
        case "alltoall":
            return f"alltoall {s.size // s.n} {s.size // s.n} 6 6"
        case "allgatherv":
            return f"allgatherv {s.size} {numbers(s.received)} 6 6"
        case "gatherv":
            return f"gatherv {s.size} {numbers(s.received or (0,) * s.n)} {s.root} 6 6"
        case "scatterv":
            return f"scatterv {numbers(s.sent or (0,) * s.n)} {s.size} {s.root} 6 6"
        case "alltoallv" | "alltoallw":
            return f"alltoallv {sum(s.sent)} {numbers(s.sent)} {sum(s.received)} {numbers(s.received)} 6 6"
        case "reduce_scatter" | "reduce_scatter_block":
            return f"reducescatter {numbers(s.blocks_received())} 0 6"
    raise ValueError(f"unknown collective '{s.operation}'")


def numbers(values: tuple[int, ...]) -> str:
    """Numbers separated by blanks."""
    return " ".join(map(str, values))
