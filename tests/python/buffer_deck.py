"""A mass that runs into a spring with a damper: closed forms for peak acceleration and stroke.

C. M. Harris, A. G. Piersol (ed.), Harris' Shock and Vibration Handbook, 5th ed., 2002, chapter 31 (velocity
step on a linear isolator). With w = sqrt(k/m), z = c / (2 m w), s = sqrt(1 - z^2):

    stroke     x = v / w exp(-z/s atan(s/z))
    peak       a = v w exp(-z/s atan(s (1 - 4 z^2) / (z (3 - 4 z^2))))     for z < 1/2;  2 z v w beyond

Both follow from x(t) = v / (s w) exp(-z w t) sin(s w t).
"""

import math

MASS, SPEED = 2.0, 10.0  #: kg, mm/ms


def buffer_deck(stiffness: float, damping: float, end_time: float = 20.0) -> str:
    """The deck, in kg, mm, ms, kN."""
    return f"""*KEYWORD
*TITLE
a mass runs into a spring with a damper
*CONTROL_TERMINATION
{end_time!r},
*CONTROL_TIMESTEP
0.,0.9,0,0.,0.,0
*DATABASE_GLSTAT
0.02
*DATABASE_NODOUT
0.02
*DATABASE_BINARY_D3PLOT
1.0
*DATABASE_HISTORY_NODE
2
*NODE
1,0.,0.,0.,7,7
2,100.,0.,0.,5,7
*ELEMENT_MASS
1,2,{MASS!r}
*PART
spring
1,1,1
*SECTION_DISCRETE
1,0
0.,0.
*MAT_SPRING_ELASTIC
1,{stiffness!r}
*PART
damper
2,2,2
*SECTION_DISCRETE
2,0
0.,0.
*MAT_DAMPER_VISCOUS
2,{damping!r}
*ELEMENT_DISCRETE
1,1,1,2,0
2,2,1,2,0
*INITIAL_VELOCITY_NODE
2,-{SPEED!r}
*END
"""


def stroke(stiffness: float, damping: float) -> float:
    """The largest displacement [mm]."""
    w = math.sqrt(stiffness / MASS)
    z = damping / (2.0 * MASS * w)
    s = math.sqrt(1.0 - z * z)
    return SPEED / w * math.exp(-z / s * math.atan2(s, z))


def peak(stiffness: float, damping: float) -> float:
    """The largest acceleration [mm/ms^2]."""
    w = math.sqrt(stiffness / MASS)
    z = damping / (2.0 * MASS * w)
    if z >= 0.5:
        return 2.0 * z * SPEED * w
    s = math.sqrt(1.0 - z * z)
    return SPEED * w * math.exp(-z / s * math.atan(s * (1.0 - 4.0 * z * z) / (z * (3.0 - 4.0 * z * z))))
