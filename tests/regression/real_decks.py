"""Names the real decks that run to their end times."""

DECKS = {
    "taylor_bar": "pydyna/taylor_bar/input.k",
    "pipe_whip": "pydyna/pipe_whip/pipe.k",
    "pendulum": "pydyna/pendulum/pendulum.k",
    "bar_impact": "pydyna/bar_impact/input.k",
    "plate_shatter": "dynakw/mat_piecewise_linear.plate-shatter.k",
    "box_drop": "boxdrop/box_drop_openrs.k",
}
