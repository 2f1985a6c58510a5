"""The error of a curve to which a figure cannot be applied."""


class SignalError(ValueError):
    """A curve that is too short, too coarse, or otherwise unfit for what is asked of it."""
