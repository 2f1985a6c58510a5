"""How the busy cores of a socket share its caches and its memory bandwidth."""

#: sharpness of the saturation: fits triad on 1 to 4 cores of an E5-2680 (RRZE-HPC/kerncraft) within 2 %
KNEE = 6


def missed_share(cache: float, data: float) -> float:
    """Share of the memory traffic that remains with a cache, for a program that repeats passes over its data.

    The exponent fits the solver under cachegrind (reference.toml).
    """
    return 1.0 - min(1.0, cache / data) ** 1.5 if data > 0.0 else 0.0


def saturated(busy: float, cores: int, slowed: float, wanted: float, bandwidth: float) -> float:
    """Rate of each busy core over that of one core that uses the memory alone.

    Args:
        slowed: clock with all cores busy over that of one alone; linear in between
        wanted: bytes per second that one core alone moves
        bandwidth: bandwidth of the socket
    """
    clock = 1.0 - (1.0 - slowed) * (busy - 1) / (cores - 1) if cores > 1 else 1.0
    if wanted <= 0.0:
        return clock
    memory = bandwidth / (busy * wanted)
    return (clock**-KNEE + memory**-KNEE) ** (-1.0 / KNEE)
