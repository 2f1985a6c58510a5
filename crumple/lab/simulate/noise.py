"""How uneven computing is in a simulation, where nobody says otherwise."""

NOISE = 0.01  #: standard deviation of a block of compute, relative
