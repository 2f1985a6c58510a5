"""Default noise of compute in a simulation."""

NOISE = 0.01  #: standard deviation of a block of compute, relative
