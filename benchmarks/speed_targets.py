"""What the project wants of the solver's speed."""

#: ns an element and cycle on one core of an AMD EPYC Zen 4: double, single
TARGETS = {
    "Belytschko-Tsay shell": (130, 80),
    "fully integrated shell": (420, 260),
    "one-point solid, hourglass 6": (90, 55),
    "solid ELFORM 2": (300, 190),
    "solid ELFORM -1": (300, 190),
    "tube with contact to 0.45 ms": (200, 130),
}
ALLOWED_LIMITS = (3.0, 3.5)  #: a kernel's time over its limit: double, single
NOT_ELEMENTS = 35  #: percent of a whole crash, at most
SPEED_UP = 1.9  #: of two cores over one
SINGLE = 1.5  #: single over double precision
OF_BASELINE = 1.6  #: AVX2 over the kernels of any x86-64
