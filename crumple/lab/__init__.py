"""The lab: runs, profiles and compares MPI programs.

`LAYERS` lists its folders from the lowest up. A folder imports only from folders below it and from the
modules beside this file, which import only from each other. tests/lab/test_structure.py checks this.
"""

LAYERS: tuple[tuple[str, ...], ...] = (
    ("energy", "page", "profile"),  # meters; parts of pages; the profiler and its traces
    ("catalogue", "applications"),  # hardware as data; the programs that studies run
    ("calibrate", "simulate", "study"),  # measuring a machine; predicting runs; comparing runs
    ("traces", "tune"),  # traces of our solver on any number of ranks; costs of its elements
    ("advise", "published", "submit"),  # questions that need all of these; jobs
    ("report",),  # reports of studies, with predictions beside measurements
    ("commands",),  # the command line
)
